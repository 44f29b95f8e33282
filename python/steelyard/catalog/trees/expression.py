"""Whole numbers in C: the words of a text, and the value of an expression without a compiler."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence

_WORD = re.compile(
    r"""\s+|[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.])*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'"""
    r"""|\#\#|\.\.\.|<<=?|>>=?|&&|\|\||->|\+\+|--|[-+*/%&|^<>=!]=|.""",
    re.DOTALL,
)
_NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)[uUlL]*")
_NAME = re.compile(r"[A-Za-z_]\w*")

_TYPE_WORDS = frozenset(
    "unsigned signed char short int long const volatile size_t ptrdiff_t uintptr_t".split()
    + [f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)]
)
_DEEPEST = 200
_WIDEST_SHIFT = 256

SizeOf = Callable[[Sequence[str]], int]
"""The bytes of what stands in the parentheses of sizeof; NotANumber where they are not known."""


class NotANumber(ValueError):
    """An expression has no value that is known here; the message is a clause."""


def words(text: str) -> list[str]:
    """Return the words of a C text, with a space for whatever separates them."""
    return [" " if word.isspace() else word for word in _WORD.findall(text)]


def is_name(word: str) -> bool:
    """Whether a word is an identifier or a keyword."""
    return _NAME.fullmatch(word) is not None


def _divided(left: int, right: int) -> int:
    if not right:
        raise NotANumber("it divides by zero")
    whole = abs(left) // abs(right)
    return whole if (left < 0) == (right < 0) else -whole


def _shifted(left: int, right: int) -> int:
    if not 0 <= right <= _WIDEST_SHIFT:
        raise NotANumber(f"it shifts by {right}")
    return left << right


_BINARY: Mapping[str, tuple[int, Callable[[int, int], int]]] = {
    "||": (1, lambda left, right: int(bool(left) or bool(right))),
    "&&": (2, lambda left, right: int(bool(left) and bool(right))),
    "|": (3, operator.or_),
    "^": (4, operator.xor),
    "&": (5, operator.and_),
    "==": (6, lambda left, right: int(left == right)),
    "!=": (6, lambda left, right: int(left != right)),
    "<": (7, lambda left, right: int(left < right)),
    ">": (7, lambda left, right: int(left > right)),
    "<=": (7, lambda left, right: int(left <= right)),
    ">=": (7, lambda left, right: int(left >= right)),
    "<<": (8, _shifted),
    ">>": (8, lambda left, right: left >> min(max(right, 0), _WIDEST_SHIFT)),
    "+": (9, operator.add),
    "-": (9, operator.sub),
    "*": (10, operator.mul),
    "/": (10, _divided),
    "%": (10, lambda left, right: left - right * _divided(left, right)),
}
_UNARY: Mapping[str, Callable[[int], int]] = {
    "-": operator.neg,
    "+": operator.pos,
    "~": operator.invert,
    "!": lambda value: int(not value),
}


def value(listed: Sequence[str], sizeof: SizeOf | None = None, *, unknown: int | None = None) -> int:
    """Return the value of an expression in words whose macros are expanded.

    A name that is left counts as `unknown`. NotANumber where that is None, and for all else that is no whole
    number.
    """
    parser = _Parser([word for word in listed if word != " "], sizeof, unknown)
    result = parser.conditional()
    if parser.next is not None:
        raise NotANumber(f'"{parser.next}" is unexpected')
    return result


class _Parser:
    """Recursive descent over words; `depth` bounds what a hostile text can nest."""

    def __init__(self, listed: Sequence[str], sizeof: SizeOf | None, unknown: int | None) -> None:
        self._words = listed
        self._sizeof = sizeof
        self._unknown = unknown
        self._at = 0
        self._depth = 0

    @property
    def next(self) -> str | None:
        """The word that comes next, None at the end."""
        return self._words[self._at] if self._at < len(self._words) else None

    def _take(self, wanted: str | None = None) -> str:
        found = self.next
        if found is None:
            raise NotANumber("it ends too early")
        if wanted is not None and found != wanted:
            raise NotANumber(f'"{found}" stands where "{wanted}" should')
        self._at += 1
        return found

    def conditional(self) -> int:
        """Return the value of what a pair of parentheses may hold."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise NotANumber("it is nested too deeply")
        result = self._binary(1)
        if self.next == "?":
            self._take()
            chosen = self.conditional()
            self._take(":")
            other = self.conditional()
            result = chosen if result else other
        self._depth -= 1
        return result

    def _binary(self, weakest: int) -> int:
        left = self._unary()
        while (known := _BINARY.get(self.next or "")) is not None and known[0] >= weakest:
            strength, compute = known
            self._take()
            left = compute(left, self._binary(strength + 1))
        return left

    def _unary(self) -> int:
        signs = []
        while self.next in _UNARY:
            signs.append(_UNARY[self._take()])
        result = self._primary()
        for sign in reversed(signs):
            result = sign(result)
        return result

    def _primary(self) -> int:
        word = self._take()
        if word == "sizeof":
            return self._size()
        if word == "(":
            if self._is_cast():
                while self._take() != ")":
                    pass
                return self._unary()
            result = self.conditional()
            self._take(")")
            return result
        number = _NUMBER.fullmatch(word)
        if number is not None:
            digits = number[1]
            octal = len(digits) > 1 and digits.isdecimal() and digits[0] == "0"
            return int(digits, 8 if octal else 0)
        if self._unknown is not None and is_name(word):
            return self._unknown
        raise NotANumber(f'"{word}" is not known' if is_name(word) else f'"{word}" is no whole number')

    def _is_cast(self) -> bool:
        listed = self._words[self._at :]
        inside = listed[: listed.index(")")] if ")" in listed else []
        return bool(inside) and all(word in _TYPE_WORDS for word in inside)

    def _size(self) -> int:
        self._take("(")
        inside: list[str] = []
        depth = 1
        while depth:
            word = self._take()
            depth += {"(": 1, ")": -1}.get(word, 0)
            inside.append(word)
        if self._sizeof is None:
            raise NotANumber(f"sizeof({' '.join(inside[:-1])}) is not known")
        return self._sizeof(inside[:-1])
