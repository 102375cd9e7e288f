//! The header: what a table says of itself, in exactly one form.

use serde::{Deserialize, Serialize};

use super::digest::{CHUNK, Digest, Summary};
use super::error::FormatError;
use crate::game::Game;

/// The bytes before the values: a length of eight bytes, and JSON padded with spaces.
pub const HEADER_BYTES: u64 = 4096;

const HEADER: usize = HEADER_BYTES as usize;
const LENGTH_BYTES: usize = 8;
const FORMAT: &str = "grundy-table/1";

/// What a table says of itself. Nothing of the run that made it: the same table is the same file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    game: Game,
    max_value: u8,
    zero_entries: u64,
    root: Digest,
}

/// The header as JSON. The order of the fields is that of the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Json {
    #[serde(rename = "__metadata__")]
    metadata: Metadata,
    values: Tensor,
    chunk_blake3: Tensor,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Metadata {
    format: String,
    id: String,
    game: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reach: Option<String>,
    entries: String,
    max_value: String,
    zero_entries: String,
    blake3: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tensor {
    dtype: String,
    shape: Vec<u64>,
    data_offsets: [u64; 2],
}

impl Header {
    /// The header of the table of `game` whose values are summed up by `summary`.
    pub fn new(game: Game, summary: &Summary) -> Self {
        let Summary { max_value, zero_entries, root, .. } = *summary;
        Self { game, max_value, zero_entries, root }
    }

    /// Reads the first 4096 bytes of a table.
    ///
    /// # Errors
    /// [`FormatError`] where a single byte is not that of the canonical form.
    pub fn parse(bytes: &[u8]) -> Result<Self, FormatError> {
        let short = FormatError::Short { found: bytes.len() as u64, expected: HEADER_BYTES };
        let bytes: &[u8; HEADER] = bytes.first_chunk().ok_or(short)?;
        let (length, json) = bytes.split_first_chunk().unwrap_or((&[0; LENGTH_BYTES], &[]));
        let (found, expected) = (u64::from_le_bytes(*length), HEADER_BYTES - LENGTH_BYTES as u64);
        if found != expected {
            return Err(FormatError::HeaderLength { found, expected });
        }
        let json: Json = serde_json::from_slice(json)
            .map_err(|error| FormatError::Json { reason: error.to_string() })?;
        let header = Self::from_metadata(&json.metadata)?;
        match header.encode().iter().zip(bytes).position(|(expected, found)| expected != found) {
            None => Ok(header),
            Some(at) => Err(FormatError::NotCanonical { at: at as u64 }),
        }
    }

    fn from_metadata(metadata: &Metadata) -> Result<Self, FormatError> {
        let expect = |field, found: &str, expected: &str| {
            let wrong = || field_error(field, found, expected.to_owned());
            if found == expected { Ok(()) } else { Err(wrong()) }
        };
        expect("format", &metadata.format, FORMAT)?;
        let game: Game = metadata
            .id
            .parse()
            .map_err(|error| field_error("id", &metadata.id, format!("an id ({error})")))?;
        let entries = game.entries();
        expect("entries", &metadata.entries, &entries.to_string())?;
        let max_value = number("max_value", &metadata.max_value, u64::from(u8::MAX))? as u8;
        let zero_entries = number("zero_entries", &metadata.zero_entries, entries)?;
        let root = Digest::parse(&metadata.blake3)
            .ok_or_else(|| field_error("blake3", &metadata.blake3, "64 hex digits".to_owned()))?;
        // What else there is (game, width, reach, the tensors) follows from these, and the canonical
        // form of the header holds it to that.
        Ok(Self { game, max_value, zero_entries, root })
    }

    /// The one form of this header: 4096 bytes.
    pub fn encode(&self) -> Box<[u8; HEADER]> {
        let mut bytes = Box::new([b' '; HEADER]);
        let (length, rest) = bytes.split_at_mut(LENGTH_BYTES);
        length.copy_from_slice(&(rest.len() as u64).to_le_bytes());
        let mut rest = rest;
        // Every field has a largest length, all together far below the room there is.
        let written = serde_json::to_writer(&mut rest, &self.json());
        debug_assert!(written.is_ok(), "{written:?}");
        bytes
    }

    fn json(&self) -> Json {
        let (entries, chunks) = (self.entries(), self.chunks());
        let tensor =
            |shape, from, to| Tensor { dtype: "U8".to_owned(), shape, data_offsets: [from, to] };
        Json {
            metadata: self.metadata(),
            values: tensor(vec![entries], 0, entries),
            chunk_blake3: tensor(
                vec![chunks, Digest::BYTES],
                entries,
                entries + chunks * Digest::BYTES,
            ),
        }
    }

    fn metadata(&self) -> Metadata {
        let text = |number: u32| number.to_string();
        let (game, width, max, reach) = match self.game {
            Game::Strip(strip) => {
                (strip.rule().name(), Some(text(strip.width())), None, strip.reach().map(text))
            }
            Game::Stones(stones) => ("stones", None, Some(text(stones.max())), None),
        };
        Metadata {
            format: FORMAT.to_owned(),
            id: self.game.to_string(),
            game: game.to_owned(),
            width,
            max,
            reach,
            entries: self.entries().to_string(),
            max_value: self.max_value.to_string(),
            zero_entries: self.zero_entries.to_string(),
            blake3: self.root.to_string(),
        }
    }

    /// The game.
    pub const fn game(&self) -> Game {
        self.game
    }

    /// The largest value.
    pub const fn max_value(&self) -> u8 {
        self.max_value
    }

    /// How many entries have the value 0.
    pub const fn zero_entries(&self) -> u64 {
        self.zero_entries
    }

    /// The root digest: the BLAKE3 of the digests of the chunks.
    pub const fn root(&self) -> Digest {
        self.root
    }

    /// The number of values.
    pub fn entries(&self) -> u64 {
        self.game.entries()
    }

    /// The number of chunks of values that have a digest each.
    pub fn chunks(&self) -> u64 {
        self.entries().div_ceil(CHUNK)
    }

    /// The length of the whole file in bytes.
    pub fn file_bytes(&self) -> u64 {
        Self::file_bytes_of(&self.game)
    }

    /// The length in bytes of the table file of `game`, before there is one.
    pub fn file_bytes_of(game: &Game) -> u64 {
        // No sum here can overflow: entries are at most 2^40.
        let entries = game.entries();
        HEADER_BYTES + entries + entries.div_ceil(CHUNK) * Digest::BYTES
    }

    /// The metadata in the order of the file, as names and texts.
    pub fn fields(&self) -> Vec<(&'static str, String)> {
        let Metadata {
            format,
            id,
            game,
            width,
            max,
            reach,
            entries,
            max_value,
            zero_entries,
            blake3,
        } = self.metadata();
        let fields = [
            ("format", Some(format)),
            ("id", Some(id)),
            ("game", Some(game)),
            ("width", width),
            ("max", max),
            ("reach", reach),
            ("entries", Some(entries)),
            ("max_value", Some(max_value)),
            ("zero_entries", Some(zero_entries)),
            ("blake3", Some(blake3)),
        ];
        fields.into_iter().filter_map(|(name, text)| Some((name, text?))).collect()
    }
}

fn number(field: &'static str, text: &str, most: u64) -> Result<u64, FormatError> {
    text.parse()
        .ok()
        .filter(|&number| number <= most)
        .ok_or_else(|| field_error(field, text, format!("a number up to {most}")))
}

fn field_error(field: &'static str, found: &str, expected: String) -> FormatError {
    // A hostile field may be long: its beginning will do.
    let found: String = found.chars().take(80).collect();
    FormatError::Field { field, found: format!("{found:?}"), expected }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Byte by byte, so that a processor of the other order, or a reader that forgets it, is found out.
    #[test]
    fn the_length_is_little_endian_and_all_else_is_text() {
        let game: Game = "chess-1".parse().expect("an id");
        let header = Header::new(game, &Summary::of(&[0, 0]));
        let bytes = header.encode();
        assert_eq!(bytes[..9], [0xF8, 0x0F, 0, 0, 0, 0, 0, 0, b'{']);
        assert!(bytes[8..].iter().all(|byte| byte.is_ascii_graphic() || *byte == b' '));
        assert_eq!(Header::parse(&bytes[..]).as_ref(), Ok(&header));
        let mut turned = bytes.clone();
        turned[..8].reverse();
        let found = 0xF80F_0000_0000_0000;
        let problem = FormatError::HeaderLength { found, expected: 4088 };
        assert_eq!(Header::parse(&turned[..]), Err(problem));
    }
}
