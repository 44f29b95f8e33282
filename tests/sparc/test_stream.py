"""A short stream of random SPARC programs beside Unicorn; `make soak` runs ten million instructions."""

from __future__ import annotations

import struct

import pytest

pytest.importorskip("unicorn")

from sparc.pair import Subject, compare, words

SEED = 20_061_021
INSTRUCTIONS = 20_000
_XNOR, _XOR = 0x07, 0x03
_OPERATION = 0x3F << 19


class _Wrong(Subject):
    """Takes `xnor` for `xor`."""

    def run(self, code: bytes, state: bytes, data: bytes) -> bytes:
        changed = [
            word & ~_OPERATION | _XOR << 19 if word >> 30 == 2 and word >> 19 & 0x3F == _XNOR else word
            for word in struct.unpack(f">{len(code) // 4}I", code)
        ]
        return super().run(words(*changed), state, data)


def test_random_programs_leave_what_they_leave_on_unicorn() -> None:
    stream = compare(SEED, INSTRUCTIONS)
    assert set(stream.made) == set(stream.kinds())


def test_a_wrong_instruction_is_seen() -> None:
    with pytest.raises(AssertionError, match=r"Unicorn"):
        compare(SEED, INSTRUCTIONS, units=20, subject=_Wrong())
