//! `grundy solve`: the answers to a judge's input. Nothing is printed before the whole input has proved right.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::ValueEnum;
use grundy::game::{Game, Rule, Stones, Strip};
use grundy::solve::{PileValues, RowValues, SolveError, cf768e, hdu5724};
use grundy::table::Table;

use super::{Outcome, bus, output};

/// Answer the input of a judge: YES or NO a line.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The problem whose format the input has.
    #[arg(value_enum)]
    judge: Judge,

    /// The input file [default: stdin].
    #[arg(short, long, value_name = "FILE")]
    input: Option<PathBuf>,

    /// Take the values from this table; its game holds [default: the formula].
    #[arg(long, value_name = "FILE", conflicts_with_all = ["rule", "width"])]
    table: Option<PathBuf>,

    /// The rule of the rows of hdu5724: chess, slide or welter [default: chess].
    #[arg(long)]
    rule: Option<Rule>,

    /// The width of the rows of hdu5724 [default: 20].
    #[arg(long, value_name = "CELLS")]
    width: Option<u32>,

    /// Add the first winning move to a win of the player who moves: `YES row from to` or `NO pile amount`.
    #[arg(long)]
    moves: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Judge {
    /// HDU 5724 "Chess": YES where the player who moves first wins.
    Hdu5724,
    /// Codeforces 768E "Game of Stones": YES where the second player wins.
    Cf768e,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    if args.judge == Judge::Cf768e && (args.rule.is_some() || args.width.is_some()) {
        bail!("--rule and --width are those of a strip: cf768e has piles; leave them out");
    }
    let table = args.table.as_deref().map(bus::open).transpose()?;
    let (name, input) = open_input(args.input.as_deref())?;
    let answers = match args.judge {
        Judge::Hdu5724 => hdu5724::answers(input, row_values(args, table.as_ref())?, args.moves),
        Judge::Cf768e => cf768e::answer(input, pile_values(table.as_ref())?, args.moves),
    };
    let answers = answers.map_err(|error| match error {
        SolveError::Input(_) | SolveError::Read(_) => anyhow::Error::new(error).context(name),
        _ => error.into(),
    })?;
    output::result(&answers)?;
    Ok(Outcome::Holds)
}

/// The input and how messages call it.
fn open_input(path: Option<&Path>) -> anyhow::Result<(String, Box<dyn Read>)> {
    let Some(path) = path else {
        return Ok(("stdin".to_owned(), Box::new(io::stdin().lock())));
    };
    let name = path.display().to_string();
    let file = File::open(path).with_context(|| format!("cannot open the input {name}"))?;
    Ok((name, Box::new(file)))
}

fn row_values<'a>(args: &Args, table: Option<&'a Table>) -> anyhow::Result<RowValues<'a>> {
    let Some(table) = table else {
        let (rule, width) =
            (args.rule.unwrap_or(Rule::Chess), args.width.unwrap_or(hdu5724::WIDTH));
        return Ok(RowValues::formula(Strip::new(rule, width, None)?)?);
    };
    match table.game() {
        Game::Strip(strip) => Ok(RowValues::table(strip, table.values())?),
        game @ Game::Stones(_) => {
            bail!("hdu5724 has rows, the table given is {game}: give a table of a strip")
        }
    }
}

fn pile_values(table: Option<&Table>) -> anyhow::Result<PileValues<'_>> {
    let Some(table) = table else {
        return Ok(PileValues::formula(Stones::new(cf768e::MAX_PILE)?));
    };
    match table.game() {
        Game::Stones(stones) => Ok(PileValues::table(stones, table.values())?),
        game @ Game::Strip(_) => {
            bail!("cf768e has piles, the table given is {game}: give a table of stones")
        }
    }
}
