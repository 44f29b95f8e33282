"""The command a report gives for a record measures that very cell again."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import synthetic

import steelyard
from steelyard.record.field import decoded
from steelyard.record.schema import FIELDS
from steelyard.report.command import repeat_command


@pytest.mark.parametrize(
    "selection",
    [
        {"primitive": "aes-128", "operation": "decrypt", "mode": "cbc", "length": 20, "padding": "pkcs7"},
        {"primitive": "md5", "length": 3, "flags": "-O2 -fno-inline"},
        {"primitive": "rc4-128", "operation": "init", "footprint": "both"},
    ],
)
def test_command_repeats_the_measurement(
    selection: dict[str, str | int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STEELYARD_STORE", str(tmp_path / "store"))
    frame = steelyard.measure(target="atmega128", toolchain="clang", samples=3, seed="another", **selection)  # type: ignore[arg-type]
    (row,) = frame.to_dicts()
    assert row["status"] == "ok"

    program, *words = shlex.split(repeat_command(row))
    assert program == "steelyard"
    done = subprocess.run(
        [Path(sys.executable).with_name("steelyard"), *words, "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    (again,) = json.loads(done.stdout)
    assert again | {"date": None} == decoded(row, FIELDS) | {"date": None}


def test_command_quotes_what_a_shell_would_read() -> None:
    words = shlex.split(repeat_command(synthetic.measured(flags="-O2; rm -rf ~", input_seed="a b")))
    assert "--flags=-O2; rm -rf ~" in words
    assert "--seed=a b" in words
