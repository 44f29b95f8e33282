"""At 80, 120 and 200 characters no figure and no name is cut; what is piped is whole."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cli.terminal import cuts, on_terminal, tables
from report.synthetic import failed, measured

from steelyard.catalog.load import load_catalog
from steelyard.cli.records import record_page
from steelyard.present.table import Table, natural
from steelyard.present.terminal import table_lines
from steelyard.record.schema import Record
from steelyard.store.segments import SegmentWriter
from steelyard.study.discover import study_folder
from steelyard.study.published import read_table

WIDTHS = (80, 120, 200)
SMALL = ("measure", "--primitive", "speck-64-128", "--primitive", "chaskey-12", "--target", "atmega128")
LONG = {
    "speck-64-128": ("block", "encrypt", "speck/fast", "legacy"),
    "lea-128": ("block", "encrypt", "lea/fast", "acceptable"),
    "camellia-128": ("block", "encrypt", "camellia/compact", "recommended"),
    "chacha20-poly1305": ("aead", "seal", "chacha20-poly1305/compact", "recommended"),
    "aes-128-cmac": ("mac", "mac", "cmac/fast", "recommended"),
    "sha-256": ("hash", "digest", "sha256/unrolled", "recommended"),
    "chacha20": ("stream", "encrypt", "chacha20/unrolled", "recommended"),
}


def records() -> list[Record]:
    """Of every chip and five kinds, with every column that a table of records may have, and wide figures.

    A chip's figures follow from its name, so that they stay when chips join the catalogue.
    """
    rows = []
    for target in load_catalog().targets:
        number = 2 + sum(target.id.encode()) % 64
        for step, (primitive, (kind, operation, variant, security)) in enumerate(LONG.items()):
            for toolchain, version in (("gcc", "12.2.0"), ("clang", "22.1.8 (ziglang 0.17.0)")):
                common: dict[str, Any] = {
                    "kind": kind,
                    "primitive": primitive,
                    "variant": variant,
                    "target": target.id,
                    "toolchain": toolchain,
                    "toolchain_version": version,
                    "operation": operation,
                    "security": security,
                    "message_bytes": 8 if kind == "block" else 1024,
                }
                if (target.id, kind) == ("attiny45", "aead"):
                    rows.append(failed("does-not-fit", "needs 9,000 bytes of ROM", **common))
                else:
                    cycles = 1234.0 + 98_765 * number * (step + 1)
                    rows.append(measured(**common, cycles=cycles, cache_misses=1234.5))
    return rows


@pytest.fixture
def kept(steelyard: Any) -> Any:
    """The command with a store of records that no measuring made."""
    with SegmentWriter(steelyard.store) as writer:
        writer.append(records())
    return steelyard


def whole(steelyard: Any, *arguments: object, status: int = 0) -> str:
    """What the command pipes, after its screens of every width were compared with it."""
    piped: str = steelyard.run(*arguments, status=status).stdout
    assert "..." not in piped and "…" not in piped
    for width in WIDTHS:
        screen = on_terminal(steelyard.command(*arguments), steelyard.env(), width)
        assert cuts(screen, piped, width) == [], screen
    return piped


def columns(text: str) -> dict[str, list[str]]:
    """The cells of the first table by heading."""
    table = tables(text)[0]
    return {
        heading: [cell.strip() for cell in cells]
        for heading, cells in zip(table.headings, table.columns, strict=True)
    }


def test_measured_figures_are_whole(steelyard: Any) -> None:
    rows = steelyard.json(*SMALL)
    piped = columns(whole(steelyard, *SMALL))
    assert piped["variant"] == [row["variant"] for row in rows]
    assert piped["target"] == [row["target"] for row in rows]
    assert piped["cycles"] == [f"{row['cycles']:,.0f}" for row in rows]
    assert piped["ROM"] == [f"{row['rom_bytes']:,}" for row in rows]
    assert piped["RAM"] == [f"{row['ram_bytes']:,}" for row in rows]


def test_shown_figures_are_whole(kept: Any) -> None:
    rows = kept.json("show")
    assert len(rows) == len(records())
    piped = columns(whole(kept, "show"))
    for heading, field in (("cycles", "cycles"), ("least", "cycles_min"), ("most", "cycles_max")):
        assert piped[heading] == ["" if row[field] is None else f"{row[field]:,.0f}" for row in rows]
    assert piped["energy uJ"] == [
        "" if row["energy_nj"] is None else f"{row['energy_nj'] / 1e3:,.2f}" for row in rows
    ]
    screen = on_terminal(kept.command("show"), kept.env(), 80)
    assert {"cycles", "ROM"} <= {*tables(screen)[0].headings}


def test_the_best_variants_are_whole(kept: Any) -> None:
    variants = ("aes/sbox", "aes/ttable-1k", "aes/on-the-fly", "aes/compact")
    with SegmentWriter(kept.store) as writer:
        for number, variant in enumerate(variants):
            writer.append(
                [measured(variant=variant, target="stm32l100", cycles=1_234_567.0 - 98_765 * number)]
            )
    rows = kept.json("show", "--best")
    piped = columns(whole(kept, "show", "--best"))
    assert piped["best for"] == [row["goals"] for row in rows]
    assert piped["variant"] == [row["variant"] for row in rows]
    assert piped["cycles"] == [f"{row['cycles']:,.0f}" for row in rows]
    assert "fastest" in {row["goals"].partition(",")[0] for row in rows}
    assert "two tables" in kept.sentence("show", "--best", "--energy", status=2)


def test_names_of_variants_are_whole(steelyard: Any) -> None:
    rows = steelyard.json("list", "variants")
    piped = columns(whole(steelyard, "list", "variants"))
    assert piped["variant"] == [row["variant"] for row in rows]
    assert piped["primitives"] == [", ".join(row["primitives"]) for row in rows]
    assert piped["summary"] == [row["summary"] for row in rows]


def test_the_summary_of_the_default_set_is_one_screen(steelyard: Any, tmp_path: Path) -> None:
    """`make bench` prints this; its selection takes minutes, so that the same function has other records."""
    path = tmp_path / "records.json"
    bench = ["atmega128", "attiny45", "msp430f1611", "rl78-g13", "stm32f407", "gd32vf103", "leon3"]
    path.write_text(json.dumps([row for row in records() if row["target"] in bench]))
    command = [sys.executable, "-c", _SUMMARY, str(path)]
    piped = subprocess.run(command, env=steelyard.env(), capture_output=True, text=True, check=True).stdout
    for width in WIDTHS:
        screen = on_terminal(command, steelyard.env(), width)
        assert cuts(screen, piped, width) == [], screen
        assert len(screen.splitlines()) <= len(bench) * (1 if width > 80 else 3) + 10
    found = columns(piped)
    assert found["chip"] == bench
    assert {heading: cells[1] for heading, cells in found.items()} == {
        "chip": "attiny45",
        "core": "avr25",
        "block cipher": "camellia-128 148,302",
        "stream cipher": "chacha20 2,702",
        "hash": "sha-256 2,316",
        "MAC": "aes-128-cmac 1,930",
        "AEAD": "does not fit",
    }


_SUMMARY = """
import json, sys
from steelyard.catalog.load import load_catalog
from steelyard.cli.measure import summary
from steelyard.present.terminal import print_page
print_page(summary(json.load(open(sys.argv[1])), load_catalog()))
"""


def test_what_is_recommended_is_whole(steelyard: Any) -> None:
    asked = ("recommend", "--target", "atmega128", "--need", "integrity", "--message", 24, "--ram", "1K")
    chosen = (*asked, "--primitive", "chaskey-12", "--primitive", "siphash-2-4", "--primitive", "poly1305")
    rows = [row for row in steelyard.json(*chosen) if row["fits"]]
    text = whole(steelyard, *chosen, "--no-measure")
    piped = columns(text)
    assert piped["primitive"] == [row["name"] for row in rows]
    assert piped["cycles"] == [f"{row['cycles']:,.0f}" for row in rows]
    assert piped["slack --ram"] == [f"{row['slack_ram']:,.0f}" for row in rows]
    assert "poly1305: a key of it is good for one message.\n" in text
    assert "(RFC 8439, 2.5)." in steelyard.run(*chosen, "--no-measure", "--left-out").stdout


def test_what_is_reproduced_is_whole(steelyard: Any) -> None:
    """Judged by the records that the study's page keeps: measuring it takes minutes."""
    study = "sensor-nodes"
    command = [sys.executable, "-c", _REPRODUCED, study]
    piped = subprocess.run(command, env=steelyard.env(), capture_output=True, text=True, check=True).stdout
    claims = [row["statement"] for row in read_table(study_folder(study) / "claims.csv")]
    assert claims and all(statement in piped for statement in claims)
    for width in WIDTHS:
        screen = on_terminal(command, steelyard.env(), width)
        assert cuts(screen, piped, width) == [], screen


_REPRODUCED = """
import sys
import polars as pl
from steelyard.catalog.load import load_catalog
from steelyard.cli.reproduce import page
from steelyard.cli.view import view
from steelyard.store.read import frame_schema
from steelyard.study.claims import records_of
from steelyard.study.discover import load_study, study_folder
path, schema = study_folder(sys.argv[1]) / "page" / "records.csv", frame_schema()
kept = [pl.DataFrame(schema=schema), pl.read_csv(path, schema_overrides=schema)]
study = load_study(sys.argv[1])
outcome = study.judge(records_of(study, pl.concat(kept, how="diagonal"))[1], load_catalog().defaults)
view().show(outcome.rows(), page(outcome))
"""


def test_a_cut_is_seen() -> None:
    table = next(iter(record_page([row for row in records() if row["target"] == "stm32f407"])))
    assert isinstance(table, Table)
    piped, screen = ("\n".join(table_lines(table, width)) for width in (None, 120))
    assert cuts(screen, piped, 120) == []
    figure = columns(piped)["cycles"][0]
    for planted, said in (
        (screen.replace(figure, figure[:-2] + "..."), "ellipsis"),
        (screen.replace(figure, figure[:-1] + "\N{HORIZONTAL ELLIPSIS}"), "ellipsis"),
        (screen.replace(figure, " " + figure[:-1]), "column cycles is not whole"),
        (screen.replace("chacha20-poly1305", "chacha20-poly130 "), "column primitive is not whole"),
        (screen.replace("left out at", "missing at"), "left out unsaid"),
        (screen.replace("clang", " " * 40 + "clang"), "too wide"),
    ):
        assert planted != screen
        assert any(said in one for one in cuts(planted, piped, 120)), said


def test_a_figure_on_two_lines_is_seen() -> None:
    piped = "n  cycles\n-  ------\na  12,345\n".replace("-", "\N{BOX DRAWINGS LIGHT HORIZONTAL}")
    assert cuts(piped, piped, 80) == []
    assert cuts(piped.replace("12,345", "12,\n   345"), piped, 80) == ["figure of cycles: 12,345"]


def test_a_table_on_its_side_is_compared_too() -> None:
    table = next(iter(record_page(records()[:3])))
    assert isinstance(table, Table)
    piped, screen = ("\n".join(table_lines(table, width)) for width in (None, 40))
    assert not tables(screen) and cuts(screen, piped, 40) == []
    planted = screen.replace(columns(piped)["ROM"][1], "1")
    assert any("neither upright nor on its side: ROM" in one for one in cuts(planted, piped, 40))


def test_columns_and_order_are_the_users(kept: Any) -> None:
    shown = columns(
        kept.run("show", "--columns", "cycles,target, ram_context_bytes", "--sort", "-cycles").stdout
    )
    assert list(shown) == ["cycles", "target", "ram_context_bytes"]
    figures = [row["cycles"] for row in kept.json("show", "--sort", "target", "--sort", "-cycles")]
    assert shown["cycles"] == [
        *(f"{figure:,.0f}" for figure in sorted((f for f in figures if f is not None), reverse=True)),
        *("" for figure in figures if figure is None),
    ]
    by_target = kept.json("show", "--sort", "target", "--sort", "-cycles", "--primitive", "chacha20")
    keys = [(natural(row["target"]), -row["cycles"]) for row in by_target]
    assert keys == sorted(keys)


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (("show",), "cycles"),
        (("measure", "--primitive", "aes-128"), "cycles"),
        (("list", "targets"), "clock_hz"),
    ],
)
def test_an_unknown_column_is_answered_with_the_nearest(
    kept: Any, command: tuple[str, ...], name: str
) -> None:
    said = kept.sentence(*command, "--columns", f"{name},{name}x", status=2)
    assert said == f'steelyard: --columns: unknown column "{name}x"; did you mean "{name}"?'
    said = kept.sentence(*command, "--sort", f"-{name}x", status=2)
    assert said == f'steelyard: --sort: unknown column "{name}x"; did you mean "{name}"?'


def test_objects_have_every_field_whatever_is_chosen(kept: Any) -> None:
    said = kept.sentence("show", "--columns", "cycles", "--json", status=2)
    assert "the objects of --json always have every field" in said


def test_a_list_without_a_topic_names_the_topics(steelyard: Any) -> None:
    assert [row["topic"] for row in steelyard.json("list")] == columns(steelyard.run("list").stdout)["topic"]
