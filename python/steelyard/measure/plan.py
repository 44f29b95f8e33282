"""Plan the builds and cells that can be measured for a selection; all others are counted with a reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import product
from typing import Protocol

from steelyard.catalog.load import Catalog
from steelyard.catalog.models import Algorithm, Footprint, Mode, Primitive, Target, Variant
from steelyard.errors import EnvironmentProblem, UsageError
from steelyard.measure.choice import Choice, check_whole_blocks, decrypts, rounded_up
from steelyard.measure.padding import padded_bytes
from steelyard.measure.parameters import Searched
from steelyard.measure.selection import (
    CACHE_STATES,
    FOOTPRINTS,
    NO_MODE,
    Selection,
    match,
)
from steelyard.toolchain import Build as BuildRequest
from steelyard.toolchain import Toolchain
from steelyard.toolchain.flags import split_flags

ToolchainName = tuple[str, str]
"""CPU family and name of a toolchain."""

DEFAULT_FLAGS = ("-Os",)
ALL_FLAGS = ("-Os", "-O2", "-O3")
DEFAULT_LENGTHS_BYTES = (16, 64, 256, 1024)
PUBLIC_KEY_LENGTHS_BYTES = (32,)
"""Lengths encrypted with a public key: another key, hardly ever more."""
DEFAULT_AD_LENGTHS_BYTES = (16,)
MODE_LENGTHS_OF_ALL_BYTES = (64,)
KEY_OPERATIONS = ("keypair", "encapsulate", "decapsulate")
"""Operations that take no message."""
LAB_RESERVE_BYTES = 1024
"""Lab memory for key, IV, guards and the like beside the message and its result."""


@dataclass(frozen=True)
class Build:
    """One image to be linked; `mode` is None for the raw block operation and for other kinds.

    `parts` are the variants of a construction's parts.
    """

    algorithm: Algorithm
    primitive: Primitive
    variant: Variant
    mode: Mode | None
    target: Target
    toolchain: str
    flags: str
    footprint: Footprint
    parts: tuple[Variant, ...] = ()

    @property
    def key(self) -> tuple[str, ...]:
        """Identity of this build in the plan."""
        mode = self.mode.id if self.mode is not None else NO_MODE
        names = (self.primitive.id, self.variant.id, self.target.id, self.toolchain, self.flags)
        changed = (self.variant.parameters or "", self.target.file.settings)
        return (*names, self.footprint, mode, *changed, *(variant.id for variant in self.parts))

    def request(self, toolchain: Toolchain) -> BuildRequest:
        """Return the build as a request to the compiler."""
        return BuildRequest(
            kind=self.algorithm.file.kind,
            variant=self.variant,
            primitive=self.primitive,
            mode=self.mode,
            target=self.target,
            toolchain=toolchain,
            flags=_words(self.flags),
            footprint=self.footprint,
            parts=self.parts,
        )


@dataclass(frozen=True)
class Cell:
    """One row to be measured; None where a setting does not apply."""

    build: Build
    operation: str
    message_bytes: int | None
    padding: str | None
    ad_bytes: int | None = None
    cache_state: str | None = None

    @property
    def call(self) -> tuple[object, ...]:
        """What tells this cell from another one of its build."""
        return self.operation, self.message_bytes, self.padding, self.ad_bytes, self.cache_state

    @property
    def call_bytes(self) -> int:
        """Bytes passed to the function: the payload after padding; 0 for a set-up."""
        if self.message_bytes is None:
            return 0
        return padded_bytes(self.message_bytes, self.build.primitive.block_bytes, self.padding)


@lru_cache
def _words(flags: str) -> tuple[str, ...]:
    return split_flags(flags)


def bare_cell(cell: Cell) -> Cell:
    """Return the block operation under the mode of a cell, in the same image."""
    mode = cell.build.mode
    assert mode is not None
    operation = mode.file.decrypts_with if cell.operation == "decrypt" else cell.operation
    return Cell(replace(cell.build, mode=None), operation, cell.build.primitive.block_bytes, None)


class Prebuilt(Protocol):
    """Images that are available without their compiler."""

    def has(self, target: Target, toolchain: str) -> bool:
        """Whether there are any for a chip."""

    def refusal(self, build: Build) -> str | None:
        """Return why a build has no image, None if it has one."""


class NoPrebuilt:
    """An empty collection of images."""

    def has(self, target: Target, toolchain: str) -> bool:
        """Return False."""
        return False

    def refusal(self, build: Build) -> str | None:
        """Return None; it is never called."""
        return None


@dataclass
class Plan:
    """Cells by build, in a fixed order, and the number of combinations left out for each reason.

    `refused` counts builds without compiler and without prebuilt image.
    """

    cells: dict[tuple[str, ...], list[Cell]] = field(default_factory=dict)
    skipped: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)

    def add(self, cell: Cell) -> None:
        """Add a cell unless the plan has it."""
        listed = self.cells.setdefault(cell.build.key, [])
        if all(cell.call != other.call for other in listed):
            listed.append(cell)

    @property
    def builds(self) -> list[Build]:
        """Return the builds, in order."""
        return [cells[0].build for cells in self.cells.values()]

    @property
    def cell_count(self) -> int:
        """Return the number of cells in all builds."""
        return sum(map(len, self.cells.values()))


def make_plan(
    catalog: Catalog,
    selections: Iterable[Selection],
    toolchains: Mapping[ToolchainName, bool],
    prebuilt: Prebuilt | None = None,
) -> Plan:
    """Return all possible cells of the selections, each once; `toolchains` tells which are installed.

    For missing ones, `prebuilt` images are used. UsageError for an unknown name, a length that is not a whole
    number of blocks, or if nothing is left; EnvironmentProblem if a compiler would help.
    """
    return make_joint_plan([(catalog, selection) for selection in selections], toolchains, prebuilt)


def make_joint_plan(
    pairs: Iterable[tuple[Catalog, Selection]],
    toolchains: Mapping[ToolchainName, bool],
    prebuilt: Prebuilt | None = None,
) -> Plan:
    """Return the cells of selections, each from its own catalogue, whose chips may be changed by settings.

    Errors are those of `make_plan`.
    """
    plan = Plan()
    for catalog, selection in pairs:
        _Planner(catalog, selection, toolchains, prebuilt or NoPrebuilt(), plan).run()
    if not plan.cells and plan.refused:
        raise EnvironmentProblem(f"Nothing to measure: {'; '.join(plan.refused)}.")
    if not plan.cells:
        reasons = "; ".join(plan.skipped) or "the catalogue is empty"
        raise UsageError(f"Nothing to measure: {reasons}.")
    return plan


class _Planner:
    """Resolves one selection against the catalogue and walks its combinations."""

    def __init__(
        self,
        catalog: Catalog,
        selection: Selection,
        toolchains: Mapping[ToolchainName, bool],
        prebuilt: Prebuilt,
        plan: Plan,
    ) -> None:
        self._catalog = catalog
        self._prebuilt = prebuilt
        self._selection = selection
        self._plan = plan
        self._choice = Choice(catalog, selection, self._skip)
        targets = _chosen("target", selection.target, [t.id for t in catalog.targets])
        self._targets = [catalog.target(name) for name in targets]
        self._installed = toolchains
        self._toolchains = _chosen("toolchain", selection.toolchain, sorted({name for _, name in toolchains}))
        self._flags = selection.flags or (ALL_FLAGS if selection.everything else DEFAULT_FLAGS)
        self._modes = self._chosen_modes()
        self._footprints = match("footprint", selection.footprint, FOOTPRINTS)
        self._cache_states = match("cache", selection.cache, CACHE_STATES) or CACHE_STATES[:1]

    def run(self) -> None:
        """Add every possible cell to the plan."""
        classes = {target.cpu_class for target in self._targets}
        searched = Searched(self._selection.parameter)
        for algorithm, primitive, variant in self._choice.variants(classes):
            for made in searched.of(variant):
                self._add_variant(algorithm, primitive, made)
        searched.check()

    def _chosen_modes(self) -> tuple[str, ...]:
        known = [mode.id for mode in self._catalog.modes]
        if self._selection.everything and not self._selection.mode:
            return (NO_MODE, *known)
        if not self._selection.mode:
            return (NO_MODE,)
        raw = (NO_MODE,) if NO_MODE in self._selection.mode else ()
        named = [pattern for pattern in self._selection.mode if pattern != NO_MODE]
        return (*raw, *match("mode", named, known))

    def _skip(self, reason: str) -> None:
        self._plan.skipped[reason] += 1

    def _add_variant(self, algorithm: Algorithm, primitive: Primitive, variant: Variant) -> None:
        if self._selection.ad_length and algorithm.file.kind != "aead":
            return self._skip(f"a {algorithm.file.kind} primitive takes no associated data (--ad-length)")
        targets = [one for one in self._targets if self._choice.wanted(variant, one.cpu_class, primitive.id)]
        combinations = (
            (target, toolchain, parts)
            for target, toolchain in product(targets, self._toolchains)
            for parts in self._choice.parts(primitive, variant, target.cpu_class)
        )
        for target, toolchain, parts in combinations:
            foreign = [v for v in (variant, *parts) if not _is_for(v, target)]
            if foreign:
                self._skip(f"{foreign[0].id} is not for the {target.file.family} family")
            elif toolchain not in target.file.toolchain:
                self._skip(f"{toolchain} does not compile for {target.id}")
            elif not (self._has_compiler(target, toolchain) or self._prebuilt.has(target, toolchain)):
                self._skip(f"{toolchain} for {target.file.family} is not installed")
            elif "warm" not in self._cache_states and not can_be_cold(target):
                self._skip(f"{target.id} has no cache that could be cold (--cache)")
            else:
                for flags in self._flags:
                    self._add_modes(algorithm, primitive, variant, parts, target, toolchain, flags)
        return None

    def _add_modes(
        self,
        algorithm: Algorithm,
        primitive: Primitive,
        variant: Variant,
        parts: tuple[Variant, ...],
        target: Target,
        toolchain: str,
        flags: str,
    ) -> None:
        block = algorithm.file.kind == "block"
        for name in self._modes:
            if name != NO_MODE and not block:
                if not self._selection.mode:
                    continue
                self._skip(f"a {algorithm.file.kind} primitive has no mode of operation (--mode {NO_MODE})")
                continue
            if name != NO_MODE and not self._measured_in_modes(variant, target, flags):
                self._skip(
                    f"--all measures modes with default variants at {ALL_FLAGS[0]} only (ask for --mode)"
                )
                continue
            mode = self._catalog.mode(name) if name != NO_MODE else None
            for operation in self._choice.operations(algorithm, primitive, variant, mode):
                for footprint in self._footprints_of(operation, algorithm, variant, mode):
                    build = Build(
                        algorithm, primitive, variant, mode, target, toolchain, flags, footprint, parts
                    )
                    cells = list(self._cells(build, operation))
                    if not cells or self._refused(build):
                        continue
                    states = self._cache_states if can_be_cold(target) else (None,)
                    for cell in cells:
                        for state in states:
                            self._plan.add(cell if state is None else replace(cell, cache_state=state))

    def _has_compiler(self, target: Target, toolchain: str) -> bool:
        return self._installed.get((target.file.family, toolchain), False)

    def _refused(self, build: Build) -> bool:
        if self._has_compiler(build.target, build.toolchain):
            return False
        reason = self._prebuilt.refusal(build)
        if reason is not None:
            self._plan.refused[reason] += 1
        return reason is not None

    def _measured_in_modes(self, variant: Variant, target: Target, flags: str) -> bool:
        """Return False for combinations with a mode that --all leaves out.

        The cost of a mode hardly depends on variant and flags; measuring all in all modes takes too long.
        """
        selection = self._selection
        if not selection.everything or selection.mode:
            return True
        return bool(selection.variant or target.cpu_class in variant.file.default) and (
            bool(selection.flags) or flags == ALL_FLAGS[0]
        )

    def _footprints_of(
        self, operation: str, algorithm: Algorithm, variant: Variant, mode: Mode | None
    ) -> Iterator[Footprint]:
        """Yield footprints whose image holds the operation; without a selection the smallest one."""
        holding: tuple[Footprint, ...]
        match operation:
            case _ if variant.is_foreign and algorithm.file.kind in ("kem", "signature"):
                holding = ("both",)
            case _ if algorithm.file.kind in ("hash", "mac"):
                holding = ("both",)
            case "sign" | "verify":
                holding = (operation, "both")
            case "init" if algorithm.file.kind == "signature":
                holding = ("sign", "both")
            case "encrypt" | "seal":
                holding = ("encrypt", "both")
            case "decrypt" | "init-decrypt" | "open":
                holding = ("decrypt", "both")
            case _ if variant.file.init_decrypt:
                holding = ("encrypt", "both")
            case _:
                holding = ("encrypt", "decrypt", "both")
        if not decrypts(variant, mode):
            holding = holding[:1]
        if not self._footprints:
            yield holding[0]
            return
        for footprint in holding:
            if footprint in self._footprints:
                yield footprint
        if not set(holding) & set(self._footprints):
            self._skip(f"no image of the chosen footprint holds {operation}")

    def _cells(self, build: Build, operation: str) -> Iterator[Cell]:
        signs = operation in ("sign", "verify") and not build.variant.is_foreign
        if operation.startswith("init") or signs or operation in KEY_OPERATIONS:
            yield Cell(build, operation, None, None)
        elif build.mode is None and build.algorithm.file.kind == "block":
            yield from self._raw_cells(build, operation)
        else:
            mode_id = build.mode.id if build.mode is not None else None
            only = build.variant.only_bytes(operation, mode_id)
            lengths = self._selection.length
            if only is not None and only not in (lengths or (only,)):
                self._skip(f"{build.variant.id} takes messages of {only} bytes only (--length)")
                return
            for length in (only,) if only is not None else lengths or self._default_lengths(build):
                yield from self._message_cells(build, operation, length)

    def _default_lengths(self, build: Build) -> Iterator[int]:
        """Yield the usual lengths, rounded up to whole blocks for a mode that requires them."""
        if build.algorithm.file.kind == "signature":
            yield from PUBLIC_KEY_LENGTHS_BYTES
            return
        sampled = build.mode is not None and self._selection.everything and not self._selection.mode
        for length in MODE_LENGTHS_OF_ALL_BYTES if sampled else DEFAULT_LENGTHS_BYTES:
            yield rounded_up(length, build.primitive, build.mode)

    def _raw_cells(self, build: Build, operation: str) -> Iterator[Cell]:
        block_bytes = build.primitive.block_bytes
        for length in self._selection.length or (block_bytes,):
            if length == block_bytes:
                yield Cell(build, operation, length, None)
            else:
                self._skip(
                    f"without a mode {build.primitive.id} takes one block of {block_bytes} bytes,"
                    f" not {length} (choose a --mode)"
                )

    def _message_cells(self, build: Build, operation: str, length: int) -> Iterator[Cell]:
        if length == 0 and build.algorithm.file.kind == "signature" and not build.variant.is_foreign:
            self._skip(f"{build.primitive.id} encrypts at least one byte (--length)")
            return
        if build.mode is None or not build.mode.file.whole_blocks:
            if self._selection.padding and "none" not in self._choice.paddings:
                what = build.mode.id if build.mode is not None else f"a {build.algorithm.file.kind} primitive"
                self._skip(f"{what} takes any length and is not padded (--padding)")
                return
            ad_lengths: Sequence[int | None] = (None,)
            if build.algorithm.file.kind == "aead":
                ad_lengths = self._selection.ad_length or DEFAULT_AD_LENGTHS_BYTES
            cells = [Cell(build, operation, length, None, ad_bytes) for ad_bytes in ad_lengths]
        else:
            cells = [Cell(build, operation, length, padding) for padding in self._choice.paddings]
        for cell in cells:
            if cell.padding is not None:
                check_whole_blocks(length, build.primitive, cell.padding)
            if 2 * cell.call_bytes + (cell.ad_bytes or 0) > build.target.lab.size - LAB_RESERVE_BYTES:
                self._skip(f"messages of {length} bytes do not fit the lab memory of {build.target.id}")
            else:
                yield cell


def can_be_cold(target: Target) -> bool:
    """Whether the chip has caches or predicts branches."""
    caches = (target.file.cache, target.file.flash)
    return any(one is not None and one.present for one in caches) or "prediction" in target.core


def _is_for(variant: Variant, target: Target) -> bool:
    return variant.file.families is None or target.file.family in variant.file.families


def _chosen(option: str, patterns: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    return match(option, patterns, known) if patterns else tuple(known)
