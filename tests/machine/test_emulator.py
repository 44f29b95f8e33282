"""The Python face of the emulator, on an image written here byte by byte."""

from __future__ import annotations

import struct

import pytest

from steelyard.catalog.load import load_catalog
from steelyard.errors import UsageError
from steelyard.machine import Emulator


def _image(words: tuple[int, ...]) -> bytes:
    """An ELF file with one loadable segment at address 0 and no symbols."""
    code = struct.pack(f"<{len(words)}H", *words)
    ident = b"\x7fELF\x01\x01\x01" + bytes(9)
    header = struct.pack("<HHIIIIIHHHHHH", 2, 83, 1, 0, 52, 0, 0, 52, 32, 1, 0, 0, 0)
    segment = struct.pack("<8I", 1, 84, 0, 0, len(code), len(code), 5, 1)
    return ident + header + segment + code


@pytest.fixture
def emulator() -> Emulator:
    machine = Emulator(load_catalog().target("atmega128"))
    # void f(uint8_t *out, const uint8_t *in): movw r30,r24; movw r26,r22;
    # ld r24,X+; st Z+,r24; ld r25,X+; st Z+,r25; ret
    machine.load(_image((0x01FC, 0x01DB, 0x918D, 0x9381, 0x919D, 0x9391, 0x9508)))
    return machine


def test_a_function_works_on_named_buffers(emulator: Emulator) -> None:
    emulator.buffer("out", bytes(2))
    emulator.buffer("in", b"\x12\x34")
    call = emulator.call(0, ["out", "in"], max_cycles=100)
    assert call.fault is None
    assert emulator.content("out") == b"\x12\x34"
    assert call.returned(2) == 0x3412
    assert (call.cycles, call.instructions, call.stack_bytes) == (4 + 1 + 1 + 4 * 2 + 4, 8, 2)
    assert (call.loads, call.stores, call.mix["alu"]) == (2, 2, 2)


def test_reset_forgets_buffers_and_memory(emulator: Emulator) -> None:
    address = emulator.buffer("in", b"\x99")
    emulator.reset()
    assert emulator.read("data", address, 1) == b"\x00"
    with pytest.raises(UsageError, match="buffer"):
        emulator.content("in")


def test_a_fault_is_part_of_the_result(emulator: Emulator) -> None:
    emulator.load(_image((0xCFFF,)))
    fault = emulator.call(0, max_cycles=50).fault
    assert fault is not None
    assert (fault.kind, fault.pc) == ("cycle-budget", 0)


def test_what_is_wrong_is_said_in_a_sentence(emulator: Emulator) -> None:
    with pytest.raises(UsageError, match="ELF"):
        emulator.load(b"nothing")
    with pytest.raises(UsageError, match="symbol"):
        emulator.call("nowhere", max_cycles=1)
    with pytest.raises(UsageError, match="9 bytes"):
        emulator.call(0, [(1, 9)], max_cycles=1)
    with pytest.raises(UsageError, match="does not fit"):
        emulator.buffer("huge", bytes(70_000))
