//! `grundy info`: what a table file says of itself.

use std::fmt::Write as _;
use std::path::PathBuf;

use grundy::table::Table;
use serde::ser::{Serialize, SerializeMap as _, Serializer};

use super::{Outcome, output};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The table file
    file: PathBuf,

    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
}

/// The fields that are numbers in JSON.
const NUMBERS: [&str; 7] =
    ["bytes", "width", "max", "reach", "entries", "max_value", "zero_entries"];

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let header = Table::read_header(&args.file)?;
    let path = args.file.to_string_lossy().into_owned();
    let place = [("path", path), ("bytes", header.file_bytes().to_string())];
    let fields = place.into_iter().chain(header.fields());
    if args.json {
        output::json(&Fields(fields.collect()))?;
    } else {
        let mut text = String::new();
        for (name, value) in fields {
            let _ = writeln!(text, "{name:<13} {value}");
        }
        output::result(&text)?;
    }
    Ok(Outcome::Holds)
}

/// Names and texts, as an object in this order.
struct Fields(Vec<(&'static str, String)>);

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(Some(self.0.len()))?;
        for (name, text) in &self.0 {
            match text.parse::<u64>() {
                Ok(number) if NUMBERS.contains(name) => object.serialize_entry(name, &number)?,
                _ => object.serialize_entry(name, text)?,
            }
        }
        object.end()
    }
}
