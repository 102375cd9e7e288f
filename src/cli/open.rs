//! A table file, opened for a command that asks it for values.

use std::path::Path;

use grundy::game::Game;

/// The game of a table and its values, one byte an entry.
pub(super) struct OpenTable {
    game: Game,
    values: Vec<u8>,
}

impl OpenTable {
    pub(super) const fn game(&self) -> Game {
        self.game
    }

    pub(super) fn values(&self) -> &[u8] {
        &self.values
    }
}

/// Opens the table at `path`.
pub(super) fn open(path: &Path) -> anyhow::Result<OpenTable> {
    anyhow::bail!("{}: this build reads no table files", path.display())
}
