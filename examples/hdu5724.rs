//! HDU 5724 "Chess": the answers to the judge's input, from a table or from the formula.
//!
//!     cargo run --release --example hdu5724 -- tables/chess-20.safetensors < input
//!     cargo run --release --example hdu5724 < input

use std::error::Error;
use std::io::{self, Write as _};
use std::path::Path;

use grundy::game::{Game, Rule, Strip};
use grundy::solve::{RowValues, hdu5724};
use grundy::table::Table;

fn main() -> Result<(), Box<dyn Error>> {
    let table = std::env::args_os().nth(1).map(|path| Table::load(Path::new(&path))).transpose()?;
    let values = match &table {
        Some(table) => {
            let Game::Strip(strip) = table.game() else {
                return Err(format!("{} has piles: give the table of a strip", table.game()).into());
            };
            RowValues::table(strip, table.values())?
        }
        None => RowValues::formula(Strip::new(Rule::Chess, hdu5724::WIDTH, None)?)?,
    };
    let answers = hdu5724::answers(io::stdin().lock(), values, false)?;
    Ok(io::stdout().lock().write_all(answers.as_bytes())?)
}
