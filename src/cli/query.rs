//! `grundy query`: the values of rows or piles, of their sum, and every winning move.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use grundy::game::{Game, Pile, Row, Stones, Strip};
use grundy::solve::{Board, Heap, PileMove, PileValues, RowValues, SolveError};
use grundy::table::Table;
use serde::Serialize;

use super::{Outcome, bus, output};

#[derive(clap::Args)]
pub(super) struct Args {
    /// A table file, or the id of a game such as chess-20 or stones-60, whose table is looked for under tables/
    #[arg(value_name = "FILE|ID")]
    table: PathBuf,

    /// Rows such as 19,20 (cells from the left, from 1), - (no piece) or a picture of the whole width such
    /// as ..##. ; or piles such as 12 or 12:3,5 (12 left, 3 and 5 taken before)
    #[arg(value_name = "ROW", required = true)]
    rows: Vec<String>,

    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Source {
    File,
    Formula,
}

/// What is printed, as an object or line by line. A sum whose moves are not known has none to show.
#[derive(Serialize)]
struct Answer {
    source: Source,
    value: u8,
    rows: Vec<Entry>,
    winning_moves: Option<Vec<Move>>,
}

/// A row or pile of the sum.
#[derive(Serialize)]
struct Entry {
    row: String,
    index: u64,
    value: u8,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Move {
    Row { row: usize, from: u32, to: u32 },
    Pile { pile: usize, take: u32 },
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let (game, table) = find(&args.table)?;
    let answer = match game {
        Game::Strip(strip) => ask_board(strip, table.as_ref(), &args.rows),
        Game::Stones(stones) => ask_heap(stones, table.as_ref(), &args.rows),
    }?;
    if answer.source == Source::Formula {
        output::talk(
            false,
            &format!(
                "there is no {}: the values are those of the formula",
                default_path(game).display()
            ),
        );
    }
    if answer.winning_moves.is_none() {
        output::talk(
            false,
            &format!(
                "the winning moves of piles this large need the table: run `{}`",
                generate(game)
            ),
        );
    }
    if args.json {
        output::json(&answer)?;
    } else {
        output::result(answer.to_string())?;
    }
    Ok(Outcome::Holds)
}

/// The game asked for and its table: an existing file, else that of the id, else none.
fn find(asked: &Path) -> anyhow::Result<(Game, Option<Table>)> {
    if asked.exists() {
        let table = bus::open(asked)?;
        return Ok((table.game(), Some(table)));
    }
    let game = id(asked)?;
    let path = default_path(game);
    if !path.exists() {
        return Ok((game, None));
    }
    let table = bus::open(&path)?;
    if table.game() != game {
        bail!("{} holds {}, not {game}: name the file of {game}", path.display(), table.game());
    }
    Ok((game, Some(table)))
}

/// The game of an id; of a file that is missing, how to make it.
fn id(asked: &Path) -> anyhow::Result<Game> {
    let missing = format!("there is no file {}", asked.display());
    let stem = asked.file_stem().and_then(|stem| stem.to_str()).and_then(|stem| stem.parse().ok());
    match (asked.to_string_lossy().parse::<Game>(), stem) {
        (Ok(game), _) => Ok(game),
        (Err(_), Some(game)) => {
            bail!("{missing}: make it with `{} -o {}`", generate(game), asked.display())
        }
        (Err(error), None) => Err(error).context(missing),
    }
}

fn default_path(game: Game) -> PathBuf {
    Path::new("tables").join(format!("{game}.safetensors"))
}

/// The command that makes the table of `game` where this one looks for it.
fn generate(game: Game) -> String {
    match game {
        Game::Strip(strip) => {
            let reach = strip.reach().map(|reach| format!(" --reach {reach}")).unwrap_or_default();
            format!("grundy generate {} --width {}{reach}", strip.rule(), strip.width())
        }
        Game::Stones(stones) => format!("grundy generate stones --max {}", stones.max()),
    }
}

/// That there is no table, where only a table knows.
fn advise(error: SolveError, game: Game) -> anyhow::Error {
    let path = default_path(game);
    anyhow::Error::new(error).context(format!(
        "there is no {}: make it with `{}`",
        path.display(),
        generate(game)
    ))
}

fn ask_board(strip: Strip, table: Option<&Table>, rows: &[String]) -> anyhow::Result<Answer> {
    let rows = rows.iter().map(|row| Row::parse(strip, row)).collect::<Result<_, _>>()?;
    let values = match table {
        Some(table) => RowValues::table(strip, table.values())?,
        None => RowValues::formula(strip).map_err(|error| advise(error, strip.into()))?,
    };
    let board = Board::new(values, rows)?;
    let entry = |(row, value): (&Row, u8)| Entry { row: row.list(), index: row.index(), value };
    let moves =
        board.winning_moves().map(|step| Move::Row { row: step.row, from: step.from, to: step.to });
    Ok(Answer {
        source: Source::of(table),
        value: board.value(),
        rows: board.rows().iter().zip(board.row_values()).map(entry).collect(),
        winning_moves: Some(moves.collect()),
    })
}

fn ask_heap(stones: Stones, table: Option<&Table>, piles: &[String]) -> anyhow::Result<Answer> {
    let piles = piles.iter().map(|pile| Pile::parse(stones, pile)).collect::<Result<_, _>>()?;
    let heap = match table {
        Some(table) => Heap::new(PileValues::table(stones, table.values())?, piles)?,
        None => Heap::new(PileValues::formula(stones), piles)
            .map_err(|error| advise(error, stones.into()))?,
    };
    let entry = |(&pile, value): (&Pile, u8)| Entry {
        row: pile.to_string(),
        index: stones.rank(pile),
        value,
    };
    Ok(Answer {
        source: Source::of(table),
        value: heap.value(),
        rows: heap.piles().iter().zip(heap.pile_values()).map(entry).collect(),
        winning_moves: pile_moves(&heap)?,
    })
}

/// The winning moves, or none where they are not known: the values are worth having without them.
fn pile_moves(heap: &Heap<'_>) -> Result<Option<Vec<Move>>, SolveError> {
    let step = |step: PileMove| Move::Pile { pile: step.pile, take: step.take };
    match heap.winning_moves() {
        Ok(moves) => Ok(Some(moves.into_iter().map(step).collect())),
        Err(SolveError::NoSearch { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

impl Source {
    const fn of(table: Option<&Table>) -> Self {
        if table.is_some() { Self::File } else { Self::Formula }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for entry in &self.rows {
            writeln!(f, "{} has value {}", entry.row, entry.value)?;
        }
        let (value, winner) = (self.value, if self.value == 0 { "second" } else { "first" });
        writeln!(f, "the sum has value {value}: the {winner} player wins")?;
        self.winning_moves.iter().flatten().try_for_each(|step| writeln!(f, "{step}"))
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Row { row, from, to } => write!(f, "wins: row {row}, cell {from} to {to}"),
            Self::Pile { pile, take } => write!(f, "wins: pile {pile}, take {take}"),
        }
    }
}
