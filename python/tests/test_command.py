"""Against the built command, where GRUNDY_BIN names one."""

import csv
import json
import random

import naive
import numpy as np
import pytest

import grundy_tables

RULES = ["chess", "slide", "welter"]


@pytest.fixture
def generate(command, tmp_path):
    def generate(*words):
        path = tmp_path / "-".join(map(str, words))
        command("generate", *words, "-o", path, "--quiet")
        return grundy_tables.open(path)

    return generate


@pytest.mark.parametrize("rule", RULES)
def test_all_rows_of_width_12_have_the_values_of_the_definition(generate, write, rule):
    table = generate(rule, "--width", 12)
    expected = naive.strip_values(rule, 12)
    assert table.values.tobytes() == expected
    assert table.path.read_bytes() == write(f"{rule}-12", expected).read_bytes(), "the files are the same"
    assert grundy_tables.verify(table).ok


def test_the_stones_of_the_command_are_those_of_the_definition(generate, write):
    table = generate("stones", "--max", 24)
    assert table.path.read_bytes() == write("stones-24").read_bytes()
    assert grundy_tables.verify(generate("stones", "--max", 60)).ok


@pytest.mark.parametrize("rule", RULES)
def test_random_rows_of_width_20_have_the_values_that_the_command_gives(generate, command, rule):
    table = generate(rule, "--width", 20)
    assert grundy_tables.verify(table).ok
    rng = random.Random(rule)
    rows = [rng.randrange(1 << 20) for _ in range(10_000)]
    pictures = [grundy_tables.row_picture(20, row) for row in rows]
    answer = json.loads(command("query", table.path, *pictures, "--json"))
    assert [row["index"] for row in answer["rows"]] == rows
    assert [row["value"] for row in answer["rows"]] == table.values[rows].tolist()
    assert [grundy_tables.value(table, picture) for picture in pictures] == table.values[rows].tolist()


@pytest.mark.parametrize("rule", RULES)
def test_the_winning_moves_are_those_of_the_command(generate, command, rule):
    table = generate(rule, "--width", 14)
    rng = random.Random(rule)
    for _ in range(5):
        rows = [grundy_tables.row_picture(14, rng.randrange(1 << 14)) for _ in range(6)]
        answer = json.loads(command("query", table.path, *rows, "--json"))
        expected = [(move["row"], move["from"], move["to"]) for move in answer["winning_moves"]]
        assert grundy_tables.winning_moves(table, rows) == expected


@pytest.mark.parametrize("order", ["right-low", "left-low"])
def test_the_exports_read_back_equal_in_both_orders_of_bits(generate, command, tmp_path, order):
    table = generate("welter", "--width", 10)
    expected = [int(table.values[grundy_tables.row_from_bits(10, bits, order)]) for bits in range(1024)]
    for form in ("npy", "raw", "csv"):
        command("export", table.path, "--to", form, "--cells", order, "-o", tmp_path / form)
    mapped = np.load(tmp_path / "npy", mmap_mode="r")
    assert isinstance(mapped, np.memmap) and mapped.dtype == np.uint8 and mapped.tolist() == expected
    assert np.fromfile(tmp_path / "raw", np.uint8).tolist() == expected
    with open(tmp_path / "csv", newline="") as file:
        lines = list(csv.DictReader(file))
    assert [int(line["value"]) for line in lines] == expected
    assert [int(line["index"]) for line in lines] == list(range(1024))
    rows = [grundy_tables.row_from_text(10, line["row"]) for line in lines]
    assert [grundy_tables.bits_from_row(10, row, order) for row in rows] == list(range(1024))
