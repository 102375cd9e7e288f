//! The judges' inputs, right and bad, through the library and through the built command.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use grundy::game::{Rule, Stones, Strip};
use grundy::generate::{Method, Settings, generate};
use grundy::solve::{PileValues, RowValues, cf768e, hdu5724};
use proptest::prelude::*;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn grundy() -> Command {
    Command::cargo_bin("grundy").expect("the command is built")
}

/// The answers of the library, or its message.
fn library(judge: &str, input: &[u8], moves: bool) -> Result<String, String> {
    let chess = Strip::new(Rule::Chess, hdu5724::WIDTH, None).expect("a game");
    let stones = Stones::new(cf768e::MAX_PILE).expect("a game");
    let answers = if judge == "hdu5724" {
        hdu5724::answers(input, RowValues::formula(chess).expect("a formula"), moves)
    } else {
        cf768e::answer(input, PileValues::formula(stones), moves)
    };
    answers.map(|text| String::from_utf8(text).expect("text")).map_err(|error| error.to_string())
}

/// The answers of the command, or its message; the promises of both ends are checked.
fn command(judge: &str, input: &[u8], moves: bool) -> Result<String, String> {
    let mut command = grundy();
    command.args(["solve", judge]).write_stdin(input).args(moves.then_some("--moves"));
    let output = command.output().expect("the command runs");
    let stdout = String::from_utf8(output.stdout).expect("text");
    let stderr = String::from_utf8(output.stderr).expect("text");
    match output.status.code() {
        Some(0) => {
            assert_eq!(stderr, "", "talk on success");
            Ok(stdout)
        }
        Some(2) => {
            assert_eq!(stdout, "", "answers beside an error");
            assert!(stderr.starts_with("error: stdin: line "), "{stderr}");
            assert_eq!(stderr.lines().count(), 1, "{stderr}");
            Err(stderr)
        }
        status => panic!("exit status {status:?}: {stderr}"),
    }
}

/// What both ways say, which must be the same.
fn both(judge: &str, input: &[u8], moves: bool) -> Result<String, String> {
    let (library, command) = (library(judge, input, moves), command(judge, input, moves));
    let told = library.clone().map_err(|message| format!("error: stdin: {message}\n"));
    assert_eq!(told, command, "{judge} {:?}", input.escape_ascii());
    library
}

fn judge_of(file: &str) -> &'static str {
    if file.starts_with("hdu") { "hdu5724" } else { "cf768e" }
}

#[test]
fn the_answers_to_the_judges_cases_are_theirs() {
    let inputs = fs::read_dir(data("judge")).expect("the cases");
    let mut cases = 0;
    for input in inputs.map(|entry| entry.expect("an entry").path()) {
        if input.extension().is_some_and(|end| end == "in") {
            let name = input.file_name().and_then(|name| name.to_str()).expect("a name");
            let expected = fs::read_to_string(input.with_extension("out")).expect("the answers");
            let found = both(judge_of(name), &fs::read(&input).expect("the input"), false);
            assert_eq!(found.as_deref(), Ok(expected.as_str()), "{name}");
            cases += 1;
        }
    }
    assert_eq!(cases, 5);
}

#[test]
fn every_input_of_the_manifest_has_its_verdict() {
    let manifest = fs::read_to_string(data("bad/MANIFEST.tsv")).expect("the manifest");
    for line in manifest.lines().skip(1) {
        let [file, verdict, answer, _why] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line:?} has not four fields");
        };
        let input = fs::read(data(&format!("bad/{file}.in"))).expect("the input");
        let found = both(judge_of(file), &input, false);
        match verdict {
            "accept" => {
                let answer = if answer == "(no output)" { "" } else { answer };
                let words = found.as_ref().map(|text| text.split_whitespace().collect::<Vec<_>>());
                assert_eq!(words, Ok(answer.split_whitespace().collect()), "{file}");
            }
            "error" => assert!(found.is_err(), "{file}: {found:?}"),
            "error or accept" => {
                assert!(found.is_err() || found.as_deref() == Ok("NO\n"), "{file}: {found:?}");
            }
            other => panic!("{file}: unknown verdict {other:?}"),
        }
    }
}

#[test]
fn other_kinds_of_bad_input_are_errors_of_one_line() {
    let hdu: [&[u8]; 22] = [
        b"x",
        b"1\n",
        b"1\n1\n",
        b"1\n1\n1\n",
        b"1\n1\n1 +5\n",
        b"1\n1\n1 0x5\n",
        b"1\n1\n1 5,\n",
        b"1\n1\n2 5,6\n",
        b"1\n1\n1 1e1\n",
        b"1\n1\n21 1\n",
        b"1\n-1\n",
        b"-1\n",
        b"1.0\n1\n0\n",
        b"1\n1\n1 18446744073709551635\n",
        b"18446744073709551617\n1\n0\n",
        b"1\n1\n1 \xd9\xa5\n",
        b"\xef\xbb\xbf1\n1\n1 5\n",
        b"1\n1\n1 5\x1a",
        b"1\n1\n1 5\n\0",
        b"1\n1\n1 5\n0\n",
        b"1\n1\n20 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 19\n",
        b"1\n1\n1 5\xc2\xa0\n",
    ];
    for input in hdu {
        assert!(both("hdu5724", input, false).is_err(), "{:?}", input.escape_ascii());
    }
    let cf: [&[u8]; 9] = [
        b"0\n",
        b"\n \r\n",
        b"1\n",
        b"1\n-1\n",
        b"1\n1 1\n",
        b"2\n1\n",
        b"1\n4294967297\n",
        b"1\n1.0\n",
        b"\xff\xfe1\0\n\0",
    ];
    for input in cf {
        assert!(both("cf768e", input, false).is_err(), "{:?}", input.escape_ascii());
    }
}

#[test]
fn every_cut_of_a_right_input_is_an_error_or_ends_between_numbers() {
    let whole = b"2\n2\n2 3 20\n1 7\n1\n3 5 6 14\n";
    let answers = library("hdu5724", whole, false).expect("a right input");
    for end in 0..whole.len() {
        match library("hdu5724", &whole[..end], false) {
            // Without the last line end, and with the last number cut to a number, nothing is missing.
            Ok(found) => assert!(end + 2 >= whole.len() && found.lines().count() == 2, "{end}"),
            Err(message) => assert!(message.contains("the input ends"), "{end}: {message}"),
        }
    }
    assert_eq!(answers.lines().count(), 2);
}

#[test]
fn more_than_the_judges_promise_is_answered() {
    let boards = "1\n1 19\n".repeat(150);
    let found = library("hdu5724", format!("150\n{boards}").as_bytes(), false);
    assert_eq!(found, Ok("YES\n".repeat(150)));
    let rows = "1 19\n".repeat(2001);
    let found = library("hdu5724", format!("1\n2001\n{rows}").as_bytes(), true);
    assert_eq!(found, Ok("YES 1 19 20\n".to_owned()));
    let piles = "3 ".repeat(1_000_001);
    let found = library("cf768e", format!("1000001\n{piles}").as_bytes(), true);
    assert_eq!(found, Ok("NO 1 3\n".to_owned()));
}

#[test]
fn the_first_winning_move_is_shown_with_moves() {
    for (judge, input, expected) in [
        ("hdu5724", "2\n1\n2 19 20\n2\n1 18\n1 19\n", "NO\nYES 1 18 19\n"),
        (
            "hdu5724",
            "2\n2\n0\n1 1\n1\n19 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19\n",
            "YES 2 1 2\nYES 1 1 20\n",
        ),
        ("cf768e", "2\n1\n2\n", "YES\n"),
        ("cf768e", "1\n5\n", "NO 1 5\n"),
        ("cf768e", "2\n1\n5\n", "NO 2 1\n"),
    ] {
        assert_eq!(both(judge, input.as_bytes(), true).as_deref(), Ok(expected), "{input:?}");
    }
}

#[test]
fn the_variants_are_judged_too() {
    let run = |arguments: &[&str]| {
        let output =
            grundy().args(["solve", "hdu5724"]).args(arguments).write_stdin("1\n1\n1 1\n").output();
        let output = output.expect("the command runs");
        (output.status.code(), String::from_utf8(output.stdout).expect("text"))
    };
    // One piece on the first of four cells: three cells to go in the slide rule, hole by hole in chess.
    assert_eq!(
        run(&["--width", "4", "--rule", "slide", "--moves"]),
        (Some(0), "YES 1 1 4\n".to_owned())
    );
    assert_eq!(run(&["--width", "4", "--rule", "welter"]), (Some(0), "YES\n".to_owned()));
    assert_eq!(run(&["--width", "3"]), (Some(0), "NO\n".to_owned()));
    assert_eq!(run(&["--width", "0"]).0, Some(2));
    assert_eq!(run(&["--width", "41"]).0, Some(2));
    assert_eq!(run(&["--rule", "bishop"]).0, Some(2));
    grundy().args(["solve", "cf768e", "--width", "4"]).write_stdin("1\n1\n").assert().code(2);
}

#[test]
fn a_table_answers_as_the_formula_does() {
    let strip = Strip::new(Rule::Chess, hdu5724::WIDTH, None).expect("a game");
    let mut table = vec![0; 1 << 20];
    let naive = generate(&strip.into(), Method::Naive, Settings::detect(), &mut table, &());
    naive.expect("a table");
    let values = RowValues::table(strip, &table).expect("the whole table");
    let input = fs::read(data("judge/hdu_edge.in")).expect("the input");
    let found = hdu5724::answers(&input[..], values, true).expect("the answers");
    let formula = library("hdu5724", &input, true).expect("the answers");
    assert_eq!(String::from_utf8(found).expect("text"), formula);
}

#[test]
fn an_input_file_is_named_in_messages() {
    let missing =
        grundy().args(["solve", "hdu5724", "-i", "no/such.in"]).output().expect("it runs");
    assert_eq!(missing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("no/such.in"));
    let folder = grundy().args(["solve", "hdu5724", "-i", "."]).output().expect("it runs");
    assert_eq!(folder.status.code(), Some(2));
    let bad = data("bad/hdu_bad_pos21.in");
    let bad = grundy().args(["solve", "hdu5724", "-i"]).arg(bad).output().expect("it runs");
    assert_eq!(bad.status.code(), Some(2));
    let message = String::from_utf8_lossy(&bad.stderr).into_owned();
    for part in ["hdu_bad_pos21.in: line 3", "\"21\"", "from 1 to 20"] {
        assert!(message.contains(part), "{part:?} is not in {message}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error_and_a_closed_pipe_is_none() {
    use std::process::{Command, Stdio};
    let command = |stdout: Stdio| {
        let input = fs::File::open(data("judge/hdu_edge.in")).expect("the input");
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("grundy"));
        let command = command.args(["solve", "hdu5724"]).stdin(input).stdout(stdout);
        command
            .stderr(Stdio::piped())
            .spawn()
            .expect("it runs")
            .wait_with_output()
            .expect("it ends")
    };
    let full = fs::File::options().write(true).open("/dev/full").expect("the device");
    let full = command(full.into());
    assert_eq!(full.status.code(), Some(2));
    assert!(!full.stderr.is_empty());
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let closed = command(writer.into());
    assert_eq!((closed.status.code(), closed.stderr.len()), (Some(0), 0));
}

/// White space of every accepted kind, never nothing.
fn space() -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop::sample::select(vec![" ", "\n", "\r\n", "\t", "\x0b", "\x0c", "\r"]),
        1..4,
    )
    .prop_map(|kinds| kinds.concat())
}

/// The tokens of an HDU input of up to three boards of up to four rows.
fn boards() -> impl Strategy<Value = Vec<String>> {
    let cells = prop::collection::btree_set(1..=20_u32, 0..=20)
        .prop_map(|cells| cells.into_iter().collect::<Vec<_>>())
        .prop_shuffle();
    prop::collection::vec(prop::collection::vec(cells, 0..=4), 0..=3).prop_map(|boards| {
        let mut numbers = vec![boards.len() as u32];
        for rows in boards {
            numbers.push(rows.len() as u32);
            for cells in rows {
                numbers.push(cells.len() as u32);
                numbers.extend(cells);
            }
        }
        numbers.iter().map(u32::to_string).collect()
    })
}

proptest! {
    #[test]
    fn the_layout_of_white_space_does_not_matter(
        tokens in boards(),
        spaces in prop::collection::vec(space(), 260),
        ends in any::<[bool; 2]>(),
    ) {
        let plain = tokens.join(" ");
        let mut spaced = if ends[0] { spaces[259].clone() } else { String::new() };
        for (at, (token, space)) in tokens.iter().zip(&spaces).enumerate() {
            spaced.push_str(token);
            if at + 1 < tokens.len() || ends[1] {
                spaced.push_str(space);
            }
        }
        prop_assert!(tokens.len() <= 259);
        let expected = library("hdu5724", plain.as_bytes(), true);
        prop_assert!(expected.is_ok());
        prop_assert_eq!(library("hdu5724", spaced.as_bytes(), true), expected);
    }

    #[test]
    fn no_bytes_make_it_panic(input in prop::collection::vec(prop::sample::select(b"0123456789 \n-.\0\xff".to_vec()), 0..60)) {
        let _ = library("hdu5724", &input, true);
        let _ = library("cf768e", &input, true);
    }
}
