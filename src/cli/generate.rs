//! `grundy generate`: the complete table of a game, as a file.

mod memory;
mod need;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, bail};
use clap::ValueEnum;
use grundy::experiment::Ledger;
use grundy::game::{Game, Rule, Stones, Strip};
use grundy::generate::{GenerateError, Method, Settings, generate};
use grundy::table::{HEADER_BYTES, Header, Policy, Reserved, TableError, Target, Writer};
use grundy::verify::{self, Check, Verifier};
use serde::Serialize;

use need::{About, Need};

use super::work::Work;
use super::{Outcome, bus, interrupt, output, progress};

#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(super) struct Args {
    /// The game
    game: Name,

    /// The number of cells, 1 to 40 [default: 20]
    #[arg(long, value_name = "CELLS")]
    width: Option<u32>,

    /// How far a piece may go [default: no limit]
    #[arg(long, value_name = "CELLS")]
    reach: Option<u32>,

    /// The largest number of stones, 1 to 180 [default: 60]
    #[arg(long, value_name = "STONES", conflicts_with_all = ["width", "reach"])]
    max: Option<u32>,

    /// How the values are found: layered, naive or closed-form
    #[arg(long, default_value = "layered")]
    method: Method,

    #[command(flatten)]
    work: Work,

    /// The file to write [default: tables/ID.safetensors, and the folder is made]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Generate afresh, and replace an existing file
    #[arg(long)]
    force: bool,

    /// Check that it could be done, and say what would be
    #[arg(long)]
    dry_run: bool,

    /// No progress and no talk
    #[arg(short, long)]
    quiet: bool,

    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Name {
    /// A piece passes over pieces only: HDU 5724 "Chess", staircase Nim
    Chess,
    /// A piece passes over empty cells only: the silver dollar game without the dollar
    Slide,
    /// A piece passes over anything: Welter's game
    Welter,
    /// The pile of Codeforces 768E, with the amounts already taken
    Stones,
}

const DEFAULT_WIDTH: u32 = 20;
const DEFAULT_MAX: u32 = 60;
const FOLDER: &str = "tables";

/// The smallest table that takes long enough to say beforehand how long.
const LONG: u64 = 1 << 26;

impl Args {
    fn game(&self) -> anyhow::Result<Game> {
        let strip = |rule| {
            if self.max.is_some() {
                bail!("--max is for stones: say how many cells {rule} has with --width");
            }
            Ok(Strip::new(rule, self.width.unwrap_or(DEFAULT_WIDTH), self.reach)?.into())
        };
        match self.game {
            Name::Chess => strip(Rule::Chess),
            Name::Slide => strip(Rule::Slide),
            Name::Welter => strip(Rule::Welter),
            Name::Stones if self.width.is_some() || self.reach.is_some() => {
                bail!("--width and --reach are for games on a strip: size stones with --max")
            }
            Name::Stones => Ok(Stones::new(self.max.unwrap_or(DEFAULT_MAX))?.into()),
        }
    }

    fn policy(&self) -> Policy {
        if self.force { Policy::Replace } else { Policy::Keep }
    }

    fn settings(&self) -> Settings {
        Settings { level: self.work.simd, threads: self.work.threads, small_too: false }
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let (game, method) = (args.game()?, args.method);
    if !method.applies_to(&game) {
        return Err(GenerateError::NotApplicable { game, method }.into());
    }
    let default = || Path::new(FOLDER).join(format!("{game}.safetensors"));
    let path = args.output.clone().unwrap_or_else(default);
    if !args.force && path.is_file() {
        return existing(args, game, &path);
    }
    let need = Need::of(game, method);
    need.check_memory()?;
    if args.dry_run {
        return dry_run(args, game, (&path, &need));
    }
    if args.output.is_none() && !Path::new(FOLDER).is_dir() {
        check_space_here(game)?;
        std::fs::create_dir_all(FOLDER).with_context(|| format!("cannot make folder {FOLDER}"))?;
    }
    let target = Target::check(&path, args.policy())?;
    interrupt::clear(args.quiet, &target);
    target.check_space(need.bytes)?;
    if game.entries() >= LONG && !args.quiet {
        let about = About(need.seconds(args.settings())?);
        output::talk(args.quiet, &format!("{game} by {method} needs {need}, and {about}"));
    }
    let report = make(args, game, (&path, &target))?;
    report.print(args.json)?;
    Ok(Outcome::Holds)
}

/// Fills and publishes the table, and books the time.
fn make(args: &Args, game: Game, (path, target): (&Path, &Target)) -> anyhow::Result<Report> {
    let start = Instant::now();
    let mut writer = Writer::reserve(interrupt::create(target)?, game)?;
    if writer.reserved() == Reserved::Zeros {
        let text = "this file system cannot reserve blocks: zeros were written instead";
        output::talk(args.quiet, text);
    }
    let ledger = Ledger::new(&game);
    let filling = Instant::now();
    let name = game.to_string();
    let threads = progress::during((args.quiet, &name), game.entries(), ledger.done(), || {
        generate(&game, args.method, args.settings(), writer.values_mut(), &ledger)
    })?;
    let (compute, sealed) = ledger.seal(writer, filling.elapsed(), threads)?;
    let compute = compute.as_secs_f64();
    let syncing = Instant::now();
    let header = sealed.publish()?;
    let sync = syncing.elapsed().as_secs_f64();
    let total = start.elapsed().as_secs_f64();
    let seconds = Seconds { compute, write: (total - compute - sync).max(0.0), sync, total };
    Ok(Report::new(args, path, &header).after(args.method, threads, seconds))
}

/// A file of that name is there: if it is this very table, whole, there is nothing to do.
fn existing(args: &Args, game: Game, path: &Path) -> anyhow::Result<Outcome> {
    let kept = || {
        format!(
            "{} exists and is kept: replace it with --force, or name another file with -o",
            path.display()
        )
    };
    if !args.dry_run {
        interrupt::clear(args.quiet, &Target::check(path, Policy::Replace)?);
    }
    let table = bus::open(path).with_context(kept)?;
    if table.game() != game {
        bail!("{} holds the table {}, not {game}: {}", path.display(), table.game(), kept());
    }
    let settings =
        verify::Settings { level: args.work.simd, threads: args.work.threads, patient: false };
    let mut verifier = Verifier::new(&table, settings)?;
    for check in [Check::Integrity, Check::Known] {
        if verifier.run(check)?.status == verify::Status::Failed {
            bail!("{} is damaged (check {check}): {}", path.display(), kept());
        }
    }
    let report = Report::new(args, path, table.header());
    if !args.json {
        output::talk(args.quiet, &format!("{} is already this table, whole", path.display()));
    }
    report.print(args.json)?;
    Ok(Outcome::Holds)
}

/// Checks the room for a table in the default folder, which would be made here.
fn check_space_here(game: Game) -> Result<(), TableError> {
    Target::check(Path::new(&format!("{game}.safetensors")), Policy::Replace)?
        .check_space(Header::file_bytes_of(&game))
}

fn dry_run(args: &Args, game: Game, (path, need): (&Path, &Need)) -> anyhow::Result<Outcome> {
    match Target::check(path, args.policy()) {
        Ok(target) => target.check_space(need.bytes)?,
        Err(TableError::NoFolder { .. }) if args.output.is_none() => check_space_here(game)?,
        Err(error) => return Err(error.into()),
    }
    let (entries, method) = (game.entries(), args.method);
    let seconds = need.seconds(args.settings())?;
    if args.json {
        output::json(&Plan {
            only_planned: true,
            path: path.to_string_lossy().into_owned(),
            id: game.to_string(),
            entries,
            bytes: need.bytes,
            memory_bytes: need.memory,
            about_seconds: seconds,
            method: method.name(),
            simd: args.work.simd.name(),
        })?;
    } else {
        let path = path.display();
        let about = About(seconds);
        output::result(format!(
            "{path}: would write {entries} values ({game}, {method})\n  needs    {need}, and {about}\n  nothing done\n"
        ))?;
    }
    Ok(Outcome::Holds)
}

#[derive(Serialize)]
struct Plan {
    #[serde(rename = "dry_run")]
    only_planned: bool,
    path: String,
    id: String,
    entries: u64,
    bytes: u64,
    memory_bytes: u64,
    about_seconds: f64,
    method: &'static str,
    simd: &'static str,
}

/// What a run has done; its JSON is a contract.
#[derive(Serialize)]
struct Report {
    path: String,
    id: String,
    entries: u64,
    bytes: u64,
    method: Option<&'static str>,
    threads: usize,
    simd: &'static str,
    ns_per_entry: f64,
    seconds: Seconds,
    blake3: String,
    max_value: u8,
    zero_entries: u64,
}

#[derive(Clone, Copy, Default, Serialize)]
struct Seconds {
    compute: f64,
    write: f64,
    sync: f64,
    total: f64,
}

impl Report {
    /// The report of a table that was there already.
    fn new(args: &Args, path: &Path, header: &Header) -> Self {
        Self {
            path: path.to_string_lossy().into_owned(),
            id: header.game().to_string(),
            entries: header.entries(),
            bytes: header.file_bytes(),
            method: None,
            threads: 0,
            simd: args.work.simd.name(),
            ns_per_entry: 0.0,
            seconds: Seconds::default(),
            blake3: header.root().to_string(),
            max_value: header.max_value(),
            zero_entries: header.zero_entries(),
        }
    }

    fn after(self, method: Method, threads: usize, seconds: Seconds) -> Self {
        let ns_per_entry = seconds.compute * 1e9 / self.entries as f64;
        Self { method: Some(method.name()), threads, ns_per_entry, seconds, ..self }
    }

    fn print(&self, json: bool) -> anyhow::Result<()> {
        if json { output::json(self) } else { output::result(self.text()) }
    }

    fn text(&self) -> String {
        let Self { path, id, entries, bytes, .. } = self;
        let mut text = format!("{path}\n");
        let _ = writeln!(text, "  values   {entries} of {id}, from byte {HEADER_BYTES} of {bytes}");
        let _ = writeln!(text, "  largest  {}", self.max_value);
        let _ = writeln!(text, "  zeros    {}", self.zero_entries);
        if let Some(method) = self.method {
            let Seconds { compute, write, sync, .. } = self.seconds;
            let (threads, simd, ns) = (self.threads, self.simd, self.ns_per_entry);
            let s = if threads == 1 { "" } else { "s" };
            let _ = writeln!(
                text,
                "  seconds  compute {compute:.6} ({ns:.2} ns an entry; {method}, {threads} thread{s}, {simd}), write {write:.6}, sync {sync:.6}"
            );
        }
        let _ = writeln!(text, "  blake3   {}", self.blake3);
        text
    }
}
