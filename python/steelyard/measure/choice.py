"""Resolve a selection against the catalogue for any kind of target: variants, operations, paddings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase
from itertools import product

from steelyard.catalog.load import Catalog
from steelyard.catalog.models import Algorithm, CpuClass, Mode, Primitive, Variant
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
        counted = (primitive.id for primitive in catalog.primitives if primitive.counted)
        self._primitives = match_primitives(selection.primitive, catalog) or tuple(counted)
        self._named = set(match("variant", selection.variant, [variant.id for variant in catalog.variants]))
        self._check_variants(catalog)
        self._operations = match("operation", selection.operation, OPERATIONS) or OPERATIONS
        self.paddings = match("padding", selection.padding, PADDINGS) or PADDINGS[:1]

    def _check_variants(self, catalog: Catalog) -> None:
        """UsageError for a name or glob of variants that no chosen primitive is made of."""
        used = set()
        for name in self._primitives:
            used.add(catalog.algorithm_of(name).id)
            if self._selection.primitive:
                used.update(catalog.algorithm_of(name).primitive(name).part_algorithms)
        for pattern in self._selection.variant:
            matched = match("variant", [pattern], [variant.id for variant in catalog.variants])
            if not any(name.partition("/")[0] in used for name in matched):
                raise UsageError(
                    f"--variant {pattern}: none of the chosen primitives is made of it (--primitive)."
                )

    def variants(self, classes: Iterable[CpuClass]) -> Iterator[tuple[Algorithm, Primitive, Variant]]:
        """Yield each variant selected on one of these classes of processors, with each of its primitives."""
        asked = frozenset(classes)
        for name in self._primitives:
            algorithm = self._catalog.algorithm_of(name)
            for variant in algorithm.variants:
                if not any(self.wanted(variant, one, name) for one in asked):
                    continue
                if variant.does(name):
                    yield algorithm, algorithm.primitive(name), variant
                else:
                    self._skip(f"{variant.id} does not implement {name}")

    def wanted(self, variant: Variant, cpu_class: CpuClass, primitive_id: str) -> bool:
        """Whether a variant is selected: default variants and the user's own, unless variants are named.

        With only a user's folder, its variants. A construction that was asked for, of which only parts'
        variants are named, is measured with its own default variant.
        """
        if self._selection.variant:
            if self._names_parts_only(variant.algorithm_id, primitive_id):
                return cpu_class in variant.file.default
            return variant.id in self._named
        if self._selection.everything:
            return True
        if self._catalog.user_folders and not self._selection.primitive:
            return self._catalog.is_users(variant)
        return cpu_class in variant.file.default or self._catalog.is_users(variant)

    def _names_parts_only(self, algorithm_id: str, primitive_id: str) -> bool:
        if not self._selection.primitive:
            return False
        named = {name.partition("/")[0] for name in self._named}
        primitive = self._catalog.algorithm_of(primitive_id).primitive(primitive_id)
        return algorithm_id not in named and not named.isdisjoint(primitive.part_algorithms)

    def parts(
        self, primitive: Primitive, variant: Variant, cpu_class: CpuClass
    ) -> Iterator[tuple[Variant, ...]]:
        """Yield the variants of a construction's parts: those that are named, otherwise the defaults.

        Parts of one algorithm have the same variant, so that no image holds two of them. A primitive without
        parts has one empty choice, as has code with an interface of its own, which is whole.
        """
        if variant.is_foreign:
            yield ()
            return
        algorithms = primitive.part_algorithms
        choices = [self._of_part(primitive, name, cpu_class) for name in algorithms]
        for chosen in product(*choices):
            by_algorithm = dict(zip(algorithms, chosen, strict=True))
            yield tuple(by_algorithm[part.algorithm_id] for part in primitive.parts)

    def _names_part(self, variant_id: str) -> bool:
        """Whether a part's variant is named; a glob over all algorithms names no parts."""
        algorithm = variant_id.partition("/")[0]
        return any(
            pattern.partition("/")[0] == algorithm and fnmatchcase(variant_id, pattern)
            for pattern in self._selection.variant
        )

    def _of_part(self, primitive: Primitive, algorithm_id: str, cpu_class: CpuClass) -> list[Variant]:
        ids = [part.primitive.id for part in primitive.parts if part.algorithm_id == algorithm_id]
        named = [
            variant
            for variant in self._catalog.variants
            if variant.algorithm_id == algorithm_id
            and self._selection.primitive
            and self._names_part(variant.id)
            and all(variant.does(name) for name in ids)
        ]
        usable = [one for one in named if one.file.interface is None and not one.is_foreign]
        if named and not usable:
            raise UsageError(
                f"--variant {named[0].id}: it has an interface of its own; {primitive.id} needs one that has"
                " the functions of primitives/include."
            )
        return usable or [self._catalog.default_variant(algorithm_id, cpu_class)]

    def operations(
        self, algorithm: Algorithm, primitive: Primitive, variant: Variant, mode: Mode | None
    ) -> Iterator[str]:
        """Yield the selected operations that a variant has.

        A set-up does not depend on the mode and belongs to none.
        """
        has = _operations_of(algorithm, primitive, variant)
        if not decrypts(variant, mode):
            has -= {"decrypt"}
        if variant.is_foreign:
            name = mode.id if mode is not None else None
            has = {one for one in has if variant.calls(one, None if one.startswith("init") else name)}
            if not any(not one.startswith("init") for one in has):
                self._skip(f"{variant.id} has no functions of {f'mode {name}' if name else 'single blocks'}")
                return
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
    if variant.is_foreign:
        return {call.operation for call in variant.file.call}
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


def decrypts(variant: Variant, mode: Mode | None) -> bool:
    """Whether a block cipher's variant can decrypt, in a mode if one is given."""
    if variant.is_foreign:
        return any(call.operation == "decrypt" for call in variant.file.call)
    return variant.file.decrypts or (mode is not None and mode.file.decrypts_with == "encrypt")


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
