"""`steelyard fidelity recorded` on archives made here: firmware, and words a chip might have answered."""

from __future__ import annotations

import csv
import io
import tarfile
from pathlib import Path
from typing import Any

import msgpack
import pytest
import zstandard
from cli.test_run import CORTEX_M, HERE, _linked, _symbol

TARGET = ("--target", "stm32f100")
RESULTS = 0x2000_0000


@pytest.fixture(scope="module")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, int, int]:
    """Flash, first instruction and end of firmware that times itself."""
    elf = _linked(HERE / "firmware.S", CORTEX_M, tmp_path_factory.mktemp("firmware"))
    start, done = (_symbol(elf, name, "stm32f100") for name in ("start", "done"))
    return elf.with_suffix(".bin").read_bytes(), start, done


def archive(path: Path, image: bytes, start: int, stop: int, words: dict[str, list[int]]) -> None:
    """An archive with one recording, whose symbols lie one behind the other at the start of the RAM."""
    content, address = [], RESULTS
    for name, values in words.items():
        raw = b"".join(value.to_bytes(4, "little") for value in values)
        content.append({"symbol_name": name, "addr": address, "content": list(raw)})
        address += len(raw)
    dump = {
        "configuration_name": "{'code': 'flash', 'pads': 0}",
        "emulator_main_addr": start | 1,
        "emulator_exit_addr": stop,
        "mem_dump": content,
    }
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as files:
        for name, data in (("one/0.flash", image), ("one/0.dump", msgpack.packb(dump))):
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            files.addfile(entry, io.BytesIO(data))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(zstandard.ZstdCompressor().compress(packed.getvalue()))


def answered(steelyard: Any, firmware: tuple[bytes, int, int], folder: Path) -> list[int]:
    image, start, done = firmware
    (folder / "flash.bin").write_bytes(image)
    asked = ("--raw", "0x8000000", "--from", hex(start), "--to", hex(done), "--read", "0x20000000:20")
    (row,) = steelyard.json("run", folder / "flash.bin", *TARGET, *asked)
    words = bytes.fromhex(row["memory"]["0x20000000:20"])
    return [int.from_bytes(words[at : at + 4], "little") for at in range(0, 20, 4)]


def test_every_word_is_compared(steelyard: Any, firmware: tuple[bytes, int, int], tmp_path: Path) -> None:
    cycles, *others = answered(steelyard, firmware, tmp_path)
    image, start, done = firmware
    said = {"times": [cycles + 1], "results": [*others[:3], others[3] + 2]}
    archive(tmp_path / "chip" / "memory" / "one.tzst", image, start, done, said)
    asked = ("fidelity", "recorded", "--source", tmp_path / "chip", *TARGET)
    times, results = steelyard.json(*asked, "--output", tmp_path / "words.csv")
    assert (times["words"], times["exact"], times["within_one"], times["least"]) == (1, 0, 1, -1)
    assert (results["words"], results["exact"], results["within_one"], results["least"]) == (4, 3, 3, -2)
    with (tmp_path / "words.csv").open(encoding="utf-8", newline="") as file:
        assert [row["symbol"] for row in csv.DictReader(file)] == ["times", "results"]
    shown = steelyard.run(*asked)
    assert "cycles" in shown.stdout and "100.00" in shown.stdout


def test_right_words_are_exact(steelyard: Any, firmware: tuple[bytes, int, int], tmp_path: Path) -> None:
    cycles, *others = answered(steelyard, firmware, tmp_path)
    archive(tmp_path / "one.tzst", *firmware, {"times": [cycles], "results": others})
    rows = steelyard.json("fidelity", "recorded", "--source", tmp_path, *TARGET)
    assert [row["exact"] for row in rows] == [1, 4]


def test_a_run_without_end_is_wrong(steelyard: Any, firmware: tuple[bytes, int, int], tmp_path: Path) -> None:
    image, _, done = firmware
    endless = image + bytes.fromhex("fee7")
    archive(tmp_path / "one.tzst", endless, 0x0800_0000 + len(image), done, {"times": [1, 2]})
    ended = steelyard.run("fidelity", "recorded", "--source", tmp_path, *TARGET, status=1)
    assert "one.tzst:0" in ended.stderr


@pytest.mark.parametrize(
    ("content", "asked", "said"),
    [
        (b"no archive", (), "no archive of recordings"),
        (None, (), "no archive NAME.tzst there"),
        (b"", ("--match", "other*"), "that matches"),
    ],
)
def test_what_is_no_recording_is_one_sentence(
    steelyard: Any, tmp_path: Path, content: bytes | None, asked: tuple[str, ...], said: str
) -> None:
    if content is not None:
        (tmp_path / "one.tzst").write_bytes(content)
    asked = ("fidelity", "recorded", "--source", str(tmp_path), *TARGET, *asked)
    assert said in steelyard.sentence(*asked, status=2)
