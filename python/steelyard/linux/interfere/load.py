"""Loads that protect the messages beside the task: Steelyard's own code, or a library of the device."""

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
"""Operations that protect a message; each kind of primitive has one of them."""


class Load(Protocol):
    """Protects one message in a call."""

    @property
    def asked(self) -> Asked:
        """The operation that the load computes."""

    @property
    def gap(self) -> str | None:
        """Reason why the load cannot run, if known beforehand."""

    def fields(self) -> Row:
        """Return the fields of a row that identify the load, beside those of its operation."""

    def words(self) -> Mapping[str, str | int]:
        """Return the words of its program's request, beside the question."""

    def question(self, seed: str, cache: Cache) -> Question:
        """Return its input with the right output; UsageError without an independent implementation."""

    def program(self, host: Host, cache: Cache) -> Program:
        """Return the program that computes it."""


@dataclass(frozen=True)
class OwnLoad:
    """A variant of Steelyard's own, in a program that contains nothing else."""

    cell: HostCell
    gap: str | None = None

    @property
    def asked(self) -> Asked:
        """The operation that the variant computes."""
        return self.cell.asked

    def fields(self) -> Row:
        """Implement `Load.fields`."""
        return {"variant": self.cell.variant.id, "flags": self.cell.flags}

    def words(self) -> Mapping[str, str | int]:
        """Implement `Load.words`."""
        return {}

    def question(self, seed: str, cache: Cache) -> Question:
        """Implement `Load.question`."""
        return question(self.cell.asked, seed, cache)

    def program(self, host: Host, cache: Cache) -> Program:
        """Implement `Load.program`."""
        return build_variant(self.cell.build(host), cache)


@dataclass(frozen=True)
class LibraryLoad:
    """An algorithm of a device's library."""

    cell: LibraryCell

    @property
    def asked(self) -> Asked:
        """The operation that the library computes."""
        return self.cell.asked

    @property
    def gap(self) -> str | None:
        """Reason why the library cannot run it, if known beforehand."""
        return self.cell.gap

    def fields(self) -> Row:
        """Implement `Load.fields`."""
        return {"library": self.cell.library.id}

    def words(self) -> Mapping[str, str | int]:
        """Implement `Load.words`."""
        return library_words(self.cell)

    def question(self, seed: str, cache: Cache) -> Question:
        """Implement `Load.question`."""
        return library_question(self.cell, seed, cache)

    def program(self, host: Host, cache: Cache) -> Program:
        """Implement `Load.program`."""
        return build_program(library_program(host), cache)
