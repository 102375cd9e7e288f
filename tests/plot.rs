//! `grundy plot`: pictures of tables, and where they may be written.

#![cfg(feature = "cli")]

mod common;

use std::fs::{self, File};
use std::io::Cursor;
use std::path::Path;
use std::process::{Command, Output};

use common::files::{file_of, game, values};

fn grundy(folder: &Path) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("grundy"));
    command.current_dir(folder).env("NO_COLOR", "1");
    command
}

fn plot(folder: &Path, line: &str) -> Output {
    grundy(folder).arg("plot").args(line.split_whitespace()).output().expect("it runs")
}

/// Runs a line that must succeed, and returns what it wrote to stdout.
fn plotted(folder: &Path, line: &str) -> Vec<u8> {
    let output = plot(folder, line);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), stderr.as_ref()), (Some(0), ""), "{line}");
    output.stdout
}

/// Runs a line that must end with 2 and a message.
fn refused(folder: &Path, line: &str) -> String {
    let output = plot(folder, line);
    assert_eq!(output.status.code(), Some(2), "{line}");
    String::from_utf8(output.stderr).expect("utf-8")
}

/// A folder with the table of `id` under the name `t`.
fn folder_with(id: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("t"), file_of(game(id), &values(game(id)))).expect("written");
    folder
}

/// The width, height and colours of a PNG file.
fn picture(file: &[u8]) -> (u32, u32, Vec<[u8; 3]>) {
    assert!(file.starts_with(b"\x89PNG\r\n\x1a\n"), "no PNG");
    let mut decoder = png::Decoder::new(Cursor::new(file));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().expect("a header");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut bytes).expect("pixels");
    (info.width, info.height, bytes.as_chunks::<3>().0.to_vec())
}

const WHITE: [u8; 3] = [255; 3];

#[test]
fn a_strip_table_is_a_square_and_its_zeros_are_white() {
    let folder = folder_with("chess-10");
    assert!(plotted(folder.path(), "t -o square.png").is_empty());
    let (width, height, colours) =
        picture(&fs::read(folder.path().join("square.png")).expect("a file"));
    assert!(width >= 512 && height > 512, "{width} x {height}");
    // 32 x 32 rows of 16 x 16 pixels each; the first colour of the legend is white as well.
    let zeros =
        values(game("chess-10")).into_iter().map(|value| usize::from(value == 0)).sum::<usize>();
    let white = colours.iter().filter(|&&colour| colour == WHITE).count();
    let in_legend = white - 256 * zeros;
    assert!(in_legend > 0 && in_legend < 3000, "{white} pixels for {zeros} zeros");
}

#[test]
fn an_odd_width_is_twice_as_wide_as_high() {
    let height = |id: &str| {
        let folder = folder_with(id);
        let (width, height, _) = picture(&plotted(folder.path(), "t -o -"));
        (width, height)
    };
    let ((even, square), (odd, flat)) = (height("chess-8"), height("chess-9"));
    assert_eq!((even, square - flat), (odd, 256));
}

#[test]
fn a_wide_table_is_drawn_a_block_of_rows_a_dot() {
    let folder = tempfile::tempdir().expect("a folder");
    let line = "generate chess --width 22 -o t --method closed-form --quiet";
    let made = grundy(folder.path()).args(line.split_whitespace()).output().expect("it runs");
    assert!(made.status.success());
    let (width, _, colours) = picture(&plotted(folder.path(), "t -o -"));
    assert_eq!(width, 1024 + 40);
    let mut kinds: Vec<_> = colours;
    kinds.sort_unstable();
    kinds.dedup();
    assert!(kinds.len() > 100, "mixed colours: {}", kinds.len());
}

#[test]
fn any_table_has_a_histogram_and_only_a_strip_a_square() {
    for id in ["stones-30", "slide-9-reach-2"] {
        let folder = folder_with(id);
        plotted(folder.path(), "t --histogram -o bars.png");
        let (width, height, _) =
            picture(&fs::read(folder.path().join("bars.png")).expect("a file"));
        let most = values(game(id)).into_iter().max().expect("a value");
        assert_eq!((width, height), (840, 104 + 24 * (u32::from(most) + 1)), "{id}");
    }
    let folder = folder_with("stones-30");
    fs::write(folder.path().join("old"), "old").expect("written");
    let stderr = refused(folder.path(), "t -o old");
    assert!(stderr.contains("stones-30") && stderr.contains("--histogram"), "{stderr}");
    assert_eq!(fs::read(folder.path().join("old")).expect("a file"), b"old");
}

#[test]
fn a_picture_replaces_a_file_but_not_its_table() {
    let folder = folder_with("chess-6");
    fs::write(folder.path().join("old"), "old").expect("written");
    plotted(folder.path(), "t -o old");
    picture(&fs::read(folder.path().join("old")).expect("a file"));
    assert!(refused(folder.path(), "t -o t").contains("the table itself"));
    for line in ["none -o new", "t -o none/new", "t -o .", "t", "old -o new"] {
        refused(folder.path(), line);
    }
    let table = fs::read(folder.path().join("t")).expect("a file");
    assert_eq!(table, file_of(game("chess-6"), &values(game("chess-6"))));
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2, "something was left");
}

#[test]
fn a_full_device_is_an_error_and_a_closed_pipe_is_none() {
    let folder = folder_with("chess-12");
    assert!(refused(folder.path(), "t -o /dev/full").contains("space"));
    let full = File::options().write(true).open("/dev/full").expect("a device");
    let output = grundy(folder.path()).args(["plot", "t", "-o", "-"]).stdout(full).output();
    assert_eq!(output.expect("it runs").status.code(), Some(2));
    let (reader, pipe) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = grundy(folder.path()).args(["plot", "t", "-o", "-"]).stdout(pipe).output();
    let output = output.expect("it runs");
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[test]
fn stdout_and_a_pipe_get_the_picture_that_a_file_gets() {
    let folder = folder_with("welter-7");
    plotted(folder.path(), "t -o file");
    let file = fs::read(folder.path().join("file")).expect("a file");
    assert!(plotted(folder.path(), "t -o -") == file);
    assert!(plotted(folder.path(), "t -o /dev/stdout") == file);
}
