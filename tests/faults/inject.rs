//! Calls to the system that fail in turn, made to by strace: the command itself has no hooks for it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::run::{ID, assert_right, has, inside, is_partial, names, old_table, program, said};

/// The call that is to fail: the first one of the main thread whose line in a trace has a text in it.
#[derive(Clone, Copy)]
struct Call {
    name: &'static str,
    text: &'static str,
    /// How many such calls to pass over.
    after: usize,
}

const fn call(name: &'static str, text: &'static str) -> Call {
    Call { name, text, after: 0 }
}

fn generate(folder: &Path, strace: &[&str], force: bool) -> Output {
    let mut command = inside(folder, Command::new("strace"));
    command.args(strace).arg(program()).args(["generate", "chess", "--width", "22", "-o"]);
    // A whole path, so that the folder has a name in the trace.
    command.arg(folder.join("t"));
    if force {
        command.arg("--force");
    }
    command.output().expect("strace runs")
}

/// Which of the calls of that name it is, counted from 1, in a run without faults.
fn ordinal(call: Call, force: bool) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log");
    let traced = format!("trace={}", call.name);
    let strace = ["-qq", "-e", &traced, "-o", log.to_str().expect("utf-8")];
    said(&generate(folder.path(), &strace, force), 0, "a run without faults");
    let log = fs::read_to_string(&log).expect("a trace");
    let place = |text: &str| text.replace("FOLDER", &format!("\"{}\"", folder.path().display()));
    let found = log.lines().enumerate().filter(|(_, line)| line.contains(&place(call.text)));
    let (at, _) =
        found.map(|(at, line)| (at, line.to_owned())).nth(call.after).unwrap_or_else(|| {
            panic!("no {} with {:?} (and {} before it) in\n{log}", call.name, call.text, call.after)
        });
    at + 1
}

/// A run in which each of these calls fails with its error.
fn with_faults(folder: &Path, faults: &[(Call, &str)], force: bool) -> Output {
    let names: Vec<&str> = faults.iter().map(|(call, _)| call.name).collect();
    let mut strace = vec!["-qq".to_owned(), "-o".to_owned(), "/dev/null".to_owned()];
    strace.extend(["-e".to_owned(), format!("trace={}", names.join(","))]);
    for (call, error) in faults {
        let when = ordinal(*call, force);
        let inject = format!("inject={}:error={error}:when={when}", call.name);
        strace.extend(["-e".to_owned(), inject]);
    }
    let strace: Vec<&str> = strace.iter().map(String::as_str).collect();
    generate(folder, &strace, force)
}

const RESERVE: Call = call("fallocate", "");
const MAP: Call = call("mmap", "MAP_SHARED");
const SYNC_MAPPED: Call = call("msync", "");
const SYNC_FILE: Call = call("fsync", "");
const SYNC_FOLDER: Call = Call { after: 1, ..SYNC_FILE };
const NAME_NEW: Call = call("renameat2", "");
const NAME_OVER: Call = call("rename", "");
const MAKE: Call = call("openat", ".partial");
const WATCH: Call = call("clone3", "");

#[test]
#[expect(clippy::print_stderr, reason = "the figures are for docs/reliability.md")]
fn each_call_that_fails_is_an_error_that_leaves_no_trace() {
    if !has("strace") {
        return;
    }
    let faults: [(Call, &str, &str); 16] = [
        (MAKE, "EACCES", "cannot make"),
        (MAKE, "EMFILE", "cannot make"),
        (MAKE, "ENOSPC", "cannot make"),
        (WATCH, "EAGAIN", "cannot watch for signals"),
        (RESERVE, "ENOSPC", "no space"),
        (RESERVE, "EDQUOT", "no space"),
        (RESERVE, "EFBIG", "too large"),
        (RESERVE, "EIO", "cannot reserve the blocks"),
        (MAP, "ENOMEM", "cannot map"),
        (MAP, "ENODEV", "cannot map"),
        (SYNC_MAPPED, "EIO", "cannot write"),
        (SYNC_MAPPED, "ENOSPC", "no space"),
        (SYNC_FILE, "EIO", "cannot write"),
        (SYNC_FILE, "EDQUOT", "no space"),
        (NAME_NEW, "EIO", "cannot give its name"),
        (NAME_OVER, "EACCES", "cannot give its name"),
    ];
    let mut injected = 0;
    for (call, error, expected) in faults {
        for force in [false, true] {
            let renames = call.name.starts_with("rename");
            if renames && force != (call.name == "rename") {
                continue;
            }
            injected += 1;
            let what = format!("{} {error}, force: {force}", call.name);
            let folder = tempfile::tempdir().expect("a folder");
            let old = force.then(|| old_table(folder.path()));
            let output = with_faults(folder.path(), &[(call, error)], force);
            let stderr = said(&output, 2, &what);
            assert!(stderr.contains(expected), "{what}: {stderr}");
            let named = call.name == WATCH.name || stderr.contains("/t") || stderr.contains("/.t.");
            assert!(named, "{what}: which file? {stderr}");
            assert_eq!(output.stdout, b"", "{what}");
            assert_eq!(names(folder.path()), if force { &["t"][..] } else { &[] }, "{what}");
            assert!(old.is_none_or(|old| fs::read(folder.path().join("t")).expect("read") == old));
        }
    }
    eprintln!("{injected} failed calls: nothing lost");
}

#[test]
fn a_folder_that_cannot_be_synced_is_an_error_and_the_table_is_whole() {
    if !has("strace") {
        return;
    }
    let open_folder = call("openat", "FOLDER, O_RDONLY|O_CLOEXEC)");
    for (call, error) in [(SYNC_FOLDER, "EIO"), (open_folder, "EMFILE")] {
        let folder = tempfile::tempdir().expect("a folder");
        let output = with_faults(folder.path(), &[(call, error)], false);
        let stderr = said(&output, 2, error);
        assert!(stderr.contains("cannot sync the folder of"), "{stderr}");
        assert_right(&folder.path().join("t"), error);
        assert_eq!(names(folder.path()), ["t"]);
    }
    // Some file systems cannot: that is no fault.
    let folder = tempfile::tempdir().expect("a folder");
    said(&with_faults(folder.path(), &[(SYNC_FOLDER, "EINVAL")], false), 0, "EINVAL");
    assert_right(&folder.path().join("t"), ID);
}

#[test]
fn what_a_file_system_lacks_is_made_up_for() {
    if !has("strace") {
        return;
    }
    let lock = call("flock", "LOCK_EX");
    let lacking: [(&[(Call, &str)], &str); 5] = [
        (&[(RESERVE, "EOPNOTSUPP")], "cannot reserve blocks: zeros were written"),
        (&[(RESERVE, "ENOSYS")], "cannot reserve blocks: zeros were written"),
        (&[(RESERVE, "EINTR")], ""),
        (&[(NAME_NEW, "EINVAL")], ""),
        (&[(lock, "ENOLCK")], ""),
    ];
    for (faults, expected) in lacking {
        let what = format!("{} {}", faults[0].0.name, faults[0].1);
        let folder = tempfile::tempdir().expect("a folder");
        let stderr = said(&with_faults(folder.path(), faults, false), 0, &what);
        assert!(stderr.contains(expected), "{what}: {stderr}");
        assert_eq!(names(folder.path()), ["t"], "{what}");
        assert_right(&folder.path().join("t"), &what);
    }
}

#[test]
fn a_disk_that_fills_up_while_zeros_are_written_is_an_error() {
    if !has("strace") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let old = old_table(folder.path());
    // Nothing else is written before: the third megabyte of zeros does not fit.
    let strace = [
        "-qq",
        "-o",
        "/dev/null",
        "-e",
        "trace=fallocate,write",
        "-e",
        "inject=fallocate:error=EOPNOTSUPP",
        "-e",
        "inject=write:error=ENOSPC:when=3",
    ];
    let stderr = said(&generate(folder.path(), &strace, true), 2, "ENOSPC of write");
    assert!(stderr.contains("no space"), "{stderr}");
    assert_eq!(names(folder.path()), ["t"]);
    assert!(fs::read(folder.path().join("t")).expect("read") == old);
}

#[test]
fn what_cannot_be_removed_now_is_removed_by_the_next_run() {
    if !has("strace") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let strace = [
        "-qq",
        "-o",
        "/dev/null",
        "-e",
        "trace=fallocate,unlink",
        "-e",
        "inject=fallocate:error=EIO",
        "-e",
        "inject=unlink:error=EIO",
    ];
    said(&generate(folder.path(), &strace, false), 2, "EIO of unlink");
    let left = names(folder.path());
    assert!(left.len() == 1 && is_partial(&left[0]), "{left:?}");
    let strace = ["-qq", "-o", "/dev/null", "-e", "trace=none"];
    let stderr = said(&generate(folder.path(), &strace, false), 0, "the next run");
    assert!(stderr.contains(&left[0]), "{stderr}");
    assert_eq!(names(folder.path()), ["t"]);
}
