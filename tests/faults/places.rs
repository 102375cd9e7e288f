//! Where a table is to go: folders, names, permissions, and what is no place for a file.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::run::{
    ARGS, SmallDisk, assert_right, copy_for_all, grundy, has, inside, is_root, names, old_table,
    program, run, said, shell, words,
};

/// A command as a user without rights.
fn as_nobody(folder: &Path, program: &Path) -> Command {
    if !is_root() {
        return inside(folder, Command::new(program));
    }
    let mut command = inside(folder, Command::new("setpriv"));
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(program);
    command
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error() {
    if is_root() && !has("setpriv") {
        return;
    }
    let (tools, folder) =
        (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let program = copy_for_all(tools.path());
    let old = old_table(folder.path());
    let mode = |mode| {
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).expect("set");
    };
    mode(0o555);
    for args in [ARGS, "generate chess --width 22 -o new", "generate chess --width 22"] {
        let mut command = as_nobody(folder.path(), &program);
        command.args(args.split_whitespace());
        if args == ARGS {
            command.arg("--force");
        }
        let stderr = said(&command.output().expect("it runs"), 2, args);
        assert!(stderr.contains("cannot make") && stderr.contains("denied"), "{args}: {stderr}");
    }
    mode(0o755);
    assert_eq!(names(folder.path()), ["t"]);
    assert!(fs::read(folder.path().join("t")).expect("read") == old);
}

#[test]
fn a_disk_that_is_read_only_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(disk) = SmallDisk::on(folder.path().join("disk"), "6m,ro") else { return };
    let stderr = said(&run(disk.path(), ARGS), 2, "read only");
    assert!(stderr.contains("cannot make") && stderr.contains("Read-only"), "{stderr}");
}

#[test]
fn a_missing_folder_is_named_and_not_made() {
    let folder = tempfile::tempdir().expect("a folder");
    let stderr = said(&run(folder.path(), "generate chess -o none/deeper/t"), 2, "no folder");
    assert!(stderr.contains("there is no folder none/deeper"), "{stderr}");
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn any_name_is_a_name() {
    let long = "n".repeat(255);
    let names: [&[u8]; 7] =
        [b"a table", b" ", b"-t", b"new\nline", b"\xff\xfe\x80", b"'\"\\$(x)*?", long.as_bytes()];
    for name in names {
        let folder = tempfile::tempdir().expect("a folder");
        // A name that begins with a dash is told from an option by the folder before it.
        let path = folder.path().join(OsStr::from_bytes(name));
        let what = format!("{name:?}");
        for line in [format!("{ARGS} --json"), format!("{ARGS} --force"), ARGS.to_owned()] {
            let line = line.replace("-o t", "");
            let mut command = grundy(folder.path());
            command.args(words(&format!("{line} -o"), path.as_os_str()));
            said(&command.output().expect("it runs"), 0, &what);
            assert_right(&path, &what);
            assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "{what}");
        }
        for line in ["info", "verify --check known", "verify --json --check known"] {
            let mut command = grundy(folder.path());
            command.args(words(line, path.as_os_str()));
            said(&command.output().expect("it runs"), 0, &what);
        }
    }
}

#[test]
fn a_left_over_is_known_by_any_name_of_its_target() {
    for name in [&b"\xff\xfe"[..], b"a table", &[b'n'; 255]] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(OsStr::from_bytes(name));
        let mut command = grundy(folder.path());
        command.args(words("generate welter --width 28 --method naive -o", path.as_os_str()));
        let mut child = command.spawn().expect("it runs");
        let since = Instant::now();
        while names(folder.path()).is_empty() {
            assert!(since.elapsed() < Duration::from_secs(20), "no hidden file");
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill().expect("killed");
        child.wait().expect("it ends");
        let mut command = grundy(folder.path());
        command.args(words("generate chess --width 22 -o", path.as_os_str()));
        let stderr = said(&command.output().expect("it runs"), 0, "the next run");
        assert!(stderr.contains("left over by a run that died"), "{name:?}: {stderr}");
        assert_eq!(names(folder.path()).len(), 1, "{name:?}");
        assert_right(&path, "the next run");
    }
}

#[test]
fn the_umask_says_who_may_read_a_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("t");
    for (umask, expected) in [("000", 0o666), ("022", 0o644), ("027", 0o640), ("077", 0o600)] {
        for force in ["", " --force"] {
            let line = format!("umask {umask}; exec \"$grundy\" {ARGS}{force}");
            said(&shell(folder.path(), &line), 0, &line);
            let mode = fs::metadata(&target).expect("a file").permissions().mode() & 0o7777;
            assert_eq!(mode, expected, "{line}");
        }
        fs::remove_file(&target).expect("removed");
    }
    // Not even the one who makes it may read it: it is made all the same.
    let line = format!("umask 777; exec \"$grundy\" {ARGS}");
    said(&shell(folder.path(), &line), 0, &line);
    fs::set_permissions(&target, fs::Permissions::from_mode(0o600)).expect("set");
    assert_right(&target, &line);
}

#[test]
fn the_folder_for_temporary_files_does_not_matter() {
    let folder = tempfile::tempdir().expect("a folder");
    for place in ["/nonexistent", "/dev/shm", "/dev/null", ""] {
        let mut command = grundy(folder.path());
        let output =
            command.args(ARGS.split_whitespace()).arg("--force").env("TMPDIR", place).output();
        said(&output.expect("it runs"), 0, place);
        assert_right(&folder.path().join("t"), place);
        assert_eq!(names(folder.path()), ["t"]);
    }
}

#[test]
fn what_is_no_place_for_a_file_is_refused_at_once_and_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    assert!(Command::new("mkfifo").arg(at("fifo")).status().expect("mkfifo").success());
    fs::create_dir(at("folder")).expect("made");
    let _socket = UnixListener::bind(at("socket")).expect("bound");
    for (name, to) in [
        ("dangling", "nowhere"),
        ("loop", "loop"),
        ("to-device", "/dev/null"),
        ("to-fifo", "fifo"),
        ("to-folder", "folder"),
    ] {
        symlink(to, at(name)).expect("linked");
    }
    let before = names(folder.path());
    for (target, found) in [
        ("fifo", "a pipe"),
        ("folder", "a folder"),
        ("folder/", "a folder"),
        ("new/", "folder"),
        ("socket", "a socket"),
        ("/dev/null", "a device"),
        ("/dev/full", "a device"),
        ("to-device", "a device"),
        ("to-fifo", "a pipe"),
        ("to-folder", "a folder"),
        ("dangling", "follow the link"),
        ("loop", "loop"),
        ("/", "a folder"),
        (".", "a folder"),
        ("..", "a folder"),
        ("fifo/t", "fifo"),
        ("/proc/t", "/proc"),
        ("/dev/fd/99", "99"),
    ] {
        for force in ["", " --force"] {
            let line = format!("generate chess --width 10 -o {target}{force}");
            let since = Instant::now();
            let stderr = said(&run(folder.path(), &line), 2, &line);
            assert!(since.elapsed() < Duration::from_secs(1), "{line}: {:?}", since.elapsed());
            assert!(stderr.contains(found), "{line}: {stderr}");
        }
    }
    assert_eq!(names(folder.path()), before);
    let is = |name: &str| fs::symlink_metadata(at(name)).expect(name).file_type();
    assert!(is("fifo").is_fifo() && is("dangling").is_symlink() && is("to-device").is_symlink());
    let null = fs::metadata("/dev/null").expect("a device").file_type();
    assert!(null.is_char_device());
    assert!(program().is_file());
}
