"""Guards see every byte written out of bounds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from steelyard.measure.lab import Lab
from steelyard.measure.padding import pad, padded_bytes

LAB = Lab(0x2000, {"key": 16, "input": 33, "output": 7})
BEFORE = LAB.filled({"key": bytes(16), "input": bytes(range(33)), "output": bytes(7)})


@given(st.integers(0, len(BEFORE) - 1), st.integers(1, 255))
def test_any_change_outside_the_output_is_seen(index: int, flip: int) -> None:
    after = bytearray(BEFORE)
    after[index] ^= flip
    start = LAB.address("output") - LAB.base
    inside = start <= index < start + 7
    assert (LAB.trespass(BEFORE, bytes(after), {"output"}) is None) == inside


def test_trespass_says_where() -> None:
    def changed(address: int) -> str | None:
        after = bytearray(BEFORE)
        after[address - LAB.base] ^= 1
        return LAB.trespass(BEFORE, bytes(after), {"output"})

    assert changed(LAB.address("output") - 1) == "1 bytes before the output buffer were written"
    assert changed(LAB.address("output") + 8) == "2 bytes past the end of the output buffer were written"
    assert changed(LAB.address("key") + 3) == "byte 3 of the key was changed"


@given(st.binary(max_size=70), st.sampled_from([8, 16]), st.sampled_from(["none", "zero", "pkcs7", None]))
def test_padding(message: bytes, block_bytes: int, padding: str | None) -> None:
    padded = pad(message, block_bytes, padding)
    assert len(padded) == padded_bytes(len(message), block_bytes, padding)
    assert padded.startswith(message)
    if padding == "pkcs7":
        assert len(padded) % block_bytes == 0
        assert padded[-1] == len(padded) - len(message) > 0
    elif padding == "zero":
        assert len(padded) % block_bytes == 0
        assert len(padded) - len(message) < block_bytes
        assert not any(padded[len(message) :])
    else:
        assert padded == message
