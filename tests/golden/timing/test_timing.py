"""Cycles of short sequences on every core and chip, worked out by hand, and every number of their data under
one.

No command writes the tables. What a changed number breaks here is made good by the manual alone.
"""

from __future__ import annotations

import tomllib
from functools import cache

import pytest
from golden.timing.bench import Bench
from golden.timing.planted import (
    Change,
    ChipFile,
    CoreFile,
    Outcome,
    SharedFile,
    Subject,
    explained,
    plant,
    subjects,
)
from golden.timing.table import FOLDER, Sequence, code_of, runs, sequences, total

from steelyard.data import data_root

SUBJECTS = subjects()
HIDDEN = explained()
EACH = pytest.mark.parametrize("subject", SUBJECTS, ids=lambda one: f"{type(one).__name__}:{one.name}")


@cache
def planted(subject: Subject) -> Outcome:
    return plant(subject)


def one(kind: type[Subject], name: str) -> Subject:
    return next(subject for subject in SUBJECTS if isinstance(subject, kind) and subject.name == name)


@EACH
def test_sequences_take_the_cycles_worked_out_by_hand(subject: Subject) -> None:
    assert subject.wrong() is None


@EACH
def test_a_change_of_any_number_is_noticed(subject: Subject) -> None:
    """But for those that `hidden.toml` explains; and what it explains goes unnoticed."""
    outcome = planted(subject)
    known = [line for line in HIDDEN if subject.name in line.files]
    unnoticed = [
        str(change) for change in outcome.unnoticed if not any(line.matches(change) for line in known)
    ]
    assert not unnoticed, "no sequence shows these changes"
    noticed = [str(change) for change in outcome.noticed if any(line.matches(change) for line in known)]
    assert not noticed, "a sequence shows these changes, but hidden.toml says that none can"


def test_every_explanation_explains_something() -> None:
    unnoticed = [change for subject in SUBJECTS for change in planted(subject).unnoticed]
    for line in HIDDEN:
        for file in line.files:
            assert any(change.file == file and line.matches(change) for change in unnoticed), (file, line)
        for pattern in line.changes:
            alone = type(line)(line.files, (pattern,), line.reason)
            assert any(alone.matches(change) for change in unnoticed), (pattern, line)


def test_thousands_of_changes_are_planted() -> None:
    """Neither a path that is read wrongly nor a core without sequences leaves the check empty."""
    for subject in SUBJECTS:
        numbers = planted(subject).numbers
        assert numbers >= {CoreFile: 19, ChipFile: 1, SharedFile: 0}[type(subject)], subject.name
    assert sum(len(planted(subject).noticed) for subject in SUBJECTS) > 3000


def test_every_row_is_of_a_core_or_chip_that_is_there() -> None:
    cores = {
        subject.data["id"]: subject.data["family"] for subject in SUBJECTS if isinstance(subject, CoreFile)
    }
    tables = {path.stem for path in (FOLDER / "cores").glob("*.tsv")}
    assert tables == set(cores.values())
    for family in tables:
        named = {core for row in sequences(family) for core in row.cores}
        assert named == {core for core, its_family in cores.items() if its_family == family}
    chips = {subject.data["id"] for subject in SUBJECTS if isinstance(subject, ChipFile)}
    assert {chip for run in runs() for chip in run.chips} == chips
    assert {chip for run in runs() if run.own for chip in run.chips} == chips
    assert chips >= set(tomllib.loads((data_root() / "bench.toml").read_text("utf-8"))["target"])


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        (CoreFile, Change("cores/cortex-m3.toml", ("cost", "load"), 3)),
        (CoreFile, Change("cores/avr51.toml", ("cycles", "mul"), 3)),
        (SharedFile, Change("cores/sa1.toml", ("chip", "cache", "write_buffer", "entries"), 9)),
        (ChipFile, Change("stm32f407.toml", ("flash", "prefetch"), False)),
        (ChipFile, Change("leon3.toml", ("cache", "dcache", "replacement"), "random")),
        (ChipFile, Change("atmega103.toml", ("clock_hz",), 4_000_001)),
    ],
    ids=str,
)
def test_a_planted_number_is_named_with_what_it_breaks(kind: type[Subject], change: Change) -> None:
    wrong = one(kind, change.file).wrong(change)
    assert wrong is not None
    assert ", not " in wrong


def test_a_sum_of_terms_is_its_value() -> None:
    assert total("33+8*2+1") == 50
    assert code_of("e1a0f00e*2 00") == bytes.fromhex("0ef0a0e1") * 2 + b"\0"
    assert code_of("81c3e008", big_endian=True) == bytes.fromhex("81c3e008")


@pytest.mark.parametrize(("code", "cycles"), [("73 b0 02", 4), ("a1 0a 04", 5), ("72 b0 02", 3)])
def test_on_a_bus_of_a_byte_every_word_is_two_accesses(code: str, cycles: int) -> None:
    """`mov.w 2[fb], r0` and `mov.b`, one word and one byte; `add.w r0, 4[sb]` reads and writes a word."""
    subject = one(CoreFile, "cores/m16c.toml")
    bench = Bench(Change(subject.name, ("bus", "bytes"), 1).of(subject.data))
    assert bench.cycles(Sequence(("m16c",), cycles, code_of(code), "", None)) == cycles
