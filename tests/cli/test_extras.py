"""A command whose packages an extra brings ends in one sentence where the extra is not installed."""

from __future__ import annotations

import subprocess
import sys

import pytest

# Nothing has measured it, so that a worker is needed.
CELL = ("measure", "--primitive", "rc4-128", "--target", "atmega128", "--seed", "without workers")
HIDDEN = """
import sys
sys.modules[{module!r}] = None
sys.argv = ["steelyard", *{words!r}]
from steelyard.cli import main
main()
"""


def without(module: str, *words: str) -> subprocess.CompletedProcess[str]:
    program = HIDDEN.format(module=module, words=words)
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("module", "words", "extras"),
    [
        ("simpy", ("scenario", "motor-speed", "--no-measure"), ["scenario"]),
        ("distributed", (*CELL, "--workers", "2"), ["cluster"]),
        ("distributed", (*CELL, "--scheduler", "tcp://127.0.0.1:8786"), ["cluster"]),
        ("scipy", ("scenario", "motor-speed", "--no-measure"), ["models", "scenario"]),
    ],
)
def test_a_missing_extra_is_one_sentence(module: str, words: tuple[str, ...], extras: list[str]) -> None:
    done = without(module, *words)
    commands = " or ".join(f"pip install 'steelyard[{extra}]'" for extra in extras)
    sentence = f"This needs the package {module}, which is not installed; run: {commands}"
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.splitlines()[-1] == f"steelyard: {sentence}"


def test_what_no_extra_brings_is_not_hidden() -> None:
    done = without("polars", "show")
    assert done.returncode not in (0, 3)
    assert "ModuleNotFoundError" in done.stderr
