"""Plan the cells of Steelyard's own code on a Linux device from a selection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from steelyard.catalog.load import Catalog
from steelyard.catalog.models import LINUX, Algorithm, Mode, Primitive, Variant
from steelyard.errors import UsageError
from steelyard.linux.build import VariantBuild
from steelyard.linux.hosts import Host
from steelyard.linux.measure.question import Asked
from steelyard.measure.choice import Choice, check_whole_blocks, rounded_up
from steelyard.measure.plan import DEFAULT_AD_LENGTHS_BYTES, PUBLIC_KEY_LENGTHS_BYTES
from steelyard.measure.selection import NO_MODE, Selection, match
from steelyard.toolchain.flags import check_flags, split_flags

DEFAULT_FLAGS = ("-O2",)
DEFAULT_LENGTHS_BYTES = (16, 1024, 65536, 1 << 20)
LONGEST_BYTES = 16 << 20
MOST_THREADS = 256


@dataclass(frozen=True)
class HostCell:
    """One row to be measured; settings that do not apply are None. `threads` share one message."""

    algorithm: Algorithm
    primitive: Primitive
    variant: Variant
    parts: tuple[Variant, ...]
    mode: Mode | None
    flags: str
    operation: str
    message_bytes: int | None
    padding: str | None = None
    ad_bytes: int | None = None
    threads: int = 1

    def build(self, host: Host) -> VariantBuild:
        """Return the build request of its agent."""
        return VariantBuild(
            host=host,
            kind=self.algorithm.file.kind,
            variant=self.variant,
            primitive=self.primitive,
            mode=self.mode,
            flags=split_flags(self.flags),
            parts=self.parts,
        )

    @property
    def asked(self) -> Asked:
        """The operation and its input, independent of the implementation."""
        return Asked(
            kind=self.algorithm.file.kind,
            primitive=self.primitive,
            algorithm_id=self.algorithm.id,
            mode=self.mode.id if self.mode is not None else None,
            uses_iv=self.mode is not None and self.mode.file.uses_iv,
            operation=self.operation,
            message_bytes=self.message_bytes,
            padding=self.padding,
            ad_bytes=self.ad_bytes,
        )

    @property
    def pieces(self) -> str | None:
        """How another thread's piece of the message begins; None if one thread does all."""
        if self.mode is None or self.operation not in ("encrypt", "decrypt"):
            return None
        return self.mode.file.pieces.get("encrypt" if self.operation == "encrypt" else "decrypt")


@dataclass
class HostPlan:
    """Cells in a fixed order, by build, and the number of combinations left out for each reason."""

    cells: list[HostCell] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)

    def builds(self) -> list[list[HostCell]]:
        """Return the cells of each agent, agent by agent."""
        groups: dict[tuple[object, ...], list[HostCell]] = {}
        for cell in self.cells:
            mode = cell.mode.id if cell.mode is not None else None
            groups.setdefault((cell.primitive.id, cell.variant.id, mode, cell.flags), []).append(cell)
        return list(groups.values())


def make_host_plan(catalog: Catalog, selection: Selection, threads: Sequence[int]) -> HostPlan:
    """Return all possible cells of a selection, each once; targets and toolchains of the selection are
    ignored.

    UsageError for an unknown name, an unsupported length, or if nothing is left.
    """
    for length in selection.length:
        if length > LONGEST_BYTES:
            raise UsageError(f"--length {length} is more than {LONGEST_BYTES}, the longest for a device.")
    for count in threads:
        if not 1 <= count <= MOST_THREADS:
            raise UsageError(f"--threads {count} is not 1 to {MOST_THREADS}.")
    for flags in selection.flags:
        check_flags(split_flags(flags))
    plan = HostPlan()
    for cell in _Planner(catalog, selection, threads, plan.skipped).cells():
        if cell not in plan.cells:
            plan.cells.append(cell)
    if not plan.cells:
        raise UsageError(f"Nothing to measure: {'; '.join(plan.skipped) or 'the catalogue is empty'}.")
    return plan


class _Planner:
    def __init__(
        self, catalog: Catalog, selection: Selection, threads: Sequence[int], skipped: Counter[str]
    ) -> None:
        self._catalog = catalog
        self._selection = selection
        self._threads = threads
        self._skipped = skipped
        self._choice = Choice(catalog, selection, self._skip)
        named = [pattern for pattern in selection.mode if pattern != NO_MODE]
        self._modes: tuple[str, ...] = match("mode", named, [mode.id for mode in catalog.modes])
        if not selection.mode or NO_MODE in selection.mode:
            self._modes = (NO_MODE, *self._modes)

    def cells(self) -> Iterator[HostCell]:
        """Yield every possible cell."""
        for algorithm, primitive, variant in self._choice.variants((LINUX,)):
            if variant.file.families is not None:
                self._skip(f"{variant.id} is assembly for chips ({', '.join(variant.file.families)})")
            elif variant.is_foreign:
                self._skip(f"{variant.id} has an interface of its own, which only chips are asked for")
            else:
                yield from self._of_variant(algorithm, primitive, variant)

    def _skip(self, reason: str) -> None:
        self._skipped[reason] += 1

    def _of_variant(self, algorithm: Algorithm, primitive: Primitive, variant: Variant) -> Iterator[HostCell]:
        kind = algorithm.file.kind
        flags_of_all = self._selection.flags or DEFAULT_FLAGS
        for parts, flags in product(self._choice.parts(primitive, variant, LINUX), flags_of_all):
            for name in self._modes if kind == "block" else (NO_MODE,):
                mode = self._catalog.mode(name) if name != NO_MODE else None
                for operation in self._choice.operations(algorithm, primitive, variant, mode):
                    bare = HostCell(
                        algorithm, primitive, variant, parts, mode, flags, operation, message_bytes=None
                    )
                    yield from self._with_threads(bare)

    def _with_threads(self, bare: HostCell) -> Iterator[HostCell]:
        for cell in self._with_length(bare):
            for threads in self._threads:
                if threads > 1 and cell.pieces is None:
                    what = f"{cell.mode.id} {cell.operation}" if cell.mode is not None else cell.operation
                    self._skip(f"one thread has to do all of a message in {what} (--threads)")
                elif threads > 1 and (cell.message_bytes or 0) < threads * cell.primitive.block_bytes:
                    self._skip("a message has fewer blocks than there are threads (--threads)")
                else:
                    yield replace(cell, threads=threads)

    def _with_length(self, bare: HostCell) -> Iterator[HostCell]:
        kind, primitive = bare.algorithm.file.kind, bare.primitive
        if bare.operation.startswith("init") or bare.operation in ("sign", "verify"):
            yield bare
            return
        if kind == "block" and bare.mode is None:
            lengths = self._selection.length or (primitive.block_bytes,)
            if primitive.block_bytes not in lengths:
                self._skip(
                    f"without a mode {primitive.id} takes one block of {primitive.block_bytes} bytes"
                    " (choose a --mode)"
                )
            else:
                yield replace(bare, message_bytes=primitive.block_bytes)
            return
        default = PUBLIC_KEY_LENGTHS_BYTES if kind == "signature" else DEFAULT_LENGTHS_BYTES
        usual = [rounded_up(length, primitive, bare.mode) for length in default]
        for length in self._selection.length or usual:
            if length == 0 and kind == "signature":
                self._skip(f"{primitive.id} encrypts at least one byte (--length)")
            else:
                yield from self._with_padding(replace(bare, message_bytes=length))

    def _with_padding(self, cell: HostCell) -> Iterator[HostCell]:
        if cell.mode is None or not cell.mode.file.whole_blocks:
            if cell.algorithm.file.kind == "aead":
                for ad_bytes in self._selection.ad_length or DEFAULT_AD_LENGTHS_BYTES:
                    yield replace(cell, ad_bytes=ad_bytes)
            else:
                yield cell
            return
        assert cell.message_bytes is not None
        for padding in self._choice.paddings:
            check_whole_blocks(cell.message_bytes, cell.primitive, padding)
            yield replace(cell, padding=padding)
