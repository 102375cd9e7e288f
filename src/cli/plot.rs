//! `grundy plot`: a table as a picture.

use std::path::PathBuf;

use anyhow::Context as _;
use grundy::picture::Picture;
use rayon::ThreadPoolBuilder;

use super::{Outcome, bus, destination};

/// How a picture is to be read, for the help.
pub(super) const HOW: &str = "\
A strip table is laid out in Z-order: of the index of a row, the even bits (bit 0 is the rightmost cell)
count to the right and the odd bits down, so that the table of a smaller width is the top left corner
of a larger one. 0 is white; the larger a value, the darker. Of more than 20 cells each dot stands for
a block of 4, 16, .. rows in sequence, and its colour is the mean of their light.";

#[derive(clap::Args)]
pub(super) struct Args {
    /// The table file
    file: PathBuf,

    /// Draw how many entries have each value instead; for any table, of stones too
    #[arg(long)]
    histogram: bool,

    /// Where to: a file, which is replaced when all is written; a pipe or device; or - for stdout
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let table = bus::open(&args.file)?;
    // Threads of its own: those that rayon starts unasked are as many as its environment says, whatever that is.
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.with_context(|| format!("cannot start {threads} threads"))?;
    let picture = pool.install(|| {
        if args.histogram { Ok(Picture::of_counts(&table)) } else { Picture::of_rows(&table) }
    })?;
    destination::write((&args.output, &args.file), 0, |to| picture.write_png(to))?;
    Ok(Outcome::Holds)
}
