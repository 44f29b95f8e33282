"""Functions of C sources as text: their parameters, and how wide those are, without a compiler."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_COMMENT = re.compile(
    r"""("(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\.)*+'?)|//(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z)""", re.DOTALL
)
_SPLICE = re.compile(r"\\[ \t]*\r?\n")
_DIRECTIVE = re.compile(r"^[ \t]*#[^\n]*", re.MULTILINE)
_ATTRIBUTE = re.compile(r"\s*(?:__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)|__\w+|noexcept)")
_TYPEDEF = re.compile(r"\btypedef\s+([A-Za-z_][\w\s]*?)\s+([A-Za-z_]\w*)\s*;")
_BEFORE = re.compile(r"([\w\s*]*)\Z")
_NO_TYPES = frozenset("return else do case goto sizeof".split())
_QUALIFIERS = frozenset("const volatile register restrict __restrict __restrict__ static inline".split())

POINTER = "pointer"
"""The width of a parameter that is an address."""

_WIDTHS = {
    "size_t": "",
    "int": "",
    "unsigned": "",
    "unsigned int": "",
    "signed int": "",
    "long": ":4",
    "unsigned long": ":4",
    "unsigned long int": ":4",
    "uint32_t": ":4",
    "int32_t": ":4",
    "long long": ":8",
    "long long int": ":8",
    "unsigned long long": ":8",
    "unsigned long long int": ":8",
    "uint64_t": ":8",
    "int64_t": ":8",
    "uint16_t": ":2",
    "unsigned short": ":2",
    "uint8_t": ":1",
    "unsigned char": ":1",
}
"""What stands behind an argument of a type: its bytes, or nothing where they are those of a size_t."""


@dataclass(frozen=True)
class Function:
    """A function as it is declared: what it returns, and the width of each parameter.

    A width is `pointer`, what a `ForeignCall` writes behind an argument, or None for another type.
    """

    returns: str
    widths: tuple[str | None, ...]
    defined: bool


def without_comments(text: str) -> str:
    """Return a C text without comments, its continued lines joined; lines keep their number."""
    text = _SPLICE.sub(" ", text.replace("\r\n", "\n"))
    return _COMMENT.sub(lambda match: match[1] or " " + "\n" * match[0].count("\n"), text)


def typedefs(texts: Iterable[str]) -> dict[str, str]:
    """Return the plain types that texts without comments give names to."""
    return {match[2]: " ".join(match[1].split()) for text in texts for match in _TYPEDEF.finditer(text)}


def function(texts: Iterable[str], name: str, types: Mapping[str, str]) -> Function | None:
    """Return a function that texts without comments define or declare; a definition comes first."""
    declared = None
    called = re.compile(rf"\b{re.escape(name)}\s*\(")
    for text in texts:
        if name not in text:
            continue
        plain = _DIRECTIVE.sub("", text)
        for match in called.finditer(plain):
            found = _read(plain, match.start(), match.end(), types)
            if found is None:
                continue
            if found.defined:
                return found
            declared = declared or found
    return declared


def _read(text: str, start: int, inside: int, types: Mapping[str, str]) -> Function | None:
    """Return the function that is declared at a place; None for a call."""
    before = _BEFORE.search(text, max(0, start - 200), start)
    words = before[1].replace("*", " * ").split() if before is not None else []
    if not words or _NO_TYPES & set(words):
        return None
    end, listed = _listed(text, inside)
    attribute = _ATTRIBUTE.match(text, end)
    while attribute is not None:
        end = attribute.end()
        attribute = _ATTRIBUTE.match(text, end)
    follows = text[end : end + 200].lstrip()[:1]
    if follows not in ("{", ";"):
        return None
    widths = tuple(_width(one, types) for one in listed if one.strip() not in ("", "void"))
    return Function(POINTER if words[-1] == "*" else words[-1], widths, follows == "{")


def _listed(text: str, inside: int) -> tuple[int, list[str]]:
    """Return where the parentheses that a list of parameters stands in end, and the parameters."""
    depth, begin, parts = 1, inside, list[str]()
    for place in range(inside, len(text)):
        match text[place]:
            case "(" | "[":
                depth += 1
            case ")" | "]":
                depth -= 1
                if not depth:
                    return place + 1, [*parts, text[begin:place]]
            case "," if depth == 1:
                parts.append(text[begin:place])
                begin = place + 1
            case ";" | "{":
                break
    return inside, []


def _width(parameter: str, types: Mapping[str, str]) -> str | None:
    if "*" in parameter or "[" in parameter:
        return POINTER
    words = [word for word in parameter.split() if word not in _QUALIFIERS]
    # A declaration need not name its parameters.
    for named in (words, words[:-1]):
        text = " ".join(named)
        for _ in range(4):
            if text in _WIDTHS:
                return _WIDTHS[text]
            text = types.get(text, text)
    return None
