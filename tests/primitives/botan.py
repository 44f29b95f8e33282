"""Botan 2 through its C interface (ffi.h), as one more opinion; `load` gives None where it is missing."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes.util import find_library
from functools import cache
from typing import Any


@cache
def load() -> Any:
    """The library, or None."""
    name = find_library("botan-2")
    return ctypes.CDLL(name) if name is not None else None


def _done(code: int, what: str) -> None:
    assert code == 0, f"Botan: {what} gave {code}"


@contextmanager
def _object(kind: str, name: str, *flags: int) -> Iterator[ctypes.c_void_p]:
    handle = ctypes.c_void_p()
    _done(
        load()[f"botan_{kind}_init"](ctypes.byref(handle), name.encode(), *map(ctypes.c_uint32, flags)), name
    )
    try:
        yield handle
    finally:
        load()[f"botan_{kind}_destroy"](handle)


def _size(data: bytes) -> ctypes.c_size_t:
    return ctypes.c_size_t(len(data))


def encrypt_block(name: str, key: bytes, block: bytes) -> bytes:
    """One block."""
    with _object("block_cipher", name) as cipher:
        _done(load().botan_block_cipher_set_key(cipher, key, _size(key)), name)
        out = ctypes.create_string_buffer(len(block))
        _done(load().botan_block_cipher_encrypt_blocks(cipher, block, out, ctypes.c_size_t(1)), name)
        return out.raw


def digest(name: str, size: int, data: bytes) -> bytes:
    """A digest of `size` bytes."""
    with _object("hash", name, 0) as state:
        _done(load().botan_hash_update(state, data, _size(data)), name)
        out = ctypes.create_string_buffer(size)
        _done(load().botan_hash_final(state, out), name)
        return out.raw


def mac(name: str, size: int, key: bytes, data: bytes) -> bytes:
    """A tag of `size` bytes."""
    with _object("mac", name, 0) as state:
        _done(load().botan_mac_set_key(state, key, _size(key)), name)
        _done(load().botan_mac_update(state, data, _size(data)), name)
        out = ctypes.create_string_buffer(size)
        _done(load().botan_mac_final(state, out), name)
        return out.raw


def seal(name: str, key: bytes, nonce: bytes, ad: bytes, data: bytes) -> bytes:
    """Ciphertext and tag."""
    with _object("cipher", name, 0) as cipher:
        _done(load().botan_cipher_set_key(cipher, key, _size(key)), name)
        _done(load().botan_cipher_set_associated_data(cipher, ad, _size(ad)), name)
        _done(load().botan_cipher_start(cipher, nonce, _size(nonce)), name)
        out = ctypes.create_string_buffer(len(data) + 64)
        written, read = ctypes.c_size_t(), ctypes.c_size_t()
        final = ctypes.c_uint32(1)
        arguments = (
            out,
            ctypes.c_size_t(len(out)),
            ctypes.byref(written),
            data,
            _size(data),
            ctypes.byref(read),
        )
        _done(load().botan_cipher_update(cipher, final, *arguments), name)
        return out.raw[: written.value]
