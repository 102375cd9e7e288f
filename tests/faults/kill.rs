//! Runs that are killed, interrupted or ended, at moments that nobody chose.

use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::run::{ARGS, assert_right, grundy, is_partial, names, run, said};

/// Moments spread over a run: a fixed sequence, so that a failure can be repeated.
struct Moments {
    state: u64,
    run: Duration,
}

impl Moments {
    /// Moments from the start of a run of [`ARGS`] to a little after its end.
    fn new(seed: u64) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let start = Instant::now();
        said(&run(folder.path(), ARGS), 0, "a run left alone");
        Self { state: seed, run: start.elapsed() }
    }

    fn next(&mut self) -> Duration {
        // Knuth's constants; the high bits are the good ones.
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        self.run.mul_f64((self.state >> 40) as f64 / (1 << 24) as f64 * 1.1)
    }
}

fn rounds() -> usize {
    let rounds = std::env::var("GRUNDY_FAULT_ROUNDS").ok();
    rounds.map_or(40, |rounds| rounds.parse().expect("GRUNDY_FAULT_ROUNDS is a number"))
}

fn start(folder: &Path, line: &str) -> Child {
    let mut command = grundy(folder);
    command.args(line.split_whitespace()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("it runs")
}

fn send(child: &Child, signal: &str) {
    let mut kill = Command::new("kill");
    // It may have ended by itself.
    let _ = kill.args(["-s", signal, &child.id().to_string()]).stderr(Stdio::null()).status();
}

/// A run to the target `t` that goes on until it is ended, at the latest with the test.
struct Living(Child);

impl Living {
    /// The run, and the name of its hidden file.
    fn start(folder: &Path) -> (Self, String) {
        let living = Self(start(folder, "generate welter --width 28 --method naive -o t"));
        let since = Instant::now();
        loop {
            if let Some(name) = names(folder).into_iter().find(|name| is_partial(name)) {
                return (living, name);
            }
            assert!(since.elapsed() < Duration::from_secs(20), "no hidden file");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn end(&mut self) {
        assert!(self.0.try_wait().expect("asked").is_none(), "it has ended by itself");
        send(&self.0, "TERM");
        self.0.wait().expect("it ends");
    }
}

impl Drop for Living {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "the figures are for docs/reliability.md")]
fn a_run_killed_at_any_moment_leaves_a_whole_table_or_none_and_the_next_one_clears_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let (mut other, other_name) = Living::start(folder);
    let mut moments = Moments::new(1);
    let (mut whole, mut left) = (0, 0);
    for round in 0..rounds() {
        // Every other one replaces a table that is there.
        let force = round % 2 == 1;
        let moment = moments.next();
        let what = format!("round {round}, killed after {moment:?}");
        let mut child = start(folder, &format!("{ARGS}{}", if force { " --force" } else { "" }));
        std::thread::sleep(moment);
        child.kill().expect("killed");
        child.wait().expect("it ends");
        let dead: Vec<String> = names(folder)
            .into_iter()
            .filter(|name| is_partial(name) && *name != other_name)
            .collect();
        assert!(dead.len() <= 1, "{what}: {dead:?}");
        if folder.join("t").exists() {
            whole += 1;
            assert_right(&folder.join("t"), &what);
        } else {
            assert!(!force, "{what}: the old table is gone");
        }
        let next = said(&run(folder, ARGS), 0, &what);
        for name in &dead {
            left += 1;
            assert!(next.contains(name.as_str()), "{what}: {name} is not named: {next}");
        }
        assert!(!next.contains(&other_name), "{what}: {next}");
        assert_eq!(names(folder), [other_name.clone(), "t".to_owned()], "{what}");
        assert_right(&folder.join("t"), &what);
        if force {
            fs::remove_file(folder.join("t")).expect("removed");
        }
    }
    eprintln!("{} killed: {whole} times a whole table, {left} left-overs, all cleared", rounds());
    other.end();
    assert!(!names(folder).contains(&other_name));
}

#[test]
fn a_run_interrupted_at_any_moment_leaves_a_whole_table_or_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let mut moments = Moments::new(2);
    for round in 0..rounds() {
        let (signal, number) = [("INT", 2), ("TERM", 15)][round % 2];
        let moment = moments.next();
        let what = format!("round {round}, {signal} after {moment:?}");
        let mut child = start(folder, ARGS);
        std::thread::sleep(moment);
        send(&child, signal);
        let status = child.wait().expect("it ends");
        // Before the run has made anything, the signal ends it as it ends any process.
        let ended = status.success() || status.code() == Some(128 + number);
        assert!(ended || status.signal() == Some(number), "{what}: {status}");
        match &names(folder)[..] {
            [] => assert!(!status.success(), "{what}: ended well without a table"),
            [name] if name == "t" => assert_right(&folder.join("t"), &what),
            names => panic!("{what}: {names:?}"),
        }
        let _ = fs::remove_file(folder.join("t"));
    }
}
