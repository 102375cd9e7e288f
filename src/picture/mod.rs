//! A table as a picture: its values in Z-order, or how many entries have each value.
//!
//! Whoever wants to look at a table may enter; the values are taken as they are, right or wrong. Only with
//! the feature `cli`, because encoding PNG needs a library that no solver does.
//!
//! | file | does |
//! |---|---|
//! | `rows` | the values of a strip table on a square |
//! | `counts` | the histogram of any table |
//! | `palette` | colours from values, and the mix of many |
//! | `canvas`, `font` | rectangles and letters |
//! | `png` | the file |

mod canvas;
mod counts;
mod font;
mod palette;
mod png;
mod rows;

use crate::game::Game;

/// A picture of a table, to be written as PNG.
///
/// ```
/// use grundy::picture::Picture;
/// # use grundy::game::{Game, Rule, Strip};
/// # use grundy::table::{Policy, Table, Writer};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("chess-2.safetensors");
/// # let mut writer = Writer::create(&path, Strip::new(Rule::Chess, 2, None)?.into(), Policy::Keep)?;
/// # writer.values_mut().copy_from_slice(&[0, 0, 1, 0]);
/// # writer.finish()?;
/// let table = Table::load(&path)?;
/// let mut png = Vec::new();
/// Picture::of_rows(&table)?.write_png(&mut png)?;
/// assert!(png.starts_with(b"\x89PNG"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture(canvas::Canvas);

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// The table has no rows to be laid out.
    #[error("{game} has no rows of cells to lay out on a square: draw its histogram (--histogram)")]
    NoRows {
        /// The game.
        game: Game,
    },
}
