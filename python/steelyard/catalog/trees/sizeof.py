"""Bytes of C types with 32-bit words and pointers, from what headers declare."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from steelyard.catalog.trees.expression import NotANumber, is_name, value

_WORD_BYTES = 4
_BASIC = {
    **{f"{sign}int{bits}_t": bits // 8 for sign in ("", "u") for bits in (8, 16, 32, 64)},
    **dict.fromkeys(("char", "bool", "_Bool"), 1),
    **dict.fromkeys(("int", "long", "float", "size_t", "ptrdiff_t", "uintptr_t", "unsigned", "signed"), 4),
    "short": 2,
    "double": 8,
}
_QUALIFIERS = frozenset({"const", "volatile", "static", "extern", "restrict", "__extension__"})


@dataclass(frozen=True)
class Layout:
    """Bytes of a type, and the multiple at which it lies."""

    size: int
    alignment: int


class Types:
    """Types by name (`struct x` for a tag) that the words of headers declare.

    What is declared in a way that is not understood here is left out, so that `size` refuses it.
    """

    def __init__(self, text: Sequence[str]) -> None:
        self._named: dict[str, Layout] = {}
        self._packs: list[int | None] = [None]
        for declaration in self._declarations([word for word in text if word != " "]):
            try:
                self._declare(declaration)
            except (NotANumber, IndexError, RecursionError):
                continue

    def size(self, listed: Sequence[str]) -> int:
        """Return the bytes of a type in words; NotANumber for one that is not known."""
        solid = [word for word in listed if word != " "]
        try:
            layout, rest = self._type(solid)
        except IndexError:
            layout, rest = Layout(0, 1), ["?"]
        if set(rest) == {"*"}:
            return _WORD_BYTES
        if rest:
            raise NotANumber(f"sizeof({' '.join(solid)}) is not known")
        return layout.size

    def _declarations(self, text: Sequence[str]) -> Iterator[list[str]]:
        """Yield what a semicolon or the body of a function ends, at the outermost level."""
        current: list[str] = []
        depth, place = 0, 0
        while place < len(text):
            word = text[place]
            if word == "#" and text[place : place + 3] == ["#", "pragma", "pack"]:
                end = text.index(")", place) + 1 if ")" in text[place:] else len(text)
                self._pack(text[place + 4 : end - 1])
                place = end
                continue
            depth += {"{": 1, "(": 1, "}": -1, ")": -1}.get(word, 0)
            if word == ";" and not depth:
                yield current
                current = []
            else:
                current.append(word)
                if word == "}" and not depth and not _declares_type(current):
                    current = []
            place += 1

    def _pack(self, inside: Sequence[str]) -> None:
        numbers = [int(word) for word in inside if word.isdecimal()]
        if "push" in inside:
            self._packs.append(numbers[0] if numbers else self._packs[-1])
        elif "pop" in inside:
            self._packs = self._packs[:-1] or [None]
        else:
            self._packs[-1] = numbers[0] if numbers else None

    def _declare(self, declaration: list[str]) -> None:
        is_typedef = declaration[:1] == ["typedef"]
        if not is_typedef and not _declares_type(declaration):
            return
        layout, rest = self._type(declaration[1:] if is_typedef else declaration)
        if is_typedef:
            for name, one in self._declarators(layout, rest):
                self._named[name] = one

    def _type(self, listed: Sequence[str]) -> tuple[Layout, list[str]]:
        """Return the layout of the type that words begin with, and the words behind it."""
        rest = [word for word in listed if word not in _QUALIFIERS]
        alignment, rest = _aligned(rest)
        if rest[0] in ("struct", "union"):
            layout, rest = self._record(rest)
        elif rest[0] in self._named:
            layout, rest = self._named[rest[0]], rest[1:]
        else:
            basic = []
            while rest and rest[0] in _BASIC:
                basic.append(rest.pop(0))
            if not basic:
                raise NotANumber(f"sizeof({' '.join(listed)}) is not known")
            size = 8 if basic.count("long") == 2 else min(_BASIC[word] for word in basic)
            if "long" in basic and "double" in basic:
                size = 8
            layout = Layout(size, size)
        return Layout(layout.size, max(layout.alignment, alignment)), rest

    def _record(self, rest: list[str]) -> tuple[Layout, list[str]]:
        kind, rest = rest[0], rest[1:]
        before, packed_before, rest = _attributes(rest)
        tag = ""
        if is_name(rest[0]):
            tag, rest = f"{kind} {rest[0]}", rest[1:]
        if not rest or rest[0] != "{":
            if tag not in self._named:
                raise NotANumber(f"sizeof({tag}) is not known")
            return self._named[tag], rest
        end = _closing(rest)
        inside, rest = rest[1:end], rest[end + 1 :]
        after, packed_after, rest = _attributes(rest)
        pack = 1 if packed_before or packed_after else self._packs[-1]
        layout = self._members(kind, inside, pack)
        alignment = max(layout.alignment, before, after)
        layout = Layout(_rounded(layout.size, alignment), alignment)
        if tag:
            self._named[tag] = layout
        return layout, rest

    def _members(self, kind: str, inside: Sequence[str], pack: int | None) -> Layout:
        size, alignment = 0, 1
        for declaration in self._declarations(inside):
            layout, rest = self._type(declaration)
            for _, member in self._declarators(layout, rest or ["_"]):
                multiple = min(member.alignment, pack or member.alignment)
                alignment = max(alignment, multiple)
                end = member.size if kind == "union" else _rounded(size, multiple) + member.size
                size = max(size, end)
        return Layout(size, alignment)

    def _declarators(self, layout: Layout, rest: Sequence[str]) -> Iterator[tuple[str, Layout]]:
        """Yield the name and layout of each of a declaration's names: plain, pointers and arrays."""
        for listed in _parted(rest):
            aligned, _, one = _attributes(listed)
            current = Layout(layout.size, max(layout.alignment, aligned))
            while one and one[0] == "*":
                current, one = Layout(_WORD_BYTES, _WORD_BYTES), one[1:]
            name, one = one[0], one[1:]
            if not is_name(name):
                raise NotANumber(f'"{name}" is no plain name')
            count = 1
            while one and one[0] == "[":
                end = one.index("]")
                count *= value(one[1:end], self.size)
                one = one[end + 1 :]
            aligned, _, one = _attributes(one)
            if one:
                raise NotANumber(f'"{one[0]}" is unexpected')
            yield name, Layout(current.size * count, max(current.alignment, aligned))


def _declares_type(declaration: Sequence[str]) -> bool:
    return declaration[0] == "typedef" or (declaration[0] in ("struct", "union") and "{" in declaration[:8])


def _rounded(size: int, multiple: int) -> int:
    return -(-size // multiple) * multiple


def _closing(listed: Sequence[str]) -> int:
    """Return the place of the brace or parenthesis that closes the first word."""
    depth = 0
    for place, word in enumerate(listed):
        depth += {"{": 1, "(": 1, "}": -1, ")": -1}.get(word, 0)
        if not depth:
            return place
    raise NotANumber("a brace is not closed")


def _attributes(listed: Sequence[str]) -> tuple[int, bool, list[str]]:
    """Return the alignment that leading attributes ask for, whether they pack, and the words behind them."""
    alignment, packs, rest = 1, False, list(listed)
    while rest and rest[0] in ("__attribute__", "_Alignas"):
        end = _closing(rest[1:]) + 1
        inside = rest[2:end]
        packs = packs or "packed" in inside or "__packed__" in inside
        if rest[0] == "_Alignas":
            alignment = max(alignment, value(inside))
        for word in ("aligned", "__aligned__"):
            if word in inside:
                at = inside.index(word) + 1
                alignment = max(alignment, value(inside[at : at + _closing(inside[at:]) + 1]))
        rest = rest[end + 1 :]
    return alignment, packs, rest


def _aligned(listed: Sequence[str]) -> tuple[int, list[str]]:
    alignment, _, rest = _attributes(listed)
    return alignment, rest


def _parted(listed: Sequence[str]) -> Iterator[list[str]]:
    """Yield the parts between commas outside parentheses."""
    part: list[str] = []
    depth = 0
    for word in listed:
        depth += {"{": 1, "(": 1, "[": 1, "}": -1, ")": -1, "]": -1}.get(word, 0)
        if word == "," and not depth:
            yield part
            part = []
        else:
            part.append(word)
    yield part
