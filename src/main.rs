//! The `grundy` command: parse, run, print the error chain, exit status.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
