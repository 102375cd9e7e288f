//! The command: exit status, JSON, files and streams, as scripts depend on them.

#![cfg(feature = "cli")]

mod common;

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use common::files::{file_of, game, values};
use serde_json::Value;

fn grundy(folder: &Path) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("grundy"));
    command.current_dir(folder).env("NO_COLOR", "1");
    command
}

fn run(folder: &Path, line: &str) -> Output {
    grundy(folder).args(line.split_whitespace()).output().expect("it runs")
}

/// Runs a line that must end with `status`, and says on which stream it had to speak.
fn expect(folder: &Path, line: &str, status: i32) -> String {
    let output = run(folder, line);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(status), "{line}: {stderr}");
    if status == 2 {
        assert!(!stderr.trim().is_empty(), "{line}: no message");
        return stderr;
    }
    String::from_utf8(output.stdout).expect("utf-8")
}

fn json(folder: &Path, line: &str, status: i32) -> Value {
    let output = run(folder, line);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(status), "{line}: {stderr}");
    serde_json::from_slice(&output.stdout).expect(line)
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn generate_writes_the_table_of_its_id_into_the_folder_it_makes() {
    let folder = tempfile::tempdir().expect("a folder");
    let report = json(folder.path(), "generate chess --width 12 --json", 0);
    let mut expected = vec![
        "path",
        "id",
        "entries",
        "bytes",
        "method",
        "threads",
        "simd",
        "ns_per_entry",
        "seconds",
        "blake3",
        "max_value",
        "zero_entries",
    ];
    expected.sort_unstable();
    assert_eq!(keys(&report), expected);
    assert_eq!(keys(&report["seconds"]), ["compute", "sync", "total", "write"]);
    assert_eq!(report["path"], "tables/chess-12.safetensors");
    assert_eq!(report["method"], "layered");
    assert_eq!((&report["entries"], &report["max_value"]), (&4096.into(), &11.into()));
    let file = fs::read(folder.path().join("tables/chess-12.safetensors")).expect("a file");
    assert_eq!(report["bytes"], file.len());
    assert_eq!(file, file_of(game("chess-12"), &values(game("chess-12"))));
    let seconds = |name: &str| report["seconds"][name].as_f64().expect("seconds");
    let sum = seconds("compute") + seconds("write") + seconds("sync");
    assert!((sum - seconds("total")).abs() < 1e-9, "the parts make the whole");
}

#[test]
fn every_method_and_number_of_threads_writes_the_same_file() {
    let folder = tempfile::tempdir().expect("a folder");
    for (args, id) in [
        ("chess --width 19", "chess-19"),
        ("slide --width 18 --reach 3", "slide-18-reach-3"),
        ("welter --width 3", "welter-3"),
    ] {
        let expected = file_of(game(id), &values(game(id)));
        for method in ["layered", "naive"] {
            for threads in [1, 3] {
                let line = format!(
                    "generate {args} --method {method} --threads {threads} -o t --force -q"
                );
                expect(folder.path(), &line, 0);
                let file = fs::read(folder.path().join("t")).expect("a file");
                assert!(file == expected, "{line}");
            }
        }
    }
}

#[test]
fn an_existing_table_is_recognised_and_anything_else_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    expect(folder.path(), "generate slide --width 9 -o t", 0);
    let before = fs::metadata(folder.path().join("t")).expect("a file").modified().expect("time");
    let again = json(folder.path(), "generate slide --width 9 -o t --json", 0);
    assert_eq!(again["method"], Value::Null);
    assert_eq!(again["seconds"]["total"], 0.0);
    assert_eq!(again["ns_per_entry"], 0.0);
    let after = fs::metadata(folder.path().join("t")).expect("a file").modified().expect("time");
    assert_eq!(before, after);
    expect(folder.path(), "generate slide --width 9 -o t --dry-run", 0);
    let stderr = expect(folder.path(), "generate slide --width 10 -o t", 2);
    assert!(stderr.contains("--force") && stderr.contains("slide-9"), "{stderr}");
    // Damaged: still a table of this id by its header, but not whole.
    let mut file = fs::read(folder.path().join("t")).expect("a file");
    file[4100] ^= 1;
    fs::write(folder.path().join("t"), &file).expect("written");
    expect(folder.path(), "generate slide --width 9 -o t", 2);
    assert_eq!(fs::read(folder.path().join("t")).expect("a file"), file, "it was not kept");
    let fresh = json(folder.path(), "generate slide --width 9 -o t --json --force", 0);
    assert_eq!(fresh["method"], "layered");
    expect(folder.path(), "verify t", 0);
    fs::write(folder.path().join("text"), "mine").expect("written");
    expect(folder.path(), "generate slide -o text", 2);
    assert_eq!(fs::read(folder.path().join("text")).expect("a file"), b"mine");
}

#[test]
fn a_dry_run_writes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    expect(folder.path(), "generate chess --dry-run", 0);
    let report = json(folder.path(), "generate chess --dry-run --json", 0);
    assert_eq!((&report["id"], &report["entries"]), (&"chess-20".into(), &(1 << 20).into()));
    assert!(fs::read_dir(folder.path()).expect("a folder").next().is_none());
    expect(folder.path(), "generate chess --dry-run -o none/t", 2);
    expect(folder.path(), "generate chess --width 40 --dry-run -o /dev/null", 2);
}

#[test]
fn what_cannot_run_ends_with_2_and_a_message() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("text"), "no table").expect("written");
    for line in [
        "generate",
        "generate checkers",
        "generate chess --width 0",
        "generate chess --width 41",
        "generate chess --width x",
        "generate chess --reach 0",
        "generate chess --max 3",
        "generate stones --width 3",
        "generate stones --max 181",
        "generate stones --method closed-form",
        "generate chess --reach 2 --method closed-form",
        "generate chess --method magic",
        "generate chess --threads 0",
        "generate chess --threads -1",
        "generate chess --simd mmx",
        "generate chess --bogus",
        "generate chess -o /dev/null",
        "generate chess -o /dev/null --force",
        "generate chess -o . --force",
        "generate chess -o none/table",
        "verify",
        "verify none",
        "verify text",
        "verify .",
        "verify text --check truth",
        "info none",
        "info text",
        "info /dev/zero",
        "export text --to raw -o out",
        "bogus",
    ] {
        let stderr = expect(folder.path(), line, 2);
        assert!(!stderr.contains("panicked"), "{line}: {stderr}");
    }
    let left: Vec<_> = fs::read_dir(folder.path()).expect("a folder").collect();
    assert_eq!(left.len(), 1, "something was written: {left:?}");
}

#[test]
fn verify_reports_every_check_and_fails_with_1() {
    let folder = tempfile::tempdir().expect("a folder");
    let right = values(game("welter-10"));
    fs::write(folder.path().join("right"), file_of(game("welter-10"), &right)).expect("written");
    let mut wrong = right.clone();
    wrong[777] = 30;
    fs::write(folder.path().join("wrong"), file_of(game("welter-10"), &wrong)).expect("written");
    let report = json(folder.path(), "verify right --json", 0);
    assert_eq!(keys(&report), ["files", "ok"]);
    let file = &report["files"][0];
    assert_eq!(keys(file), ["checks", "id", "ok", "path"]);
    assert_eq!((&file["id"], &file["ok"]), (&"welter-10".into(), &true.into()));
    let names: Vec<_> = file["checks"].as_array().expect("checks").iter().collect();
    assert_eq!(names.len(), 5);
    assert_eq!(keys(names[0]), ["bad", "check", "first_bad", "seconds", "status"]);
    let report = json(folder.path(), "verify right wrong --json --check naive,law,naive", 1);
    assert_eq!(report["ok"], false);
    assert_eq!(report["files"][0]["ok"], true);
    let checks = report["files"][1]["checks"].as_array().expect("checks");
    assert_eq!(checks.len(), 2);
    for check in checks {
        assert_eq!(check["status"], "failed");
        let bad = &check["first_bad"];
        assert_eq!(keys(bad), ["expected", "found", "index", "row"]);
        assert_eq!((&bad["index"], &bad["found"]), (&777.into(), &30.into()));
        assert_eq!(bad["expected"], right[777]);
        assert_eq!(bad["row"], "##....#..#");
    }
    let text = expect(folder.path(), "verify wrong", 1);
    assert!(text.contains("777") && text.contains("##....#..#"), "{text}");
    expect(folder.path(), "verify wrong --check integrity", 0);
    // A file that cannot be read does not hide the verdict on the others.
    let report = json(folder.path(), "verify none right --json --check law", 2);
    assert_eq!((&report["ok"], &report["files"][1]["ok"]), (&false.into(), &true.into()));
}

#[test]
fn a_check_that_does_not_apply_is_no_failure_even_when_named() {
    let folder = tempfile::tempdir().expect("a folder");
    expect(folder.path(), "generate chess --width 10 --reach 2 -o t", 0);
    let report = json(folder.path(), "verify t --check theory --json", 0);
    assert_eq!(report["files"][0]["checks"][0]["status"], "not_applicable");
}

#[test]
fn info_tells_the_metadata_with_numbers_as_numbers() {
    let folder = tempfile::tempdir().expect("a folder");
    expect(folder.path(), "generate slide --width 10 --reach 2 -o t", 0);
    let report = json(folder.path(), "info t --json", 0);
    for (name, number) in [("width", 10), ("reach", 2), ("entries", 1024), ("bytes", 5152)] {
        assert_eq!(report[name], number, "{name}");
    }
    assert!(report["max_value"].is_u64() && report["zero_entries"].is_u64());
    for (name, text) in [("id", "slide-10-reach-2"), ("format", "grundy-table/1"), ("path", "t")] {
        assert_eq!(report[name], text, "{name}");
    }
    assert!(expect(folder.path(), "info t", 0).contains("slide-10-reach-2"));
}

#[test]
fn export_gives_the_values_in_every_form_and_order() {
    let folder = tempfile::tempdir().expect("a folder");
    expect(folder.path(), "generate chess --width 7 -o t", 0);
    let right = values(game("chess-7"));
    expect(folder.path(), "export t --to raw -o raw", 0);
    assert_eq!(fs::read(folder.path().join("raw")).expect("a file"), right);
    expect(folder.path(), "export t --to npy -o npy", 0);
    let npy = fs::read(folder.path().join("npy")).expect("a file");
    assert!(npy.starts_with(b"\x93NUMPY\x01\x00"));
    assert_eq!(npy.len() % 64, 0);
    assert!(npy.ends_with(&right));
    let mirrored: Vec<u8> =
        (0..128_u8).map(|index| right[(index.reverse_bits() >> 1) as usize]).collect();
    expect(folder.path(), "export t --to raw --cells left-low -o raw", 0);
    assert_eq!(fs::read(folder.path().join("raw")).expect("a file"), mirrored);
    let csv = expect(folder.path(), "export t --to csv -o -", 0);
    assert_eq!(csv.lines().count(), 129);
    assert_eq!(csv.lines().take(4).collect::<Vec<_>>()[..2], ["index,row,value", "0,.......,0"]);
    assert!(csv.contains(&format!("\n6,....##.,{}\n", right[6])));
    let csv = expect(folder.path(), "export t --to csv --cells left-low -o /dev/stdout", 0);
    assert!(csv.contains(&format!("\n1,#......,{}\n", right[64])), "{csv}");
    expect(folder.path(), "export t --to raw -o t", 2);
    expect(folder.path(), "verify t", 0);
}

#[test]
fn a_full_device_is_an_error_and_a_closed_pipe_is_none() {
    let folder = tempfile::tempdir().expect("a folder");
    expect(folder.path(), "generate chess --width 20 -o t", 0);
    for line in ["info t", "info t --json", "verify t --check known", "export t --to csv -o -"] {
        let full = File::options().write(true).open("/dev/full").expect("a device");
        let mut command = grundy(folder.path());
        let output = command.args(line.split_whitespace()).stdout(full).output().expect("it runs");
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("space"), "{line}");
    }
    expect(folder.path(), "export t --to raw -o /dev/full", 2);
    let mut child = grundy(folder.path())
        .args(["export", "t", "--to", "csv", "-o", "-"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut line = String::new();
    let mut reader = BufReader::new(child.stdout.take().expect("a pipe"));
    reader.read_line(&mut line).expect("a line");
    assert_eq!(line, "index,row,value\n");
    drop(reader);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// Starts a run that lasts, and waits until its hidden file is there.
fn long_run(folder: &Path) -> std::process::Child {
    let child = grundy(folder)
        .args("generate welter --width 28 --method naive -o t".split_whitespace())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let start = Instant::now();
    while hidden(folder).is_none() {
        assert!(start.elapsed() < Duration::from_secs(20), "no hidden file");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

fn hidden(folder: &Path) -> Option<String> {
    let mut names = fs::read_dir(folder).expect("a folder").filter_map(|entry| {
        let name = entry.ok()?.file_name().into_string().ok()?;
        name.ends_with(".partial").then_some(name)
    });
    names.next()
}

fn signal(child: &std::process::Child, name: &str) {
    let mut kill = Command::new("kill");
    let status = kill.args(["-s", name, &child.id().to_string()]).status().expect("kill");
    assert!(status.success());
}

#[test]
fn an_interrupted_run_leaves_nothing_and_says_so_by_its_status() {
    for (name, status) in [("INT", 130), ("TERM", 143)] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut child = long_run(folder.path());
        signal(&child, name);
        assert_eq!(child.wait().expect("it ends").code(), Some(status), "{name}");
        assert!(fs::read_dir(folder.path()).expect("a folder").next().is_none(), "{name}");
    }
}

#[test]
fn a_killed_run_is_cleared_away_by_the_next_and_a_living_one_is_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut dead = long_run(folder.path());
    let left_over = hidden(folder.path()).expect("a hidden file");
    let second = run(folder.path(), "generate chess --width 8 -o t");
    assert_eq!(second.status.code(), Some(0));
    assert_eq!(hidden(folder.path()), Some(left_over.clone()), "the living one was removed");
    dead.kill().expect("killed");
    dead.wait().expect("it ends");
    assert_eq!(hidden(folder.path()), Some(left_over.clone()));
    let third = run(folder.path(), "generate chess --width 8 -o t --force");
    assert!(String::from_utf8_lossy(&third.stderr).contains(&left_over));
    assert_eq!(hidden(folder.path()), None);
}

#[test]
fn help_version_completions_and_the_manual_are_printed() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(expect(folder.path(), "--version", 0).starts_with("grundy "));
    assert!(expect(folder.path(), "--help", 0).contains("generate"));
    for shell in ["bash", "zsh", "fish"] {
        let text = expect(folder.path(), &format!("completions {shell}"), 0);
        assert!(text.contains("grundy") && text.contains("generate"), "{shell}");
    }
    let manual = expect(folder.path(), "man", 0);
    assert!(manual.contains(".TH") && manual.contains("dry\\-run"), "{manual}");
}

#[test]
fn a_table_cut_short_while_it_is_read_ends_the_run_with_a_message() {
    let folder = tempfile::tempdir().expect("a folder");
    expect(folder.path(), "generate chess --width 24 -o t", 0);
    // The naive computation takes a while, and reads the table after it.
    let child = grundy(folder.path())
        .args(["verify", "t", "--check", "naive"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    std::thread::sleep(Duration::from_millis(250));
    let file = File::options().write(true).open(folder.path().join("t")).expect("a file");
    file.set_len(5000).expect("cut");
    let output = child.wait_with_output().expect("it ends");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("cut short"), "{stderr}");
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error_and_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = assert_cmd::cargo::cargo_bin!("grundy");
    let line = format!("ulimit -f 8; exec '{}' generate chess -o t", program.display());
    let output = Command::new("sh")
        .args(["-c", &line])
        .current_dir(folder.path())
        .output()
        .expect("it runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("too large") && stderr.contains("1052704"), "{stderr}");
    assert!(fs::read_dir(folder.path()).expect("a folder").next().is_none());
}
