"""Access to `cryptography`; no other module imports it."""

from __future__ import annotations

from collections.abc import Callable

from cryptography.hazmat.decrepit.ciphers.algorithms import ARC4, CAST5, IDEA, SEED, Camellia
from cryptography.hazmat.decrepit.ciphers.modes import CFB, OFB
from cryptography.hazmat.primitives.ciphers import BlockCipherAlgorithm, Cipher, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM, AESOCB3, ChaCha20Poly1305
from cryptography.hazmat.primitives.ciphers.algorithms import AES, SM4, ChaCha20
from cryptography.hazmat.primitives.cmac import CMAC
from cryptography.hazmat.primitives.poly1305 import Poly1305

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


def has_mode(algorithm_id: str, mode: str) -> bool:
    """Whether the library itself has the mode (CFB with feedback of whole blocks, CTR with a big-endian
    counter as wide as the block).
    """
    if mode == "ecb":
        return True
    return algorithm_id in _WITH_MODES and mode in _MODES and (algorithm_id, mode) not in _LACKING


def block_crypt(algorithm_id: str, mode: str, key: bytes, iv: bytes, data: bytes, *, encrypt: bool) -> bytes:
    """Encrypt or decrypt one whole message with the library's own mode."""
    how: modes.ECB | _ModeWithIv = modes.ECB() if mode == "ecb" else _MODES[mode](iv)
    cipher = Cipher(_ALGORITHMS[algorithm_id](key), how)
    context = cipher.encryptor() if encrypt else cipher.decryptor()
    return context.update(data) + context.finalize()


def rc4(key: bytes, data: bytes) -> bytes:
    """Encrypt with RC4 from the start of its stream."""
    return Cipher(ARC4(key), mode=None).encryptor().update(data)


def chacha20(key: bytes, iv: bytes, data: bytes) -> bytes:
    """Encrypt with ChaCha20 of RFC 8439 from block 0."""
    return Cipher(ChaCha20(key, bytes(4) + iv), mode=None).encryptor().update(data)


def block_function(algorithm_id: str, key: bytes, *, encrypt: bool) -> Callable[[bytes], bytes]:
    """Return the cipher (or its inverse) on one block at a time."""
    cipher = Cipher(_ALGORITHMS[algorithm_id](key), modes.ECB())
    return (cipher.encryptor() if encrypt else cipher.decryptor()).update


def aes_cmac(key: bytes, nonce: bytes, ad: bytes, data: bytes) -> bytes:
    """Return the CMAC with a tag of a whole block; nonce and associated data are ignored."""
    context = CMAC(AES(key))
    context.update(data)
    return context.finalize()


def aes_ccm(tag_bytes: int, key: bytes, nonce: bytes, ad: bytes, data: bytes) -> bytes:
    """Return CCM's ciphertext and tag."""
    return AESCCM(key, tag_length=tag_bytes).encrypt(nonce, data, ad)


def aes_gcm(key: bytes, nonce: bytes, ad: bytes, data: bytes) -> bytes:
    """Return GCM's ciphertext and tag."""
    return AESGCM(key).encrypt(nonce, data, ad)


def aes_ocb3(key: bytes, nonce: bytes, ad: bytes, data: bytes) -> bytes:
    """Return OCB3's ciphertext and tag."""
    return AESOCB3(key).encrypt(nonce, data, ad)


def poly1305(key: bytes, nonce: bytes, ad: bytes, data: bytes) -> bytes:
    """Return Poly1305 with a one-time key; nonce and associated data are ignored."""
    return Poly1305.generate_tag(key, data)


def chacha20_poly1305(key: bytes, nonce: bytes, ad: bytes, data: bytes) -> bytes:
    """Return ciphertext and tag of ChaCha20-Poly1305 (RFC 8439)."""
    return ChaCha20Poly1305(key).encrypt(nonce, data, ad)
