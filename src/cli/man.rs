//! `grundy man`: the manual page of the command, with those of its subcommands behind it.

use clap::CommandFactory as _;
use clap_mangen::Man;

use super::{Cli, Outcome, output};

#[derive(clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_: &Args) -> anyhow::Result<Outcome> {
    let mut command = Cli::command();
    command.build();
    let mut text = Vec::new();
    Man::new(command.clone()).render(&mut text)?;
    for subcommand in command.get_subcommands().filter(|command| command.get_name() != "help") {
        Man::new(subcommand.clone().disable_help_subcommand(true)).render(&mut text)?;
    }
    output::result(&text)?;
    Ok(Outcome::Holds)
}
