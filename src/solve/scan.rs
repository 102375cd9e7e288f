//! One pass over the numbers of an input, made for tokens of one or two digits.
//!
//! A number is a run of digits between white space: no sign, no point, no other byte. How the white
//! space is laid out does not matter, so line ends of either kind, blank lines and single lines
//! all read the same.
//!
//! The input goes through one small buffer. To read a file whole costs more in page faults than all the
//! numbers in it; and so an input of any size needs the same memory.

use std::io::{self, Read};

use super::{Found, InputError, SolveError};

/// The size of the buffer, in bytes, and so of the longest number.
const BUFFER: usize = 1 << 16;

/// The longest part of a token that an error shows, in bytes.
const SHOWN: usize = 40;

/// An input and the part of it that is in memory.
pub(super) struct Input<'r> {
    source: &'r mut dyn Read,
    buffer: Vec<u8>,
    /// The bytes of the buffer that hold input.
    filled: usize,
    /// The line ends in all input before the buffer.
    lines: usize,
    /// The last byte of the input so far.
    last: Option<u8>,
}

/// The numbers of an input, from the first to the last.
///
/// The place is kept apart from the input, whose address goes to functions that are not inlined:
/// so it stays in a register, and no number waits for the store of the one before it.
pub(super) struct Scan<'i, 'r> {
    input: &'i mut Input<'r>,
    /// Where the next token, or white space before it, begins in the buffer.
    at: usize,
}

/// A token that is not the number wanted. It knows where, so that a caller can say what for.
#[derive(Debug)]
pub(super) enum Unwanted {
    Token { line: usize, found: Found },
    Unread(io::Error),
}

impl Unwanted {
    /// The error of this token at `place`, where `expected` should stand.
    #[cold]
    pub(super) fn at(self, place: String, expected: String) -> SolveError {
        match self {
            Self::Token { line, found } => InputError { line, place, found, expected }.into(),
            Self::Unread(error) => SolveError::Read(error),
        }
    }
}

impl<'i, 'r> Scan<'i, 'r> {
    pub(super) const fn new(input: &'i mut Input<'r>) -> Self {
        Self { input, at: 0 }
    }

    /// The next number, which must be one of `least..=most`.
    ///
    /// Numbers of one or two digits before a white space are taken without a loop and, but for the
    /// refusals, without a branch: in a random input their lengths cannot be predicted.
    #[inline(always)]
    pub(super) fn number(&mut self, least: u64, most: u64) -> Result<u64, Unwanted> {
        let (number, after) = match self.input.short_number(self.at) {
            Some(found) => found,
            None => self.input.any_number(self.at)?,
        };
        if least <= number && number <= most {
            self.at = after;
            Ok(number)
        } else {
            Err(self.input.out_of_range(after))
        }
    }

    /// That nothing but white space is left.
    pub(super) fn end(self) -> Result<(), Unwanted> {
        let (start, end) = self.input.token(self.at).map_err(Unwanted::Unread)?;
        if start == end { Ok(()) } else { Err(self.input.unwanted(start, end)) }
    }

    /// A cell named a second time, by the token read last.
    #[cold]
    pub(super) fn repeated(&self, cell: u32) -> Unwanted {
        let (start, _) = self.input.last_token(self.at);
        Unwanted::Token { line: self.input.line(start), found: Found::Repeated(cell) }
    }
}

impl<'r> Input<'r> {
    pub(super) fn new(source: &'r mut dyn Read) -> Self {
        Self { source, buffer: vec![0; BUFFER], filled: 0, lines: 0, last: None }
    }

    /// A number of one or two digits that begins at `at` and ends with a white space, and the place
    /// behind that.
    #[inline(always)]
    fn short_number(&self, at: usize) -> Option<(u64, usize)> {
        let bytes = u32::from_le_bytes(*self.buffer[..self.filled].get(at..)?.first_chunk()?);
        let (first, second) = (digit(bytes as u8), digit((bytes >> 8) as u8));
        let two = u32::from(second < 10);
        let end = (bytes >> (8 + 8 * two)) as u8;
        if first >= 10 || !is_space(end) {
            return None;
        }
        // One digit: first. Two: first * 10 + second.
        let [first, second] = [first, second].map(u32::from);
        Some((u64::from(first + two * (first * 9 + second)), at + 2 + two as usize))
    }

    /// A number of any length after any white space, and the place behind the white space that ends it.
    /// One that fits no `u64` is the largest.
    #[inline(never)]
    fn any_number(&mut self, at: usize) -> Result<(u64, usize), Unwanted> {
        let (start, end) = self.token(at).map_err(Unwanted::Unread)?;
        let token = &self.buffer[start..end];
        if token.is_empty() || end == BUFFER || !token.iter().all(u8::is_ascii_digit) {
            return Err(self.unwanted(start, end));
        }
        let number = token.iter().fold(0_u64, |number, &byte| {
            number.saturating_mul(10).saturating_add(u64::from(digit(byte)))
        });
        Ok((number, self.filled.min(end + 1)))
    }

    /// The next token, as a range of the buffer: empty at the end of the input. It reads on where the
    /// buffer ends inside the token, which may move it to the front; one that fills the whole buffer is cut.
    fn token(&mut self, at: usize) -> io::Result<(usize, usize)> {
        let mut at = at;
        loop {
            let rest = &self.buffer[at..self.filled];
            let spaces = rest.iter().take_while(|&&byte| is_space(byte)).count();
            let start = at + spaces;
            let token = &rest[spaces..];
            if let Some(length) = token.iter().position(|&byte| is_space(byte)) {
                return Ok((start, start + length));
            }
            if token.len() == BUFFER || !self.read_on(start)? {
                // At the end of the input the token, if any, is now at the front.
                return Ok((0, self.filled));
            }
            at = 0;
        }
    }

    /// Moves what begins at `keep` to the front and reads more behind it: false at the end of the input.
    fn read_on(&mut self, keep: usize) -> io::Result<bool> {
        self.lines += line_ends(&self.buffer[..keep]);
        self.buffer.copy_within(keep..self.filled, 0);
        self.filled -= keep;
        let read = loop {
            match self.source.read(&mut self.buffer[self.filled..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        self.filled += read;
        self.last = self.buffer[..self.filled].last().copied().filter(|_| read > 0).or(self.last);
        Ok(read > 0)
    }

    /// The token before `after`, the place to which reading it has led.
    fn last_token(&self, after: usize) -> (usize, usize) {
        let read = self.buffer[..after].trim_ascii_end();
        let start = read.iter().rposition(|&byte| is_space(byte)).map_or(0, |space| space + 1);
        (start, read.len())
    }

    /// The number read last, as one that should not stand there.
    #[cold]
    fn out_of_range(&self, after: usize) -> Unwanted {
        let (start, end) = self.last_token(after);
        self.unwanted(start, end)
    }

    /// The token of a range of the buffer, or the end of the input, as something that should not
    /// stand there.
    #[cold]
    fn unwanted(&self, start: usize, end: usize) -> Unwanted {
        let token = &self.buffer[start..end];
        if token.is_empty() {
            let lines = self.lines + line_ends(&self.buffer[..end]);
            let open = usize::from(self.last.is_none_or(|last| last != b'\n'));
            return Unwanted::Token { line: lines + open, found: Found::End };
        }
        let cut = if token.len() > SHOWN { ".." } else { "" };
        let shown = token[..token.len().min(SHOWN)].escape_ascii();
        let found = Found::Token(format!("{shown}{cut}"));
        Unwanted::Token { line: self.line(start), found }
    }

    /// The line of a place in the buffer, counted from 1.
    fn line(&self, at: usize) -> usize {
        1 + self.lines + line_ends(&self.buffer[..at])
    }
}

/// The number of line ends; counted in bytes first, which the compiler turns into vectors.
fn line_ends(bytes: &[u8]) -> usize {
    let count = |chunk: &[u8]| chunk.iter().map(|&byte| u8::from(byte == b'\n')).sum::<u8>();
    bytes.chunks(255).map(|chunk| usize::from(count(chunk))).sum()
}

/// The white space of C: blank, tab, line feed, vertical tab, form feed, carriage return.
const fn is_space(byte: u8) -> bool {
    (byte == b' ') | (byte.wrapping_sub(b'\t') < 5)
}

/// The value of a digit; above 9 for any other byte.
const fn digit(byte: u8) -> u8 {
    byte.wrapping_sub(b'0')
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::{BUFFER, Found, Input, Scan, Unwanted};

    /// A source that gives a few bytes at a time.
    struct Trickle<'a>(&'a [u8], usize);

    impl Read for Trickle<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let (now, later) = self.0.split_at(self.0.len().min(self.1).min(buffer.len()));
            buffer[..now.len()].copy_from_slice(now);
            self.0 = later;
            Ok(now.len())
        }
    }

    /// Every number up to the first that is none, and what stands there on which line.
    fn numbers_of(source: &mut dyn Read) -> (Vec<u64>, usize, Found) {
        let mut input = Input::new(source);
        let mut scan = Scan::new(&mut input);
        let mut numbers = Vec::new();
        loop {
            match scan.number(0, u64::MAX) {
                Ok(number) => numbers.push(number),
                Err(Unwanted::Token { line, found }) => return (numbers, line, found),
                Err(Unwanted::Unread(error)) => panic!("{error}"),
            }
        }
    }

    fn numbers(input: &[u8]) -> (Vec<u64>, usize, Found) {
        let whole = numbers_of(&mut &*input);
        for step in [1, 2, 3, 5] {
            let parts = numbers_of(&mut Trickle(input, step));
            assert_eq!(parts, whole, "{} bytes at a time: {}", step, input.escape_ascii());
        }
        whole
    }

    #[test]
    fn numbers_of_every_length_are_read_before_any_white_space() {
        for end in [" ", "\n", "\r\n", "\t", "\x0b", "\x0c", "\n\n \r\n", ""] {
            for number in [0_u64, 7, 9, 10, 19, 99, 100, 12_345, u64::MAX] {
                for before in ["", " ", "1 ", "\r\n", "20\n"] {
                    let input = format!("{before}{number}{end}");
                    let (found, _, last) = numbers(input.as_bytes());
                    assert_eq!(found.last(), Some(&number), "{input:?}");
                    assert_eq!(last, Found::End, "{input:?}");
                }
            }
        }
    }

    #[test]
    fn leading_zeros_are_digits_and_a_number_too_large_is_the_largest() {
        let (found, ..) = numbers(b"007 00 18446744073709551616 99999999999999999999999");
        assert_eq!(found, [7, 0, u64::MAX, u64::MAX]);
    }

    #[test]
    fn no_other_byte_passes_anywhere_in_a_token() {
        for byte in (0..=255_u8).filter(|byte| !byte.is_ascii_digit() && !super::is_space(*byte)) {
            for place in 0..4 {
                let mut token = *b"1234";
                token[place] = byte;
                for length in place + 1..=4 {
                    let mut input = b"5\n6 ".to_vec();
                    input.extend_from_slice(&token[..length]);
                    input.extend_from_slice(b" 7\n");
                    let shown = token[..length].escape_ascii().to_string();
                    let expected = (vec![5, 6], 2, Found::Token(shown));
                    assert_eq!(numbers(&input), expected, "{}", input.escape_ascii());
                }
            }
        }
    }

    #[test]
    fn the_seams_of_the_buffer_change_nothing() {
        for spaces in BUFFER - 6..BUFFER + 3 {
            let input = format!("{}\n12 345\n 6 x", "\n".repeat(spaces));
            let expected = (vec![12, 345, 6], spaces + 3, Found::Token("x".to_owned()));
            assert_eq!(numbers_of(&mut input.as_bytes()), expected, "{spaces} line ends before");
        }
        let lines: Vec<String> = (0..100_000).map(|number| number.to_string()).collect();
        let input = lines.join("\n");
        let (found, line, last) = numbers_of(&mut input.as_bytes());
        assert!(found.into_iter().eq(0..100_000));
        assert_eq!((line, last), (100_000, Found::End));
    }

    #[test]
    fn a_token_that_fills_the_buffer_is_no_number() {
        for length in BUFFER - 1..BUFFER + 2 {
            let input = format!("\n {} 5", "1".repeat(length));
            let (found, line, last) = numbers_of(&mut input.as_bytes());
            if length < BUFFER {
                assert_eq!(found, [u64::MAX, 5]);
            } else {
                let shown = format!("{}..", "1".repeat(40));
                assert_eq!((found, line, last), (vec![], 2, Found::Token(shown)));
            }
        }
    }

    #[test]
    fn the_line_of_the_end_is_the_last_line() {
        for (input, expected) in
            [("", 1), ("1", 1), ("1\n", 1), ("1\n2", 2), ("1\n2\n\n", 3), ("\n ", 2)]
        {
            let (_, line, last) = numbers(input.as_bytes());
            assert_eq!((line, last), (expected, Found::End), "{input:?}");
        }
    }

    #[test]
    fn a_range_is_kept_and_the_token_is_shown() {
        let mut source = b"\n 20 21".as_slice();
        let mut input = Input::new(&mut source);
        let mut scan = Scan::new(&mut input);
        assert_eq!(scan.number(1, 20).expect("in range"), 20);
        let unwanted = scan.number(1, 20).expect_err("out of range");
        let Unwanted::Token { line, found } = unwanted else { panic!("{unwanted:?}") };
        assert_eq!((line, found), (2, Found::Token("21".to_owned())));
    }
}
