"""The only module that touches `cryptography`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.metadata import version

from cryptography.hazmat.backends.openssl import backend
from cryptography.hazmat.decrepit.ciphers.algorithms import ARC4, CAST5, IDEA, SEED, Camellia
from cryptography.hazmat.decrepit.ciphers.modes import CFB, OFB
from cryptography.hazmat.primitives.ciphers import BlockCipherAlgorithm, Cipher, modes
from cryptography.hazmat.primitives.ciphers.algorithms import AES, SM4, ChaCha20

_ModeWithIv = modes.CBC | CFB | OFB | modes.CTR
_ALGORITHMS: dict[str, Callable[[bytes], BlockCipherAlgorithm]] = {
    "aes": AES,
    "camellia": Camellia,
    "cast-128": CAST5,
    "idea": IDEA,
    "seed": SEED,
    "sm4": SM4,
}
_MODES: dict[str, Callable[[bytes], _ModeWithIv]] = {
    "cbc": modes.CBC,
    "cfb": CFB,
    "ofb": OFB,
    "ctr": modes.CTR,
}
_WITH_MODES = ("aes", "idea")
_LACKING = {("idea", "ctr")}


@cache
def provenance() -> str:
    """Name and version of the library and of what it wraps."""
    return f"cryptography {version('cryptography')} ({backend.openssl_version_text()})"


def has_mode(algorithm_id: str, mode: str) -> bool:
    """Whether the library itself does that mode (CFB with feedback of whole blocks, CTR with a big-endian
    counter as wide as the block)."""
    if mode == "ecb":
        return True
    return algorithm_id in _WITH_MODES and mode in _MODES and (algorithm_id, mode) not in _LACKING


def block_crypt(algorithm_id: str, mode: str, key: bytes, iv: bytes, data: bytes, *, encrypt: bool) -> bytes:
    """One whole message through the library's own mode."""
    how: modes.ECB | _ModeWithIv = modes.ECB() if mode == "ecb" else _MODES[mode](iv)
    cipher = Cipher(_ALGORITHMS[algorithm_id](key), how)
    context = cipher.encryptor() if encrypt else cipher.decryptor()
    return context.update(data) + context.finalize()


def rc4(key: bytes, data: bytes) -> bytes:
    """RC4 from the beginning of its stream."""
    return Cipher(ARC4(key), mode=None).encryptor().update(data)


def chacha20(key: bytes, iv: bytes, data: bytes) -> bytes:
    """ChaCha20 of RFC 8439 from block 0."""
    return Cipher(ChaCha20(key, bytes(4) + iv), mode=None).encryptor().update(data)


def block_function(algorithm_id: str, key: bytes, *, encrypt: bool) -> Callable[[bytes], bytes]:
    """The cipher (or its inverse) on one block at a time."""
    cipher = Cipher(_ALGORITHMS[algorithm_id](key), modes.ECB())
    return (cipher.encryptor() if encrypt else cipher.decryptor()).update
