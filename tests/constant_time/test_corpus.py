"""The corpus of leaks is complete, and every leak computes what its repaired twin computes."""

from __future__ import annotations

import ctypes
import random
import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_args

import pytest

from steelyard._native import Machine
from steelyard.catalog.load import load_catalog
from steelyard.catalog.models import LeakKind
from steelyard.machine.emulator import describe
from steelyard.toolchain import discover
from steelyard.toolchain.family import families
from steelyard.toolchain.sizes import chip_memory

CORPUS = Path(__file__).parent / "corpus"
CASES = sorted(folder for folder in CORPUS.iterdir() if folder.is_dir())
LEAST_CASES = 20
BYTES = 32
INPUTS = 200

KINDS = frozenset(get_args(LeakKind))
LEVELS = {"-O0", "-O1", "-O2", "-O3", "-Os"}
FIELDS = {"title", "source", "opened", "kind", "families", "note", "made_by"}
ROW_FIELDS = {"family", "compiler", "levels", "cores"}

ASSEMBLY_CHIPS = {"riscv": "ch32v003"}
"""A chip with the smallest core of each family for which a leak is written in assembly."""

Probe = Callable[[bytes, bytes], bytes]


def inputs(seed: int) -> Iterator[tuple[bytes, bytes]]:
    """Secret and open bytes; most have a shape that some case looks for."""
    source = random.Random(seed)
    for number in range(INPUTS):
        secret, public = source.randbytes(BYTES), source.randbytes(BYTES)
        at = source.randrange(1, BYTES)
        padding = source.randrange(1, 18)
        shapes = (
            secret,
            public,
            public[:at] + secret[at:],
            bytes(at) + secret[at:],
            secret[:-padding] + bytes([padding]) * padding,
            b"\0\2" + (secret.replace(b"\0", b"\1")[:at] + b"\0" + secret)[: BYTES - 2],
            bytes(source.choice((0, 1, 2, 0x7F, 0x80, 0xFE, 0xFF)) for _ in range(BYTES)),
            bytes(source.choice(b"AZaz09+/=") for _ in range(BYTES)),
        )
        yield shapes[number % len(shapes)], public


def compiled(source: Path, folder: Path) -> Probe:
    """The function `probe` of a C file, compiled for this machine with warnings as errors."""
    library = folder / f"{source.parent.name}-{source.stem}.so"
    options = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-Wconversion", "-O1", "-fPIC", "-shared")
    subprocess.run(["cc", *options, str(source), "-o", str(library)], check=True, capture_output=True)
    function = ctypes.CDLL(str(library)).probe

    def probe(secret: bytes, public: bytes) -> bytes:
        out = ctypes.create_string_buffer(b"\xa5" * BYTES, BYTES)
        function(out, secret, public)
        return out.raw

    return probe


def assembled(source: Path, family: str, folder: Path) -> Probe:
    """The function `probe` of an assembly file, which runs in the emulator; a skip without an assembler."""
    target = load_catalog().target(ASSEMBLY_CHIPS[family])
    toolchain = next(one for one in discover() if (one.family, one.id) == (family, "gcc"))
    if toolchain.installed is None:
        pytest.skip(f"{toolchain.title} is not installed; run: {toolchain.install}")
    flash, ram = (chip_memory(target, kind) for kind in ("flash", "ram"))
    image = folder / "image.elf"
    options = (*target.file.toolchain["gcc"].link, "-nostdlib", f"-Wl,-Ttext={flash.base:#x},-e,probe")
    command = (*toolchain.installed.programs.link, *options, str(source), "-o", str(image))
    subprocess.run(command, check=True, capture_output=True)
    machine = Machine(describe(target))
    machine.load_elf(image.read_bytes())
    machine.stack_pointer = machine.empty_stack(ram.base + ram.size)
    places = [ram.base + number * BYTES for number in range(3)]

    def probe(secret: bytes, public: bytes) -> bytes:
        for place, content in zip(places, (bytes(BYTES), secret, public), strict=True):
            machine.write("data", place, content)
        call = machine.call("probe", [(place, 4) for place in places], max_cycles=1_000_000)
        assert call["fault"] is None
        return machine.read("data", places[0], BYTES)

    return probe


def probes(folder: Path, scratch: Path) -> tuple[Probe, Probe]:
    """The leak and the twin of a case."""
    twin = compiled(folder / "twin.c", scratch)
    if (folder / "leak.c").exists():
        return compiled(folder / "leak.c", scratch), twin
    (family,) = tomllib.loads((folder / "case.toml").read_text("utf-8"))["families"]
    return assembled(folder / "leak.S", family, scratch), twin


def faults(case: dict[str, object]) -> Iterator[str]:
    """What is wrong with the contents of a `case.toml`."""
    yield from (f"unknown field {name}" for name in case.keys() - FIELDS)
    yield from (f"empty {name}" for name in ("title", "source") if not str(case.get(name, "")).strip())
    if not isinstance(case.get("opened"), bool):
        yield "opened is neither true nor false"
    kinds, known, rows = case.get("kind"), case.get("families"), case.get("made_by", [])
    if not isinstance(kinds, list) or not kinds or not KINDS.issuperset(kinds):
        yield f"kind {kinds}"
    if not isinstance(known, list) or not families().keys() >= set(known):
        yield f"families {known}"
    if not isinstance(rows, list) or not (rows or known):
        yield "neither a family nor a compiler makes the leak"
        return
    for row in rows:
        yield from row_faults(row, known if isinstance(known, list) else [])


def row_faults(row: dict[str, list[str] | str], everywhere: list[str]) -> Iterator[str]:
    """What is wrong with a row of `made_by`."""
    if not row.keys() <= ROW_FIELDS:
        yield f"unknown field in {row}"
    family = str(row.get("family"))
    if family not in families() or row.get("compiler") not in families()[family].toolchain:
        yield f"no such compiler: {row}"
    if family in everywhere:
        yield f"{family} has the leak whatever the compiler does"
    if not row.get("levels") or not LEVELS.issuperset(row["levels"]):
        yield f"levels of {row}"
    cores = {target.file.core for target in load_catalog().targets if target.file.family == family}
    yield from (f"no such core of {family}: {core}" for core in row.get("cores", []) if core not in cores)


def test_size() -> None:
    assert len(CASES) >= LEAST_CASES
    sources = {tomllib.loads((folder / "case.toml").read_text("utf-8"))["source"] for folder in CASES}
    assert len(sources) >= LEAST_CASES


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_description(folder: Path) -> None:
    names = {path.name for path in folder.iterdir()}
    assert names in ({"leak.c", "twin.c", "case.toml"}, {"leak.S", "twin.c", "case.toml"})
    assert list(faults(tomllib.loads((folder / "case.toml").read_text("utf-8")))) == []
    for source in folder.glob("*.c"):
        text = source.read_text("utf-8")
        assert re.findall(r"#include (\S+)", text) == ["<stdint.h>"]
        assert "void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {" in text


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_twin_computes_the_same(folder: Path, tmp_path: Path) -> None:
    if shutil.which("cc") is None:
        pytest.skip("this machine has no C compiler of its own")
    leak, twin = probes(folder, tmp_path)
    pairs = list(inputs(seed=1))
    outputs = [leak(*pair) for pair in pairs]
    assert outputs == [twin(*pair) for pair in pairs]
    # An output that hides its inputs would agree by chance.
    assert len(set(outputs)) > INPUTS // 2


def test_planted_difference(tmp_path: Path) -> None:
    """A twin with another result is told from its leak."""
    if shutil.which("cc") is None:
        pytest.skip("this machine has no C compiler of its own")
    text = (CORPUS / "aes-s-box" / "leak.c").read_text("utf-8")
    changed = tmp_path / "changed.c"
    changed.write_text(text.replace("0x63, 0x7c", "0x63, 0x7d", 1), "utf-8")
    leak, other = compiled(CORPUS / "aes-s-box" / "leak.c", tmp_path), compiled(changed, tmp_path)
    assert any(leak(*pair) != other(*pair) for pair in inputs(seed=1))


def test_planted_descriptions() -> None:
    """Every fault of a description is told."""
    sound = {"title": "t", "source": "s", "opened": True, "kind": ["branch"], "families": ["avr"]}
    row = {"family": "riscv", "compiler": "gcc", "levels": ["-O3"], "cores": ["qingke-v2a"]}
    assert list(faults({**sound, "made_by": [row]})) == []
    for change in (
        {"title": " "},
        {"source": ""},
        {"opened": "yes"},
        {"kind": ["jump"]},
        {"families": ["z80"]},
        {"families": []},
        {"size": 1},
        {"made_by": [{**row, "compiler": "icc"}]},
        {"made_by": [{**row, "levels": ["-O4"]}]},
        {"made_by": [{**row, "cores": ["avr5"]}]},
        {"made_by": [{**row, "family": "avr"}]},
        {"made_by": [{**row, "chip": "x"}]},
    ):
        assert list(faults({**sound, **change})) != [], change
