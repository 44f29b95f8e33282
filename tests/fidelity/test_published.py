"""Figures in pqm4's format beside records made for this test."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from steelyard.errors import UsageError
from steelyard.fidelity.pqm4 import Row, compare, read_published, summaries
from steelyard.record.schema import Record, complete

OF_KEYS = ",".join(f"Key Generation [cycles] ({which})" for which in ("mean", "min", "max"))
PUBLISHED = f"""\
Speed Evaluation,,,,,
Key Encapsulation Schemes,,,,,
Scheme,Implementation,{OF_KEYS},
Toy_K-512 (10 executions),m4f,2000,1990,2010,
Toy_K-512 (10 executions),mem_opt,5000,5000,5000,
absent (10 executions),ref,7,7,7,
Signature Schemes,,,,,
Scheme,Implementation,Sign [cycles] (mean),Sign [cycles] (min),Sign [cycles] (max),
sign-44 (100 executions),clean,400,300,900,
Memory Evaluation,,,,,
Key Encapsulation Schemes,,,,,
Scheme,Implementation,Key Generation [bytes],Encapsulation [bytes],Decapsulation [bytes],
Toy_K-512,m4f,2300,,,
Hashing Evaluation,,,,,
Key Encapsulation Schemes,,,,,
Scheme,Implementation,Key Generation [%],Encapsulation [%],Decapsulation [%],
Toy_K-512,m4f,60.5,,,
Size Evaluation,,,,,
Key Encapsulation Schemes,,,,,
Scheme,Implementation,.text [bytes],.data [bytes],.bss [bytes],Total [bytes]
Toy_K-512,m4f,5000,0,0,5000
"""
FUNCTIONS = [
    {"name": "keccak_step", "cycles": 1200.0, "instructions": 1},
    {"name": "turn", "cycles": 700.0, "instructions": 1},
    {"name": "memcpy", "cycles": 100.0, "instructions": 1},
]


def record(**more: Any) -> Record:
    return complete(
        {
            "kind": "kem",
            "primitive": "toy-k-512",
            "variant": "toy-k/pqm4-m4f-512",
            "target": "stm32l4r5",
            "toolchain": "gcc",
            "toolchain_version": "12.2.1",
            "flags": "-O3",
            "operation": "keypair",
            "samples": 4,
            "status": "ok",
            "verified": True,
            "cycles": 1900.2,
            "ram_stack_bytes": 2300,
            "rom_code_bytes": 5400,
            "rom_const_bytes": 100,
            "ram_static_bytes": 8,
            "functions": json.dumps(FUNCTIONS),
            **more,
        }
    )


@pytest.fixture
def published(tmp_path: Path) -> Path:
    path = tmp_path / "benchmarks.csv"
    path.write_text(PUBLISHED)
    return path


def one(rows: list[Row], table: str, implementation: str = "m4f", what: str = "keypair") -> Row:
    (found,) = (
        row for row in rows if (row.table, row.implementation, row.what) == (table, implementation, what)
    )
    return found


def test_each_table_has_its_error(published: Path) -> None:
    rows = compare(read_published(published), [record()])
    speed = one(rows, "speed")
    assert (speed.published, speed.measured, speed.steady) == (2000, 1900, True)
    assert speed.error == pytest.approx(-5)
    assert speed.build == "stm32l4r5 gcc 12.2.1 -O3"
    memory = one(rows, "memory")
    assert (memory.measured, memory.error) == (2300, 0)
    hashing = one(rows, "hashing")
    assert hashing.measured == pytest.approx(60) and hashing.error == pytest.approx(-0.5)
    assert one(rows, "size", what="text").error == pytest.approx(10)
    # Nothing can be a percentage of no bytes.
    assert one(rows, "size", what="bss").error is None
    speeds, stacks, *_ = summaries(rows)
    assert (speeds.rows, speeds.exact) == (1, 0) and speeds.worst == pytest.approx(5)
    assert speeds.worst_row == "Toy_K-512 m4f keypair"
    assert (stacks.exact, stacks.median) == (1, 0)


def test_what_has_no_figure_says_why(published: Path) -> None:
    failed = record(variant="toy-k/pqm4-mem-opt-512", status="fault", verified=False, error="It jumped.\nx")
    unverified = record(
        kind="signature", primitive="sign-44", variant="sign/pqm4-clean-44", operation="sign", verified=False
    )
    rows = compare(read_published(published), [record(), failed, unverified])
    assert one(rows, "speed", "mem_opt").reason == "fault: It jumped."
    assert one(rows, "speed", "ref").reason == "no record"
    assert one(rows, "speed", "clean", "sign").measured is None


def test_operations_that_vary_are_apart(published: Path) -> None:
    sign = record(
        kind="signature",
        primitive="sign-44",
        variant="sign/pqm4-clean-44",
        operation="sign",
        cycles=800.0,
        message_bytes=59,
    )
    rows = compare(read_published(published), [record(), sign])
    assert not one(rows, "speed", "clean", "sign").steady
    worst = {(group.table, group.steady): group.worst for group in summaries(rows)}
    assert worst["speed", True] == pytest.approx(5)
    assert worst["speed", False] == pytest.approx(100)


def test_two_builds_are_two_rows(published: Path) -> None:
    rows = compare(read_published(published), [record(), record(flags="-Os", cycles=4000.0)])
    found = [row for row in rows if row.table == "speed" and row.measured is not None]
    assert [(row.build, row.measured) for row in found] == [
        ("stm32l4r5 gcc 12.2.1 -O3", 1900),
        ("stm32l4r5 gcc 12.2.1 -Os", 4000),
    ]


@pytest.mark.parametrize(
    ("assembly", "group", "hashing"), [("turn", "c", 60), ("keccak_step", "c", 60), (None, "assembly", 95)]
)
def test_assembly_stands_apart(
    published: Path, tmp_path: Path, assembly: str | None, group: str, hashing: float
) -> None:
    """A label in a file of hashing is hashing, whatever its name; elsewhere it is assembly alone."""
    name = "twice.S" if assembly else "keccakf1600.S"
    labels = [assembly] if assembly else ["turn", "keccak_step"]
    (tmp_path / name).write_text("".join(f"    .global {label}\n{label}:\n    bx lr\n" for label in labels))
    (tmp_path / "kem.c").write_text("turn: memcpy:\n")
    variant: Any = SimpleNamespace(
        id="toy-k/pqm4-m4f-512",
        root=tmp_path,
        folder=tmp_path,
        file=SimpleNamespace(sources=(name, "kem.c")),
    )
    catalog: Any = SimpleNamespace(variants=(variant,))
    rows = compare(read_published(published), [record()], catalog)
    assert one(rows, "speed").code == group
    assert one(rows, "hashing").measured == pytest.approx(hashing)


def test_other_files_are_refused(published: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text("name,cycles\naes,100\n")
    with pytest.raises(UsageError, match="no table in pqm4's format"):
        read_published(other)
    other.write_text(PUBLISHED.replace("2000,1990", "many,1990"))
    with pytest.raises(UsageError, match=r"other\.csv:4: a figure of Toy_K-512 .* is no number"):
        read_published(other)
    other.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="no CSV file"):
        read_published(other)
    with pytest.raises(UsageError, match="no record is of a published scheme"):
        compare(read_published(published), [record(primitive="another")])
