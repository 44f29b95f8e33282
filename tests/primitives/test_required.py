"""What must not get lost: primitives, both ends of each trade-off, key schedules on the fly."""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from host_build import build_library, cases

from steelyard.catalog.load import Catalog, load_catalog
from steelyard.catalog.models import Algorithm

CATALOG = load_catalog()
LEAST = {"block": 90, "stream": 6, "hash": 18, "mac": 101, "aead": 261, "signature": 1}
MODES = 6
CIPHERS = [algorithm for algorithm in CATALOG.algorithms if algorithm.file.kind == "block"]


def lacking(catalog: Catalog) -> Iterator[str]:
    """What the library lacks of what it once had."""
    kinds = Counter(algorithm.file.kind for algorithm in catalog.algorithms for _ in algorithm.file.primitive)
    yield from (f"{kind}: {kinds[kind]} primitives" for kind, least in LEAST.items() if kinds[kind] < least)
    if len(catalog.modes) < MODES:
        yield f"{len(catalog.modes)} modes"
    for algorithm in catalog.algorithms:
        names = {variant.folder.name for variant in algorithm.variants}
        if algorithm.file.kind in ("block", "stream", "hash") and not {"compact"} < names:
            yield f"{algorithm.id}: not a compact variant and another"


def test_nothing_is_lacking() -> None:
    assert list(lacking(CATALOG)) == []


def test_what_is_lacking_is_seen() -> None:
    *most, last = CATALOG.algorithms
    fewer = last.model_copy(update={"variants": last.variants[:1]})
    assert list(lacking(replace(CATALOG, algorithms=(*most, fewer)))) == [
        f"{last.id}: not a compact variant and another"
    ]
    assert list(lacking(replace(CATALOG, algorithms=tuple(most), modes=CATALOG.modes[1:]))) == [
        f"{last.file.kind}: {LEAST[last.file.kind] - len(last.file.primitive)} primitives",
        f"{MODES - 1} modes",
    ]


@pytest.mark.parametrize("algorithm", CIPHERS, ids=lambda algorithm: str(algorithm.id))
def test_key_schedule_on_the_fly(algorithm: Algorithm) -> None:
    """Its context holds the key, or at most half of what expanded round keys take; or why there is none."""
    first = algorithm.file.primitive[0]
    of_it = [case for case in cases() if case.primitive.id == first.id]
    contexts = {
        case.folder.name: ctypes.c_size_t.in_dll(ctypes.CDLL(str(build_library(case))), "context_bytes").value
        for case in of_it
    }
    (expanded,) = (contexts[case.folder.name] for case in of_it if case.is_default)
    on_the_fly = [contexts[case.folder.name] for case in of_it if case.variant.on_the_fly]
    if algorithm.file.no_on_the_fly is None:
        assert on_the_fly and max(on_the_fly) <= max(first.key_bytes, expanded // 2)
    else:
        assert set(contexts.values()) == {expanded}
