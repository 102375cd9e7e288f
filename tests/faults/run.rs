//! Runs of the command, and what they leave in a folder.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use grundy::game::Game;

use crate::common::files::{file_of, formula_values, game};

pub(crate) fn program() -> &'static Path {
    Path::new(assert_cmd::cargo::cargo_bin!("grundy"))
}

pub(crate) fn grundy(folder: &Path) -> Command {
    inside(folder, Command::new(program()))
}

/// A command in `folder` that has nothing on its standard input.
pub(crate) fn inside(folder: &Path, mut command: Command) -> Command {
    command.current_dir(folder).env("NO_COLOR", "1").stdin(Stdio::null());
    command
}

pub(crate) fn run(folder: &Path, line: &str) -> Output {
    grundy(folder).args(line.split_whitespace()).output().expect("it runs")
}

/// Runs a line of the shell, in which `$grundy` is the command.
pub(crate) fn shell(folder: &Path, line: &str) -> Output {
    let mut command = inside(folder, Command::new("sh"));
    command.args(["-c", line]).env("grundy", program()).output().expect("the shell runs")
}

/// What a run said. It must have ended with `status`, and an error is one line.
pub(crate) fn said(output: &Output, status: i32, what: &str) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(status), "{what}: {:?} {stderr}", output.status);
    assert!(!stderr.contains("panicked"), "{what}: {stderr}");
    if status == 2 {
        let errors = stderr.lines().filter(|line| line.starts_with("grundy: error: ")).count();
        assert_eq!(errors, 1, "{what}: {stderr}");
    }
    stderr
}

/// The names in a folder, in order.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
    let mut names: Vec<String> =
        entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

pub(crate) fn is_partial(name: &str) -> bool {
    name.ends_with(".partial")
}

/// The whole file of a strip game that has a formula, by that formula.
pub(crate) fn right_file(id: &str) -> Vec<u8> {
    let game: Game = game(id);
    file_of(game, &formula_values(game))
}

/// The game of most tests here: 4 MiB, which take as long as several steps of a run.
pub(crate) const ID: &str = "chess-22";
pub(crate) const ARGS: &str = "generate chess --width 22 -o t";

/// The whole file of [`ID`].
pub(crate) fn right() -> &'static [u8] {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    FILE.get_or_init(|| right_file(ID))
}

pub(crate) fn assert_right(path: &Path, what: &str) {
    let file = fs::read(path).unwrap_or_else(|error| panic!("{what}: {}: {error}", path.display()));
    assert!(file == right(), "{what}: {} is another file", path.display());
}

/// An old table under the name `t`, which a run is to leave alone.
pub(crate) fn old_table(folder: &Path) -> Vec<u8> {
    let old = right_file("slide-9");
    fs::write(folder.join("t"), &old).expect("written");
    old
}

/// Whether `tool` is there. In CI it has to be.
pub(crate) fn has(tool: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).any(|folder| folder.join(tool).is_file());
    if !found {
        skipped(&format!("there is no {tool}: install it"));
    }
    found
}

/// Says why a test proves nothing here. In CI that is a failure.
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
pub(crate) fn skipped(why: &str) {
    let ci = std::env::var("CI").is_ok_and(|ci| ci == "true");
    assert!(!ci, "cannot be tested: {why}");
    eprintln!("skipped: {why}");
}

pub(crate) fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output().expect("id runs");
    output.stdout == b"0\n"
}

/// A copy of the command that every user can run, in `folder`.
pub(crate) fn copy_for_all(folder: &Path) -> PathBuf {
    use std::os::unix::fs::PermissionsExt as _;
    let copy = folder.join("grundy");
    fs::copy(program(), &copy).expect("copied");
    for path in [folder, &copy] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("opened to all");
    }
    copy
}

/// A small file system of its own on `folder`, taken away when it is dropped.
pub(crate) struct SmallDisk(PathBuf);

impl SmallDisk {
    /// `None` where it cannot be made.
    pub(crate) fn on(folder: PathBuf, size: &str) -> Option<Self> {
        fs::create_dir(&folder).expect("made");
        let made = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={size}"), "grundy-test"])
            .arg(&folder)
            .output();
        match made {
            Ok(output) if output.status.success() => Some(Self(folder)),
            _ => {
                skipped("no file system can be mounted: run as root");
                None
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

/// Words of a command line of any bytes.
pub(crate) fn words<'a>(line: &'a str, last: &'a OsStr) -> Vec<&'a OsStr> {
    line.split_whitespace().map(OsStr::new).chain([last]).collect()
}
