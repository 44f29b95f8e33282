"""What protects the messages beside the task: Steelyard's own code, or a library of the device."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from steelyard.cache.content import Cache
from steelyard.linux.build import Program, build_program, build_variant
from steelyard.linux.hosts import Host
from steelyard.linux.interfere.result import Row
from steelyard.linux.measure.library import LibraryCell, library_program, library_question, library_words
from steelyard.linux.measure.plan import HostCell
from steelyard.linux.measure.question import Asked, Question, question

OPERATIONS = ("encrypt", "digest", "mac", "seal")
"""Those that a message can be protected by; each kind of primitive has one of them."""


class Load(Protocol):
    """Something that protects one message in a call."""

    @property
    def asked(self) -> Asked:
        """What it computes."""

    @property
    def gap(self) -> str | None:
        """Why it cannot, where that is known beforehand."""

    def fields(self) -> Row:
        """The fields of a row that name it, beside those of what it computes."""

    def words(self) -> Mapping[str, str | int]:
        """What its program is told, beside the question."""

    def question(self, seed: str, cache: Cache) -> Question:
        """Its input with the right output; UsageError where nobody independent knows that."""

    def program(self, host: Host, cache: Cache) -> Program:
        """The program that does it."""


@dataclass(frozen=True)
class OwnLoad:
    """A variant of our own, in a program that holds nothing else."""

    cell: HostCell
    gap: str | None = None

    @property
    def asked(self) -> Asked:
        """As `Load.asked`."""
        return self.cell.asked

    def fields(self) -> Row:
        """As `Load.fields`."""
        return {"variant": self.cell.variant.id, "flags": self.cell.flags}

    def words(self) -> Mapping[str, str | int]:
        """As `Load.words`."""
        return {}

    def question(self, seed: str, cache: Cache) -> Question:
        """As `Load.question`."""
        return question(self.cell.asked, seed, cache)

    def program(self, host: Host, cache: Cache) -> Program:
        """As `Load.program`."""
        return build_variant(self.cell.build(host), cache)


@dataclass(frozen=True)
class LibraryLoad:
    """An algorithm of a device's library."""

    cell: LibraryCell

    @property
    def asked(self) -> Asked:
        """As `Load.asked`."""
        return self.cell.asked

    @property
    def gap(self) -> str | None:
        """As `Load.gap`."""
        return self.cell.gap

    def fields(self) -> Row:
        """As `Load.fields`."""
        return {"library": self.cell.library.id}

    def words(self) -> Mapping[str, str | int]:
        """As `Load.words`."""
        return library_words(self.cell)

    def question(self, seed: str, cache: Cache) -> Question:
        """As `Load.question`."""
        return library_question(self.cell, seed, cache)

    def program(self, host: Host, cache: Cache) -> Program:
        """As `Load.program`."""
        return build_program(library_program(host), cache)
