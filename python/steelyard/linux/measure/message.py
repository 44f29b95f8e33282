"""Messages that driver and device both make from a seed, so that they need not be transferred."""

from __future__ import annotations

import hashlib

import numpy as np

_SHOWN_BYTES = 256


def message(count: int, seed: int) -> bytes:
    """Return `count` bytes, the same as `wire_message` of firmware/linux/wire.h. `seed` has 64 bits."""
    step = np.uint64(0x9E3779B97F4A7C15)
    with np.errstate(over="ignore"):
        x = np.uint64(seed) + np.arange(1, -(-count // 8) + 1, dtype=np.uint64) * step
        x = (x ^ x >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ x >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        x ^= x >> np.uint64(31)
    return x.astype("<u8").tobytes()[:count]


def seed_of(label: str) -> int:
    """Return 64 bits that depend on the label."""
    return int.from_bytes(hashlib.shake_256(label.encode()).digest(8), "little")


def shown(output: bytes) -> str:
    """Return an output as `wire_print_output` prints it: short ones in hexadecimal, long ones as a digest."""
    return output.hex() if len(output) <= _SHOWN_BYTES else f"sha256:{hashlib.sha256(output).hexdigest()}"
