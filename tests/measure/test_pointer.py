"""Routines that take a pointer: their cost by themselves, and what they may not touch."""

from __future__ import annotations

import itertools

import pytest

from steelyard.catalog.load import load_catalog
from steelyard.machine import Call, Emulator, Permit
from steelyard.measure.pointer import PointerRoutine
from steelyard.toolchain.family import families

CHIP = load_catalog().target("rl78-g13")
CODE, RECORD, STACK = 0x1000, 0xFF000, 0xFF800
RECORD_BYTES = 6

MOVE_POINTER, PUSH_HL, POP_HL, RETURN = b"\x16", b"\xc7", b"\xc6", b"\xd7"
"""movw hl, ax; push hl; pop hl; ret."""
STORE = bytes([0xCC, 0, 0x55])
"""mov [hl+0], #0x55; its second byte is the offset."""
SELECT_AND_LOSE = bytes([0x61, 0xEF, 0x30, 0x34, 0x12, 0x61, 0xCF])
"""sel rb2; movw ax, #0x1234; sel rb0."""


def called(code: bytes) -> tuple[Call, str | None]:
    emulator = Emulator(CHIP)
    emulator.load(code, raw_address=CODE)
    emulator.stack_pointer = STACK
    interface = families()["rl78"].pointer_interface
    assert interface is not None
    routine = PointerRoutine(emulator, interface, CODE, Permit(RECORD, RECORD_BYTES, True), 1000)
    noise = itertools.count(1)
    return routine.call(
        lambda count: bytes(next(noise) for _ in range(count)), [Permit(STACK - 32, 32, True)]
    )


def stored_at(offset: int) -> bytes:
    return PUSH_HL + MOVE_POINTER + STORE[:1] + bytes([offset]) + STORE[2:] + POP_HL + RETURN


def test_cost_is_that_of_the_routine_with_its_call() -> None:
    cost, lost = called(stored_at(0))
    assert cost.fault is None and lost is None
    # call 3, push 1, movw 1, mov with an address from a register written just before 2, pop 1, ret 6.
    assert cost.cycles == 3 + 1 + 1 + 2 + 1 + 6
    assert cost.stack_bytes == 4 + 2


@pytest.mark.parametrize(
    ("code", "name"), [(MOVE_POINTER + RETURN, "HL"), (SELECT_AND_LOSE + RETURN, "bank 2")]
)
def test_a_register_that_is_not_kept_is_named(code: bytes, name: str) -> None:
    cost, lost = called(code)
    assert cost.fault is None
    assert lost is not None and lost.endswith(f"does not keep {name}")


def test_a_write_behind_the_record_is_a_fault() -> None:
    assert called(stored_at(RECORD_BYTES - 1))[0].fault is None
    fault = called(stored_at(RECORD_BYTES))[0].fault
    assert fault is not None and fault.kind.startswith("stray")
