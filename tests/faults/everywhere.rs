//! The same bytes on any processor, by any number of threads, whatever the surroundings say.

use std::fs;
use std::process::Command;

use grundy::simd::Level;

use crate::common::files::{file_of, game, stones_values};
use crate::run::{ARGS, assert_right, grundy, has, inside, program, right_file, run, said, shell};

#[test]
fn every_level_and_number_of_threads_writes_the_same_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("t");
    for level in Level::available() {
        for threads in 1..=16 {
            for method in ["layered", "closed-form"] {
                let level = level.name();
                let line =
                    format!("{ARGS} --force --simd {level} --threads {threads} --method {method}");
                said(&run(folder.path(), &line), 0, &line);
                assert_right(&target, &line);
            }
        }
    }
}

#[test]
fn one_processor_and_absurd_numbers_of_threads_change_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("t");
    let stones = file_of(game("stones-40"), &stones_values(40));
    for threads in ["0", "1", "3", "99999", "18446744073709551615", "-1", "many", ""] {
        let on = |args: &str| {
            let mut command = grundy(folder.path());
            command.args(args.split_whitespace()).env("RAYON_NUM_THREADS", threads);
            said(&command.output().expect("it runs"), 0, &format!("{threads:?}: {args}"));
        };
        on(&format!("{ARGS} --force"));
        assert_right(&target, threads);
        on("verify t --check integrity,law,theory,known");
        on("generate stones --max 40 -o t --force");
        assert!(fs::read(&target).expect("read") == stones, "{threads}");
    }
    if has("taskset") {
        let line = format!("taskset -c 0 \"$grundy\" {ARGS} --force");
        said(&shell(folder.path(), &line), 0, &line);
        assert_right(&target, &line);
        said(&shell(folder.path(), "taskset -c 0 \"$grundy\" verify t"), 0, "verify");
    }
}

/// Processors with different instruction sets, oldest first, and the best level that each has.
const PROCESSORS: [(&str, &str); 8] = [
    ("qemu64", "portable"),
    ("core2duo", "portable"),
    ("Nehalem", "sse4.2"),
    ("Westmere", "sse4.2"),
    ("SandyBridge", "sse4.2"),
    ("Haswell", "avx2"),
    ("EPYC", "avx2"),
    ("Skylake-Server", "avx2"),
];

#[test]
fn old_and_new_processors_write_the_same_file_without_an_illegal_instruction() {
    if !has("qemu-x86_64") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("t");
    let expected = right_file("chess-14");
    for (processor, best) in PROCESSORS {
        let on = |args: &str| {
            let mut command = inside(folder.path(), Command::new("qemu-x86_64"));
            command.args(["-cpu", processor]).arg(program()).args(args.split_whitespace());
            command.output().expect("qemu runs")
        };
        let mut found = None;
        for level in ["auto", "portable", "sse4.2", "avx2", "avx512"] {
            let line = format!("generate chess --width 14 -o t --force --json --simd {level}");
            let output = on(&line);
            let what = format!("{processor} {level}");
            if output.status.code() == Some(0) {
                assert!(fs::read(&target).expect("read") == expected, "{what}: other bytes");
                let report: serde_json::Value =
                    serde_json::from_slice(&output.stdout).expect("an object");
                found = found.or_else(|| report["simd"].as_str().map(str::to_owned));
            } else {
                assert_ne!(level, "auto", "{what}: {output:?}");
                assert_ne!(level, "portable", "{what}: {output:?}");
                let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
                assert_eq!(output.status.code(), Some(2), "{what}: {stderr}");
                assert!(stderr.contains(level), "{what}: {stderr}");
            }
        }
        assert_eq!(found.as_deref(), Some(best), "{processor}: chosen by itself");
        let verified = on("verify t --check integrity,law,theory,known");
        assert_eq!(verified.status.code(), Some(0), "{processor}: {verified:?}");
    }
}
