//! Any bytes as a table: refused, or a table that is what it says, to the last byte.
//!
//! The first byte says how the rest is taken: as the whole file, or as the header of one that is otherwise right,
//! so that the fuzzer need not find out lengths and padding by itself.

#![no_main]

use grundy::table::{HEADER_BYTES, Header, Table};
use libfuzzer_sys::fuzz_target;

/// Larger tables are not made up: their headers are read all the same.
const MOST: u64 = 1 << 16;

fuzz_target!(|data: &[u8]| {
    let Some((&how, rest)) = data.split_first() else { return };
    if how % 2 == 0 {
        whole(rest.to_vec());
    } else {
        with_header(rest);
    }
});

fn whole(bytes: Vec<u8>) {
    let copy = bytes.clone();
    match Table::from_bytes(bytes) {
        Err(problem) => assert!(!problem.to_string().is_empty()),
        Ok(table) => look(&table, &copy),
    }
}

fn with_header(json: &[u8]) {
    let room = HEADER_BYTES as usize - 8;
    let mut file = (room as u64).to_le_bytes().to_vec();
    file.extend(&json[..json.len().min(room)]);
    file.resize(HEADER_BYTES as usize, b' ');
    let Ok(header) = Header::parse(&file) else { return };
    assert!(header.file_bytes() > HEADER_BYTES + header.entries());
    assert_eq!(*header.encode(), file[..]);
    if header.entries() <= MOST {
        file.resize(header.file_bytes() as usize, 0xA5);
        whole(file);
    }
}

/// All that can be asked of an open table is in bounds and fits the bytes.
fn look(table: &Table, bytes: &[u8]) {
    let (header, entries) = (table.header(), table.header().entries());
    assert_eq!(header.file_bytes(), bytes.len() as u64);
    assert_eq!(*header.encode(), bytes[..HEADER_BYTES as usize]);
    assert_eq!(table.values().len() as u64, entries);
    assert_eq!(table.get(entries - 1), Some(bytes[(HEADER_BYTES + entries) as usize - 1]));
    assert_eq!((table.get(entries), table.get(u64::MAX)), (None, None));
    let mut found = [0; 2];
    assert!(table.values_at(&[0, entries], &mut found).is_err());
    table.values_at(&[0, entries - 1], &mut found).expect("both are there");
    assert_eq!(table.chunk_digests().len() as u64, header.chunks());
    assert!(header.fields().iter().all(|(name, text)| !name.is_empty() && !text.is_empty()));
}
