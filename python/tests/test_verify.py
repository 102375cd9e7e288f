import random

import naive
import numpy as np
import pytest

import grundy_tables
from grundy_tables import _law_stones, _law_strip

IDS = [
    *(f"{rule}-{width}" for rule in ("chess", "slide", "welter") for width in (1, 2, 3, 8, 10)),
    *(f"{rule}-9-reach-{reach}" for rule in ("chess", "slide", "welter") for reach in (1, 2, 7)),
    *(f"stones-{most}" for most in (1, 2, 3, 10, 24)),
]


@pytest.mark.parametrize("table_id", IDS)
def test_a_table_by_the_definition_holds(table, table_id):
    report = grundy_tables.verify(table(table_id))
    assert report.ok and bool(report)
    assert [outcome.check for outcome in report.outcomes] == ["integrity", "law"]


@pytest.mark.parametrize("table_id", ["chess-5", "slide-5", "welter-5", "welter-6-reach-2", "stones-7"])
def test_each_wrong_entry_is_found_by_the_law(table, table_id):
    right = naive.values_of(table_id)
    for index in range(len(right)):
        for wrong in {0, 1, 2, 63, 64, 127, 128, 255} - {right[index]}:
            changed = right[:index] + bytes([wrong]) + right[index + 1 :]
            integrity, law = grundy_tables.verify(table(table_id, changed)).outcomes
            assert integrity.ok, "the digests are those of the changed values"
            # The options of the first bad entry are right, so it is the changed one.
            assert law.first_bad is not None and law.first_bad.index == index
            assert (law.first_bad.found, law.first_bad.expected) == (wrong, right[index])
            assert law.bad >= 1


def test_a_bad_entry_is_shown_as_a_person_writes_it(table):
    right = naive.values_of("chess-4")
    law = grundy_tables.verify(table("chess-4", right[:6] + b"\7" + right[7:]), ["law"]).outcomes[0]
    assert law.first_bad == grundy_tables.Bad(6, ".##.", 7, 2)
    stones = table("stones-9")
    right = stones.values.tobytes()
    place = grundy_tables.index_of(stones, "4:2,3")
    changed = table("stones-9", right[:place] + b"\7" + right[place + 1 :])
    assert grundy_tables.verify(changed, ["law"]).outcomes[0].first_bad.row == "4:2,3"


def test_wrong_counts_and_digests_are_found_by_integrity(table):
    for changes in ({"max_value": 9}, {"zero_entries": 1}, {"blake3": "0" * 64}):
        (outcome,) = grundy_tables.verify(table("chess-5", **changes), ["integrity"]).outcomes
        assert outcome.bad == 1 and outcome.first_bad.row == next(iter(changes))


@pytest.mark.parametrize("table_id", ["chess-9", "slide-9", "welter-9", "slide-9-reach-3", "welter-9-reach-5"])
def test_the_size_of_the_blocks_changes_nothing(table_id):
    game = grundy_tables.parse_id(table_id)
    values = np.frombuffer(naive.values_of(table_id), np.uint8)
    for bits in range(1, 10):
        blocks = list(_law_strip.expected_strip(game, values, bits))
        assert [start for start, _ in blocks] == list(range(0, 512, 1 << bits))
        assert np.array_equal(np.concatenate([expected for _, expected in blocks]), values), bits


def test_the_size_of_the_blocks_of_stones_changes_nothing():
    game = grundy_tables.parse_id("stones-20")
    values = np.frombuffer(naive.values_of("stones-20"), np.uint8)
    for block in (1, 7, 64):
        blocks = [expected for _, expected in _law_stones.expected_stones(game, values, block)]
        assert np.array_equal(np.concatenate(blocks), values), block


def test_the_law_counts_values_up_to_256():
    from grundy_tables import _seen

    rng = random.Random(5)
    sets = [
        set(range(256)),
        set(range(255)),
        set(),
        {0},
        {1},
        *({rng.randrange(9) for _ in range(9)} for _ in range(50)),
    ]
    bits = _seen.value_bits(4)
    seen = np.zeros((4, len(sets)), np.uint64)
    for at, values in enumerate(sets):
        for value in values:
            seen[:, at] |= bits[:, value]
    assert _seen.mex(seen).tolist() == [naive.mex(values) for values in sets]


def test_an_unknown_check_is_an_error(table):
    with pytest.raises(ValueError, match="unknown check 'magic': expected integrity or law"):
        grundy_tables.verify(table("chess-3"), ["law", "magic"])
