"""Calls of code with an interface of its own, written as in C: `AES_encrypt(context, input, output) == 0`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from steelyard.catalog.models import ForeignCall, Kind, Operation
from steelyard.nearest import nearest, printable

_CALL = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*\(([^()]*)\)\s*(?:==\s*(-?[0-9]{1,9})\s*)?")
_ARGUMENT = re.compile(r"(-?[0-9]{1,10}|null|([a-z-]+)(?:\.(bytes|bits))?)(?::[1248])?")

_PUBLIC_KEYS = frozenset({"context", "public-key", "secret-key", "coins"})

OPERATIONS: Mapping[Kind, tuple[Operation, ...]] = {
    "block": ("init", "init-decrypt", "encrypt", "decrypt"),
    "stream": ("init", "encrypt", "decrypt"),
    "hash": ("init", "digest"),
    "mac": ("init", "mac"),
    "aead": ("init", "init-decrypt", "seal", "open"),
    "kem": ("keypair", "encapsulate", "decapsulate"),
    "signature": ("keypair", "sign", "verify"),
}
"""Operations of a kind that code with an interface of its own may have."""

BUFFERS: Mapping[Kind, frozenset[str]] = {
    "block": frozenset({"context", "key", "iv", "input", "output", "message", "count", "block"}),
    "stream": frozenset({"context", "key", "iv", "input", "output", "message", "count"}),
    "hash": frozenset({"context", "input", "output", "count"}),
    "mac": frozenset({"context", "key", "input", "tag", "count"}),
    "aead": frozenset({"context", "key", "iv", "ad", "input", "output", "message", "tag", "sealed", "count"}),
    "kem": _PUBLIC_KEYS | {"ciphertext", "shared-secret"},
    "signature": _PUBLIC_KEYS | {"signature", "signed", "input", "output", "count", "empty"},
}
"""Buffers that the calls of a kind may name."""


def calls(table: Mapping[str, Any], kind: Kind) -> Iterator[ForeignCall]:
    """Yield the calls of a table with an entry for each operation, each a call or a list of them.

    An entry that is a table itself has the operations of a mode, whose name it bears. ValueError, a clause
    that begins with the field's name, for anything else.
    """
    for name, entry in table.items():
        if isinstance(entry, Mapping):
            if kind != "block":
                raise ValueError(f"call.{printable(name)}: only block ciphers have modes; this is a {kind}")
            for operation, texts in entry.items():
                yield from _entry(f"{name}.{operation}", operation, texts, kind, name)
        else:
            yield from _entry(name, name, entry, kind, None)


def _entry(field: str, operation: str, entry: object, kind: Kind, mode: str | None) -> Iterator[ForeignCall]:
    field = f"call.{printable(field)}"
    if operation not in OPERATIONS[kind]:
        match = nearest(operation, OPERATIONS[kind])
        hint = f' (did you mean "{match}"?)' if match is not None else ""
        raise ValueError(f"{field}: the kind {kind} has {', '.join(OPERATIONS[kind])}{hint}")
    texts = entry if isinstance(entry, list) else [entry]
    if not texts:
        raise ValueError(f"{field}: it lists no call")
    for text in texts:
        if not isinstance(text, str):
            raise ValueError(f'{field}: a call is a text such as "f(key, output)"')
        try:
            yield parsed(text, kind, operation, mode)
        except ValueError as error:
            raise ValueError(f"{field}: {error}") from None


def parsed(text: str, kind: Kind, operation: str, mode: str | None = None) -> ForeignCall:
    """Return a call that is written as in C; ValueError, a clause, if it is not."""
    found = _CALL.fullmatch(text)
    if found is None:
        raise ValueError(f'"{printable(text)}" is not written as f(key, output) or f(key, output) == 0')
    arguments = tuple(one.strip() for one in found[2].split(",")) if found[2].strip() else ()
    for argument in arguments:
        _check_argument(argument, kind)
    success = int(found[3]) if found[3] is not None else None
    return ForeignCall.model_validate(
        {
            "operation": operation,
            "mode": mode,
            "function": found[1],
            "arguments": arguments,
            "success": success,
        }
    )


def _check_argument(argument: str, kind: Kind) -> None:
    found = _ARGUMENT.fullmatch(argument)
    known = BUFFERS[kind]
    if found is None or (found[2] is not None and found[2] not in known and found[1] != "null"):
        name = found[2] if found is not None else re.split(r"[.:]", argument)[0]
        match = nearest(name, known)
        hint = f' (did you mean "{match}"?)' if match is not None and match != name else ""
        raise ValueError(
            f'"{printable(argument)}" is no argument of kind {kind}: a buffer, its length as in input.bytes'
            f" or key.bits, null or a number, with :1 to :8 behind it for its bytes{hint}"
        )
    if found[1] == "context.bytes" or found[1] == "context.bits":
        raise ValueError(f'"{argument}": the length of the context is known to its header alone')
