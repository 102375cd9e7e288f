//! `grundy query` without tables: in an empty folder, where the formula answers or nothing does.

use std::path::Path;

use assert_cmd::Command;
use serde_json::{Value, json};

/// Exit status, stdout and stderr of `grundy query` in `folder`.
fn query_in(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::cargo_bin("grundy").expect("the command is built");
    let output =
        command.current_dir(folder).arg("query").args(arguments).output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn query(arguments: &[&str]) -> (Option<i32>, String, String) {
    query_in(tempfile::tempdir().expect("a folder").path(), arguments)
}

fn query_json(arguments: &[&str]) -> Value {
    let (status, stdout, stderr) = query(&[arguments, &["--json"]].concat());
    assert_eq!(status, Some(0), "{stderr}");
    assert_eq!(stdout.lines().count(), 1, "{stdout}");
    serde_json::from_str(&stdout).expect("one object")
}

#[test]
fn rows_are_answered_by_the_formula_which_is_said() {
    let expected = json!({
        "source": "formula",
        "value": 1,
        "rows": [
            { "row": "19,20", "index": 3, "value": 0 },
            { "row": "-", "index": 0, "value": 0 },
            { "row": "18", "index": 4, "value": 0 },
            { "row": "19", "index": 2, "value": 1 },
        ],
        "winning_moves": [
            { "row": 3, "from": 18, "to": 19 },
            { "row": 4, "from": 19, "to": 20 },
        ],
    });
    let rows = ["chess-20", "20,19", "-", ".................#..", "19"];
    assert_eq!(query_json(&rows), expected);
    let (_, _, stderr) = query(&rows);
    assert!(
        stderr.contains("tables/chess-20.safetensors") && stderr.contains("formula"),
        "{stderr}"
    );
}

#[test]
fn rows_in_every_written_form_are_positions_and_never_options() {
    for row in ["-", "....", "1", "#...", "x...", "..#.", "1,2,3,4", "####"] {
        for arguments in
            [vec!["slide-4", row], vec!["slide-4", row, row], vec!["slide-4", "--json", row]]
        {
            let (status, stdout, stderr) = query(&arguments);
            assert_eq!(status, Some(0), "{arguments:?}: {stderr}");
            assert!(!stdout.is_empty());
        }
    }
}

#[test]
fn the_lines_say_the_values_the_winner_and_the_moves() {
    let (_, stdout, _) = query(&["slide-4", "1", "2"]);
    let expected = "1 has value 3\n2 has value 2\nthe sum has value 1: the first player wins\nwins: row 1, cell 1 to 2\n";
    assert_eq!(stdout, expected);
    let (_, stdout, _) = query(&["slide-4", "1", "1"]);
    assert_eq!(
        stdout,
        "1 has value 3\n1 has value 3\nthe sum has value 0: the second player wins\n"
    );
}

#[test]
fn untouched_piles_have_values_and_small_ones_their_moves() {
    let moves = [1, 2, 3, 4].map(|take: u32| json!({ "pile": 1, "take": take }));
    let expected = json!({
        "source": "formula",
        "value": 2 ^ 1,
        "rows": [{ "row": "5", "index": 31, "value": 2 }, { "row": "1", "index": 1, "value": 1 }],
        "winning_moves": moves,
    });
    assert_eq!(query_json(&["stones-60", "5", "1"]), expected);
    // A large sum of value 0 has no winning move: that much the formula knows.
    assert_eq!(query_json(&["stones-180", "100", "100"])["winning_moves"], json!([]));
}

#[test]
fn what_only_a_table_knows_is_said_with_the_command_that_makes_it() {
    let (status, stdout, stderr) = query(&["stones-60", "12:3,5"]);
    assert_eq!((status, stdout.as_str()), (Some(2), ""));
    assert!(stderr.contains("grundy generate stones --max 60"), "{stderr}");
    let (status, stdout, stderr) = query(&["slide-24-reach-3", "1"]);
    assert_eq!((status, stdout.as_str()), (Some(2), ""));
    assert!(stderr.contains("grundy generate slide --width 24 --reach 3"), "{stderr}");
    let (status, stdout, stderr) = query(&["stones-100", "100", "--json"]);
    assert_eq!(status, Some(0));
    let found: Value = serde_json::from_str(&stdout).expect("an object");
    assert_eq!((&found["value"], &found["winning_moves"]), (&json!(13), &Value::Null));
    assert!(stderr.contains("grundy generate stones --max 100"), "{stderr}");
    let (status, _, stderr) = query(&["some/chess-12.safetensors", "1"]);
    assert_eq!(status, Some(2));
    assert!(
        stderr.contains("grundy generate chess --width 12 -o some/chess-12.safetensors"),
        "{stderr}"
    );
}

#[test]
fn what_is_no_row_no_game_or_no_question_is_an_error() {
    for arguments in [
        &["chess-20"][..],
        &["chess-20", "21"],
        &["chess-20", "0"],
        &["chess-20", "5,5"],
        &["chess-20", "..#"],
        &["chess-20", ""],
        &["chess-20", "1", "x"],
        &["stones-60", "61"],
        &["stones-60", "12:5,5"],
        &["stones-60", "-"],
        &["chess-41", "1"],
        &["bishop-8", "1"],
        &["no/such/file", "1"],
        &["", "1"],
    ] {
        let (status, stdout, stderr) = query(arguments);
        assert_eq!((status, stdout.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(!stderr.is_empty(), "{arguments:?}");
    }
}
