"""Write `vectors/random_inputs.csv`: digests of what independent implementations answer to the random inputs.

    python tools/random_inputs.py

Rows that are there already stay; take a row out to have it made again. All of them take some minutes, because
most of these implementations are Python.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from multiprocessing import Pool

from steelyard.catalog.load import load_catalog
from steelyard.data import data_root
from steelyard.measure.random_inputs import COUNTS, OPERATIONS, RandomInputs, digest, kept
from steelyard.oracle import available

Row = tuple[str, ...]


def wanted() -> Iterator[RandomInputs]:
    """Every operation of which digests are kept, in the catalogue's order.

    Of the constructions over a block cipher only those over AES: their code is the same over another one,
    which is asked by itself.
    """
    for algorithm in load_catalog().algorithms:
        for primitive in algorithm.file.primitive:
            over = {part.algorithm_id for part in primitive.parts if part.kind == "block"}
            if available(primitive, algorithm.id) and over <= {"aes"}:
                for operation in OPERATIONS.get(algorithm.file.kind, ()):
                    yield RandomInputs(algorithm, primitive, operation)


def row(inputs: RandomInputs) -> Row:
    """The row of an operation."""
    outputs = [inputs.answer(question) for question in inputs.questions(max(COUNTS))]
    return inputs.primitive.id, inputs.operation, *(digest(outputs[:count]) for count in COUNTS)


def write(rows: list[Row]) -> None:
    """Write the file."""
    with (data_root() / "vectors" / "random_inputs.csv").open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(("primitive", "operation", *(f"sha256_of_{count}" for count in COUNTS)))
        lines.writerows(rows)


def main() -> None:
    """Run the command."""
    names = [(one.primitive.id, one.operation) for one in wanted()]
    rows = {name: (*name, *digests) for name, digests in kept().items()}
    missing = [one for one in wanted() if (one.primitive.id, one.operation) not in rows]
    with Pool() as pool:
        for number, made in enumerate(pool.imap(row, missing), start=1):
            rows[made[0], made[1]] = made
            print(
                f"\r{number} of {len(missing)}: {made[0]} {made[1]}\033[K",
                end="",
                file=sys.stderr,
                flush=True,
            )
            if number % 20 == 0 or number == len(missing):
                write([rows[name] for name in names if name in rows])
    print(file=sys.stderr)


if __name__ == "__main__":
    main()
