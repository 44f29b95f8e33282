"""The main job through the real entry point."""

from __future__ import annotations

import signal
import time
from pathlib import Path
from typing import Any

import pytest
from command import options

from steelyard.record.field import decoded
from steelyard.record.schema import FIELD_NAMES, FIELDS
from steelyard.store.lines import record_of

RC5 = "rc5-32-12-8"
CHANGING = ("date",)


def numbers(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in row.items() if name not in CHANGING} for row in rows]


def test_multiply_instruction_pays_for_idea(steelyard: Any) -> None:
    rows = steelyard.json("measure", *options(primitive="idea", target=["atmega103", "atmega128"]))
    assert {row["status"] for row in rows} == {"ok"}
    assert all(row["verified"] for row in rows)
    cycles = {(row["toolchain"], row["operation"], row["target"]): row["cycles"] for row in rows}
    for toolchain, operation, target in cycles:
        if target == "atmega103" and operation != "init":
            assert cycles[toolchain, operation, target] > 2 * cycles[toolchain, operation, "atmega128"]
    multiplies = {row["target"]: row["mix_multiply"] for row in rows if row["operation"] == "encrypt"}
    assert multiplies["atmega103"] == 0
    assert multiplies["atmega128"] >= 34


def test_record_has_every_field_and_they_agree(steelyard: Any) -> None:
    chosen = options(primitive=[RC5, "md5"], target="atmega128", length=64, mode=["none", "cbc"])
    rows = steelyard.json("measure", *chosen)
    kinds = {(row["kind"], row["operation"], row["mode"]) for row in rows}
    assert ("block", "encrypt", "cbc") in kinds
    assert ("hash", "digest", None) in kinds
    assert ("block", "init", None) in kinds
    for row in rows:
        assert tuple(row) == FIELD_NAMES
        assert row["time_us"] == pytest.approx(row["cycles"] / row["clock_hz"] * 1e6)
        assert row["rom_bytes"] == row["rom_code_bytes"] + row["rom_const_bytes"] + row["rom_support_bytes"]
        assert row["ram_bytes"] == row["ram_static_bytes"] + row["ram_context_bytes"] + row["ram_stack_bytes"]
        assert row["cycles_min"] <= row["cycles"] <= row["cycles_max"]
        mix = sum(row[name] for name in FIELD_NAMES if name.startswith("mix_"))
        assert mix == pytest.approx(row["instructions"])
        profile = row["functions"]
        assert sum(function["cycles"] for function in profile) == pytest.approx(row["cycles"])
        assert row["samples"] == (16 if row["cycles_sd"] else 8)
        if row["message_bytes"]:
            assert row["cycles_per_byte"] == pytest.approx(row["cycles"] / row["message_bytes"])
        else:
            assert row["operation"] == "init"
            assert row["throughput_bytes_per_s"] is None


def test_runs_and_threads_do_not_change_a_number(steelyard: Any, tmp_path: Path) -> None:
    selection = ("measure", *options(primitive=[RC5, "rc4-128"], target="atmega1*", toolchain="clang"))
    runs = []
    for jobs in (1, 4):
        steelyard.cache = tmp_path / f"cache-{jobs}"
        runs.append(numbers(steelyard.json(*selection, "--jobs", jobs)))
    assert runs[0] == runs[1]
    assert len(runs[0]) > 15


def test_globs_choose(steelyard: Any) -> None:
    chosen = options(
        primitive="aes-1*", target="*128", operation="enc*", mode="*", length=16, toolchain="gcc"
    )
    rows = steelyard.json("measure", *chosen)
    assert {row["primitive"] for row in rows} == {"aes-128", "aes-192"}
    assert {row["target"] for row in rows} == {"atmega128"}
    assert {row["mode"] for row in rows} == {"cbc", "cfb", "ctr", "ecb", "ofb", "pcbc"}


def test_padding_is_applied_before_the_call(steelyard: Any) -> None:
    on_chip = options(primitive=RC5, target="atmega128", toolchain="gcc", mode="ecb", operation="encrypt")
    rows = steelyard.json("measure", *on_chip, *options(length=[12, 16], padding=["zero", "pkcs7"]))
    cycles = {(row["message_bytes"], row["padding"]): row["cycles_min"] for row in rows}
    assert set(cycles) == {(12, "zero"), (12, "pkcs7"), (16, "zero"), (16, "pkcs7")}
    assert cycles[16, "pkcs7"] > cycles[16, "zero"]
    assert all(row["verified"] for row in rows)


def test_footprint_both_is_larger(steelyard: Any) -> None:
    chosen = options(primitive="aes-128", target="atmega128", toolchain="gcc", footprint="*")
    rows = steelyard.json("measure", *chosen)
    rom = {(row["operation"], row["footprint"]): row["rom_bytes"] for row in rows}
    assert rom["encrypt", "both"] > rom["encrypt", "encrypt"]
    assert rom["encrypt", "both"] == rom["decrypt", "both"] == rom["init", "both"]
    assert ("encrypt", "decrypt") not in rom


def test_what_does_not_fit_says_by_how_much(steelyard: Any) -> None:
    rows = steelyard.json("measure", *options(primitive=["rc4-128", "aes-256"], target="attiny45"))
    by_operation = {(row["primitive"], row["operation"]): row for row in rows}
    for cell in (("rc4-128", "init"), ("aes-256", "encrypt")):
        assert by_operation[cell]["status"] == "does-not-fit"
        assert "bytes too large for the RAM of ATtiny45" in by_operation[cell]["error"]
        assert by_operation[cell]["cycles"] is None
    stack = by_operation["aes-256", "encrypt"]
    excess = stack["ram_context_bytes"] + stack["ram_stack_bytes"] + stack["ram_static_bytes"] - 256
    assert stack["error"].startswith(f"{excess} bytes too large")
    assert by_operation["aes-256", "init"]["status"] == "ok"


def test_table_marks_what_is_broken(steelyard: Any) -> None:
    table = steelyard.run("measure", "--primitive", "md5", "--target", "atmega128", "--length", 64).stdout
    assert "md5 (broken)" in table
    assert "md5 (broken)" in steelyard.run("show").stdout
    assert "md5 (broken)" in steelyard.run("list", "primitives").stdout


def test_interrupted_run_is_resumed(steelyard: Any, tmp_path: Path) -> None:
    steelyard.cache = tmp_path / "cold"
    selection = ("measure", *options(primitive="rc5*", target="atmega1*", toolchain="gcc", mode="*"))
    running = steelyard.start(*selection, "--jobs", 2)
    deadline = time.monotonic() + 120
    while not any(path.read_bytes().count(b"\n") > 3 for path in steelyard.store.glob("*.ndjson")):
        assert running.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    _, messages = running.communicate(timeout=120)
    assert running.returncode == 130
    assert "interrupted; " in messages
    (segment,) = steelyard.store.glob("*.ndjson")
    finished = [record_of(line) for line in segment.read_bytes().splitlines()]
    assert len(finished) > 3
    rows = steelyard.json(*selection)
    assert len(rows) > len(finished)
    assert {row["status"] for row in rows} == {"ok"}
    for record in finished:
        assert decoded(record, FIELDS) in rows


def test_readers_work_while_two_runs_write(steelyard: Any, tmp_path: Path) -> None:
    steelyard.cache = tmp_path / "cold"
    chosen = options(target="atmega128", toolchain="gcc", mode=["none", "c*"])
    runs = [steelyard.start("measure", *chosen, "--primitive", name) for name in (RC5, "idea")]
    reads = 0
    while any(run.poll() is None for run in runs):
        # Nothing is there at first.
        assert steelyard.run("show", "--json", status=None).returncode in (0, 1)
        reads += 1
        if reads == 2:
            steelyard.run("report", "-o", tmp_path / "report.html")
    outputs = [run.communicate()[1] for run in runs]
    assert [run.returncode for run in runs] == [0, 0], outputs
    assert reads >= 2
    rows = steelyard.json("show")
    assert {row["primitive"] for row in rows} == {RC5, "idea"}
    assert (tmp_path / "report.html").stat().st_size > 1000


def test_code_in_flash_without_waits_and_in_ram(steelyard: Any) -> None:
    chosen = options(primitive="xtea", target="stm32f051", operation="encrypt", toolchain="clang")
    places = ((), ("code=zero-wait",), ("clock_hz=24M",), ("code=ram",))
    cycles = {}
    for place in places:
        (record,) = steelyard.json("measure", *chosen, *options(set=list(place)))
        assert record["verified"]
        assert record["settings"] == (" ".join(place).replace("24M", "24000000") or None)
        cycles[place] = record["cycles"]
    assert cycles[("code=zero-wait",)] == cycles[("clock_hz=24M",)] < cycles[()]
    # Constants and branch targets may lie otherwise aligned there.
    assert cycles[("code=ram",)] == pytest.approx(cycles[("code=zero-wait",)], rel=0.02)


def test_state_in_the_boards_ram_and_the_older_chips_image(steelyard: Any) -> None:
    """On AVR an access to external RAM takes a cycle more; an image takes as long on either chip."""
    chosen = options(primitive="rc4-128", variant="rc4/fast", operation="init", toolchain="gcc")

    def record(target: str, *settings: str) -> Any:
        (one,) = steelyard.json("measure", *chosen, *options(target=target, set=list(settings)))
        assert one["verified"]
        return one

    inside, outside = record("atmega103"), record("atmega103", "ram=external")
    # Loads and stores of context and stack, not those of the key in the caller's memory.
    more = outside["cycles"] - inside["cycles"]
    assert 3 * 256 < more <= outside["loads"] + outside["stores"]
    older = record("atmega128", "built_for=atmega103")
    assert older["cycles"] == inside["cycles"] != record("atmega128")["cycles"]
