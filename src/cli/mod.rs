//! The command line: arguments, and one short file per command. Only here is anything printed.
//!
//! Nothing imports this room. Results go to stdout, progress and talk to stderr. Exit status: 0 done or
//! holds, 1 a check failed, 2 could not run.

mod open;
mod query;
mod solve;

use std::io::{self, Write as _};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Parser, Subcommand};

/// Complete tables of Grundy values: generated, proved, and served.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Each command has a file of its own with `Args` and `run(&Args) -> anyhow::Result<Outcome>`.
#[derive(Subcommand)]
enum Command {
    Query(query::Args),
    Solve(solve::Args),
}

/// How a command that could run has ended.
pub(crate) enum Outcome {
    /// Done, or what was checked holds: exit status 0.
    Holds,
    /// A check failed: exit status 1.
    Failed,
}

/// Runs the command line of this process.
pub(crate) fn main() -> ExitCode {
    let result = match &Cli::parse().command {
        Command::Query(args) => query::run(args),
        Command::Solve(args) => solve::run(args),
    };
    match result {
        Ok(Outcome::Holds) => ExitCode::SUCCESS,
        Ok(Outcome::Failed) => ExitCode::from(1),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            talk(&format!("error: {error:#}"));
            ExitCode::from(2)
        }
    }
}

/// Whether the reader of the results has gone: no error, it has what it wanted.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Writes the results: all at once, and a failure is an error.
fn print(results: &[u8]) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(results).and_then(|()| stdout.flush());
    written.context("cannot write the results to stdout")
}

/// A line on stderr. Where that is closed there is no one to tell.
fn talk(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
