//! The letters of the legends: five dots wide, seven above the line and two below it.

/// From one letter to the next, in dots.
pub(super) const ADVANCE: usize = 6;

/// The dots of a letter, to the right and down from its top left corner. A letter that the legends do not use
/// has none.
pub(super) fn dots(letter: char) -> impl Iterator<Item = (usize, usize)> {
    let drawn = LETTERS.iter().find(|(name, _)| *name == letter).map_or("", |(_, drawn)| drawn);
    let lines = drawn.split(' ').enumerate();
    lines.flat_map(|(down, line)| {
        let inked = line.bytes().enumerate().filter(|(_, dot)| *dot == b'#');
        inked.map(move |(across, _)| (across, down))
    })
}

/// Each letter line by line from the top; lines that are empty at its end are left out.
const LETTERS: [(char, &str); 43] = [
    ('0', ".###. #...# #..## #.#.# ##..# #...# .###."),
    ('1', "..#.. .##.. ..#.. ..#.. ..#.. ..#.. .###."),
    ('2', ".###. #...# ....# ..##. .#... #.... #####"),
    ('3', ".###. #...# ....# ..##. ....# #...# .###."),
    ('4', "...#. ..##. .#.#. #..#. ##### ...#. ...#."),
    ('5', "##### #.... ####. ....# ....# #...# .###."),
    ('6', "..##. .#... #.... ####. #...# #...# .###."),
    ('7', "##### ....# ...#. ..#.. ..#.. .#... .#..."),
    ('8', ".###. #...# #...# .###. #...# #...# .###."),
    ('9', ".###. #...# #...# .#### ....# ...#. .##.."),
    ('a', "..... ..... .###. ....# .#### #...# .####"),
    ('b', "#.... #.... ####. #...# #...# #...# ####."),
    ('c', "..... ..... .###. #...# #.... #...# .###."),
    ('d', "....# ....# .#### #...# #...# #...# .####"),
    ('e', "..... ..... .###. #...# ##### #.... .###."),
    ('f', "..##. .#... ####. .#... .#... .#... .#..."),
    ('g', "..... ..... .#### #...# #...# #...# .#### ....# .###."),
    ('h', "#.... #.... ####. #...# #...# #...# #...#"),
    ('i', "..#.. ..... .##.. ..#.. ..#.. ..#.. .###."),
    ('j', "...#. ..... ..##. ...#. ...#. ...#. ...#. #..#. .##.."),
    ('k', "#.... #.... #..#. #.#.. ##... #.#.. #..#."),
    ('l', ".##.. ..#.. ..#.. ..#.. ..#.. ..#.. .###."),
    ('m', "..... ..... ##.#. #.#.# #.#.# #.#.# #.#.#"),
    ('n', "..... ..... ####. #...# #...# #...# #...#"),
    ('o', "..... ..... .###. #...# #...# #...# .###."),
    ('p', "..... ..... ####. #...# #...# #...# ####. #.... #...."),
    ('q', "..... ..... .#### #...# #...# #...# .#### ....# ....#"),
    ('r', "..... ..... #.##. ##..# #.... #.... #...."),
    ('s', "..... ..... .#### #.... .###. ....# ####."),
    ('t', ".#... .#... ####. .#... .#... .#..# ..##."),
    ('u', "..... ..... #...# #...# #...# #...# .####"),
    ('v', "..... ..... #...# #...# #...# .#.#. ..#.."),
    ('w', "..... ..... #...# #.#.# #.#.# #.#.# .#.#."),
    ('x', "..... ..... #...# .#.#. ..#.. .#.#. #...#"),
    ('y', "..... ..... #...# #...# #...# #...# .#### ....# .###."),
    ('z', "..... ..... ##### ...#. ..#.. .#... #####"),
    ('-', "..... ..... ..... .###. ..... ..... ....."),
    ('.', "..... ..... ..... ..... ..... .##.. .##.."),
    (',', "..... ..... ..... ..... ..... .##.. .##.. ..#.. .#..."),
    (':', "..... .##.. .##.. ..... ..... .##.. .##.."),
    ('%', "##..# ##..# ...#. ..#.. .#... #..## #..##"),
    ('<', "...#. ..#.. .#... #.... .#... ..#.. ...#."),
    (' ', ""),
];

#[cfg(test)]
mod tests {
    use super::{ADVANCE, LETTERS, dots};

    const HEIGHT: usize = 9;

    #[test]
    fn every_letter_stays_in_its_place_and_looks_unlike_the_others() {
        for (n, &(letter, drawn)) in LETTERS.iter().enumerate() {
            let inside = dots(letter).all(|(across, down)| across + 1 < ADVANCE && down < HEIGHT);
            assert!(inside, "{letter}");
            let like = LETTERS[..n].iter().find(|other| other.1 == drawn || other.0 == letter);
            assert_eq!(like, None, "{letter}");
        }
        assert_eq!(dots('1').count(), 10);
        assert_eq!(dots('\u{df}').count(), 0);
    }

    #[test]
    fn every_id_can_be_written() {
        for letter in "chess slide welter stones reach 0123456789-".chars() {
            assert!(LETTERS.iter().any(|(name, _)| *name == letter), "{letter}");
        }
    }
}
