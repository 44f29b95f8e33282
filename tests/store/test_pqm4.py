"""Records in the CSV in which pqm4 publishes."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from steelyard.errors import UsageError
from steelyard.record.schema import Record, complete
from steelyard.store.pqm4 import to_pqm4

_FUNCTIONS = json.dumps(
    [
        {"name": "KeccakF1600_StatePermute", "cycles": 600.0, "instructions": 1},
        {"name": "toy_ntt", "cycles": 250.0, "instructions": 1},
        {"name": "shake128_absorb", "cycles": 50.0, "instructions": 1},
        {"name": "memcpy", "cycles": 100.0, "instructions": 1},
    ]
)


def _record(operation: str, **more: Any) -> Record:
    return complete(
        {
            "kind": "kem",
            "primitive": "toy-512",
            "variant": "toy/m4f",
            "target": "stm32l4r5",
            "toolchain": "gcc",
            "flags": "-O3",
            "operation": operation,
            "samples": 4,
            "status": "ok",
            "verified": True,
            "cycles": 1000.4,
            "cycles_min": 990,
            "cycles_max": 1010,
            "ram_stack_bytes": 2300,
            "rom_code_bytes": 5000,
            "rom_const_bytes": 116,
            "ram_static_bytes": 8,
            "functions": _FUNCTIONS,
            **more,
        }
    )


def _lines(*records: Record) -> list[list[str]]:
    lines = list(csv.reader(io.StringIO(to_pqm4(records))))
    assert {len(line) for line in lines} == {11}
    return [[field for field in line if field] for line in lines]


def test_the_four_tables() -> None:
    kem = [_record(one) for one in ("keypair", "encapsulate", "decapsulate")]
    sign = {"kind": "signature", "primitive": "sign-44", "variant": "sign/clean"}
    signature = [
        _record("keypair", **sign),
        _record("sign", **sign, message_bytes=59, cycles_max=5000),
        _record("verify", **sign, message_bytes=59, ram_stack_bytes=100),
    ]
    lines = _lines(*kem, *signature)
    titles = [line[0] for line in lines if len(line) == 1]
    schemes = ["Key Encapsulation Schemes", "Signature Schemes"]
    tables = ("Speed", "Memory", "Hashing", "Size")
    assert titles == [title for one in tables for title in (f"{one} Evaluation", *schemes)]
    assert lines[2][2:6] == [
        *("Key Generation [cycles] (mean)", "Key Generation [cycles] (min)"),
        *("Key Generation [cycles] (max)", "Encapsulation [cycles] (mean)"),
    ]
    assert lines[3] == ["toy-512 (4 executions)", "m4f", *["1000", "990", "1010"] * 3]
    assert lines[6] == [
        *("sign-44 (4 executions)", "clean", "1000", "990", "1010"),
        *("1000", "990", "5000", "1000", "990", "1010"),
    ]
    assert ["toy-512", "m4f", "2300", "2300", "2300"] in lines
    assert ["sign-44", "clean", "2300", "2300", "100"] in lines
    assert ["toy-512", "m4f", "65.0", "65.0", "65.0"] in lines
    assert ["toy-512", "m4f", "5116", "8", "5124"] in lines


def test_an_operation_without_a_record_is_empty() -> None:
    text = to_pqm4([_record("keypair"), _record("encapsulate", verified=False), _record("decapsulate")])
    assert "toy-512 (4 executions),m4f,1000,990,1010,,,,1000,990,1010\n" in text


def test_builds_and_lengths_are_told_apart() -> None:
    lines = _lines(_record("keypair"), _record("keypair", target="stm32f407", settings="clock_hz=24000000"))
    assert [line[1] for line in lines if line[0] == "toy-512"][:2] == [
        *("m4f (stm32f407 clock_hz=24000000 gcc -O3)", "m4f (stm32l4r5 gcc -O3)"),
    ]
    sign = {"kind": "signature"}
    records = [_record("sign", **sign, message_bytes=length, cycles_min=length) for length in (59, 1000)]
    lines = _lines(_record("keypair", **sign), *records)
    found = [line for line in lines if line[0] == "toy-512 (4 executions)"]
    assert [line[1] for line in found] == ["m4f (59 bytes)", "m4f (1000 bytes)"]
    assert [line[6] for line in found] == ["59", "1000"]


def test_records_of_other_kinds_have_no_place_there() -> None:
    others = [
        _record("encrypt", kind="block"),
        _record("sign", kind="signature"),
        _record("keypair", status="fault", verified=False),
    ]
    with pytest.raises(UsageError, match="no verified record of a key encapsulation or signature"):
        to_pqm4(others)
