//! Runs and readers at the same table at once.

use std::fs;
use std::process::Stdio;

use grundy::table::Table;

use crate::run::{ARGS, assert_right, grundy, names, right_file, run, said};

#[test]
fn runs_to_one_target_at_once_leave_one_whole_table_and_the_late_ones_say_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("t");
    for force in [false, true] {
        for round in 0..5 {
            let line = format!("{ARGS}{}", if force { " --force" } else { "" });
            let start = |_| {
                let mut command = grundy(folder.path());
                command.args(line.split_whitespace()).stdout(Stdio::piped()).stderr(Stdio::piped());
                command.spawn().expect("it runs")
            };
            let children: Vec<_> = (0..3).map(start).collect();
            let mut well = 0;
            for child in children {
                let output = child.wait_with_output().expect("it ends");
                if output.status.success() {
                    well += 1;
                } else {
                    let stderr = said(&output, 2, &line);
                    assert!(!force && stderr.contains("exists and is kept"), "{line}: {stderr}");
                }
            }
            assert!(well >= 1, "round {round}: none of them did it");
            assert_eq!(names(folder.path()), ["t"], "round {round}");
            assert_right(&target, &line);
            if !force {
                fs::remove_file(&target).expect("removed");
            }
        }
    }
}

#[test]
fn a_reader_keeps_the_table_that_it_has_mapped_when_a_run_replaces_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("t");
    let old = right_file("slide-21");
    fs::write(&target, &old).expect("written");
    // SAFETY: the file is this test's own; the run below replaces its name and leaves its bytes.
    #[expect(unsafe_code, reason = "the test keeps the contract of a mapping")]
    let mapped = unsafe { Table::map(&target) }.expect("a table");
    said(&run(folder.path(), &format!("{ARGS} --force")), 0, "replaced");
    assert_right(&target, "the new table");
    assert!(*mapped.values() == old[4096..][..1 << 21], "the reader sees other values");
    assert_eq!(mapped.game().to_string(), "slide-21");
    assert_eq!(names(folder.path()), ["t"]);
}
