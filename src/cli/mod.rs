//! The command line: arguments, and one short file per command. Only here is anything printed.
//!
//! Nothing imports this room. Results go to stdout, progress and talk to stderr. Exit status: 0 done or
//! holds, 1 a check failed, 2 could not run. `unsafe` is open in `bus.rs` alone, where tables are mapped.

mod bench;
mod bus;
mod completions;
mod destination;
mod export;
mod generate;
mod info;
mod interrupt;
mod man;
mod output;
mod plot;
mod progress;
mod query;
mod solve;
mod verify;
mod work;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Complete tables of Grundy values: generated, proved, and served.
#[derive(Parser)]
#[command(name = "grundy", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Each command has a file of its own with `Args` and `run(&Args) -> anyhow::Result<Outcome>`.
#[derive(Subcommand)]
enum Command {
    /// Compute the complete table of a game and write it as a file
    Generate(generate::Args),
    /// Prove table files right
    Verify(verify::Args),
    /// Show what a table file says of itself
    Info(info::Args),
    /// Look up rows or piles: values, sum, winning moves
    Query(query::Args),
    /// Answer the input of a judge
    Solve(solve::Args),
    /// Time the methods on this machine
    Bench(bench::Args),
    /// Draw a table as a PNG picture
    #[command(after_help = plot::HOW)]
    Plot(plot::Args),
    /// Write the values of a table as npy, raw bytes or csv
    Export(export::Args),
    /// Print the completions of a shell
    Completions(completions::Args),
    /// Print the manual page
    Man(man::Args),
}

impl Command {
    fn run(&self) -> anyhow::Result<Outcome> {
        match self {
            Self::Generate(args) => generate::run(args),
            Self::Verify(args) => verify::run(args),
            Self::Info(args) => info::run(args),
            Self::Query(args) => query::run(args),
            Self::Solve(args) => solve::run(args),
            Self::Bench(args) => bench::run(args),
            Self::Plot(args) => plot::run(args),
            Self::Export(args) => export::run(args),
            Self::Completions(args) => completions::run(args),
            Self::Man(args) => man::run(args),
        }
    }
}

/// How a command that could run has ended.
pub(crate) enum Outcome {
    /// Done, or what was checked holds: exit status 0.
    Holds,
    /// A check failed: exit status 1.
    Failed,
}

/// The exit status of a command that could not run.
const COULD_NOT_RUN: u8 = 2;

/// Runs the command line of this process.
pub(crate) fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(message) => return usage(&message),
    };
    match cli.command.run() {
        Ok(Outcome::Holds) => ExitCode::SUCCESS,
        Ok(Outcome::Failed) => ExitCode::FAILURE,
        Err(error) => {
            output::error(&error);
            COULD_NOT_RUN.into()
        }
    }
}

/// Help and the version are results; anything else is a usage error.
fn usage(message: &clap::Error) -> ExitCode {
    let printed = output::unless_closed(message.print());
    if message.use_stderr() || printed.is_err() {
        return COULD_NOT_RUN.into();
    }
    ExitCode::SUCCESS
}
