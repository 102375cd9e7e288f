//! `grundy bench`: its cases, its record, and how it ends.

#![cfg(feature = "cli")]

use std::process::{Command, Output};

use serde_json::Value;

fn bench(line: &str) -> Output {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("grundy"));
    command.arg("bench").args(line.split_whitespace()).env("NO_COLOR", "1");
    command.output().expect("it runs")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn report(line: &str) -> Value {
    let output = bench(line);
    assert_eq!(output.status.code(), Some(0), "{line}: {}", stderr(&output));
    serde_json::from_slice(&output.stdout).expect(line)
}

/// What was timed: id, what, method, threads, level.
fn cases(report: &Value) -> Vec<String> {
    let results = report["results"].as_array().expect("results");
    let case = |result: &Value| {
        let text = |name: &str| result[name].as_str().unwrap_or("-").to_owned();
        let threads = result["threads"].as_u64().expect("a number");
        let [id, what, method, simd] = ["id", "what", "method", "simd"].map(text);
        format!("{id} {what} {method} {threads} {simd}")
    };
    results.iter().map(case).collect()
}

#[test]
fn the_record_tells_the_machine_and_each_case() {
    let line =
        "chess-10 --repeats 2 --threads 1,2 --simd portable --methods layered,contest --json";
    let report = report(line);
    assert_eq!(report["schema"], "grundy-bench/1");
    assert!(report["machine"]["cores_allowed"].as_u64().expect("a number") >= 1);
    assert!(report["machine"]["levels"].as_array().expect("levels").contains(&"portable".into()));
    assert_eq!(
        cases(&report),
        [
            "chess-10 compute layered 1 portable",
            "chess-10 compute layered 2 portable",
            "chess-10 compute contest 1 portable",
            "chess-10 law - 1 portable",
            "chess-10 law - 2 portable",
        ]
    );
    for result in report["results"].as_array().expect("results") {
        assert_eq!((&result["repeats"], &result["entries"]), (&2.into(), &1024.into()));
        assert_eq!(result["samples"].as_array().expect("samples").len(), 2);
        let [min, median, max] = ["min", "median", "max"]
            .map(|name| result["ns_per_entry"][name].as_f64().expect("a number"));
        assert!(0.0 < min && min <= median && median <= max, "{result}");
        let rate = result["entries_per_second"].as_f64().expect("a number");
        assert!((rate * median / 1e9 - 1.0).abs() < 1e-9, "{result}");
        let law = result["what"] == "law";
        assert_eq!(result["times_contest"].is_null(), law, "{result}");
    }
}

#[test]
fn a_method_that_does_not_apply_is_left_out_unless_none_is_left() {
    let line = "slide-9-reach-2 chess-9 --repeats 1 --threads 1 --simd portable --what compute";
    let report = report(&format!("{line} --methods closed-form,contest,naive --json"));
    assert_eq!(
        cases(&report),
        [
            "slide-9-reach-2 compute naive 1 portable",
            "chess-9 compute closed-form 1 portable",
            "chess-9 compute contest 1 portable",
            "chess-9 compute naive 1 portable",
        ]
    );
    let output = bench("slide-9-reach-2 --methods contest --what compute");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("nothing to time"), "{}", stderr(&output));
}

#[test]
fn people_get_a_table_and_a_word_of_warning() {
    let output = bench("chess-8 --repeats 1 --threads 1");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("chess-8") && text.contains("layered") && text.contains("law"), "{text}");
    assert!(!text.contains("contest"), "a column without figures is not shown: {text}");
    assert_eq!(stderr(&output).contains("not optimised"), cfg!(debug_assertions));
    assert_eq!(stderr(&bench("chess-8 --repeats 1 --threads 1 --quiet")), "");
}

#[test]
fn what_cannot_be_timed_is_an_error_that_names_what_can() {
    for (line, word) in [
        ("chess-99", "1 to 40"),
        ("chess-8 --methods fast", "closed-form"),
        ("chess-8 --what speed", "law"),
        ("chess-8 --simd mmx", "portable"),
        ("chess-8 --threads 0", "1024"),
        ("chess-8 --repeats 0", "0"),
    ] {
        let output = bench(line);
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(stderr(&output).contains(word), "{line}: {}", stderr(&output));
    }
}
