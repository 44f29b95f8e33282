"""One more study is one folder: put into a copy of the checkout, every command finds it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from checkout import copy_checkout, run_copy

PUBLICATION = """
id = "tiny-2026"
summary = "RC4 on one chip"
title = "A page on RC4"
"""
CLAIMS = "claim,section,statement\ntiny-01,1,RC4 encrypts a byte in less than 1000 cycles\n"
STUDY = '''
"""RC4 on the ATmega128."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from steelyard.measure.selection import Selection
from steelyard.record.schema import Record
from steelyard.study.figures import cycles, integer
from steelyard.study.measure import in_steps
from steelyard.study.model import Defaults, Outcome, Row, Step, Steps, Study
from steelyard.study.published import claims_of
from steelyard.study.verdict import judge


def steps(_: object, toolchain: str) -> Steps:
    selection = Selection(
        primitive=("rc4-128",), target=("atmega128",), toolchain=(toolchain,), operation=("encrypt",)
    )
    return (lambda _: Step((selection,)),)


@dataclass(frozen=True)
class Cost(Outcome):
    per_byte: tuple[float, ...]

    @property
    def worth_showing(self) -> bool:
        return bool(self.per_byte)

    def figure_rows(self) -> Iterator[Row]:
        for count in self.per_byte:
            yield {"table": "cost", "cycles_per_byte": count}


def reproduce(records: Sequence[Record], _: Defaults) -> Cost:
    found = tuple(cycles(one) / integer(one, "message_bytes") for one in records if one["status"] == "ok")
    settings = {"every": {str(place): count for place, count in enumerate(found)}}
    tests = {"below 1000 cycles": lambda count: count < 1000}
    return Cost(claims_of(Path(__file__).parent, lambda claim: judge(tests, settings)), found)


STUDY = Study(
    title="RC4",
    note="One primitive on one chip.",
    targets=("atmega128",),
    primitives=("rc4-128",),
    judge=reproduce,
    measure=in_steps(steps, "atmega128"),
)
'''


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy with one folder more."""
    study = copy_checkout(tmp_path, "advice", "reference", "models") / "studies" / "tiny"
    study.mkdir()
    for name, text in (("publication.toml", PUBLICATION), ("claims.csv", CLAIMS), ("study.py", STUDY)):
        (study / name).write_text(text, encoding="utf-8")
    return tmp_path


def steelyard(checkout: Path, *words: str) -> str:
    done = run_copy(checkout, *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_one_more_study_is_one_folder(checkout: Path) -> None:
    assert "RC4 on one chip" in steelyard(checkout, "reproduce", "--help")
    (before,) = json.loads(steelyard(checkout, "claims", "tiny-01", "--json"))
    assert (before["finding"], before["command"]) == ("not measured", "steelyard reproduce tiny")
    *figures, claim = json.loads(steelyard(checkout, "reproduce", "tiny", "--toolchain", "clang", "--json"))
    assert figures and all(row["cycles_per_byte"] > 0 for row in figures)
    assert (claim["claim"], claim["finding"]) == ("tiny-01", "holds")
    (after,) = json.loads(steelyard(checkout, "claims", "tiny-01", "--json"))
    assert (after["finding"], after["publication"]) == ("holds", "tiny-2026")
    steelyard(checkout, "report", "--output", "report.html")
    assert 'id="part-tiny"' in (checkout / "report.html").read_text("utf-8")
