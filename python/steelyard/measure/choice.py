"""Resolve a selection against the catalogue for any kind of target: variants, operations, paddings."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from steelyard.catalog.load import Catalog
from steelyard.catalog.models import Algorithm, Mode, Primitive, Variant
from steelyard.errors import UsageError
from steelyard.measure.selection import NO_MODE, OPERATIONS, PADDINGS, Selection, match, match_primitives


class Choice:
    """A selection against the catalogue; `skip` receives each omitted combination's reason.

    UsageError for an unknown name.
    """

    def __init__(self, catalog: Catalog, selection: Selection, skip: Callable[[str], None]) -> None:
        self._catalog = catalog
        self._selection = selection
        self._skip = skip
        counted = [primitive.id for primitive in catalog.primitives if primitive.counted]
        known = [primitive.id for primitive in catalog.primitives]
        self._primitives = match_primitives(selection.primitive, counted, known) or tuple(counted)
        self._named = set(match("variant", selection.variant, [variant.id for variant in catalog.variants]))
        self._operations = match("operation", selection.operation, OPERATIONS) or OPERATIONS
        self.paddings = match("padding", selection.padding, PADDINGS) or PADDINGS[:1]

    def variants(self) -> Iterator[tuple[Algorithm, Primitive, Variant]]:
        """Yield each selected variant with each of its primitives."""
        for name in self._primitives:
            algorithm = self._catalog.algorithm_of(name)
            for variant in algorithm.variants:
                if not self._wanted(variant):
                    continue
                if variant.does(name):
                    yield algorithm, algorithm.primitive(name), variant
                else:
                    self._skip(f"{variant.id} does not implement {name}")

    def _wanted(self, variant: Variant) -> bool:
        """Whether a variant is selected: default variants and the user's own, unless variants are named.

        With only a user's folder, its variants.
        """
        if self._selection.variant:
            return variant.id in self._named
        if self._selection.everything:
            return True
        if self._catalog.user_folders and not self._selection.primitive:
            return self._catalog.is_users(variant)
        return variant.file.default or self._catalog.is_users(variant)

    def parts(self, primitive: Primitive) -> tuple[Variant, ...]:
        """Return the variants of a construction's parts."""
        return tuple(self._catalog.default_variant(part.algorithm_id) for part in primitive.parts)

    def operations(
        self, algorithm: Algorithm, primitive: Primitive, variant: Variant, mode: Mode | None
    ) -> Iterator[str]:
        """Yield the selected operations that a variant has.

        A set-up does not depend on the mode and belongs to none.
        """
        has = _operations_of(algorithm, primitive, variant)
        for operation in self._operations:
            if operation not in has:
                if self._selection.operation:
                    self._skip(f"{variant.id} has no operation {operation}")
            elif mode is not None and operation.startswith("init"):
                if self._selection.operation:
                    self._skip(f"{operation} does not depend on a mode; it is measured with --mode {NO_MODE}")
            else:
                yield operation


def _operations_of(algorithm: Algorithm, primitive: Primitive, variant: Variant) -> set[str]:
    operations = {
        "hash": {"digest"},
        "stream": {"init", "encrypt", "decrypt"},
        "mac": {"init", "mac"},
        "aead": {"init", "seal", "open"},
        "signature": {"init", "sign", "verify"},
        "block": {"init", "encrypt", "decrypt"},
    }[algorithm.file.kind]
    if variant.file.init_decrypt:
        operations |= {"init-decrypt"}
    if primitive.overhead_bytes:
        operations |= {"encrypt", "decrypt"}
    return operations


def rounded_up(length: int, primitive: Primitive, mode: Mode | None) -> int:
    """Return the length rounded up to whole blocks, for a mode that requires them."""
    step = primitive.block_bytes if mode is not None and mode.file.whole_blocks else 1
    return -(-length // step) * step


def check_whole_blocks(length: int, primitive: Primitive, padding: str) -> None:
    """Check the length; UsageError if a mode of whole blocks would need padding."""
    block_bytes = primitive.block_bytes
    if padding == "none" and length % block_bytes:
        raise UsageError(
            f"--length {length} is no whole number of the {block_bytes}-byte blocks of"
            f" {primitive.id}: choose a multiple, --padding zero or --padding pkcs7."
        )
