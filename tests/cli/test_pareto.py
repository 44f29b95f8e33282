"""`steelyard pareto` through the real entry point."""

from __future__ import annotations

import json
from typing import Any

import pytest
from command import options

CHOSEN = options(primitive="rc5-32-12-8", target="atmega128", operation="encrypt", toolchain="gcc")


def test_the_front_of_what_is_measured_is_what_no_record_beats(steelyard: Any) -> None:
    rows = steelyard.json("pareto", *CHOSEN)
    records = steelyard.json("show")
    assert len(rows) == len(records) == 12, "four builds of variants and parameters at three flags"
    points = [tuple(row[name] for name in ("cycles", "rom_bytes", "ram_bytes")) for row in rows]
    for row, point in zip(rows, points, strict=True):
        beaten = any(
            other != point and all(a <= b for a, b in zip(other, point, strict=True)) for other in points
        )
        assert row["on_front"] is not beaten
        assert (row["dominated_by"] is None) is row["on_front"]
    done = steelyard.run("pareto", *CHOSEN, "--no-measure", "--plot", "front.svg")
    assert done.stdout.startswith("rc5-32-12-8 (broken) encrypt, 8 bytes, on atmega128:")
    assert (steelyard.folder / "front.svg").read_text().startswith("<svg")
    shown = steelyard.run("pareto", *CHOSEN, "--no-measure", "--dominated").stdout
    assert "beaten by" in shown


def test_records_of_other_runs_compete(steelyard: Any) -> None:
    steelyard.run("measure", *CHOSEN, "--variant", "rc5/fast", "--flags=-O1")
    rows = steelyard.json("pareto", *CHOSEN, "--variant", "rc5/fast")
    assert {row["flags"] for row in rows} == {"-O1", "-Os", "-O2", "-O3"}


def test_primitives_share_a_front_across_them(steelyard: Any) -> None:
    both = options(
        primitive=["rc5-32-12-8", "xtea"], target="atmega128", operation="encrypt", toolchain="gcc"
    )
    flags = ("--flags=-Os",)
    apart = steelyard.json("pareto", *both, *flags)
    assert {row["front"] for row in apart} == {1, 2}
    joined = steelyard.json("pareto", *both, *flags, "--across", "primitive", "--no-measure")
    assert {row["front"] for row in joined} == {1}
    assert len(joined) == len(apart)
    text = steelyard.run("pareto", *both, "--across", "primitive", "--no-measure").stdout
    assert "(broken)" in text or "(legacy)" in text


def test_categories_are_filled_or_say_what_is_missing(steelyard: Any) -> None:
    chosen = [
        *options(primitive="rc5-32-12-8", target="atmega128", toolchain="gcc", flags="-Os"),
        "--categories",
    ]
    bounds = ("--rom", "256", "--rom", "1K", "--ram", "64", "--ram", "256")
    rows = steelyard.json("pareto", *chosen, *bounds)
    assert {row["direction"] for row in rows} == {"encryption", "decryption", "both"}
    records = steelyard.json("show")
    for row in rows:
        footprint = {"encryption": "encrypt", "decryption": "decrypt", "both": "both"}[row["direction"]]
        images: dict[tuple[str, str], dict[str, Any]] = {}
        for record in records:
            if record["footprint"] == footprint:
                one = images.setdefault((record["variant"], record["parameters"]), {"ram": 0, "cycles": 0})
                one["rom"] = record["rom_bytes"]
                one["ram"] = max(one["ram"], record["ram_bytes"])
                if not record["operation"].startswith("init"):
                    one["cycles"] = max(one["cycles"], record["cycles"])
        fitting = [
            one
            for one in images.values()
            if one["rom"] <= row["rom_most_bytes"] and one["ram"] <= row["ram_most_bytes"]
        ]
        assert row["fits"] is bool(fitting)
        if fitting:
            assert row["cycles"] == min(one["cycles"] for one in fitting)
        else:
            assert row["rom_excess_bytes"] > 0 or row["ram_excess_bytes"] > 0
    text = steelyard.run("pareto", *chosen, *bounds, "--no-measure").stdout
    assert "nothing fits; the least" in text and "too many" in text
    usual = steelyard.json("pareto", *chosen, "--no-measure")
    assert {row["ram_category"] for row in usual} == {"64 B", "128 B", "256 B", "512 B"}
    assert {row["rom_category"] for row in usual} == {"minimum", "512 B", "1 KB", "2 KB"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--across", "primitives"], 'did you mean "primitive"'),
        (["--rom", "1K"], "for --categories"),
        (["--categories", "--metric", "cycles"], "leave --metric"),
        (["--categories", "--primitive", "aes-128"], "needs a --primitive and a --target"),
        (["--plot", "front.png"], ".html or .svg"),
    ],
)
def test_bad_input_is_one_sentence(steelyard: Any, arguments: list[str], said: str) -> None:
    assert said in steelyard.sentence("pareto", *arguments, status=2)


def test_without_records_it_says_so(steelyard: Any) -> None:
    done = steelyard.run("pareto", "--no-measure", "--json", status=1)
    assert json.loads(done.stdout) == [] and "leave --no-measure out" in done.stderr
