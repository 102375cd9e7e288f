//! Files that claim to be tables: refused at once, in little memory.

use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::common::files::{file_of, game};
use crate::run::{right_file, said, shell};

/// A file of a header of this JSON, with `length` in front of it, and the body of a small table.
fn header(length: u64, json: &[u8]) -> Vec<u8> {
    let mut file = length.to_le_bytes().to_vec();
    file.extend(json);
    file.resize(file.len().max(4096), b' ');
    file.extend(right_file("chess-4").drain(4096..));
    file
}

/// The header of `chess-4`, changed.
fn changed(from: &str, to: &str) -> Vec<u8> {
    let file = right_file("chess-4");
    let json = String::from_utf8_lossy(&file[8..4096]).trim_end().to_owned();
    assert!(json.contains(from), "{from} is not in {json}");
    header(4088, json.replacen(from, to, 1).as_bytes())
}

/// Names and contents, each of a kind of its own.
fn contents() -> Vec<(String, Vec<u8>)> {
    let json = right_file("chess-4")[8..4096].to_vec();
    let mut files = vec![
        ("empty".to_owned(), Vec::new()),
        ("one byte".to_owned(), vec![0]),
        ("text".to_owned(), b"no table\n".repeat(1000)),
        ("zeros".to_owned(), vec![0; 1 << 20]),
        ("ones".to_owned(), vec![0xFF; 1 << 20]),
        ("no utf-8".to_owned(), header(4088, &[b'{', b'"', 0xFF, 0xFE, b'"', b'}'])),
        ("nul bytes".to_owned(), header(4088, b"{\"__metadata__\":\0\0}")),
        ("brackets".to_owned(), header(4088, &[b'['; 4088])),
        ("objects".to_owned(), header(4088, &b"{\"a\":".repeat(817))),
        (
            "nested values".to_owned(),
            changed("\"shape\":[16]", &format!("\"shape\":{}", "[".repeat(3000))),
        ),
        ("long string".to_owned(), changed("chess-4", &"9".repeat(3500))),
        ("long number".to_owned(), changed("[16]", &format!("[{}]", "9".repeat(3500)))),
        ("tiny number".to_owned(), changed("[16]", "[1e-999999999]")),
        ("huge number".to_owned(), changed("[16]", "[1e999999999]")),
        ("negative".to_owned(), changed("[16]", "[-16]")),
        ("fraction".to_owned(), changed("[16]", "[16.0]")),
        (
            "all the memory".to_owned(),
            changed("\"entries\":\"16\"", "\"entries\":\"18446744073709551615\""),
        ),
        ("all the offsets".to_owned(), changed("[0,16]", "[0,18446744073709551615]")),
        ("a larger game".to_owned(), changed("chess-4", "chess-40")),
        ("trailing".to_owned(), [right_file("chess-4"), vec![0]].concat()),
        ("a header alone".to_owned(), right_file("chess-4")[..4096].to_vec()),
    ];
    for key in ["id", "game", "width", "entries", "max_value", "zero_entries", "blake3", "format"] {
        let json = String::from_utf8_lossy(&json).into_owned();
        let (_, field) = json.split_once(&format!("\"{key}\":")).expect(key);
        let value = field.split([',', '}']).next().expect("a value").to_owned();
        let (from, twice) =
            (format!("\"{key}\":{value}"), format!("\"{key}\":{value},\"{key}\":{value}"));
        files.push((format!("{key} twice"), changed(&from, &twice)));
    }
    for length in
        [0, 1, 4087, 4089, 4096, 1 << 31, 1 << 32, 1 << 40, 1 << 63, u64::MAX - 8, u64::MAX]
    {
        files.push((format!("length {length}"), header(length, &json)));
    }
    files
}

/// Paths to what is hostile: files with these contents, and what is no file.
fn paths(folder: &Path) -> Vec<PathBuf> {
    let at = |name: &str| folder.join(name);
    let mut paths = Vec::new();
    for (name, bytes) in contents() {
        fs::write(at(&name), bytes).expect("written");
        paths.push(at(&name));
    }
    // Files that are far longer than any disk, all holes.
    for (name, start) in [("holes", vec![0; 8]), ("holes behind a header", right_file("chess-4"))] {
        let mut file = File::create(at(name)).expect("made");
        file.write_all(&start).expect("written");
        file.set_len(1 << 42).expect("stretched");
        paths.push(at(name));
    }
    // As long as its header says, and no header that could say so.
    let widest = file_of(game("chess-4"), &[0; 16]);
    let mut file = File::create(at("a tebibyte of holes")).expect("made");
    file.write_all(&widest).expect("written");
    file.set_len((1 << 40) + 4096 + (1 << 21)).expect("stretched");
    paths.push(at("a tebibyte of holes"));
    assert!(Command::new("mkfifo").arg(at("fifo")).status().expect("mkfifo").success());
    symlink("nowhere", at("dangling")).expect("linked");
    symlink("loop", at("loop")).expect("linked");
    symlink("fifo", at("to fifo")).expect("linked");
    drop(UnixListener::bind(at("socket")).expect("bound"));
    paths.extend(["fifo", "dangling", "loop", "to fifo", "socket", "missing"].map(at));
    paths.push(folder.to_owned());
    let system = [
        "/",
        "/dev/null",
        "/dev/zero",
        "/dev/full",
        "/dev/random",
        "/dev/tty",
        "/dev/stdin",
        "/dev/fd/0",
        "/proc/self",
        "/proc/self/mem",
        "/proc/self/maps",
        "/proc/self/environ",
        "/proc/self/pagemap",
        "/proc/self/fd/0",
        "/proc/cpuinfo",
        "/proc/kallsyms",
        "/proc/sys/vm/drop_caches",
        "/sys/kernel/mm",
    ];
    paths.extend(system.map(PathBuf::from));
    paths
}

#[test]
#[expect(clippy::print_stderr, reason = "the figures are for docs/reliability.md")]
fn what_is_no_table_is_refused_in_a_second_and_little_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let paths = paths(folder.path());
    let mut slowest = Duration::ZERO;
    for path in &paths {
        for command in ["info", "verify", "query", "export"] {
            let after = match command {
                "query" => " -",
                "export" => " --to raw -o -",
                _ => "",
            };
            // 200 MB of addresses, for program and libraries as well.
            let line =
                format!("ulimit -v 200000; exec \"$grundy\" {command} \"$path\"{after} </dev/null");
            let what = format!("{command} {}", path.display());
            let since = Instant::now();
            let output = with_path(folder.path(), &line, path);
            slowest = slowest.max(since.elapsed());
            said(&output, 2, &what);
            assert_eq!(output.stdout, b"", "{what}");
            assert!(since.elapsed() < Duration::from_secs(1), "{what}: {:?}", since.elapsed());
        }
    }
    assert!(paths.len() > 60, "{} paths", paths.len());
    eprintln!("{} hostile paths, four commands each: the slowest took {slowest:?}", paths.len());
}

fn with_path(folder: &Path, line: &str, path: &Path) -> std::process::Output {
    let mut command = crate::run::inside(folder, Command::new("sh"));
    command.args(["-c", line]).env("grundy", crate::run::program()).env("path", path);
    command.output().expect("the shell runs")
}

#[test]
fn a_table_that_lies_is_found_out_by_verify() {
    let folder = tempfile::tempdir().expect("a folder");
    let right = right_file("chess-4");
    let json = String::from_utf8_lossy(&right[8..4096]).trim_end().to_owned();
    let (_, zeros) = json.split_once("\"zero_entries\":\"").expect("a count");
    let zeros = zeros.split('"').next().expect("a number").to_owned();
    let lies = [
        changed("\"max_value\":\"3\"", "\"max_value\":\"4\""),
        changed(&format!("\"zero_entries\":\"{zeros}\""), "\"zero_entries\":\"0\""),
        [&right[..4096 + 15], &[right[4096 + 15] ^ 1], &right[4096 + 16..]].concat(),
        [&right[..right.len() - 1], &[!right[right.len() - 1]]].concat(),
    ];
    for (number, bytes) in lies.iter().enumerate() {
        fs::write(folder.path().join("t"), bytes).expect("written");
        let what = format!("lie {number}");
        said(&shell(folder.path(), "exec \"$grundy\" info t"), 0, &what);
        said(&shell(folder.path(), "exec \"$grundy\" verify t --check integrity"), 1, &what);
    }
}
