"""Names and versions of the libraries that answer, told without loading more of them than that takes."""

from __future__ import annotations

import platform
from functools import cache
from importlib.metadata import version


@cache
def of_cryptography() -> str:
    """`cryptography` and what it wraps."""
    # The library's backend, which has the same text, takes four times as long to import.
    from cryptography.hazmat.bindings._rust import openssl

    return f"cryptography {version('cryptography')} ({openssl.openssl_version_text()})"


@cache
def of_pycryptodome() -> str:
    """PyCryptodome."""
    from Crypto import __version__

    return f"PyCryptodome {__version__}"


@cache
def of_hashlib() -> str:
    """Python's own hashes and what they wrap."""
    import ssl

    return f"hashlib of Python {platform.python_version()} ({ssl.OPENSSL_VERSION})"


def libraries() -> str:
    """All of them."""
    return "; ".join((of_cryptography(), of_pycryptodome(), of_hashlib()))
