"""Tables by the definition and a writer by docs/format.md: nothing here is taken from the package."""

import itertools

import blake3

CHUNK = 1 << 24


def mex(values):
    return next(value for value in itertools.count() if value not in values)


def row_options(rule, reach, row):
    """The options of a row (a tuple of 0 and 1 from the left), by a walk to the right from each piece."""
    width = len(row)
    for start in range(width):
        if not row[start]:
            continue
        for target in range(start + 1, min(width, start + 1 + reach)):
            if not row[target]:
                option = list(row)
                option[start], option[target] = 0, 1
                yield tuple(option)
            if (rule == "chess" and not row[target]) or (rule == "slide" and row[target]):
                break


def strip_values(rule, width, reach=None):
    values = {}
    # The rows in the order of the table: the leftmost cell is the highest bit.
    for row in itertools.product((0, 1), repeat=width):
        values[row] = mex({values[option] for option in row_options(rule, reach or width, row)})
    return bytes(values.values())


def stones_states(most):
    """The states in the order of the table: (stones left, set of used amounts)."""
    for left in range(most + 1):
        sets = [()]
        for amount in range(1, left + 1):
            sets += [(*used, amount) for used in sets if sum(used) + amount <= most - left]
        yield from ((left, frozenset(used)) for used in sorted(sets, key=lambda used: sum(1 << a for a in used)))


def stones_values(most):
    values = {}
    for left, used in stones_states(most):
        options = set()
        for take in range(1, left + 1):
            if take not in used:
                rest = left - take
                options.add(values[rest, frozenset(amount for amount in used | {take} if amount <= rest)])
        values[left, used] = mex(options)
    return bytes(values.values())


def values_of(table_id):
    game, size, *limit = table_id.split("-")
    if game == "stones":
        return stones_values(int(size))
    return strip_values(game, int(size), int(limit[1]) if limit else None)


def file_of(table_id, values, **changes):
    """The bytes of the file; `changes` replace what its header says of max_value, zero_entries or blake3."""
    chunks = [blake3.blake3(values[at : at + CHUNK]).digest() for at in range(0, len(values), CHUNK)]
    says = {
        "max_value": max(values),
        "zero_entries": values.count(0),
        "blake3": blake3.blake3(b"".join(chunks)).hexdigest(),
        **changes,
    }
    game, size, *limit = table_id.split("-")
    sizes = f'"{"max" if game == "stones" else "width"}":"{size}",'
    if limit:
        sizes += f'"reach":"{limit[1]}",'
    entries, end = len(values), len(values) + 32 * len(chunks)
    header = (
        f'{{"__metadata__":{{"format":"grundy-table/1","id":"{table_id}","game":"{game}",{sizes}'
        f'"entries":"{entries}","max_value":"{says["max_value"]}","zero_entries":"{says["zero_entries"]}",'
        f'"blake3":"{says["blake3"]}"}},"values":{{"dtype":"U8","shape":[{entries}],"data_offsets":[0,{entries}]}},'
        f'"chunk_blake3":{{"dtype":"U8","shape":[{len(chunks)},32],"data_offsets":[{entries},{end}]}}}}'
    )
    return (4088).to_bytes(8, "little") + header.encode().ljust(4088) + values + b"".join(chunks)
