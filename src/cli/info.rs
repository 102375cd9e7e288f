//! `grundy info`: what a table file says of itself.

use std::fmt::Write as _;
use std::path::PathBuf;

use grundy::table::Table;
use serde_json::{Map, Value};

use super::{Outcome, output};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The table file
    file: PathBuf,

    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
}

/// The fields of the header that are numbers.
const NUMBERS: [&str; 6] = ["width", "max", "reach", "entries", "max_value", "zero_entries"];

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let header = Table::read_header(&args.file)?;
    let path = args.file.to_string_lossy().into_owned();
    let place = [("path", path), ("bytes", header.file_bytes().to_string())];
    let fields = place.into_iter().chain(header.fields());
    if args.json {
        let value = |name: &str, text: String| match text.parse::<u64>() {
            Ok(number) if name == "bytes" || NUMBERS.contains(&name) => Value::from(number),
            _ => Value::from(text),
        };
        let object: Map<_, _> =
            fields.map(|(name, text)| (name.to_owned(), value(name, text))).collect();
        output::json(&object)?;
    } else {
        let mut text = String::new();
        for (name, value) in fields {
            let _ = writeln!(text, "{name:<13} {value}");
        }
        output::result(&text)?;
    }
    Ok(Outcome::Holds)
}
