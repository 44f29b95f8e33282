"""The file of budgets: what it grants, and the sentence for each mistake, with file and field."""

from __future__ import annotations

from pathlib import Path

import pytest
from compare.records import record

from steelyard.catalog.load import Catalog
from steelyard.compare.budgets import read_budgets
from steelyard.compare.measures import Limit
from steelyard.compare.pairing import paired
from steelyard.errors import UsageError

FILE = """
[limit]
cycles = "+1%"
stack = 0

[[budget]]
variant = "aes/mine"
target = "atmega*"
toolchain = "gcc"
flags = "-Os"
length = 16
cycles = 999
rom = "1K"

[[budget]]
primitive = "aes-*"
stack = 24
"""


def test_a_file(tmp_path: Path, catalog: Catalog) -> None:
    path = tmp_path / "steelyard.toml"
    path.write_text(FILE, encoding="utf-8")
    book = read_budgets(path, catalog, [record()])
    assert book.limits == {"cycles": Limit(1, percent=True), "stack": Limit(0)}
    first, second = book.budgets
    assert first.most == {"cycles": 999, "rom": 1024}
    assert first.matches(record())
    for other in ({"flags": "-O2"}, {"target": "attiny45"}, {"message_bytes": 64}, {"toolchain": "clang"}):
        assert not first.matches(record(**other))
        assert second.matches(record(**other))
    (pair,) = paired([record()], [record()], measures=("cycles",), limits={}, budgets=book.budgets)
    verdicts = {row.measure: (row.verdict, row.budget) for row in pair.rows}
    assert verdicts == {"cycles": ("over-budget", 999), "rom": ("same", 1024), "stack": ("same", 24)}
    assert pair.regressed


def test_the_least_of_two_budgets_counts(tmp_path: Path, catalog: Catalog) -> None:
    path = tmp_path / "steelyard.toml"
    path.write_text("[[budget]]\ncycles = 2000\n[[budget]]\ncycles = 999.5\n", encoding="utf-8")
    budgets = read_budgets(path, catalog, [record()]).budgets
    (pair,) = paired([], [record()], measures=(), limits={}, budgets=budgets)
    # A new cell has a budget too.
    assert [(row.budget, row.verdict) for row in pair.rows] == [(999.5, "over-budget")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[budget]]\ncycle = 5\n", 'unknown field budget.1.cycle; did you mean "cycles"?'),
        ("[[budgets]]\ncycles = 5\n", 'unknown field budgets; did you mean "budget"?'),
        ("[[budget]]\ncycles = -5\n", "field budget.1.cycles"),
        ("[[budget]]\ncycles = true\n", "field budget.1.cycles"),
        ('[[budget]]\ncycles = "5 potatoes"\n', "budget 1, field cycles"),
        ('[[budget]]\nrom = "1%"\n', "budget 1, field rom"),
        (
            '[[budget]]\ntarget = "atmega12"\ncycles = 5\n',
            'budget 1, field target: unknown target "atmega12"; did you mean "atmega128"?',
        ),
        ('[[budget]]\nvariant = "aes/sbx"\ncycles = 5\n', 'did you mean "aes/sbox"?'),
        ('[[budget]]\ntoolchain = "gc"\ncycles = 5\n', 'did you mean "gcc"?'),
        ('[[budget]]\noperation = "encypt"\ncycles = 5\n', 'did you mean "encrypt"?'),
        ('[[budget]]\ntarget = "atmega128"\n', "budget 1 grants nothing"),
        ('[limit]\nspeed = "+1%"\n', "field limit.speed: unknown measure"),
        ('[limit]\ncycles = "lots"\n', "field limit.cycles"),
        ("[limit]\ncycles = 1.5\n", "field limit.cycles"),
        ("cycles = 5\n", "unknown field cycles"),
        ("[[budget\n", "not valid TOML"),
    ],
)
def test_a_mistake_is_one_sentence(tmp_path: Path, catalog: Catalog, text: str, said: str) -> None:
    path = tmp_path / "steelyard.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as raised:
        read_budgets(path, catalog, [record()])
    assert str(path) in str(raised.value)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_there_need_not_be_a_file(tmp_path: Path, catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert read_budgets(None, catalog, []).budgets == ()
    with pytest.raises(UsageError, match=r"absent\.toml"):
        read_budgets(Path("absent.toml"), catalog, [])
    Path("steelyard.toml").write_text("[[budget]]\ncycles = 5\n", encoding="utf-8")
    assert read_budgets(None, catalog, []).budgets[0].place == "steelyard.toml: budget 1"
