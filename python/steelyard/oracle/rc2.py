"""RC2, a second implementation from RFC 2268, with an effective key length equal to the length of the key."""

from __future__ import annotations

from functools import lru_cache

_PITABLE = bytes.fromhex(
    "d978f9c419ddb5ed28e9fd794aa0d89dc67e37832b76538e624c6488448bfba2"
    "179a59f587b34f1361456d8d09817d32bd8f40eb86b77b0bf09521225c6b4e82"
    "54d66593ce60b21c7356c014a78cf1dc1275ca1f3bbee4d1423dd430a33cb626"
    "6fbf0eda4669075727f21d9bbc944303f811c7f690ef3ee706c3d52fc8661ed7"
    "08e8eade8052eef784aa72ac354d6a2a961ad2715a1549744b9fd05e0418a4ec"
    "c2e0416e0f51cbcc2491af50a1f47039997c3a8523b8b47afc02365b25559731"
    "2d5dfa98e38a92ae05df2910676cbac9d300e6cfe19ea82c6316013f58e289a9"
    "0d38341bab33ffb0bb480c5fb9b1cd2ec5f3db47e5a59c770aa62068fe7fc1ad"
)
_ROTATIONS = (1, 2, 3, 5)


@lru_cache(maxsize=256)
def _expanded(key: bytes) -> tuple[int, ...]:
    """Expand the key to 64 words (RFC 2268, section 2)."""
    effective = len(key)
    buffer = bytearray(key)
    while len(buffer) < 128:
        buffer.append(_PITABLE[buffer[-1] + buffer[-effective] & 0xFF])
    buffer[128 - effective] = _PITABLE[buffer[128 - effective]]
    for i in range(127 - effective, -1, -1):
        buffer[i] = _PITABLE[buffer[i + 1] ^ buffer[i + effective]]
    return tuple(buffer[2 * i] | buffer[2 * i + 1] << 8 for i in range(64))


def _words(block: bytes) -> list[int]:
    return [int.from_bytes(block[i : i + 2], "little") for i in range(0, 8, 2)]


def _joined(r: list[int]) -> bytes:
    return b"".join(word.to_bytes(2, "little") for word in r)


def encrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Encrypt a block of 8 bytes with a key of 1 to 128 bytes; `rounds` counts mixing rounds and is 16."""
    k = _expanded(key)
    r = _words(block)
    for step in range(rounds):
        for i, n in enumerate(_ROTATIONS):
            t = r[i] + k[4 * step + i] + (r[i - 1] & r[i - 2]) + (~r[i - 1] & r[i - 3]) & 0xFFFF
            r[i] = (t << n | t >> 16 - n) & 0xFFFF
        if step in (4, 10):
            for i in range(4):
                r[i] = r[i] + k[r[i - 1] & 63] & 0xFFFF
    return _joined(r)


def decrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Decrypt a block, the inverse of `encrypt_block`."""
    k = _expanded(key)
    r = _words(block)
    for step in reversed(range(rounds)):
        if step in (4, 10):
            for i in reversed(range(4)):
                r[i] = r[i] - k[r[i - 1] & 63] & 0xFFFF
        for i in reversed(range(4)):
            n = _ROTATIONS[i]
            t = (r[i] >> n | r[i] << 16 - n) & 0xFFFF
            r[i] = t - k[4 * step + i] - (r[i - 1] & r[i - 2]) - (~r[i - 1] & r[i - 3]) & 0xFFFF
    return _joined(r)
