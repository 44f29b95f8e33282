"""Names and versions of the libraries behind the oracles, without loading more of them than necessary."""

from __future__ import annotations

import platform
from functools import cache
from importlib.metadata import version


@cache
def of_cryptography() -> str:
    """Return `cryptography` and what it wraps, with versions."""
    # The library's backend, which has the same text, takes four times as long to import.
    from cryptography.hazmat.bindings._rust import openssl

    return f"cryptography {version('cryptography')} ({openssl.openssl_version_text()})"


@cache
def of_pycryptodome() -> str:
    """Return PyCryptodome with its version."""
    from Crypto import __version__

    return f"PyCryptodome {__version__}"


@cache
def of_hashlib() -> str:
    """Return Python's own hashes and what they wrap, with versions."""
    import ssl

    return f"hashlib of Python {platform.python_version()} ({ssl.OPENSSL_VERSION})"


def libraries() -> str:
    """Return all libraries with their versions."""
    return "; ".join((of_cryptography(), of_pycryptodome(), of_hashlib()))
