"""Images with debug information: the measured bytes, and lines that another reader of DWARF finds too."""

from __future__ import annotations

import io
from dataclasses import replace
from itertools import pairwise

import pytest
from builds import default_build
from elftools.elf.elffile import ELFFile

from steelyard.catalog.load import load_catalog
from steelyard.errors import UsageError
from steelyard.machine import Lines
from steelyard.toolchain import (
    BuildResult,
    DebugImage,
    NoDebugInformation,
    build,
    debug_image,
    discover,
)
from steelyard.toolchain.sizes import allocated

CHIPS = (
    *("atmega128", "stm32f407", "stm32l071", "sa1110", "fe310-g000", "leon3", "msp430f1611"),
    *("rl78-g13", "m30102"),
)
NOT_FOR_PYELFTOOLS = {("atmega128", "clang"), ("msp430f1611", "clang")}
"""DWARF whose addresses have two bytes, which pyelftools does not read."""
INSTALLED = {(one.family, one.id): one for one in discover() if one.available}


def _images() -> list[tuple[str, str]]:
    catalog = load_catalog()
    found = []
    for chip in CHIPS:
        target = catalog.target(chip)
        names = [name for name in target.file.toolchain if (target.file.family, name) in INSTALLED]
        found += [(chip, name) for name in names]
    return found


def _made(chip: str, toolchain: str, primitive: str = "aes-128") -> tuple[BuildResult, DebugImage]:
    catalog = load_catalog()
    target = catalog.target(chip)
    one = default_build(catalog, primitive, target, toolchain, "-O2", "both")
    request = one.request(INSTALLED[target.file.family, toolchain])
    measured = build(request)
    return measured, debug_image(request, measured)


@pytest.mark.parametrize(("chip", "toolchain"), _images())
def test_an_image_with_debug_information_is_the_measured_one_with_lines(chip: str, toolchain: str) -> None:
    """Bytes on the chip are the same, and the line of every instruction is what pyelftools reads too."""
    measured, debug = _made(chip, toolchain)
    assert allocated(debug.elf) == allocated(measured.elf)
    assert not any(flag.startswith("-g") for flag in measured.flags)
    lines = Lines(debug.elf)
    if (chip, toolchain) not in NOT_FOR_PYELFTOOLS:
        rows = _rows(debug.elf)
        assert len(rows) > 50
        for start, end, file, line in rows:
            for address in {start, end - 2}:
                frames = lines.at(address)
                assert frames, hex(address)
                assert (frames[0].file or "").endswith(file)
                assert frames[0].line == line
    functions = _functions(debug.elf)
    assert {"block_init", "block_encrypt", "block_decrypt"} <= functions.keys()
    for name, (start, end) in functions.items():
        frames_of = [lines.at(address) for address in range(start, end, 2)]
        assert {frames[-1].function for frames in frames_of if frames} == {name}
        for innermost in (frames[0] for frames in frames_of if frames):
            assert innermost.file in debug.sources
            assert 0 <= (innermost.line or 0) <= len(debug.sources[innermost.file or ""].splitlines())


def test_inlined_functions_are_frames() -> None:
    """A helper of a header stands before the function that it was inlined into, with the line of its call."""
    chip = next((chip for chip, _ in _images() if chip == "fe310-g000"), None)
    if chip is None:
        pytest.skip("no compiler for RISC-V")
    _, debug = _made("fe310-g000", "clang")
    start, end = _functions(debug.elf)["block_encrypt"]
    lines = Lines(debug.elf)
    inlined = [lines.at(address) for address in range(start, end, 2) if len(lines.at(address)) > 1]
    assert inlined
    for frames in inlined:
        assert frames[-1].function == "block_encrypt"
        assert frames[-1].line is not None
        text = debug.sources[frames[-1].file or ""].splitlines()[frames[-1].line - 1]
        assert (frames[-2].function or "?") in text


def test_an_image_of_other_code_is_refused() -> None:
    """A planted difference: of the measured image, one byte is another."""
    catalog = load_catalog()
    target = catalog.target("atmega128")
    one = default_build(catalog, "aes-128", target, "clang", "-O2", "both")
    request = one.request(INSTALLED["avr", "clang"])
    measured = build(request)
    section = next(part for part in allocated(measured.elf) if part[0] == ".own.text")
    changed = bytearray(measured.elf)
    changed[measured.elf.index(section[4])] ^= 1
    with pytest.raises(NoDebugInformation, match="other code"):
        debug_image(request, replace(measured, elf=bytes(changed)))


def test_an_image_without_debug_information_has_no_lines() -> None:
    """Every address is unknown, and a file that is no image is refused in one sentence."""
    measured, _ = _made("atmega128", "clang")
    assert Lines(measured.elf).at(0x100) == ()
    with pytest.raises(UsageError, match="no usable lines"):
        Lines(b"no image")


def _rows(elf: bytes) -> list[tuple[int, int, str, int]]:
    """Begin, end, file and line of the rows of measured code, by pyelftools."""
    code = next(part for part in allocated(elf) if part[0] == ".own.text")
    image = ELFFile(io.BytesIO(elf))
    found = {}
    for unit in image.get_dwarf_info().iter_CUs():
        program = image.get_dwarf_info().line_program_for_CU(unit)
        if program is None:
            continue
        version, files = program["version"], program["file_entry"]
        states = [entry.state for entry in program.get_entries() if entry.state is not None]
        for one, following in pairwise(states):
            inside = code[2] <= one.address < code[2] + code[3]
            if (
                inside
                and one.address
                and not one.end_sequence
                and following.address > one.address
                and one.line
            ):
                name = files[one.file if version >= 5 else one.file - 1].name.decode().rpartition("/")[2]
                found[one.address] = (one.address, following.address, name, one.line)
    return list(found.values())


def _functions(elf: bytes) -> dict[str, tuple[int, int]]:
    code = next(part for part in allocated(elf) if part[0] == ".own.text")
    table = ELFFile(io.BytesIO(elf)).get_section_by_name(".symtab")
    found = {}
    for symbol in table.iter_symbols():
        start, size = symbol["st_value"] & ~1, symbol["st_size"]
        if symbol["st_info"]["type"] == "STT_FUNC" and size and code[2] <= start < code[2] + code[3]:
            found[symbol.name] = (start, start + size)
    return found
