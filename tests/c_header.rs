//! The C header and the C++ example: compiled without a warning, run under the sanitizers, and held to the
//! library. A machine without compilers passes with a message; in CI (`CI=true`) it fails.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, PoisonError};

use common::files::{file_of, game, values};
use grundy::game::{Game, Pile, Stones};
use grundy::generate::{Method, Settings, generate};
use grundy::table::Table;
use grundy::verify::{self, Check, Status, Verifier};
use tempfile::TempDir;

/// How a program of the tests is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Build {
    C,
    /// With standard C alone: no mapping.
    CWithoutMmap,
    Cpp,
}

const STRICT: [&str; 6] = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-Wconversion", "-Wshadow"];
const SANITIZED: [&str; 4] =
    ["-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The words of `variable`, or the usual name: where that runs.
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn compiler(variable: &str, usual: &str) -> Option<Vec<String>> {
    let named = std::env::var(variable).unwrap_or_default();
    let words: Vec<String> = if named.trim().is_empty() { usual } else { &named }
        .split_whitespace()
        .map(String::from)
        .collect();
    let runs = Command::new(&words[0]).arg("--version").output().is_ok();
    if !runs {
        let ci = std::env::var("CI").is_ok_and(|ci| ci == "true");
        assert!(!ci, "no compiler {words:?}: install one, or name it with {variable}");
        eprintln!("skipped: no compiler {words:?}; install one, or name it with {variable}");
    }
    runs.then_some(words)
}

/// The program of a source of this repository, compiled once for all tests of this process, with warnings as errors
/// and under the sanitizers. `None` where there is no compiler.
fn compiled(source: &'static str, build: Build) -> Option<PathBuf> {
    type Programs = BTreeMap<(&'static str, Build), Option<PathBuf>>;
    static PROGRAMS: Mutex<Programs> = Mutex::new(BTreeMap::new());
    // A test that fails to compile has said so: the others try for themselves.
    let mut programs = PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner);
    programs.entry((source, build)).or_insert_with(|| compile(source, build)).clone()
}

fn compile(source: &str, build: Build) -> Option<PathBuf> {
    let (words, language) = match build {
        Build::C => (compiler("CC", "cc")?, &["-std=c99"][..]),
        Build::CWithoutMmap => (compiler("CC", "cc")?, &["-std=c99", "-DGRUNDY_NO_MMAP"][..]),
        Build::Cpp => (compiler("CXX", "c++")?, &["-x", "c++", "-std=c++11"][..]),
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let name = format!("{}-{build:?}", source.replace(['/', '.'], "-"));
    // Under a name of its own first: another process may be running the program.
    let fresh = folder.join(format!("{name}.{}", std::process::id()));
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).args(STRICT).args(SANITIZED).args(language);
    command.arg("-I").arg(root().join("include")).arg(root().join(source)).arg("-o").arg(&fresh);
    let output = command.output().expect("the compiler runs");
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && talk.is_empty(), "{build:?} {source}: {talk}");
    let program = folder.join(name);
    fs::rename(&fresh, &program).expect("renamed");
    Some(program)
}

/// Runs a program with `input`. That the sanitizers are silent is checked with its exit status.
fn run(program: &Path, words: &[OsString], input: &[u8]) -> Output {
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    std::thread::scope(|scope| {
        // A program that refuses early need not read all of it.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().expect("the program ends")
    })
}

/// What a program prints when all is well.
fn printed(program: &Path, words: &[OsString], input: &[u8]) -> Vec<u8> {
    let output = run(program, words, input);
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}: {:?} {talk}", output.status);
    output.stdout
}

fn lines(text: Vec<u8>) -> Vec<String> {
    String::from_utf8(text).expect("text").lines().map(String::from).collect()
}

/// Writes the table of `id` and gives its path.
fn table_in(folder: &TempDir, id: &str) -> PathBuf {
    let path = folder.path().join(id);
    let game = game(id);
    let values = match game {
        Game::Strip(strip) if strip.width() > 12 => layered(game),
        _ => values(game),
    };
    fs::write(&path, file_of(game, &values)).expect("written");
    path
}

fn layered(game: Game) -> Vec<u8> {
    let mut values = vec![0; game.entries() as usize];
    generate(&game, Method::Layered, Settings::detect(), &mut values, &()).expect("generated");
    values
}

fn words<const N: usize>(words: [&dyn AsRef<std::ffi::OsStr>; N]) -> [OsString; N] {
    words.map(|word| word.as_ref().to_owned())
}

#[test]
fn every_row_has_the_value_of_the_library() {
    const SMALL: [&str; 4] = ["chess-12", "slide-12", "welter-12", "slide-12-reach-3"];
    const WIDE: [&str; 3] = ["chess-20", "slide-20", "welter-20"];
    let folder = tempfile::tempdir().expect("a folder");
    let small = [Build::C, Build::CWithoutMmap, Build::Cpp].map(|build| (build, &SMALL[..]));
    // The judge's width once: that is a second's work.
    for (build, ids) in small.into_iter().chain([(Build::C, &WIDE[..])]) {
        let Some(program) = compiled("tests/c/header.c", build) else { return };
        for id in ids {
            let path = table_in(&folder, id);
            let found = printed(&program, &words([&"values", &path]), b"");
            let table = Table::load(&path).expect(id);
            assert!(found == table.values(), "{build:?} {id}: other values");
            assert!(printed(&program, &words([&"nonsense", &path]), b"").is_empty());
        }
    }
}

#[test]
fn every_pile_has_the_place_of_the_library() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(program) = compiled("tests/c/header.c", Build::C) else { return };
    let stones = Stones::new(24).expect("a game");
    // Any values will do: the places are compared.
    let values: Vec<u8> = (0..stones.entries()).map(|index| (index % 251) as u8).collect();
    let path = folder.path().join("stones-24");
    fs::write(&path, file_of(stones.into(), &values)).expect("written");
    let piles: Vec<Pile> = (0..stones.entries()).map(|index| stones.unrank(index)).collect();
    let mut input = String::new();
    for pile in &piles {
        // From the largest down, so that no order is expected; and one amount that does not matter.
        let mut used: Vec<u32> = pile.used().chain([pile.left() + 1]).collect();
        used.reverse();
        let used: Vec<String> = used.iter().map(u32::to_string).collect();
        writeln!(input, "{} {} {}", pile.left(), used.len(), used.join(" ")).expect("written");
    }
    input += "25 0\n12 1 0\n12 2 3 3\n12 3 3 4 6\n4294967295 1 1\n";
    let expected = (0..values.len()).map(|index| format!("{index} {}", values[index]));
    let expected: Vec<String> = expected.chain((0..5).map(|_| "none".to_owned())).collect();
    assert_eq!(lines(printed(&program, &words([&"piles", &path]), input.as_bytes())), expected);
}

#[test]
fn each_changed_byte_and_each_length_is_refused_where_the_library_refuses_it() {
    let folder = tempfile::tempdir().expect("a folder");
    for id in ["chess-4", "welter-5-reach-2", "stones-3"] {
        let path = folder.path().join(id);
        let file = file_of(game(id), &vec![1; game(id).entries() as usize]);
        fs::write(&path, &file).expect("written");
        let expected = accepted(&file);
        assert!(expected.contains(&format!("length {}", file.len())));
        for build in [Build::C, Build::CWithoutMmap, Build::Cpp] {
            let Some(program) = compiled("tests/c/header.c", build) else { return };
            let scratch = folder.path().join("scratch");
            let found = lines(printed(&program, &words([&"accepted", &path, &scratch]), b""));
            assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected, "{build:?} {id}");
        }
    }
}

/// The changes of `file` that the library opens, which are those that integrity finds; as `tests/c/header.c`
/// writes them.
fn accepted(file: &[u8]) -> BTreeSet<String> {
    let mut accepted = BTreeSet::from([format!("length {}", file.len())]);
    for at in 0..4096 {
        for change in [0x01, 0x02, 0x20, 0x80, 0xff] {
            let mut changed = file.to_vec();
            changed[at] ^= change;
            let Ok(table) = Table::from_bytes(changed) else { continue };
            let settings = verify::Settings {
                threads: std::num::NonZeroUsize::new(1),
                ..verify::Settings::detect()
            };
            let mut verifier = Verifier::new(&table, settings).expect("threads");
            let outcome = verifier.run(Check::Integrity).expect("checked");
            assert_eq!(outcome.status, Status::Failed, "byte {at} xor {change:#x}");
            accepted.insert(format!("byte {at} {change}"));
        }
    }
    accepted
}

#[test]
fn headers_that_contradict_themselves_are_refused_with_the_field() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(program) = compiled("tests/c/header.c", Build::C) else { return };
    let changes = [
        ("grundy-table/1", "grundy-table/2", "field format: found \"grundy-table/2\""),
        (r#""id":"chess-2""#, r#""id":"slide-2""#, "differs at byte"),
        (r#""id":"chess-2""#, r#""id":"chess-02""#, "field id: found \"chess-02\""),
        (r#""id":"chess-2""#, r#""id":"chess-2-reach-1""#, "field id"),
        (r#""id":"chess-2""#, r#""id":"chess-41""#, "field id"),
        (r#""id":"chess-2""#, r#""id":"chess-0""#, "field id"),
        (r#""id":"chess-2""#, r#""id":"ches-2""#, "field id"),
        (r#""id":"chess-2""#, r#""id":"stones-181""#, "field id"),
        (r#""id":"chess-2""#, r#""id":"stones-9-reach-2""#, "field id"),
        (r#""id":"chess-2""#, r#""id":"chess-99999999999999999999999999999999999""#, "field id"),
        (r#""id":"chess-2""#, r#""id":"chess-3""#, "field entries: found \"4\", expected 8"),
        (r#""id":"chess-2""#, r#""id":"\u0063hess-2""#, "field id"),
        (r#""id":"chess-2","#, "", "field id: found \"\""),
        (r#""width":"2""#, r#""width":"2","reach":"1""#, "differs at byte"),
        (r#""entries":"4""#, r#""entries":"18446744073709551620""#, "field entries"),
        (r#""max_value":"1""#, r#""max_value":"256""#, "field max_value"),
        (r#""max_value":"1""#, r#""max_value":"-1""#, "field max_value"),
        (r#""zero_entries":"3""#, r#""zero_entries":"5""#, "field zero_entries"),
        (r#""zero_entries":"3""#, r#""zero_entries":"18446744073709551619""#, "field zero_entries"),
        (r#""shape":[4]"#, r#""shape":[18446744073709551615]"#, "differs at byte"),
        (r#""data_offsets":[4,36]"#, r#""data_offsets":[4,35]"#, "differs at byte"),
        ("}}", "}} x", "differs at byte"),
        ("{", "", "differs at byte"),
    ];
    for (from, to, expected) in changes {
        let file = file_of(game("chess-2"), &[0, 0, 1, 0]);
        let json = String::from_utf8_lossy(&file[8..4096]).trim_end().to_owned();
        assert!(json.contains(from), "{from} is not in {json}");
        let json = match from {
            "}}" => json + &to[2..],
            _ => json.replacen(from, to, 1),
        };
        let header = [&file[..8], format!("{json:<4088}").as_bytes()].concat();
        let bytes = [&header[..], &file[4096..]].concat();
        assert!(Table::from_bytes(bytes.clone()).is_err(), "{to}");
        let path = folder.path().join("changed");
        fs::write(&path, bytes).expect("written");
        let found = lines(printed(&program, &words([&"open", &path]), b"")).join("\n");
        assert!(found.starts_with("error: ") && found.contains(expected), "{to}: {found}");
    }
}

#[test]
fn what_is_no_regular_file_is_refused_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(program) = compiled("tests/c/header.c", Build::C) else { return };
    let (fifo, missing) = (folder.path().join("fifo"), folder.path().join("missing"));
    assert!(Command::new("mkfifo").arg(&fifo).status().expect("mkfifo").success());
    let (dangling, round) = (folder.path().join("dangling"), folder.path().join("round"));
    for (to, link) in [("nowhere", &dangling), ("round", &round)] {
        std::os::unix::fs::symlink(to, link).expect("linked");
    }
    let mut cases = vec![
        (folder.path(), "is a folder"),
        (&fifo, "is a pipe"),
        (Path::new("/dev/zero"), "is a device"),
        (&missing, "cannot open"),
        (&dangling, "cannot open"),
        (&round, "cannot open"),
    ];
    if cfg!(target_os = "linux") {
        cases.extend([
            (Path::new("/proc/self/maps"), "/proc/self/maps"),
            (Path::new("/proc/self/mem"), "/proc/self/mem"),
        ]);
    }
    let paths: Vec<OsString> = cases.iter().map(|(path, _)| path.as_os_str().to_owned()).collect();
    let found = lines(printed(&program, &[&[OsString::from("open")], &paths[..]].concat(), b""));
    for (found, (_, expected)) in found.iter().zip(cases) {
        assert!(found.starts_with("error: ") && found.contains(expected), "{found}");
    }
    assert_eq!(found.len(), paths.len());
}

#[test]
fn the_solver_in_cpp_answers_the_judges_cases_and_refuses_the_bad_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(program) = compiled("examples/hdu5724.cpp", Build::Cpp) else { return };
    let table = table_in(&folder, "chess-20");
    let data = root().join("tests/data");
    for name in ["hdu_edge", "hdu_sample"] {
        let input = fs::read(data.join(format!("judge/{name}.in"))).expect(name);
        let expected = fs::read(data.join(format!("judge/{name}.out"))).expect(name);
        assert!(printed(&program, &words([&table]), &input) == expected, "{name}");
    }
    let manifest = fs::read_to_string(data.join("bad/MANIFEST.tsv")).expect("the manifest");
    let mut cases = 0;
    for line in manifest.lines().filter(|line| line.starts_with("hdu_")) {
        let [name, verdict, answer, _why] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line:?} has not four fields");
        };
        let input = fs::read(data.join(format!("bad/{name}.in"))).expect(name);
        let output = run(&program, &words([&table]), &input);
        let (text, talk) = (lines(output.stdout), String::from_utf8_lossy(&output.stderr));
        if verdict == "accept" {
            let answer = answer.replace("(no output)", "");
            assert_eq!(text, answer.split_whitespace().collect::<Vec<_>>(), "{name}: {talk}");
        } else {
            assert_eq!((output.status.code(), text.len()), (Some(2), 0), "{name}: {talk}");
            assert!(talk.starts_with("hdu5724: line "), "{name}: {talk}");
        }
        cases += 1;
    }
    assert_eq!(cases, 16);
    let other = table_in(&folder, "stones-6");
    for path in [&other, &folder.path().join("missing")] {
        assert_eq!(run(&program, &words([path]), b"0\n").status.code(), Some(2));
    }
}
