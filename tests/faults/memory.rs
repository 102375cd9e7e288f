//! Tables larger than the memory: said before anything is touched.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::run::{is_root, names, run, said, shell};

#[test]
fn a_table_larger_than_the_memory_is_refused_with_what_to_do_instead() {
    let folder = tempfile::tempdir().expect("a folder");
    // A tebibyte: no machine that runs this has as much to spare.
    for (args, instead) in [
        ("chess --width 40", "use --method closed-form, which needs none of it"),
        ("welter --width 40 --method naive", "use --method closed-form"),
        ("slide --width 40 --reach 7", "choose a smaller --width"),
    ] {
        for dry in ["", " --dry-run"] {
            let line = format!("generate {args}{dry}");
            let stderr = said(&run(folder.path(), &line), 2, &line);
            assert!(stderr.contains("does not fit the memory"), "{line}: {stderr}");
            assert!(stderr.contains("needs 1099513729024 bytes"), "{line}: {stderr}");
            assert!(stderr.contains(instead), "{line}: {stderr}");
            assert_eq!(stderr.contains("closed-form"), !args.contains("reach"), "{stderr}");
        }
    }
    assert_eq!(names(folder.path()), [""; 0], "something was made");
}

#[test]
fn the_closed_form_is_never_refused_for_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let line = "generate chess --width 40 --method closed-form --dry-run";
    let output = run(folder.path(), line);
    // A disk that holds a tebibyte is rarer than one that does not.
    if output.status.code() != Some(0) {
        let stderr = said(&output, 2, line);
        assert!(stderr.contains("no space") && !stderr.contains("memory"), "{stderr}");
    }
}

#[test]
fn a_dry_run_says_what_is_needed() {
    let folder = tempfile::tempdir().expect("a folder");
    for (method, memory) in [("layered", "268440064"), ("closed-form", "0")] {
        let line = format!("generate slide --width 28 --method {method} --dry-run");
        let output = run(folder.path(), &line);
        said(&output, 0, &line);
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        let needs = format!("268440064 bytes of disk, {memory} of memory, and about ");
        assert!(stdout.contains(&needs), "{stdout}");
        let report = run(folder.path(), &format!("{line} --json")).stdout;
        let report: serde_json::Value = serde_json::from_slice(&report).expect("an object");
        assert_eq!(report["bytes"], 268_440_064);
        assert_eq!(report["memory_bytes"].to_string(), memory);
        let seconds = report["about_seconds"].as_f64().expect("seconds");
        assert!((0.1..100.0).contains(&seconds), "{seconds}");
    }
    assert_eq!(names(folder.path()), [""; 0]);
}

/// A control group that allows 200 MB, taken away when it is dropped.
struct Group(PathBuf);

impl Group {
    fn new() -> Option<Self> {
        let name = format!("grundy-test-{}", std::process::id());
        let places =
            [("/sys/fs/cgroup", "memory.max"), ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")];
        places.into_iter().find_map(|(root, limit)| {
            let folder = Path::new(root).join(&name);
            fs::create_dir(&folder).ok()?;
            let group = Self(folder);
            // The kernel makes the file, where this is the folder of such groups.
            let limit = fs::OpenOptions::new().write(true).open(group.0.join(limit)).ok();
            limit?.write_all(b"200000000").ok().map(|()| group)
        })
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn the_limit_of_a_control_group_counts() {
    let folder = tempfile::tempdir().expect("a folder");
    let group = if is_root() { Group::new() } else { None };
    let Some(group) = group else {
        // Containers often may not: src/cli/generate/memory.rs is tested with files in their place.
        eprintln!("skipped: no control group with a limit on memory can be made here");
        return;
    };
    let inside = |args: &str| {
        let tasks = group.0.join("cgroup.procs");
        shell(folder.path(), &format!("echo $$ >'{}' && exec \"$grundy\" {args}", tasks.display()))
    };
    let stderr = said(&inside("generate chess --width 28 --dry-run"), 2, "256 MiB in 200 MB");
    assert!(stderr.contains("needs 268440064 bytes"), "{stderr}");
    said(&inside("generate chess --width 27 --dry-run"), 0, "128 MiB in 200 MB");
    said(&inside("generate chess --width 28 --method closed-form -o t -q"), 0, "the closed form");
}
