"""`steelyard host interfere` through its entry point, on this machine; nothing is asserted of its speed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from command import Steelyard
from linux.measure.board import Board

from steelyard.cli.host.interfered import page
from steelyard.linux.interfere.result import FIELDS, KIND
from steelyard.present.terminal import print_page
from steelyard.record.field import encoded
from steelyard.store.results import read_results

COMMAND = ("host", "interfere")
SHORT = ("--duration", "200ms", "--rate", "500/s", "--priority", "0")
# Without the right to any of it, even for root.
UNPRIVILEGED = ("setpriv", "--bounding-set=-sys_nice,-ipc_lock", "prlimit", "--memlock=0")


def notes(row: dict[str, object]) -> list[str]:
    found = row["notes"]
    assert isinstance(found, list)
    return found


def test_two_primitives_in_one_run(
    steelyard: Steelyard, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = steelyard.json(
        *COMMAND, "--primitive", "speck-64-128", "--primitive", "siphash-2-4", *SHORT, "--length", "256"
    )
    assert [(row["primitive"], row["mode"], row["operation"]) for row in rows] == [
        ("siphash-2-4", None, "mac"),
        ("speck-64-128", "ctr", "encrypt"),
    ]
    for row in rows:
        assert list(row) == [field.name for field in FIELDS]
        assert (row["status"], row["verified"], row["scheduler"]) == ("ok", True, "SCHED_OTHER")
        assert row["messages"] > 0
        for side in ("without", "with"):
            # Eight blocks of 25 periods, the first of each not counted.
            assert 0 < row[f"jobs_{side}"] + row[f"lost_{side}"] <= 96
            for quantity in ("wakeup", "response"):
                counted = row[f"{quantity}_histogram_{side}"]
                assert sum(count for _, count in counted) == row[f"jobs_{side}"]
                least, most = (row[f"{quantity}_{name}_us_{side}"] for name in ("min", "max"))
                assert 0 < least <= row[f"{quantity}_mean_us_{side}"] <= most
            assert row[f"response_min_us_{side}"] > row[f"wakeup_min_us_{side}"]
        assert row["added_response_mean_us_low"] <= row["added_response_mean_us_high"]
    kept = read_results(steelyard.store, KIND, lambda sentence: None)
    assert sorted(one.content["primitive"] for one in kept) == ["siphash-2-4", "speck-64-128"]
    print_page(page([encoded(rows[1], FIELDS)]))
    shown = capsys.readouterr().out
    for said in (
        "speck-64-128 CTR (speck/fast), 256 bytes, 500/s",
        "wake-up",
        "response",
        "lost",
        "95 % interval",
    ):
        assert said in shown
    report = tmp_path / "report.html"
    steelyard.run("report", "-o", report)
    assert 'id="part-interference"' in report.read_text("utf-8")


def test_planted_overload_misses_its_deadlines(steelyard: Steelyard) -> None:
    (row,) = steelyard.json(*COMMAND, "--primitive", "speck-64-128", *SHORT, "--work", "1500us", "--overload")
    for side in ("without", "with"):
        # A job of one and a half periods is late, and costs at least the next one.
        assert row[f"late_{side}"] == row[f"jobs_{side}"]
        assert row[f"lost_{side}"] >= row[f"jobs_{side}"] - 4
        assert row[f"misses_percent_{side}"] == 100
    assert any("longer than the period: the task cannot keep up" in note for note in notes(row))


def test_a_rate_that_cannot_be_met_is_said(steelyard: Steelyard) -> None:
    arguments = ("--primitive", "speck-64-128", "--length", "64K", *SHORT, "--rate", "1e6/s")
    (row,) = steelyard.json(*COMMAND, *arguments)
    (note,) = (note for note in notes(row) if "rate" in note and "messages that fell due" in note)
    assert note.startswith("The rate was not met: of ")
    assert row["messages_per_s"] < 1e6
    (row,) = steelyard.json(*COMMAND, *arguments[:-1], "max")
    assert row["rate_hz"] is None
    assert row["messages"] > 0
    assert not any("rate" in note for note in notes(row))


@pytest.mark.skipif(shutil.which("setpriv") is None or os.geteuid() != 0, reason="drops root's privileges")
def test_refused_privileges_are_said_and_the_run_goes_on(steelyard: Steelyard) -> None:
    command = steelyard.command(
        *COMMAND, "--primitive", "speck-64-128", *SHORT[:-2], "--encrypt-priority", "5", "--json"
    )
    done = subprocess.run(
        [*UNPRIVILEGED, *command], env=steelyard.env(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)
    assert (row["status"], row["scheduler"], row["encryption_scheduler"]) == ("ok", *("SCHED_OTHER",) * 2)
    said = " ".join(notes(row))
    assert "refused SCHED_FIFO with priority 80 for the task (Operation not permitted)" in said
    assert "refused SCHED_FIFO with priority 5 for the encryption" in said
    assert "refused to lock the memory" in said


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "--primitive NAME is needed"),
        (("--primitive", "aes-129"), 'unknown primitive "aes-129"; did you mean'),
        (("--primitive", "aes-128", "--work", "2ms"), "--work 2ms does not fit into a period of 1ms"),
        (("--primitive", "aes-128", "--period", "soon"), '--period: "soon" is not understood'),
        (("--primitive", "aes-128", "--mode", "cbc", "--length", "17"), "--length 17 is no whole number"),
        (("--primitive", "aes-128", "--rate", "max", "--encrypt-priority", "9"), "--rate max with"),
        (("--primitive", "aes-128", "--qemu", "linux-armv8"), "linux-armv7"),
        (("--primitive", "aes-128", "--library", "openssll"), 'did you mean "openssl"?'),
        (
            ("--primitive", "aes-128", "--mode", "none"),
            "Nothing to run: without a mode aes-128",
        ),
    ],
)
def test_bad_input_is_a_sentence(steelyard: Steelyard, arguments: tuple[str, ...], sentence: str) -> None:
    assert sentence in steelyard.sentence(*COMMAND, *arguments, status=2)
    assert not steelyard.store.exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--pin", "1023"), "local: there is no core 1023 for the task."),
        (("--encrypt-pin", "1023"), "local: there is no core 1023 for the messages."),
        (("--work", "30000000"), "us here, more than a hundred periods."),
        (("--period", "500us", "--work", "60000"), "us here and does not fit into the period."),
    ],
)
def test_what_this_device_cannot_run_is_a_sentence(
    steelyard: Steelyard, arguments: tuple[str, ...], sentence: str
) -> None:
    done = steelyard.run(*COMMAND, "--primitive", "speck-64-128", *SHORT, *arguments, status=2)
    assert done.stderr.strip().splitlines()[-1].endswith(sentence)


def test_a_library_that_lacks_an_algorithm_is_a_gap_and_the_rest_goes_on(steelyard: Steelyard) -> None:
    chosen = ("--primitive", "speck-64-128", "--library", "own", "--library", "openssl")
    done = steelyard.run(*COMMAND, *chosen, *SHORT, "--json")
    own, openssl = json.loads(done.stdout)
    assert (own["library"], own["variant"], own["status"]) == (None, "speck/fast", "ok")
    assert (openssl["library"], openssl["variant"], openssl["status"]) == ("openssl", None, "unsupported")
    assert "speck" in openssl["error"]
    assert openssl["wakeup_mean_us_with"] is None
    assert done.stderr.strip().splitlines()[-1].endswith(openssl["error"])


def test_a_library_of_this_machine(steelyard: Steelyard) -> None:
    (row,) = steelyard.json(*COMMAND, "--primitive", "aes-128", "--library", "openssl", *SHORT)
    if row["status"] == "unsupported":
        pytest.skip(row["error"])
    assert (row["status"], row["verified"], row["library"]) == ("ok", True, "openssl")
    assert row["library_version"]
    assert row["messages"] > 0


def test_an_interrupted_command_keeps_what_is_done(steelyard: Steelyard) -> None:
    several = ("--primitive", "siphash-2-4", "--primitive", "speck-64-128")
    started = steelyard.start(*COMMAND, *several, "--duration", "1s", "--priority", "0")
    while not list(steelyard.store.glob("result-*")) and started.poll() is None:
        time.sleep(0.05)
    started.send_signal(signal.SIGINT)
    _, said = started.communicate(timeout=60)
    assert started.returncode == 130
    assert "interrupted; 1 of 2 runs are done and kept." in said
    (kept,) = read_results(steelyard.store, KIND, lambda sentence: None)
    assert kept.content["primitive"] == "siphash-2-4"


def test_a_board_is_left_as_it_was(steelyard: Steelyard, board: Board) -> None:
    (row,) = steelyard.json(*COMMAND, *board.arguments, "--primitive", "speck-64-128", *SHORT)
    assert (row["status"], row["verified"], row["device"]) == ("ok", True, "board")
    assert row["messages"] > 0
    assert list(board.folder.iterdir()) == []


def test_a_board_that_goes_away_is_a_sentence_and_what_is_done_is_kept(
    steelyard: Steelyard, board: Board
) -> None:
    several = ("--primitive", "siphash-2-4", "--primitive", "speck-64-128")
    started = steelyard.start(
        *COMMAND, *board.arguments, *several, "--duration", "1s", "--priority", "0", "--json"
    )
    while not list(steelyard.store.glob("result-*")) and started.poll() is None:
        time.sleep(0.05)
    board.hang_up()
    printed, said = started.communicate(timeout=60)
    assert started.returncode == 3, said
    assert said.strip().splitlines()[-1].startswith("steelyard: The connection to board was lost")
    (kept,) = read_results(steelyard.store, KIND, lambda sentence: None)
    assert [row["primitive"] for row in json.loads(printed)] == [kept.content["primitive"]] == ["siphash-2-4"]
    end = time.monotonic() + 10
    while list(board.folder.iterdir()) and time.monotonic() < end:
        time.sleep(0.1)
    assert list(board.folder.iterdir()) == []
