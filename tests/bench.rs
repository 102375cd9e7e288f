//! `grundy bench`: its cases, its record, and how it ends.

#![cfg(feature = "cli")]

use std::fs;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

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

#[test]
fn presets_name_the_cases() {
    let common = "--what compute --repeats 1 --json";
    let of_widths = report(&format!("slide-9-reach-2 --widths 4..=6 --threads 1 {common}"));
    let ids = |report: &Value| {
        let ids = report["plan"]["ids"].as_array().expect("ids").iter();
        ids.map(|id| id.as_str().expect("an id").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(ids(&of_widths), ["slide-4-reach-2", "slide-5-reach-2", "slide-6-reach-2"]);
    let of_levels = report(&format!("chess-7 --levels --threads-sweep {common}"));
    assert_eq!(of_levels["plan"]["simd"], of_levels["machine"]["levels"]);
    let threads = of_levels["plan"]["threads"].as_array().expect("threads");
    assert_eq!(threads.first(), Some(&1.into()));
    assert_eq!(threads.last(), Some(&of_levels["machine"]["cores_allowed"]));
    for line in ["--widths 4..6", "--widths 6..=4", "--widths 0..=3", "stones-9 --widths 4..=5"] {
        assert_eq!(bench(line).status.code(), Some(2), "{line}");
    }
}

#[test]
fn a_file_is_timed_in_parts_in_the_folder_named_and_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let line = format!(
        "chess-12 stones-20 --what file,bounds --threads 1,2 --repeats 3 --json --folder {}",
        folder.path().display()
    );
    let report = report(&line);
    let simd = report["plan"]["simd"][0].as_str().expect("a level").to_owned();
    let mut expected = Vec::new();
    for (id, method) in
        [("chess-12", "layered"), ("chess-12", "closed-form"), ("stones-20", "layered")]
    {
        expected.extend([1, 2].map(|threads| format!("{id} file {method} {threads} {simd}")));
    }
    assert_eq!(cases(&report), expected);
    let number = |value: &Value| value.as_f64().expect("a number");
    for result in report["results"].as_array().expect("results") {
        for sample in 0..3 {
            let parts = ["compute", "write", "sync"]
                .map(|part| number(&result["parts"][part]["samples"][sample]));
            let whole = number(&result["samples"][sample]);
            assert!((parts.iter().sum::<f64>() / whole - 1.0).abs() < 1e-9, "{result}");
            assert!(parts.iter().all(|&part| part >= 0.0) && parts[1] > 0.0, "{result}");
        }
        assert_eq!(result["bound"]["what"], "write+sync");
    }
    let stored = report["bounds"].as_array().expect("bounds").iter();
    let stored = stored.filter(|bound| bound["what"] == "write" || bound["what"] == "sync");
    let bytes: Vec<&Value> = stored.map(|bound| &bound["bytes"]).collect();
    let stones = &report["results"][4]["entries"];
    assert_eq!(bytes, [&Value::from(4096), &Value::from(4096), stones, stones]);
    assert_eq!(report["plan"]["folder"], folder.path().to_str().expect("utf-8"));
    assert!(fs::read_dir(folder.path()).expect("a folder").next().is_none(), "something was left");
    let output = bench("chess-9 --what file --threads 1 --folder /proc");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--folder"), "{}", stderr(&output));
}

#[test]
fn a_file_that_cannot_be_written_is_an_error_and_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = assert_cmd::cargo::cargo_bin!("grundy");
    for what in ["file", "bounds"] {
        let bench = format!("bench chess-18 --what {what} --threads 1 --folder .");
        let line = format!("ulimit -f 8; exec '{}' {bench}", program.display());
        let mut command = Command::new("sh");
        let output = command.args(["-c", &line]).current_dir(folder.path()).output();
        let output = output.expect("it runs");
        assert_eq!(output.status.code(), Some(2), "{what}: {}", stderr(&output));
        assert!(stderr(&output).contains("too large"), "{what}: {}", stderr(&output));
        assert!(fs::read_dir(folder.path()).expect("a folder").next().is_none(), "{what}");
    }
}

#[test]
fn values_are_looked_up_one_by_one_and_in_a_batch() {
    let report = report("chess-10 --what probe,bounds --threads 1,2 --repeats 2 --json");
    assert_eq!(
        cases(&report),
        ["chess-10 probe-single - 1 portable", "chess-10 probe-batch - 1 portable"]
    );
    let results = &report["results"];
    assert_eq!(results[0]["bound"]["what"], "random-read");
    assert_eq!(results[1]["bound"], Value::Null);
    assert_eq!((&results[0]["entries"], &results[0]["parts"]), (&(1 << 18).into(), &Value::Null));
}

#[test]
fn a_report_is_one_page_with_its_records_and_pictures() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("deep/out");
    let line = format!(
        "chess-8 chess-9 --repeats 2 --threads 1,2 --what compute,file,law,probe,bounds --json --report {}",
        out.display()
    );
    let printed = report(&line);
    let read = |name: &str| fs::read_to_string(out.join(name)).expect(name);
    let written: Value = serde_json::from_str(&read("results.json")).expect("JSON");
    assert_eq!(written, printed);
    let count = |name: &str| printed[name].as_array().expect(name).len();
    let samples = count("results") * 2;
    assert_eq!(read("results.csv").lines().count(), 1 + samples + count("bounds") * 2);
    let page = read("report.html");
    for name in ["samples", "widths", "threads", "methods", "parts", "bounds"] {
        let svg = read(&format!("{name}.svg"));
        assert!(svg.starts_with("<svg ") && svg.contains("prefers-color-scheme"), "{name}");
        assert!(page.contains(&svg), "the page holds the picture {name}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}");
    }
    let dots = read("samples.svg").matches("<circle").count();
    assert_eq!(dots, samples, "every sample is a dot");
    assert!(!page.contains("<script") && !page.contains("http-equiv"));
    let fetched = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!fetched.contains("http:") && !fetched.contains("https:"), "nothing is fetched");
}

#[test]
fn samples_and_tables_come_in_other_forms() {
    let line = "chess-8 --repeats 3 --threads 1 --what law --quiet";
    let text = |form: &str| {
        let output = bench(&format!("{line} {form}"));
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        String::from_utf8(output.stdout).expect("utf-8")
    };
    let csv = text("--csv");
    assert_eq!(csv.lines().count(), 4);
    assert!(csv.starts_with("id,what,method,threads,"), "{csv}");
    assert!(text("--markdown").contains("| chess-8 | law | 1 |"));
    assert_eq!(bench(&format!("{line} --csv --json")).status.code(), Some(2));
}

#[test]
fn two_records_are_compared() {
    let folder = tempfile::tempdir().expect("a folder");
    let old = report("chess-8 chess-9 --repeats 5 --threads 1 --what law --json");
    let mut new = old.clone();
    // Every sample of the second case becomes three times the largest.
    let result = &mut new["results"][1];
    let slow = Value::from(result["ns_per_entry"]["max"].as_f64().expect("a number") * 3.0);
    for name in ["min", "lower", "median", "upper", "max"] {
        result["ns_per_entry"][name] = slow.clone();
    }
    result["samples"] = vec![slow; 5].into();
    let [old_path, new_path] = ["old", "new"].map(|name| folder.path().join(name));
    fs::write(&old_path, old.to_string()).expect("written");
    fs::write(&new_path, new.to_string()).expect("written");
    let line = format!("compare {} {}", old_path.display(), new_path.display());
    let comparison = report(&format!("{line} --json"));
    let verdicts = comparison["changes"].as_array().expect("changes").iter();
    let verdicts: Vec<&Value> = verdicts.map(|change| &change["verdict"]).collect();
    assert_eq!(verdicts, ["same", "slower"]);
    let text = String::from_utf8(bench(&line).stdout).expect("utf-8");
    assert!(text.contains("SLOWER") && text.contains("noise: "), "{text}");
    fs::write(&new_path, "{\"schema\":\"grundy-bench/9\"}").expect("written");
    let output = bench(&line);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("grundy-bench/9"), "{}", stderr(&output));
}

#[test]
fn an_interrupted_run_keeps_what_is_measured() {
    for name in ["INT", "TERM"] {
        let folder = tempfile::tempdir().expect("a folder");
        let line = "bench chess-12 --what compute,file,law --threads 1 --repeats 100000000 --json";
        let child = Command::new(assert_cmd::cargo::cargo_bin!("grundy"))
            .args(line.split_whitespace())
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it runs");
        std::thread::sleep(Duration::from_millis(700));
        let mut kill = Command::new("kill");
        let sent = kill.args(["-s", name, &child.id().to_string()]).status().expect("kill");
        assert!(sent.success());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(report["complete"], false);
        assert!(!report["results"].as_array().expect("results").is_empty());
        assert!(stderr(&output).contains("ended early"), "{}", stderr(&output));
        assert!(fs::read_dir(folder.path()).expect("a folder").next().is_none(), "{name}");
    }
}

#[test]
fn a_killed_run_leaves_a_record_that_can_be_compared() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("grundy"))
        .args(
            "bench chess-12 --threads 1 --repeats 100000000 --quiet --report .".split_whitespace(),
        )
        .current_dir(folder.path())
        .spawn()
        .expect("it runs");
    // As soon as the record has samples it keeps some, whenever the run ends.
    let record = folder.path().join("results.json");
    let begun = Instant::now();
    let measured = || {
        let record = serde_json::from_slice::<Value>(&fs::read(&record).ok()?).ok()?;
        (!record["results"].as_array()?.is_empty()).then_some(record)
    };
    while measured().is_none() {
        assert!(begun.elapsed() < Duration::from_mins(1), "no record");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(1500));
    child.kill().expect("killed");
    child.wait().expect("it ends");
    let csv = fs::read_to_string(folder.path().join("results.csv")).expect("samples");
    let fields = csv.lines().next().expect("headings").split(',').count();
    let whole = csv.lines().skip(1).filter(|line| line.split(',').count() == fields);
    assert!(whole.count() > 5, "{csv}");
    let record = measured().expect("a record");
    assert_eq!((&record["schema"], &record["complete"]), (&"grundy-bench/1".into(), &false.into()));
    let samples = record["results"][0]["samples"].as_array().expect("samples").len();
    assert!(samples > 5, "{samples} samples");
    assert!(
        fs::read_to_string(folder.path().join("report.html")).expect("a page").contains("<svg")
    );
    // A folder stands for its record.
    let path = folder.path().display();
    let comparison = report(&format!("compare {path} {path} --json"));
    let changes = comparison["changes"].as_array().expect("changes").iter();
    let verdicts: Vec<&Value> = changes.map(|change| &change["verdict"]).collect();
    assert_eq!(verdicts.len(), record["results"].as_array().expect("results").len());
    assert!(verdicts.iter().all(|&verdict| verdict == "same"), "{comparison}");
}
