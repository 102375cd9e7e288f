//! Disks without room: before the run and during it.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::run::{
    ARGS, SmallDisk, assert_right, has, inside, names, old_table, program, run, said, shell,
};

/// A disk of 3 MiB with an old table on it: one of 4 MiB does not fit.
fn small_disk(folder: &Path) -> Option<(SmallDisk, Vec<u8>)> {
    let disk = SmallDisk::on(folder.join("disk"), "3m")?;
    let old = old_table(disk.path());
    Some((disk, old))
}

fn assert_untouched(disk: &SmallDisk, old: &[u8], what: &str) {
    assert_eq!(names(disk.path()), ["t"], "{what}");
    assert!(fs::read(disk.path().join("t")).expect("read") == old, "{what}: another table");
}

#[test]
fn a_disk_without_room_is_an_error_before_anything_is_done() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some((disk, old)) = small_disk(folder.path()) else { return };
    for line in [format!("{ARGS} --force"), format!("{ARGS} --force --dry-run")] {
        let stderr = said(&run(disk.path(), &line), 2, &line);
        assert!(stderr.contains("no space") && stderr.contains("4198432 bytes"), "{stderr}");
        assert!(stderr.contains("are free"), "{stderr}");
        assert_untouched(&disk, &old, &line);
    }
    // Not even the default folder is made.
    said(&run(disk.path(), "generate chess --width 22"), 2, "the default folder");
    assert_untouched(&disk, &old, "the default folder");
    said(&run(disk.path(), "generate chess --width 19 -o t --force"), 0, "a smaller one");
}

#[test]
fn a_disk_that_turns_out_to_be_full_is_an_error_that_leaves_no_trace() {
    if !has("strace") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let Some((disk, old)) = small_disk(folder.path()) else { return };
    // The file system does not say how much is free, as another run may take it a moment later; and it
    // reserves blocks, or does not.
    for blocks in ["", "-e inject=fallocate:error=EOPNOTSUPP"] {
        let line = format!(
            "-qq -o /dev/null -e trace=statfs,fallocate -e inject=statfs:error=ENOSYS {blocks}"
        );
        let mut command = inside(disk.path(), Command::new("strace"));
        command.args(line.split_whitespace()).arg(program()).args(ARGS.split_whitespace());
        let output = command.arg("--force").output().expect("strace runs");
        let stderr = said(&output, 2, &line);
        assert!(stderr.contains("no space") && stderr.contains("4198432 bytes"), "{stderr}");
        assert_untouched(&disk, &old, &line);
    }
}

#[test]
fn room_taken_by_a_run_that_died_is_room_for_the_next() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(disk) = SmallDisk::on(folder.path().join("disk"), "6m") else { return };
    let left_over = disk.path().join(".t.4000000-0.partial");
    fs::write(&left_over, vec![0; 4 << 20]).expect("written");
    let stderr = said(&run(disk.path(), ARGS), 0, "a left-over in the way");
    assert!(stderr.contains(".t.4000000-0.partial"), "{stderr}");
    assert_right(&disk.path().join("t"), "after a left-over");
    assert_eq!(names(disk.path()), ["t"]);
}

#[test]
fn a_limit_on_the_size_of_files_leaves_the_old_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let old = old_table(folder.path());
    let line = format!("ulimit -f 2048; exec \"$grundy\" {ARGS} --force");
    let stderr = said(&shell(folder.path(), &line), 2, &line);
    assert!(stderr.contains("too large") && stderr.contains("4198432 bytes"), "{stderr}");
    assert_eq!(names(folder.path()), ["t"]);
    assert!(fs::read(folder.path().join("t")).expect("read") == old);
}
