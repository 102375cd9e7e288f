//! One pass over the numbers of an input, made for tokens of one or two digits.
//!
//! A number is a run of digits between white space: no sign, no point, no other byte. How the white
//! space is laid out does not matter, so line ends of either kind, blank lines and single lines
//! all read the same.

use super::{Found, InputError};

/// The longest part of a token that an error shows, in bytes.
const SHOWN: usize = 40;

/// The numbers of an input, from the first to the last.
pub(super) struct Scan<'a> {
    input: &'a [u8],
    rest: &'a [u8],
}

/// A token that is not the number wanted. It knows where, so that a caller can say what for.
#[derive(Debug)]
pub(super) struct Unwanted {
    line: usize,
    found: Found,
}

impl Unwanted {
    /// The error of this token at `place`, where `expected` should stand.
    #[cold]
    pub(super) fn at(self, place: String, expected: String) -> InputError {
        InputError { line: self.line, place, found: self.found, expected }
    }
}

impl<'a> Scan<'a> {
    pub(super) const fn new(input: &'a [u8]) -> Self {
        Self { input, rest: input }
    }

    /// The next number, which must be one of `least..=most`.
    ///
    /// Numbers of one or two digits before a white space are taken without a loop and, but for the
    /// refusals, without a branch: in a random input their lengths cannot be predicted.
    #[inline(always)]
    pub(super) fn number(&mut self, least: u64, most: u64) -> Result<u64, Unwanted> {
        let before = self.rest;
        let number = self.short_number().or_else(|| self.any_number());
        match number {
            Some(number) if (least..=most).contains(&number) => Ok(number),
            _ => Err(self.unwanted(before)),
        }
    }

    /// A number of one or two digits that begins here and ends with a white space, which is taken
    /// as well.
    #[inline(always)]
    fn short_number(&mut self) -> Option<u64> {
        let &[first, second, third] = self.rest.first_chunk()?;
        let (tens, ones) = (digit(first), digit(second));
        let two = ones < 10;
        let end = if two { third } else { second };
        if tens >= 10 || !is_space(end) {
            return None;
        }
        self.rest = &self.rest[2 + usize::from(two)..];
        Some(u64::from(if two { tens * 10 + ones } else { tens }))
    }

    /// That nothing but white space is left.
    pub(super) fn end(&mut self) -> Result<(), Unwanted> {
        if split_token(self.rest).1.is_empty() { Ok(()) } else { Err(self.unwanted(self.rest)) }
    }

    /// A cell named a second time, by the token read last.
    #[cold]
    pub(super) fn repeated(&self, cell: u32) -> Unwanted {
        // The white space behind the token is taken too: step back onto the token.
        let read = &self.input[..self.input.len() - self.rest.len()];
        Unwanted { line: line(read.trim_ascii_end()), found: Found::Repeated(cell) }
    }

    /// A number of any length after any white space: `None` where there is none. One that fits no
    /// `u64` is the largest.
    #[inline(never)]
    fn any_number(&mut self) -> Option<u64> {
        let (_, token, after) = split_token(self.rest);
        let (first, others) = token.split_first()?;
        let number = others.iter().try_fold(value(*first)?, |number: u64, &byte| {
            Some(number.saturating_mul(10).saturating_add(value(byte)?))
        })?;
        self.rest = after;
        Some(number)
    }

    /// The first token of `at`, a tail of the input, as something that should not stand there.
    #[cold]
    fn unwanted(&self, at: &[u8]) -> Unwanted {
        let (spaces, token, _) = split_token(at);
        let start = self.input.len() - at.len() + spaces;
        if token.is_empty() {
            // An input that ends has ended on the line of its last token.
            return Unwanted { line: line(self.input.trim_ascii_end()), found: Found::End };
        }
        let cut = if token.len() > SHOWN { ".." } else { "" };
        let shown = token[..token.len().min(SHOWN)].escape_ascii();
        Unwanted { line: line(&self.input[..start]), found: Found::Token(format!("{shown}{cut}")) }
    }
}

/// The length of the leading white space, the token behind it, and all that follows that.
fn split_token(rest: &[u8]) -> (usize, &[u8], &[u8]) {
    let spaces = rest.iter().take_while(|&&byte| is_space(byte)).count();
    let rest = &rest[spaces..];
    let length = rest.iter().position(|&byte| is_space(byte)).unwrap_or(rest.len());
    let (token, after) = rest.split_at(length);
    (spaces, token, after)
}

/// The number of the line that follows `before`, counted from 1.
fn line(before: &[u8]) -> usize {
    1 + before.iter().filter(|&&byte| byte == b'\n').count()
}

/// The white space of C: blank, tab, line feed, vertical tab, form feed, carriage return.
const fn is_space(byte: u8) -> bool {
    byte == b' ' || byte.wrapping_sub(b'\t') < 5
}

/// The value of a digit; above 9 for any other byte.
const fn digit(byte: u8) -> u8 {
    byte.wrapping_sub(b'0')
}

/// The value of a digit, or `None` for any other byte.
fn value(byte: u8) -> Option<u64> {
    Some(u64::from(digit(byte))).filter(|&value| value < 10)
}

#[cfg(test)]
mod tests {
    use super::{Found, Scan};

    /// Every number up to the first that is none, and what stands there.
    fn numbers(input: &[u8]) -> (Vec<u64>, usize, Found) {
        let mut scan = Scan::new(input);
        let mut numbers = Vec::new();
        loop {
            match scan.number(0, u64::MAX) {
                Ok(number) => numbers.push(number),
                Err(unwanted) => return (numbers, unwanted.line, unwanted.found),
            }
        }
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
                    let (found, line, last) = numbers(&input);
                    assert_eq!((found, line), (vec![5, 6], 2), "{:?}", input.escape_ascii());
                    let shown = token[..length].escape_ascii().to_string();
                    assert_eq!(last, Found::Token(shown));
                }
            }
        }
    }

    #[test]
    fn a_range_is_kept_and_the_token_is_shown() {
        let mut scan = Scan::new(b"\n 20 21");
        assert_eq!(scan.number(1, 20).expect("in range"), 20);
        let unwanted = scan.number(1, 20).expect_err("out of range");
        assert_eq!((unwanted.line, unwanted.found), (2, Found::Token("21".to_owned())));
    }
}
