"""Figures of ciphers from records, with the choices of variants for a comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Generic, Protocol, TypeVar

from steelyard.record.schema import Record
from steelyard.study.verdict import MissingFigure


@dataclass(frozen=True)
class Cipher:
    """A cipher of a publication as a primitive of the catalogue.

    `round_keys_bytes` is the size of an expanded key. Variants (globs) are compared if their context holds at
    least that and, if given, less than `context_below_bytes`: smaller ones expand the key during encryption.
    `assembly` selects the variants written in assembly, whose names end in `-asm`, instead of those in C.
    """

    name: str
    primitive: str
    round_keys_bytes: int
    assembly: bool = False
    variants: tuple[str, ...] = ("*",)
    context_below_bytes: int | None = None

    def counts(self, record: Record) -> bool:
        """Whether a record is a verified one of a compared variant, built for both directions."""
        variant = str(record["variant"])
        if (
            record["primitive"] != self.primitive
            or record["status"] != "ok"
            or record["verified"] is not True
            or record["footprint"] != "both"
            or variant.endswith("-asm") is not self.assembly
            or not any(fnmatchcase(variant, pattern) for pattern in self.variants)
        ):
            return False
        context_bytes = integer(record, "ram_context_bytes")
        below_bytes = self.context_below_bytes
        return context_bytes >= self.round_keys_bytes and (below_bytes is None or context_bytes < below_bytes)


class OfCipher(Protocol):
    """Figures of one variant of a cipher; `cipher` is its name in the publication."""

    @property
    def cipher(self) -> str:
        """Name of the cipher."""


_Figures = TypeVar("_Figures", bound=OfCipher)


class Sheet(Generic[_Figures]):
    """One variant of each cipher, by the cipher's name; `choice` tells how it was chosen."""

    def __init__(
        self, choice: str, figures: Iterable[_Figures] = (), why_missing: Mapping[str, str] | None = None
    ) -> None:
        self.choice = choice
        self._figures = {one.cipher: one for one in figures}
        self._why_missing = why_missing or {}

    def __getitem__(self, cipher: str) -> _Figures:
        """Return the figures of a cipher; MissingFigure if there are none."""
        if cipher not in self._figures:
            raise MissingFigure(self._why_missing.get(cipher, f"no figure of {cipher}"))
        return self._figures[cipher]

    def __iter__(self) -> Iterator[_Figures]:
        return iter(self._figures.values())


Tables = dict[str, dict[str, Sheet[_Figures]]]
"""Sheets by choice of variants and flags."""


def settings(found: Tables[_Figures]) -> Iterator[tuple[str, str, Sheet[_Figures]]]:
    """Yield choice, flags and figures of each setting."""
    for choice, by_flags in found.items():
        for flags, sheet in by_flags.items():
            yield choice, flags, sheet


def by_choice(found: Tables[_Figures]) -> Iterator[tuple[_Figures, list[str]]]:
    """Yield each variant chosen in any way once, with the choices; by flags, then by cipher."""
    chosen_as: dict[tuple[str, _Figures], list[str]] = {}
    for choice, flags, sheet in settings(found):
        for one in sheet:
            chosen_as.setdefault((flags, one), []).append(choice)
    flags_in_order = list(dict.fromkeys(flags for flags, _ in chosen_as))
    ciphers = list(dict.fromkeys(one.cipher for _, one in chosen_as))
    for place in sorted(chosen_as, key=lambda at: (flags_in_order.index(at[0]), ciphers.index(at[1].cipher))):
        yield place[1], chosen_as[place]


def tables(
    records: Sequence[Record],
    ciphers: Sequence[Cipher],
    choices: Mapping[str, Callable[[Cipher, Sequence[_Figures]], _Figures]],
    candidates: Callable[[Sequence[Record], Cipher], Iterable[_Figures]],
) -> Tables[_Figures]:
    """Return the chosen variants among the candidates in records of one compiler.

    A choice without candidates raises MissingFigure, with a sentence.
    """
    found: Tables[_Figures] = {choice: {} for choice in choices}
    for flags in dict.fromkeys(str(record["flags"]) for record in records):
        here = [record for record in records if record["flags"] == flags]
        listed = []
        unreadable: dict[str, str] = {}
        for cipher in ciphers:
            try:
                listed.append((cipher, list(candidates(here, cipher))))
            except MissingFigure as absent:
                unreadable[cipher.name] = str(absent)
        for choice, choose in choices.items():
            chosen, why_missing = [], dict(unreadable)
            for cipher, figures in listed:
                try:
                    chosen.append(choose(cipher, figures))
                except MissingFigure as absent:
                    why_missing[cipher.name] = str(absent)
            found[choice][flags] = Sheet(choice, chosen, why_missing)
    return found


def by_variant(records: Iterable[Record], cipher: Cipher) -> Iterator[tuple[str, dict[str, Record]]]:
    """Yield the records of the bare block operation by compared variant; none if one is missing."""
    found: dict[str, dict[str, Record]] = {}
    for record in records:
        if record["mode"] is None and cipher.counts(record):
            found.setdefault(str(record["variant"]), {})[str(record["operation"])] = record
    for variant, done in sorted(found.items()):
        if {"init", "encrypt", "decrypt"} <= done.keys():
            yield variant, done


def integer(record: Record, name: str) -> int:
    """Return a field of a verified record that holds a whole number."""
    value = record[name]
    assert isinstance(value, int)
    return value


def cycles(record: Record) -> float:
    """Return the cycles of a verified record."""
    value = record["cycles"]
    assert isinstance(value, float)
    return value
