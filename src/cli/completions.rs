//! `grundy completions`: the completions of a shell.

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::{Cli, Outcome, output};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The shell
    shell: Shell,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "grundy", &mut text);
    output::result(&text)?;
    Ok(Outcome::Holds)
}
