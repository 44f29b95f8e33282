"""`steelyard host` as a user calls it."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest
from command import Steelyard
from report.packed import everything


def test_measured_records_are_shown_and_reported_beside_chips(steelyard: Steelyard, tmp_path: Path) -> None:
    options = ("--primitive=aes-128", "--mode=ctr", "--length=1024", "--runs=3", "--operation=encrypt")
    (made,) = steelyard.json("host", "measure", *options)
    (shown,) = steelyard.json("show", "--target=linux-*")
    assert shown == made
    assert "local" in steelyard.run("show").stdout
    page = tmp_path / "report.html"
    steelyard.run("report", f"--output={page}")
    text = everything(page)
    assert "steelyard host measure local" in text


def test_info_tells_what_a_device_is(steelyard: Steelyard) -> None:
    (row,) = steelyard.json("host", "info")
    assert row["device"] == "local"
    assert row["kernel"] == os.uname().release
    assert row["cores"] == os.cpu_count()
    told = Path("/proc/cpuinfo").read_text("utf-8")
    if "flags" in told:
        assert row["virtual"] is (" hypervisor" in told)


def test_the_page_s_commands_that_need_no_board_run(steelyard: Steelyard) -> None:
    page = (Path(__file__).parents[3] / "docs" / "host.md").read_text("utf-8")
    blocks = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines() if not re.search(r"root@|board", line)]
    assert len(lines) == 4
    for line in lines:
        words = shlex.split(line)[1:]
        brief = ("--runs=3",) if words[1] == "measure" else ()
        steelyard.run(*words, *brief)
    rows = steelyard.json("show")
    assert {(row["device"], row["threads"]) for row in rows} == {("local", 1), ("local", 2), ("qemu-mips", 1)}


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (("measure", "--qemu", "linux-z80"), 2, "unknown architecture"),
        (("measure", "board", "--qemu", "linux-mips"), 2, "leave the device and --architecture out"),
        (("measure", "--ssh-option", "-p 22"), 2, "for a device that ssh reaches"),
        (("measure", "--runs", "1"), 2, "--runs"),
        (("measure", "--threads", "0", "--primitive", "aes-128"), 2, "--threads 0 is not 1 to 256"),
        (("info", "nobody@steelyard.invalid", "--ssh-option", "-F none"), 3, "cannot be reached"),
    ],
)
def test_mistakes_are_one_sentence(
    steelyard: Steelyard, arguments: tuple[str, ...], status: int, sentence: str
) -> None:
    assert sentence in steelyard.run("host", *arguments, status=status).stderr
