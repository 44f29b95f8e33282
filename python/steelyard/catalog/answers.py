"""Published files of known answers, read as they are: NIST LWC, NIST CAVP and Wycheproof.

* NIST's lightweight cryptography (`LWC_AEAD_KAT_*.txt`, `LWC_HASH_KAT_*.txt`): `Name = hex` lines, an empty
  line behind each answer; the tag stands behind the ciphertext.
* CAVP response files (`.rsp`; GCMVS, SHAVS, CMACVS): the same lines under headings in brackets; `Len` of a
  hash counts bits; answers that are to fail (`FAIL`, `Result = F`) say nothing here.
* Wycheproof (`.json`): `testGroups` with `tests`; only those of result *valid*.

Answers of other lengths of key, nonce or tag than a primitive's are left out: one file holds those of many.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from steelyard.catalog.models import Kind, Primitive, Vector

_LINE = re.compile(r"\s*([A-Za-z][A-Za-z0-9]*)\s*=\s*(.*?)\s*")
_HEX = re.compile(r"(?:[0-9a-f]{2})*")

_NAMES = {
    "key": ("key",),
    "iv": ("nonce", "iv"),
    "ad": ("ad", "aad"),
    "message": ("pt", "plaintext", "msg"),
    "ciphertext": ("ct", "ciphertext"),
    "tag": ("tag", "mac"),
    "digest": ("md",),
}
"""What a field is called in these files, in lower case."""

Answer = Mapping[str, str]
"""Hexadecimal fields by their names in lower case."""


def parsed(text: str) -> list[Answer]:
    """Return the answers of a file; ValueError, a clause, for a file of none of these formats."""
    if text.lstrip().startswith("{"):
        return list(_of_wycheproof(text))
    found = list(_of_lines(text))
    if not found:
        raise ValueError("it holds no answers of NIST LWC, CAVP or Wycheproof")
    return found


def _of_lines(text: str) -> Iterator[Answer]:
    answer: dict[str, str] = {}
    for line in (*text.splitlines(), ""):
        stated = _LINE.fullmatch(line)
        if stated is not None:
            answer[stated[1].lower()] = stated[2].lower()
        elif line.strip() == "FAIL":
            answer["result"] = "f"
        elif not line.strip():
            if len(answer) > 1 and answer.get("result", "p")[:1] != "f":
                yield answer
            answer = {}


def _of_wycheproof(text: str) -> Iterator[Answer]:
    try:
        groups = json.loads(text)["testGroups"]
        tests = [test for group in groups for test in group["tests"]]
        valid = [test for test in tests if test["result"] == "valid"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"it is no file of Wycheproof ({type(error).__name__})") from None
    for test in valid:
        yield {name.lower(): str(value).lower() for name, value in test.items()}


def vectors(
    answers: Iterable[Answer], kind: Kind, primitive: Primitive, mode: str | None, source: str
) -> Iterator[Vector]:
    """Yield the answers that are of a primitive (of a block cipher in a mode, if one is named)."""
    for number, answer in enumerate(answers, start=1):
        named = answer.get("count") or answer.get("tcid") or str(number)
        fields = _fields(answer, kind, primitive)
        if fields is None or not all(_HEX.fullmatch(value) for value in fields.values()):
            continue
        if not _fits(fields, kind, primitive, mode):
            continue
        given: dict[str, Any] = {**fields, "primitive": primitive.id, "mode": mode}
        operation = {"hash": "digest", "mac": "mac", "aead": "seal"}.get(kind, "encrypt")
        yield Vector.model_validate({**given, "operation": operation, "source": f"{source}, {named}"})


def _fields(answer: Answer, kind: Kind, primitive: Primitive) -> dict[str, str] | None:
    """Return the fields of a vector; None where the answer lacks one."""
    has = {
        field: next((answer[name] for name in names if name in answer), None)
        for field, names in _NAMES.items()
    }
    message = _of_length(answer, has["message"], "len" if kind == "hash" else "mlen", kind)
    wanted: dict[str, str | None]
    match kind:
        case "hash":
            wanted = {"input": message, "output": has["digest"]}
        case "mac":
            wanted = {"key": has["key"], "input": message, "output": has["tag"]}
        case "aead":
            ciphertext, tag = has["ciphertext"], has["tag"]
            if ciphertext is not None and tag is None:
                at = len(ciphertext) - 2 * primitive.tag_bytes
                ciphertext, tag = ciphertext[: max(at, 0)], ciphertext[max(at, 0) :]
            wanted = {
                "key": has["key"],
                "iv": has["iv"],
                "ad": has["ad"] or "",
                "input": message,
                "output": ciphertext,
                "tag": tag,
            }
        case _:
            wanted = {
                "key": has["key"],
                "iv": has["iv"] or "",
                "input": message,
                "output": has["ciphertext"],
            }
    found = {name: value for name, value in wanted.items() if value is not None}
    return found if len(found) == len(wanted) else None


def _of_length(answer: Answer, message: str | None, name: str, kind: Kind) -> str | None:
    """Return a message of the length that is stated: in bits for a hash, in bytes for a MAC."""
    stated = answer.get(name)
    if message is None or stated is None or not stated.isdecimal():
        return message
    count = int(stated)
    if kind == "hash" and count % 8:
        return None
    return message[: 2 * (count // 8 if kind == "hash" else count)]


def _fits(fields: Mapping[str, str], kind: Kind, primitive: Primitive, mode: str | None) -> bool:
    size = {name: len(value) // 2 for name, value in fields.items()}
    if kind == "hash":
        return size["output"] == primitive.digest_bytes
    if size["key"] != primitive.key_bytes:
        return False
    match kind:
        case "mac":
            return size["output"] == primitive.tag_bytes
        case "aead":
            lengths = (size["iv"], size["tag"], size["output"])
            return lengths == (primitive.iv_bytes, primitive.tag_bytes, size["input"])
        case "stream":
            return size["iv"] == primitive.iv_bytes and size["output"] == size["input"]
        case _ if mode is None:
            return not size["iv"] and size["input"] == size["output"] == primitive.block_bytes
        case _:
            return size["iv"] in (0, primitive.block_bytes) and size["output"] == size["input"]


def spread(listed: list[Vector], most: int) -> list[Vector]:
    """Return at most so many, at least two, evenly spread, the first and the last among them."""
    if len(listed) <= most:
        return listed
    return [listed[place * (len(listed) - 1) // (most - 1)] for place in range(most)]
