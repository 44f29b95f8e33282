"""Every verdict and figure that `steelyard reproduce` says of the kept records is what it was.

After records were measured anew, `PYTHONPATH=.. python -m study.test_before` in the folder `tests` writes the
file anew: what changed in it are the verdicts that turned.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from docs.generate.records import read_kept
from study.said import said

from steelyard.catalog.load import load_catalog
from steelyard.record.schema import Record
from steelyard.study.claims import records_of
from steelyard.study.discover import load_study, study_names

BEFORE = Path(__file__).with_name("before.json")


def kept(name: str) -> Sequence[Record]:
    return records_of(load_study(name), read_kept(name))[1]


def now(name: str) -> object:
    return said(load_study(name).judge(kept(name), load_catalog().defaults).rows())


@pytest.mark.parametrize("name", study_names())
def test_what_a_study_says_is_what_it_said(name: str) -> None:
    assert now(name) == json.loads(BEFORE.read_text("utf-8"))[name]


if __name__ == "__main__":
    BEFORE.write_text(json.dumps({name: now(name) for name in study_names()}, indent=1) + "\n", "utf-8")
