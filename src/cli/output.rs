//! Where words go: results to stdout, talk and errors to stderr.

use std::io::{self, Write as _};

use anyhow::Context as _;
use serde::Serialize;

/// Prints a result. A reader that has gone away is no error: nobody is there to miss the rest.
pub(super) fn result(text: impl AsRef<[u8]>) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(text.as_ref()).and_then(|()| stdout.flush());
    unless_closed(written).context("cannot write the result to stdout")
}

/// Prints a result as one line of JSON.
pub(super) fn json(value: &impl Serialize) -> anyhow::Result<()> {
    let mut text = serde_json::to_string(value).context("cannot write the result as JSON")?;
    text.push('\n');
    result(text)
}

/// Tells something that is no result.
pub(super) fn talk(quiet: bool, text: &str) {
    if !quiet {
        let _ = writeln!(io::stderr(), "grundy: {text}");
    }
}

/// Prints an error and what caused it, in one line.
pub(super) fn error(error: &anyhow::Error) {
    let _ = writeln!(io::stderr(), "grundy: error: {error:#}");
}

/// A pipe whose reader has closed it ends the output quietly.
pub(super) fn unless_closed(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}
