//! Where `-o` points: a file that is replaced when all is written, a pipe or device, or stdout.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::{Context as _, bail};
use grundy::table::{Policy, Target};

use super::{interrupt, output};

/// How much is handed on at a time.
pub(super) const BLOCK: usize = 1 << 20;

/// Writes what is made of the table at `source` to the `path` of `-o`, where `-` is stdout. `needed` bytes are
/// known to be needed.
///
/// A regular file appears under its name when all of it is written; what was there stays until then. A
/// reader that has gone away is no error.
pub(super) fn write(
    (path, source): (&Path, &Path),
    needed: u64,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> anyhow::Result<()> {
    let context = || format!("cannot write {}", path.display());
    if path == Path::new("-") {
        let written = buffered(io::stdout().lock(), write);
        output::unless_closed(written).context("cannot write to stdout")
    } else if is_stream(path) {
        let stream = File::options().write(true).open(path).with_context(context)?;
        output::unless_closed(buffered(stream, write)).with_context(context)
    } else {
        let target = target(path, source)?;
        target.check_space(needed)?;
        let partial = interrupt::create(&target)?;
        buffered(partial.file(), write).with_context(context)?;
        Ok(partial.publish()?)
    }
}

/// Whether the path is there already and is no regular file and no folder.
fn is_stream(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir())
}

fn target(path: &Path, source: &Path) -> anyhow::Result<Target> {
    let target = Target::check(path, Policy::Replace)?;
    if std::fs::canonicalize(source).ok() == std::fs::canonicalize(target.path()).ok() {
        bail!("{} is the table itself: name another file with -o", path.display());
    }
    interrupt::clear(false, &target);
    Ok(target)
}

fn buffered(
    to: impl Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut to = BufWriter::with_capacity(BLOCK, to);
    write(&mut to)?;
    to.flush()
}
