"""Bad input ends in one sentence and its exit status, and nothing is lost."""

from __future__ import annotations

import json
import os
import resource
import subprocess
from pathlib import Path
from typing import Any

import pytest

SMALL = ("measure", "--primitive", "rc5-32-12-8", "--target", "atmega128", "--toolchain", "gcc")
SUM = Path(__file__).parent.parent / "golden" / "sum.elf"


@pytest.mark.parametrize(
    ("option", "name", "near"),
    [
        ("primitive", "aes128", "aes-128"),
        ("variant", "aes/sboxes", "aes/sbox"),
        ("target", "atmega12", "atmega128"),
        ("toolchain", "clan", "clang"),
        ("operation", "encript", "encrypt"),
        ("mode", "cbcc", "cbc"),
        ("footprint", "bot", "both"),
        ("padding", "pkcs", "pkcs7"),
        ("cache", "warmish", "warm"),
    ],
)
def test_unknown_name_gets_the_nearest(steelyard: Any, option: str, name: str, near: str) -> None:
    said = steelyard.sentence("measure", f"--{option}", name, status=2)
    assert f'--{option}: unknown {option} "{name}"; did you mean "{near}"?' in said
    said = steelyard.sentence("show", f"--{option}", name, status=2)
    assert f'did you mean "{near}"?' in said


def test_unknown_list_and_flag(steelyard: Any) -> None:
    assert 'did you mean "primitives"?' in steelyard.sentence("list", "primitive", status=2)
    assert "-flto" in steelyard.sentence(*SMALL, "--flags", "-flto", status=2)
    assert "not a flag for code generation" in steelyard.sentence(*SMALL, "--flags", "-oelsewhere", status=2)
    assert 'did you mean "csv"?' in steelyard.sentence("store", "export", "--format", "cvs", status=2)


def test_length_must_be_whole_blocks(steelyard: Any) -> None:
    said = steelyard.sentence(*SMALL, "--mode", "cbc", "--length", 12, status=2)
    assert "--length 12 is no whole number of the 8-byte blocks" in said
    assert "--padding" in said


def test_impossible_combinations_are_said(steelyard: Any) -> None:
    said = steelyard.sentence(*SMALL, "--operation", "digest", status=2)
    assert "has no operation digest" in said
    assert "associated data" in steelyard.sentence(*SMALL, "--ad-length", 8, status=2)
    assert "no cache" in steelyard.sentence(*SMALL, "--cache", "cold", status=2)
    call = ("measure", "--elf", SUM, "--call", "sum", "--target", "atmega128")
    said = steelyard.sentence(*call, "--start-up", "--ignore-peripherals", status=2)
    assert "--start-up and --ignore-peripherals cannot go together" in said
    done = steelyard.run(*SMALL, "--primitive", "md5", "--mode", "ctr", "--length", 8)
    assert "1 combination left out: a hash primitive has no mode" in done.stderr


def test_missing_compiler(steelyard: Any, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    steelyard.environment["PATH"] = str(empty)
    said = steelyard.sentence(*SMALL, status=3)
    assert "is not installed on this machine; run: " in said
    done = steelyard.run("measure", "--primitive", "rc5-32-12-8", "--target", "atmega128", "--json")
    assert "measured without gcc" in done.stderr
    assert {row["toolchain"] for row in json.loads(done.stdout)} == {"clang"}
    listed = {row["toolchain"]: row for row in steelyard.json("toolchain", "list")}
    assert not listed["gcc"]["installed"]
    assert listed["gcc"]["install"]


def test_newer_store_is_left_alone(steelyard: Any) -> None:
    steelyard.run(*SMALL)
    newer = steelyard.store / "records-v3-20990101T000000000000-1-00000000.ndjson"
    newer.write_text('{"format": "of tomorrow"}\n')
    before = {path: path.read_bytes() for path in steelyard.store.iterdir()}
    for command in (("show",), SMALL, ("report",), ("store", "export"), ("store", "gc")):
        said = steelyard.sentence(*command, status=3)
        assert "format 3" in said
        assert "nothing was touched" in said
    assert {path: path.read_bytes() for path in steelyard.store.iterdir()} == before


def test_broken_segment_loses_only_its_broken_lines(steelyard: Any) -> None:
    rows = steelyard.json(*SMALL)
    (segment,) = steelyard.store.glob("*.ndjson")
    lines = segment.read_bytes().splitlines(keepends=True)
    assert len(lines) == 3
    segment.write_bytes(lines[0] + b"\xff\xfe not a record\n" + lines[1] + lines[2][:200])
    done = steelyard.run("show", "--json")
    kept = json.loads(done.stdout)
    assert len(kept) == 2
    assert all(row in rows for row in kept)
    said = done.stderr.strip().splitlines()
    assert len(said) == 2
    assert f"{segment}: line 2 is not a record" in said[0]
    assert f"{segment}: line 4 is cut off" in said[1]


def test_full_disk_keeps_what_is_done(steelyard: Any) -> None:
    rows = steelyard.json(*SMALL)
    for segment in steelyard.store.glob("*.ndjson"):
        segment.unlink()
    limit = len(json.dumps(rows[0])) + 600

    def little_space() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    done = steelyard.run(*SMALL, status=3, preexec_fn=little_space)
    assert done.stdout == ""
    assert "cannot be written" in done.stderr
    assert "what was finished before is kept" in done.stderr
    (kept,) = steelyard.json("show")
    assert kept in rows


def test_unwritable_store_and_output(steelyard: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    steelyard.store = tmp_path / "file" / "store"
    assert "cannot be" in steelyard.sentence(*SMALL, status=3)
    steelyard.store = tmp_path / "store"
    said = steelyard.sentence(
        "store", "export", "-o", tmp_path / "none" / "x.csv", "--format", "csv", status=3
    )
    assert "cannot be written" in said


def elf_call(*more: object) -> tuple[object, ...]:
    return ("measure", "--call", "sum", "--target", "atmega128", *more)


def test_malformed_images(steelyard: Any, tmp_path: Path) -> None:
    image = SUM.read_bytes()
    broken = {
        "empty": b"",
        "text": b"int main() {}\n" * 100,
        "cut": image[:300],
        "wide": image[:28] + b"\xff" * 8 + image[36:],
        "many": image[:48] + b"\xff\xff" + image[50:],
        "foreign": image[:18] + b"\x28\x00" + image[20:],
    }
    for name, content in broken.items():
        path = tmp_path / f"{name}.elf"
        path.write_bytes(content)
        assert str(path) in steelyard.sentence(*elf_call("--elf", path), status=2), name
    assert "cannot be read" in steelyard.sentence(*elf_call("--elf", tmp_path), status=2)
    assert "cannot be read" in steelyard.sentence(*elf_call("--elf", tmp_path / "absent"), status=2)
    assert "it is a device" in steelyard.sentence(*elf_call("--elf", "/dev/zero"), status=2)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--call", "sun"), 'did you mean "sum"?'),
        (("--call", "sum", "--arg", "in:012"), "neither an integer"),
        (("--call", "sum", "--arg", "u8:256"), "from 0 to 255"),
        (("--call", "sum", "--arg", "99999999"), "does not fit"),
        (("--call", "sum", "--arg", "out:999999"), "room"),
        ((), "go together"),
    ],
)
def test_malformed_calls(steelyard: Any, arguments: tuple[str, ...], said: str) -> None:
    image = ("measure", "--elf", SUM, "--target", "atmega128")
    assert said in steelyard.sentence(*image, *arguments, status=2)


def test_hostile_catalogue_files(steelyard: Any, own_idea: Any) -> None:
    folder = own_idea("mine")
    variant = folder / "idea" / "mine" / "variant.toml"
    for content, said in (
        (b"x = " + b"[" * 100_000, "nested too deeply"),
        (b"a." * 100_000 + b"b = 1", "full stops"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"#" * (2 << 20), "larger than"),
        (b"summary = 3\nsources = []", "field summary"),
        (b'summary = "x"\nsources = ["../../etc/passwd"]', "not the name of a .c"),
        (b'summary = "x"\nsources = ["init.c"]\ndefautl = true', 'did you mean "default"?'),
    ):
        variant.write_bytes(content)
        assert said in steelyard.sentence("measure", "--primitives", folder, status=2)
    assert "names no folder" in steelyard.sentence("measure", "--primitives", folder / "absent", status=2)


def test_closed_output_is_no_error(steelyard: Any) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        steelyard.command("list", "variants", "--json"),
        env=steelyard.env(),
        stdout=write,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(write)
    assert b"Traceback" not in done.stderr
