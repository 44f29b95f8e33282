"""`steelyard reproduce`: measured for real, from the command line."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Any

import pytest
from report.packed import everything
from report.synthetic import measured, memory_constraints
from typer.testing import CliRunner

from steelyard.catalog.load import load_catalog
from steelyard.cli.app import app
from steelyard.errors import EnvironmentProblem
from steelyard.store.segments import SegmentWriter
from steelyard.studies.word_sizes import study as word_sizes
from steelyard.study import discover
from steelyard.study.model import Outcome, Row, Setup, Study, Taken

gcc = pytest.mark.skipif(shutil.which("avr-gcc") is None, reason="avr-gcc is not installed")


@gcc
def test_figures_orders_and_verdicts(steelyard: Any) -> None:
    rows = steelyard.json("reproduce", "atmega128")
    by_table = {
        name: [row for row in rows if row["table"] == name] for name in ("figure", "number", "order", "claim")
    }
    assert sum(map(len, by_table.values())) == len(rows)
    assert {row["cipher"] for row in by_table["figure"]} >= {"AES", "Serpent", "Camellia", "CAST5", "MARS"}
    assert {row["clock_hz"] for row in by_table["figure"]} == {16_000_000}
    assert len(by_table["claim"]) == 18
    assert {row["finding"] for row in by_table["claim"]} <= {
        "holds",
        "holds in part",
        "fails",
        "not testable",
    }
    testable = [row["claim"] for row in by_table["claim"] if row["finding"] != "not testable"]
    assert {f"seed002-{number:02}" for number in range(1, 17)} <= set(testable)
    assert all(row["ours"] > 0 for row in by_table["number"])
    assert all(len(set(row["ours"])) == 5 for row in by_table["order"])
    choices = {"default", "fastest", "smallest", "least data", "shortest set-up"}
    assert {row["choice"] for row in by_table["figure"]} == choices
    assert {row["choice"] for row in by_table["number"]} == choices
    assert all(set(row["by_choice"]) == choices for row in by_table["claim"])
    table = steelyard.run("reproduce", "atmega128")
    assert "images to build" in table.stderr
    assert all(
        row["statement"] in table.stdout and row["reason"] in table.stdout for row in by_table["claim"]
    )


@dataclass(frozen=True)
class Nothing(Outcome):
    """An outcome of one figure."""

    def figure_rows(self) -> Iterator[Row]:
        yield {"table": "figure", "cycles": 1}


def lame(_: Setup) -> Taken:
    raise EnvironmentProblem("no compiler for it.")


def test_all_goes_on_after_a_study_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    able = Study("", "", (), lambda *_: Nothing(()), lambda _: Taken([], [], failed=False, interrupted=False))
    studies = {"able": able, "lame": replace(able, measure=lame), "last": able}
    monkeypatch.setattr(discover, "study_names", lambda: tuple(studies))
    monkeypatch.setattr(discover, "load_study", studies.__getitem__)
    done = CliRunner().invoke(app, ["reproduce", "--all", "--json"])
    assert (done.exit_code, "no compiler for it." in done.stderr) == (EnvironmentProblem.exit_status, True)
    assert [row["study"] for row in json.loads(done.stdout)] == ["able", "last"]
    assert CliRunner().invoke(app, ["reproduce", "--all"]).stdout.count("Claims") == 2


def test_all_takes_the_shorter_measurement_and_says_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    measured = []

    def measure(what: str) -> Taken:
        measured.append(what)
        return Taken([], [], failed=False, interrupted=False)

    long = Study("", "", (), lambda *_: Nothing(()), lambda _: measure("long"))
    studies = {"long": long, "short": replace(long, measure_in_all=lambda _: measure("short"))}
    monkeypatch.setattr(discover, "study_names", lambda: tuple(studies))
    monkeypatch.setattr(discover, "load_study", studies.__getitem__)
    done = CliRunner().invoke(app, ["reproduce", "--all"])
    assert measured == ["long", "short"]
    assert "long (study 1 of 2)" in done.stderr and "short (study 2 of 2)" in done.stderr


def test_all_shows_a_study_as_soon_as_it_has_ended(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = []

    def measure(_: Setup) -> Taken:
        before.append(capsys.readouterr().out)
        return Taken([], [], failed=False, interrupted=False)

    study = Study("", "", (), lambda *_: Nothing(()), measure)
    monkeypatch.setattr(discover, "study_names", lambda: ("first", "second"))
    monkeypatch.setattr(discover, "load_study", lambda _: study)
    with pytest.raises(SystemExit):
        app(["reproduce", "--all"])
    assert "first" not in before[0]
    assert "first" in before[1]
    assert "second" in capsys.readouterr().out


def test_a_study_or_all_is_asked_for(steelyard: Any) -> None:
    assert "--all" in steelyard.sentence("reproduce", status=2)
    assert "--all" in steelyard.sentence("reproduce", "atmega128", "--all", status=2)


def test_options_of_one_study_are_no_others(steelyard: Any) -> None:
    assert "--device" in steelyard.run("reproduce", "industrial-linux", "--help").stdout
    assert (
        "--device"
        not in steelyard.run("reproduce", "atmega128", "--help").stdout.partition("\nOptions:\n")[2]
    )


def test_an_unknown_study_is_answered_with_the_nearest(steelyard: Any) -> None:
    assert "atmega128" in steelyard.sentence("reproduce", "atmega12", status=2)


arm = pytest.mark.skipif(
    shutil.which("arm-none-eabi-gcc") is None and find_spec("ziglang") is None,
    reason="neither arm-none-eabi-gcc nor the wheel's clang is installed",
)


@arm
def test_the_cache_sweep_is_measured_judged_and_reported(steelyard: Any) -> None:
    rows = steelyard.json("reproduce", "cache-sweep")
    points = [row for row in rows if row["table"] == "point"]
    curves = {
        (row["flags"], row["variant"], row["cache_bytes"]): row["cycles"]
        for row in points
        if row["target"] == "sa1100"
    }
    assert len(curves) == 2 * 4 * 5
    # Nothing is gained by a cache that holds everything already, and much is lost with one that does not.
    for flags in ("-O2", "-O3"):
        large = [curves[flags, "aes/ttable-8k", size << 10] for size in (1, 2, 4, 8, 16)]
        assert large == sorted(large, reverse=True)
        assert large[0] > 3 * large[-1]
        assert curves[flags, "aes/ttable-1k", 8 << 10] == curves[flags, "aes/ttable-1k", 16 << 10]
    claims = {row["claim"]: row for row in rows if row["table"] == "claim"}
    assert list(claims) == ["seed001-26", "seed001-27", "seed001-28"]
    assert claims["seed001-27"]["by_choice"]["sa1100"] == "holds"
    table = steelyard.run("reproduce", "cache-sweep")
    assert all(claim["reason"] in table.stdout for claim in claims.values())
    if "leon2" not in {row["target"] for row in points}:
        assert "nothing was measured on leon2." in table.stderr
    shown = steelyard.json("show", "--target", "sa1100", "--variant", "aes/sbox-rows")
    assert {row["settings"] for row in shown} == {
        f"dcache.size={size} icache.size={size}" for size in (1024, 2048, 4096, 8192, 16384)
    }
    steelyard.run("report", "--output", "sweep.html")
    page = everything(steelyard.folder / "sweep.html")
    assert 'id="part-cache-sweep"' in page


def test_the_energy_experiment_is_judged_from_a_store_through_the_report(steelyard: Any) -> None:
    """Records put into a store by hand: no compiler, no machine."""
    with SegmentWriter(steelyard.store) as writer:
        writer.append(memory_constraints())
    steelyard.run("report", "--output", "energy.html")
    page = everything(steelyard.folder / "energy.html")
    assert 'id="part-energy-sa1100"' in page
    assert "Throughput beside the published one" in page
    table = steelyard.run("show", "--target", "sa1100", "--operation", "init").stdout
    headings = table.strip().splitlines()[0].split()
    assert {"least", "most", "sd"} <= set(headings)


def test_claims_are_listed_with_the_verdicts_of_the_store(steelyard: Any) -> None:
    listed = steelyard.json("claims")
    assert len(listed) == 127
    commands = {row["command"] for row in listed}
    assert {"steelyard reproduce sensor-nodes", "steelyard reproduce rl78-minimal"} <= commands
    assert None not in commands
    costs = {"atmega128": 900.0, "sa1100": 90.0}
    rows = [
        measured(
            primitive=primitive,
            variant=f"{catalog.algorithm_of(primitive).id}/fast",
            target=target,
            footprint="encrypt",
            cycles=16 * cost,
        )
        for catalog in [load_catalog()]
        for target, cost in costs.items()
        for primitive in word_sizes.PRIMITIVES.values()
    ]
    with SegmentWriter(steelyard.store) as writer:
        writer.append(rows)
    (row,) = steelyard.json("claims", "cross-04")
    assert row["finding"] == "holds"
    assert row["by_choice"]["fastest"] == "holds"
    table = steelyard.run("claims", "cross-*").stdout
    assert "cross-04: holds: RC6 on every pair of sizes" in table
    assert "1 not measured yet: steelyard reproduce industrial-linux\n" in table
    assert "cross-04" in steelyard.sentence("claims", "cross-05", status=2)
