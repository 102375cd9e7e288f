//! Standard input, output and error: closed, full, a small terminal, a dumb one, none.

use std::fs;
use std::process::Command;

use crate::run::{ARGS, assert_right, has, inside, names, program, said, shell};

#[test]
fn closed_streams_hinder_no_run() {
    for streams in ["<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-", ">/dev/null 2>/dev/full"] {
        let folder = tempfile::tempdir().expect("a folder");
        for force in ["", " --force", ""] {
            let line = format!("exec \"$grundy\" {ARGS}{force} {streams}");
            let output = shell(folder.path(), &line);
            assert_eq!(output.status.code(), Some(0), "{line}");
            assert_eq!(names(folder.path()), ["t"], "{line}");
            // Nothing that was meant for a stream has gone into the file.
            assert_right(&folder.path().join("t"), &line);
        }
    }
}

#[test]
fn a_full_output_is_an_error_and_the_table_is_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    for json in ["", " --json"] {
        let line = format!("exec \"$grundy\" {ARGS} --force{json} >/dev/full");
        let stderr = said(&shell(folder.path(), &line), 2, &line);
        assert!(stderr.contains("cannot write the result"), "{stderr}");
        assert_right(&folder.path().join("t"), &line);
    }
    // The error is told by the status where there is nowhere to say it.
    let line = format!("exec \"$grundy\" {ARGS} --force >/dev/full 2>/dev/full");
    assert_eq!(shell(folder.path(), &line).status.code(), Some(2));
}

#[test]
fn input_that_is_closed_or_endless_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    for game in ["hdu5724", "cf768e"] {
        for input in ["<&-", "</dev/null", "</dev/zero", "<."] {
            let line = format!("exec \"$grundy\" solve {game} {input}");
            said(&shell(folder.path(), &line), 2, &line);
        }
    }
}

/// What a run writes to a terminal of so many columns, in lines: also those that were written over.
fn on_terminal(columns: u32, kind: &str, command: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let line = format!(
        "stty cols {columns} rows 5; a=$(stty -g); {command}; test \"$a\" = \"$(stty -g)\" && echo as before"
    );
    let mut script = inside(folder.path(), Command::new("script"));
    script.args(["-qec", &line, "/dev/null"]).env("TERM", kind).env("grundy", program());
    let output = script.output().expect("script runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("as before"), "the terminal was changed: {text}");
    let left: Vec<String> = names(folder.path());
    assert!(!left.iter().any(|name| name.ends_with(".partial")), "{left:?}");
    text
}

/// The text without what moves the cursor, colours or clears.
fn visible(text: &str) -> String {
    let mut visible = String::new();
    let mut rest = text.chars();
    while let Some(letter) = rest.next() {
        if letter == '\x1b' {
            assert_eq!(rest.next(), Some('['), "{text:?}");
            let _ = rest.by_ref().find(char::is_ascii_alphabetic);
        } else {
            visible.push(letter);
        }
    }
    visible
}

/// A run of some seconds, interrupted after two.
const LONG: &str =
    "timeout --foreground -s INT 2.5 \"$grundy\" generate welter --width 28 --method naive -o t";

#[test]
fn the_bar_fits_a_small_terminal_and_is_gone_after_an_interrupt() {
    if !has("script") || !has("stty") {
        return;
    }
    for columns in [20, 80] {
        let text = on_terminal(columns, "xterm", LONG);
        assert!(text.contains("welter-28"), "no bar: {text:?}");
        let bars = visible(&text);
        let bars = bars.split(['\r', '\n']).filter(|line| !line.starts_with("grundy: "));
        for line in bars {
            let wide = line.chars().count();
            assert!(wide <= columns as usize, "{wide} columns of {columns}: {line:?}");
        }
        // The line of the bar is cleared, and nothing hides the cursor or leaves colours behind.
        let (_, after) = text.rsplit_once("welter-28").expect("a bar");
        assert!(after.contains("\x1b[2K"), "{after:?}");
        assert!(!text.contains("\x1b[?25l") || text.contains("\x1b[?25h"), "{text:?}");
    }
}

#[test]
fn a_dumb_terminal_gets_plain_words() {
    if !has("script") || !has("stty") {
        return;
    }
    let text = on_terminal(80, "dumb", LONG);
    assert!(!text.contains('\x1b'), "{text:?}");
}

#[test]
fn without_a_terminal_no_bar_is_drawn() {
    if !has("setsid") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let line = format!("exec setsid --wait {LONG} </dev/null").replace("--foreground ", "");
    let output = shell(folder.path(), &line);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let plain = stderr.lines().all(|line| line.starts_with("grundy: welter-28 by naive needs "));
    assert!(output.stdout.is_empty() && plain, "{stderr:?}");
    assert!(fs::read_dir(folder.path()).expect("a folder").next().is_none());
}
