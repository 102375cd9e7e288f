//! The command line: arguments, and one short file per command. Only here is anything printed.
//!
//! Nothing imports this room. Results go to stdout, progress and talk to stderr. Exit status: 0 done or
//! holds, 1 a check failed, 2 could not run.

use std::process::ExitCode;

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
enum Command {}

/// How a command that could run has ended.
pub(crate) enum Outcome {
    /// Done, or what was checked holds: exit status 0.
    Holds,
    /// A check failed: exit status 1.
    Failed,
}

/// Runs the command line of this process.
pub(crate) fn main() -> ExitCode {
    let cli = Cli::parse();
    match cli.command {}
}
