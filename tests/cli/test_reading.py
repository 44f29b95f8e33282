"""Commands that read: list, show, toolchain list, store."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from command import options

from steelyard.catalog.load import load_catalog
from steelyard.cli.output import print_json
from steelyard.errors import UsageError
from steelyard.record.field import decoded
from steelyard.record.schema import FIELD_NAMES, FIELDS

Rows = list[dict[str, Any]]


def in_order(rows: Rows) -> Rows:
    return sorted(rows, key=lambda row: (row["samples"], row["operation"]))


SMALL = ("measure", "--primitive", "rc5-32-12-8", "--target", "atmega128", "--toolchain", "gcc")


@pytest.mark.parametrize(
    ("what", "key", "some"),
    [
        ("primitives", "primitive", {"aes-128", "md5", "rc4-128"}),
        ("variants", "variant", {"aes/sbox"}),
        ("targets", "target", {"atmega103", "atmega128", "atmega328p", "atmega4809", "attiny45"}),
        ("modes", "mode", {"none", "ecb", "cbc", "pcbc", "cfb", "ofb", "ctr"}),
        ("toolchains", "toolchain", {"gcc", "clang"}),
        ("operations", "operation", {"init", "init-decrypt", "encrypt", "decrypt", "digest"}),
    ],
)
def test_list(steelyard: Any, what: str, key: str, some: set[str]) -> None:
    rows = steelyard.json("list", what)
    assert some <= {row[key] for row in rows}
    table = steelyard.run("list", what).stdout
    assert all(name in table for name in some)


def test_own_folder_is_listed(steelyard: Any, own_idea: Any) -> None:
    rows = steelyard.json("list", "variants", "--primitives", own_idea("mine"))
    assert "idea/mine" in {row["variant"] for row in rows}


def test_show_filters_and_keeps_the_newest(steelyard: Any) -> None:
    first = steelyard.json(*SMALL)
    steelyard.json(*SMALL, "--mode", "cbc", "--length", 16, "--length", 64)
    again = steelyard.json(*SMALL, "--samples", 4)
    assert [row["samples"] for row in again] == [4, 4, 4]
    shown = steelyard.json("show")
    assert len(shown) == len(first) + 4
    assert in_order(steelyard.json("show", "--mode", "none")) == in_order(again)
    assert {row["mode"] for row in steelyard.json("show", "--mode", "*")} == {"cbc"}
    assert {row["message_bytes"] for row in steelyard.json("show", "--length", 64)} == {64}
    assert {row["operation"] for row in steelyard.json("show", "--operation", "en*")} == {"encrypt"}
    assert steelyard.json("show", "--target", "attiny45", status=1) == []


def test_printed_json_is_strict(capsys: pytest.CaptureFixture[str]) -> None:
    print_json([{"a": float("inf"), "b": [float("nan"), 1.5], "c": "NaN"}])
    assert capsys.readouterr().out == '[\n{"a": null, "b": [null, 1.5], "c": "NaN"}\n]\n'


def test_export(steelyard: Any, tmp_path: Path) -> None:
    rows = steelyard.json(*SMALL)
    steelyard.json(*SMALL, "--samples", 3)
    every = json.loads(steelyard.run("store", "export", "--every").stdout)
    assert len(every) == 6
    assert in_order(every)[3:] == in_order(rows)
    newest = json.loads(steelyard.run("store", "export", "--format", "json").stdout)
    lines = list(csv.DictReader(io.StringIO(steelyard.run("store", "export", "--format", "csv").stdout)))
    steelyard.run("store", "export", "--format", "parquet", "-o", tmp_path / "records.parquet")
    frame = pl.read_parquet(tmp_path / "records.parquet")
    assert [row["samples"] for row in newest] == [3, 3, 3]
    assert tuple(lines[0]) == tuple(frame.columns) == tuple(newest[0]) == FIELD_NAMES
    assert [decoded(row, FIELDS) for row in frame.to_dicts()] == newest
    assert [float(line["cycles"]) for line in lines] == [row["cycles"] for row in newest]


def test_gc_changes_no_answer(steelyard: Any) -> None:
    steelyard.json(*SMALL)
    steelyard.json(*SMALL, "--samples", 3)
    steelyard.json(*SMALL, "--mode", "ctr", "--length", 8)
    before = steelyard.json("show")
    assert len(list(steelyard.store.glob("*.ndjson"))) == 3
    assert "3 superseded records dropped, 5 kept" in steelyard.run("store", "gc").stderr
    assert len(list(steelyard.store.glob("*.ndjson"))) == 1
    assert steelyard.json("show") == before


def test_empty_store(steelyard: Any) -> None:
    assert steelyard.json("show", status=1) == []
    assert steelyard.run("store", "export").stdout == "[]\n"
    assert "no such record" in steelyard.run("show", status=1).stderr
    assert not steelyard.store.exists()


@pytest.mark.parametrize(
    "command",
    [
        "",
        "list",
        "measure",
        "show",
        "report",
        "recommend",
        "battery",
        "protocol",
        "toolchain list",
        "store export",
        "store gc",
        "store merge",
        "store verify",
    ],
)
def test_help_has_examples(steelyard: Any, command: str) -> None:
    text = steelyard.run(*command.split(), "--help").stdout
    assert "Usage:" in text
    assert not command or "Example" in text


def test_python_interface(steelyard: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STEELYARD_CACHE", str(steelyard.cache))
    monkeypatch.setenv("STEELYARD_STORE", str(steelyard.store))
    import steelyard as api

    frame = api.measure("rc5-32-12-8", target="atmega128", toolchain="gcc")
    assert tuple(frame.columns) == FIELD_NAMES
    assert frame["operation"].to_list() == ["init", "encrypt", "decrypt"]
    assert api.records().sort("operation").equals(frame.sort("operation"))
    with pytest.raises(UsageError, match="at least 2"):
        api.measure("rc5-32-12-8", target="atmega128", samples=1)
    api.report(tmp_path / "r.html")
    assert "rc5-32-12-8" in (tmp_path / "r.html").read_text()


def test_a_rule_selects_by_what_was_measured(steelyard: Any) -> None:
    chosen = options(primitive="aes-128", variant=["aes/sbox", "aes/ttable-4k", "aes/compact"], samples=2)
    run = ("measure", *chosen, *options(target="atmega128", toolchain="gcc", flags="-Os"))
    measured = steelyard.json(*run, "--rule", "small-memory")
    assert {row["variant"] for row in measured} == {"aes/sbox", "aes/compact"}
    listed = steelyard.json("list", "variants", "--rule", "small-memory")
    kept = [(row["variant"], row["kept_on"]) for row in listed]
    assert kept == [("aes/compact", ["atmega128"]), ("aes/sbox", ["atmega128"])]
    shown = steelyard.json("show", "--rule", "small-memory")
    assert {row["variant"] for row in shown} == {"aes/sbox", "aes/compact"}
    assert max(row["rom_const_bytes"] for row in shown) <= 1024
    assert "small-memory" in steelyard.sentence("show", "--rule", "small-memoy", status=2)
    assert "small-memory" in steelyard.sentence(*run, "--rule", "small-memoy", status=2)
    assert "--rule" in steelyard.sentence("list", "targets", "--rule", "small-memory", status=2)


def test_variants_are_counted(steelyard: Any) -> None:
    total = len(load_catalog().variants)
    assert steelyard.run("list", "variants").stdout.endswith(f"\n{total} variants.\n")
    rule = ("list", "variants", "--rule", "trade-off")
    assert f"0 of {total} variants keep the rule trade-off." in steelyard.run(*rule).stdout
    chosen = options(primitive="rc2-64", variant="rc2/*", target="atmega128", flags="-Os", samples=2)
    steelyard.run("measure", *chosen)
    assert f"\n2 of {total} variants keep the rule trade-off.\n" in steelyard.run(*rule).stdout
    assert len(steelyard.json(*rule, "--target", "atmega128", "--flags=-Os")) == 2
    assert steelyard.json(*rule, "--target", "attiny45") == []
    assert "--rule" in steelyard.sentence("list", "variants", "--target", "atmega128", status=2)
