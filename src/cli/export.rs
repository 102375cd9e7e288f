//! `grundy export`: the values of a table in the forms that other programs read.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::ValueEnum;
use grundy::game::Game;
use grundy::table::{Policy, Table, Target};

use super::{Outcome, bus, interrupt, output};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The table file
    file: PathBuf,

    /// The form
    #[arg(long, value_name = "FORM")]
    to: Form,

    /// Which cell the lowest bit of an index is
    #[arg(long, value_name = "ORDER", default_value = "right-low")]
    cells: Cells,

    /// Where to: a file, which is replaced when all is written; a pipe or device; or - for stdout
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// A numpy array of bytes
    Npy,
    /// The values alone, one byte each
    Raw,
    /// Lines `index,row,value` under a header
    Csv,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Cells {
    /// Cell `c` is bit `width - c`, as in the table
    RightLow,
    /// Cell `c` is bit `c - 1`: the array is mirrored
    LeftLow,
}

/// How much is handed on at a time.
const BLOCK: usize = 1 << 20;

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let table = bus::open(&args.file)?;
    if args.cells == Cells::LeftLow && matches!(table.game(), Game::Stones(_)) {
        bail!("{} has no cells: leave out --cells", table.game());
    }
    let context = || format!("cannot write {}", args.output.display());
    if args.output == Path::new("-") {
        let written = write(args, &table, io::stdout().lock());
        output::unless_closed(written).context("cannot write to stdout")?;
    } else if is_stream(&args.output) {
        let stream = File::options().write(true).open(&args.output).with_context(context)?;
        output::unless_closed(write(args, &table, stream)).with_context(context)?;
    } else {
        to_file(args, &table)?;
    }
    Ok(Outcome::Holds)
}

/// Whether the path is there already and is no regular file and no folder.
fn is_stream(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir())
}

fn to_file(args: &Args, table: &Table) -> anyhow::Result<()> {
    let target = Target::check(&args.output, Policy::Replace)?;
    if std::fs::canonicalize(&args.file).ok() == std::fs::canonicalize(target.path()).ok() {
        bail!("{} is the table itself: name another file with -o", args.output.display());
    }
    interrupt::clear(false, &target);
    if !matches!(args.to, Form::Csv) {
        target.check_space(table.header().entries())?;
    }
    let partial = interrupt::create(&target)?;
    write(args, table, partial.file())
        .with_context(|| format!("cannot write {}", args.output.display()))?;
    Ok(partial.publish()?)
}

fn write(args: &Args, table: &Table, to: impl Write) -> io::Result<()> {
    let mut to = BufWriter::with_capacity(BLOCK, to);
    let order = Order::new(args.cells, table);
    match args.to {
        Form::Raw => order.bytes(&mut to)?,
        Form::Npy => {
            to.write_all(&npy_header(table.header().entries()))?;
            order.bytes(&mut to)?;
        }
        Form::Csv => order.lines(&mut to)?,
    }
    to.flush()
}

/// The values in the order asked for.
struct Order<'a> {
    table: &'a Table,
    /// How many bits are mirrored; `None` for the order of the table.
    mirrored: Option<u32>,
}

impl<'a> Order<'a> {
    fn new(cells: Cells, table: &'a Table) -> Self {
        let mirrored = match (cells, table.game()) {
            (Cells::LeftLow, Game::Strip(strip)) => Some(strip.width()),
            _ => None,
        };
        Self { table, mirrored }
    }

    /// The place in the table of what has `index` in the order asked for.
    fn place(&self, index: u64) -> u64 {
        self.mirrored.map_or(index, |width| index.reverse_bits() >> (u64::BITS - width))
    }

    fn bytes(&self, to: &mut impl Write) -> io::Result<()> {
        let values = self.table.values();
        if self.mirrored.is_none() {
            return values.chunks(BLOCK).try_for_each(|block| to.write_all(block));
        }
        let mut block = Vec::with_capacity(BLOCK);
        for start in (0..values.len()).step_by(BLOCK) {
            let indices = start..values.len().min(start + BLOCK);
            block.clear();
            block.extend(indices.map(|index| values[self.place(index as u64) as usize]));
            to.write_all(&block)?;
        }
        Ok(())
    }

    fn lines(&self, to: &mut impl Write) -> io::Result<()> {
        writeln!(to, "index,row,value")?;
        let values = self.table.values();
        for index in 0..values.len() as u64 {
            let place = self.place(index);
            let value = values[place as usize];
            writeln!(to, "{index},{},{value}", field(self.table.game(), place))?;
        }
        Ok(())
    }
}

/// The position as a field of a line: a state with several used amounts has commas in it.
fn field(game: Game, place: u64) -> String {
    let picture = game.picture(place);
    if picture.contains(',') { format!("\"{picture}\"") } else { picture }
}

/// Version 1.0 of the header of a `.npy` file: padded to a multiple of 64 bytes.
fn npy_header(entries: u64) -> Vec<u8> {
    const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
    let text = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({entries},), }}");
    let before = MAGIC.len() + 2;
    let length = (before + text.len() + 1).next_multiple_of(64) - before;
    let mut header = MAGIC.to_vec();
    header.extend((length as u16).to_le_bytes());
    header.extend(format!("{text:<width$}\n", width = length - 1).bytes());
    header
}
