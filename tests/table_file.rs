//! The table file: what is written, what is read, and all that is refused.

mod common;

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use common::{file_of, formula_values, game, table_of, values};
use grundy::table::{
    CHUNK, FormatError, HEADER_BYTES, Policy, Reserved, Summary, Table, TableError, Target, Writer,
};
use grundy::verify::{Check, Settings, Status, Verifier};

fn written(path: &Path, id: &str, policy: Policy) -> Result<(), TableError> {
    let game = game(id);
    let mut writer = Writer::create(path, game, policy)?;
    writer.values_mut().copy_from_slice(&values(game));
    let summary = Summary::of(writer.values());
    let header = writer.finish(&summary)?;
    assert_eq!(header.game(), game);
    Ok(())
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
    let mut names: Vec<String> =
        entries.map(|entry| name(entry).into_string().expect("utf-8")).collect();
    names.sort();
    names
}

#[test]
fn a_foreign_reader_finds_both_tensors_and_the_metadata() {
    for id in ["chess-1", "chess-10", "slide-9-reach-3", "welter-25"] {
        let game = game(id);
        // Any values will do: the reader knows no game. The last has more than one chunk.
        let values: Vec<u8> = (0..game.entries()).map(|index| (index % 251) as u8).collect();
        let file = file_of(game, &values);
        let (length, metadata) = safetensors::SafeTensors::read_metadata(&file).expect(id);
        assert_eq!(length as u64, HEADER_BYTES - 8);
        let metadata = metadata.metadata().as_ref().expect("metadata");
        assert_eq!(metadata["format"], "grundy-table/1");
        assert_eq!(metadata["id"], id);
        assert_eq!(metadata.contains_key("reach"), id.contains("reach"));
        let tensors = safetensors::SafeTensors::deserialize(&file).expect(id);
        let read = tensors.tensor("values").expect("values");
        assert_eq!((read.dtype(), read.shape()), (safetensors::Dtype::U8, &[values.len()][..]));
        assert!(read.data() == values, "{id}: other values");
        let chunks = values.len().div_ceil(CHUNK as usize);
        let read = tensors.tensor("chunk_blake3").expect("chunk_blake3");
        assert_eq!(read.shape(), [chunks, 32], "{id}");
        let first = values.chunks(CHUNK as usize).next().expect("a chunk");
        assert_eq!(read.data()[..32], *blake3::hash(first).as_bytes(), "{id}");
    }
}

#[test]
fn the_header_is_the_one_that_the_format_promises() {
    let file = file_of(game("slide-2"), &[0, 0, 1, 0]);
    let json = std::str::from_utf8(&file[8..4096]).expect("utf-8").trim_end_matches(' ');
    let chunk = blake3::hash(&[0, 0, 1, 0]);
    let root = blake3::hash(chunk.as_bytes());
    let expected = format!(
        r#"{{"__metadata__":{{"format":"grundy-table/1","id":"slide-2","game":"slide","width":"2","entries":"4","max_value":"1","zero_entries":"3","blake3":"{root}"}},"values":{{"dtype":"U8","shape":[4],"data_offsets":[0,4]}},"chunk_blake3":{{"dtype":"U8","shape":[1,32],"data_offsets":[4,36]}}}}"#
    );
    assert_eq!(json, expected);
    assert_eq!(file[..8], 4088_u64.to_le_bytes());
    assert_eq!(file.len(), 4096 + 4 + 32);
    assert_eq!(file[4100..], *chunk.as_bytes());
    let file = file_of(game("stones-1"), &[0, 1]);
    let json = String::from_utf8_lossy(&file[8..4096]).into_owned();
    assert!(json.contains(r#""game":"stones","max":"1","entries":"2""#), "{json}");
    let file = file_of(game("chess-3-reach-1"), &[0; 8]);
    let json = String::from_utf8_lossy(&file[8..4096]).into_owned();
    assert!(json.contains(r#""width":"3","reach":"1","entries":"8""#), "{json}");
}

#[test]
fn a_table_reads_back_from_file_and_bytes_and_mapped() {
    let folder = tempfile::tempdir().expect("a folder");
    for id in ["chess-1", "chess-5", "slide-6", "welter-12", "slide-12-reach-4"] {
        let path = folder.path().join(id);
        written(&path, id, Policy::Keep).expect(id);
        let expected = values(game(id));
        let loaded = Table::load(&path).expect(id);
        assert_eq!(loaded.values(), expected, "{id}");
        assert_eq!(loaded.path(), Some(path.as_path()));
        // SAFETY: the file is this test's own, and nobody changes it.
        #[expect(unsafe_code, reason = "the test keeps the contract of a mapping")]
        let mapped = unsafe { Table::map(&path) }.expect(id);
        assert_eq!(mapped.values(), expected, "{id}");
        assert_eq!(mapped.header(), loaded.header());
        assert_eq!(fs::read(&path).expect(id), file_of(game(id), &expected), "{id}");
        assert_eq!(Table::read_header(&path).expect(id), *loaded.header());
    }
}

#[test]
fn a_batch_of_places_is_looked_up_or_refused_whole() {
    let table = table_of(game("chess-10"), &values(game("chess-10")));
    let places: Vec<u64> = (0..1024).rev().collect();
    let mut found = vec![0xFF; 1024];
    table.values_at(&places, &mut found).expect("all in range");
    assert!(places.iter().zip(&found).all(|(&place, &found)| table.get(place) == Some(found)));
    let mut found = [0xFF; 2];
    assert!(table.values_at(&[0, 1024], &mut found).is_err());
    assert!(table.values_at(&[0, u64::MAX], &mut found).is_err());
    assert!(table.values_at(&[0], &mut found).is_err());
    assert_eq!(found, [0xFF; 2]);
    assert_eq!((table.get(1024), table.get(u64::MAX)), (None, None));
    table.values_at(&[], &mut []).expect("nothing to look up");
}

#[test]
fn every_changed_byte_is_refused_or_found_by_integrity() {
    for id in ["chess-4", "welter-5-reach-2"] {
        let file = file_of(game(id), &values(game(id)));
        for at in 0..file.len() {
            for flip in [1, 0x20, 0x80] {
                let mut changed = file.clone();
                changed[at] ^= flip;
                let Ok(table) = Table::from_bytes(changed) else { continue };
                assert!(at >= 8, "{id}: a changed length was read, byte {at}");
                let mut verifier = Verifier::new(&table, one_thread()).expect("threads");
                let outcome = verifier.run(Check::Integrity).expect("checked");
                assert_eq!(outcome.status, Status::Failed, "{id}: byte {at} xor {flip:#x}");
                assert!(outcome.bad > 0 && outcome.first_bad.is_some());
            }
        }
    }
}

fn one_thread() -> Settings {
    Settings { threads: std::num::NonZeroUsize::new(1), ..Settings::detect() }
}

#[test]
fn every_length_but_the_right_one_is_refused() {
    let file = file_of(game("slide-6"), &values(game("slide-6")));
    for length in 0..file.len() {
        let problem = Table::from_bytes(file[..length].to_vec()).expect_err("cut short");
        let short = length < HEADER_BYTES as usize;
        assert_eq!(matches!(problem, FormatError::Short { .. }), short, "{length}: {problem}");
    }
    for more in [1, 32, 4096] {
        let mut longer = file.clone();
        longer.resize(file.len() + more, 0);
        let problem = Table::from_bytes(longer).expect_err("too long");
        assert!(matches!(problem, FormatError::Length { .. }), "{problem}");
    }
}

/// The file of `chess-2` with a part of its header replaced, padded to the same length.
fn with_header(from: &str, to: &str) -> Vec<u8> {
    let file = file_of(game("chess-2"), &[0, 0, 1, 0]);
    let json = std::str::from_utf8(&file[8..4096]).expect("utf-8").trim_end_matches(' ');
    assert!(json.contains(from), "{from} is not in {json}");
    let json = json.replacen(from, to, 1);
    let mut changed = file[..8].to_vec();
    changed.extend(format!("{json:<4088}").bytes());
    changed.extend(&file[4096..]);
    changed
}

#[test]
fn headers_that_say_too_much_or_contradict_themselves_are_refused() {
    assert!(Table::from_bytes(with_header("chess", "chess")).is_ok());
    let changes = [
        (r#""format":"grundy-table/1""#, r#""format":"grundy-table/2""#),
        (r#""id":"chess-2""#, r#""id":"chess-3""#),
        (r#""id":"chess-2""#, r#""id":"slide-2""#),
        (r#""id":"chess-2""#, r#""id":"chess-02""#),
        (r#""id":"chess-2""#, r#""id":"chess-99999999999999999999""#),
        (r#""game":"chess""#, r#""game":"slide""#),
        (r#""width":"2""#, r#""width":"3""#),
        (r#""width":"2""#, r#""width":"2","reach":"1""#),
        (r#""width":"2""#, r#""width":"2","max":"2""#),
        (r#""width":"2","#, ""),
        (r#""entries":"4""#, r#""entries":"+4""#),
        (r#""entries":"4""#, r#""entries":4"#),
        (r#""entries":"4""#, r#""entries":"4","entries":"4""#),
        (r#""entries":"4""#, r#""entries":"18446744073709551615""#),
        (r#""max_value":"1""#, r#""max_value":"01""#),
        (r#""max_value":"1""#, r#""max_value":"256""#),
        (r#""zero_entries":"3""#, r#""zero_entries":"5""#),
        (r#""zero_entries":"3""#, r#""zero_entries":"3","made":"today""#),
        (r#""dtype":"U8""#, r#""dtype":"I8""#),
        (r#""shape":[4]"#, r#""shape":[4,1]"#),
        (r#""shape":[4]"#, r#""shape":[18446744073709551615]"#),
        (r#""shape":[4]"#, r#""shape":[-4]"#),
        (r#""data_offsets":[0,4]"#, r#""data_offsets":[1,5]"#),
        (r#""data_offsets":[0,4]"#, r#""data_offsets":[0,4,8]"#),
        (r#""data_offsets":[4,36]"#, r#""data_offsets":[18446744073709551615,31]"#),
        (r#""values""#, r#""Values""#),
        (r#","values""#, r#", "values""#),
        (r#""id":"chess-2""#, r#""id":"\u0063hess-2""#),
    ];
    for (from, to) in changes {
        let problem = Table::from_bytes(with_header(from, to)).expect_err(to);
        assert!(!problem.to_string().is_empty());
    }
    let upper = String::from_utf8_lossy(&with_header("chess", "chess")[8..4096]).into_owned();
    let (_, rest) = upper.split_once(r#""blake3":""#).expect("a root");
    let root = &rest[..64];
    let problem = Table::from_bytes(with_header(root, &root.to_uppercase())).expect_err("upper");
    assert!(matches!(problem, FormatError::Field { field: "blake3", .. }), "{problem}");
}

#[test]
fn only_regular_files_are_opened_and_nothing_hangs() {
    let folder = tempfile::tempdir().expect("a folder");
    let fifo = folder.path().join("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status().expect("mkfifo");
    assert!(made.success());
    for path in [folder.path(), &fifo, Path::new("/dev/zero"), Path::new("/dev/null")] {
        let problem = Table::load(path).expect_err("no regular file");
        assert!(matches!(problem, TableError::NotRegular { .. }), "{problem}");
        let problem = Target::check(path, Policy::Replace).expect_err("no regular file");
        assert!(matches!(problem, TableError::NotRegular { .. }), "{problem}");
    }
    let problem = Table::load(Path::new("/proc/self/maps")).expect_err("no table");
    assert!(matches!(problem, TableError::Format { .. }), "{problem}");
    assert!(matches!(Table::load(&folder.path().join("none")), Err(TableError::Io { .. })));
}

#[test]
fn a_writer_that_is_dropped_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("chess-10");
    let mut writer = Writer::create(&path, game("chess-10"), Policy::Keep).expect("created");
    writer.values_mut().fill(7);
    assert_eq!(names(folder.path()).len(), 1, "the hidden file");
    assert!(!path.exists());
    drop(writer);
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn an_existing_file_is_kept_or_replaced_as_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table");
    fs::write(&path, "mine").expect("written");
    let problem = written(&path, "chess-5", Policy::Keep).expect_err("kept");
    assert!(matches!(problem, TableError::Exists { .. }), "{problem}");
    assert_eq!(fs::read(&path).expect("read"), b"mine");
    written(&path, "chess-5", Policy::Replace).expect("replaced");
    assert!(Table::load(&path).is_ok());
    assert_eq!(names(folder.path()), ["table"]);
}

#[test]
fn a_file_that_comes_meanwhile_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table");
    let mut writer = Writer::create(&path, game("chess-5"), Policy::Keep).expect("created");
    writer.values_mut().fill(0);
    let summary = Summary::of(writer.values());
    fs::write(&path, "mine").expect("written");
    let problem = writer.finish(&summary).expect_err("kept");
    assert!(matches!(problem, TableError::Exists { .. }), "{problem}");
    assert_eq!(fs::read(&path).expect("read"), b"mine");
    assert_eq!(names(folder.path()), ["table"]);
}

#[test]
fn what_a_dead_run_left_is_removed_and_what_lives_is_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("chess-8");
    let living = Writer::create(&path, game("chess-8"), Policy::Keep).expect("created");
    let dead = folder.path().join(".chess-8.4000000-3.partial");
    fs::write(&dead, "half").expect("written");
    let others = [".chess-80.1-1.partial", ".chess-8.1-1.partial.txt", ".chess-8.x-1.partial"];
    for other in others {
        fs::write(folder.path().join(other), "not ours").expect("written");
    }
    let target = Target::check(&path, Policy::Keep).expect("free");
    assert_eq!(target.remove_left_overs(), [dead]);
    assert!(living.partial_path().exists());
    assert!(others.iter().all(|other| folder.path().join(other).exists()));
    assert_eq!(target.remove_left_overs(), [Path::new(""); 0]);
}

#[test]
fn the_mode_of_a_table_is_that_of_any_new_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode() & 0o777;
    let plain = folder.path().join("plain");
    File::create(&plain).expect("created");
    let path = folder.path().join("table");
    written(&path, "chess-3", Policy::Keep).expect("written");
    assert_eq!(mode(&path), mode(&plain));
}

#[test]
fn a_link_stands_for_its_target_and_long_names_are_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let (link, real) = (folder.path().join("link"), folder.path().join("real"));
    fs::write(&real, "old").expect("written");
    std::os::unix::fs::symlink(&real, &link).expect("linked");
    written(&link, "chess-3", Policy::Replace).expect("written");
    assert!(link.symlink_metadata().expect("a link").is_symlink());
    assert!(Table::load(&real).is_ok());
    let long = folder.path().join("n".repeat(255));
    written(&long, "chess-3", Policy::Keep).expect("written");
    assert!(Table::load(&long).is_ok());
}

#[test]
fn a_target_without_a_folder_or_room_is_refused_before_any_work() {
    let folder = tempfile::tempdir().expect("a folder");
    let problem = written(&folder.path().join("none/t"), "chess-3", Policy::Keep);
    assert!(matches!(problem, Err(TableError::NoFolder { .. })), "{problem:?}");
    let target = Target::check(&folder.path().join("t"), Policy::Keep).expect("free");
    let problem = target.check_space(u64::MAX).expect_err("no disk is that large");
    assert!(matches!(problem, TableError::Space { free: Some(_), .. }), "{problem}");
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn a_table_of_several_chunks_is_whole() {
    let game = game("chess-25");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table");
    let mut writer = Writer::create(&path, game, Policy::Keep).expect("created");
    assert!(matches!(writer.reserved(), Reserved::Blocks | Reserved::Zeros));
    let expected = formula_values(game);
    writer.values_mut().copy_from_slice(&expected);
    let summary = Summary::of(writer.values());
    writer.finish(&summary).expect("finished");
    let table = Table::load(&path).expect("a table");
    assert!(table.values() == expected);
    assert!(table.chunk_digests().eq(summary.chunks));
}
