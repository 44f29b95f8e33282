"""The library has every primitive, size, mode and named variant of required.toml."""

from __future__ import annotations

import ctypes
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from host_build import Case, build_library, cases

from steelyard.catalog.load import Catalog, load_catalog
from steelyard.catalog.models import Primitive

REQUIRED = tomllib.loads(Path(__file__).with_name("required.toml").read_text(encoding="utf-8"))
KINDS = ("block", "stream", "hash", "mac", "aead", "signature")
CATALOG = load_catalog()


def sizes(primitive: Primitive) -> dict[str, int]:
    """Sizes in bits, and rounds, under the names of required.toml."""
    return {
        "block": 8 * primitive.block_bytes,
        "key": 8 * primitive.key_bytes,
        "iv": 8 * primitive.iv_bytes,
        "digest": 8 * primitive.digest_bytes,
        "rounds": primitive.rounds,
    }


def kinds(catalog: Catalog) -> dict[str, str]:
    """The kind of every primitive."""
    return {p.id: algorithm.file.kind for algorithm in catalog.algorithms for p in algorithm.file.primitive}


def demanded() -> Iterator[tuple[str, str, dict[str, int]]]:
    """Kind, name and sizes of every demanded primitive, those of constructions apart."""
    for kind in KINDS:
        for name, wanted in REQUIRED[kind].items():
            yield kind, name, wanted


def over(construction: dict[str, Any]) -> Iterator[str]:
    """Names of the primitives that a construction has to have."""
    for name, wanted in REQUIRED[construction["over"]].items():
        if "block" not in construction or wanted["block"] in construction["block"]:
            yield construction["id"].replace("{}", name)


def why_missing(catalog: Catalog, kind: str, name: str, wanted: dict[str, int]) -> str | None:
    """What keeps a demanded primitive from being there, or None."""
    if name not in kinds(catalog):
        return f"there is no {kind} primitive {name}"
    if kinds(catalog)[name] != kind:
        return f"{name} is a {kinds(catalog)[name]}, not a {kind}"
    found = sizes(catalog.primitive(name))
    wrong = [f"{size} of {found[size]}, not {bits}" for size, bits in wanted.items() if found[size] != bits]
    return f"{name} has {' and '.join(wrong)}" if wrong else None


@pytest.mark.parametrize(("kind", "name", "wanted"), list(demanded()), ids=str)
def test_primitive(kind: str, name: str, wanted: dict[str, int]) -> None:
    assert why_missing(CATALOG, kind, name, wanted) is None


@pytest.mark.parametrize("construction", REQUIRED["construction"], ids=lambda one: str(one["id"]))
def test_construction(construction: dict[str, Any]) -> None:
    wanted = list(over(construction))
    assert wanted
    missing = [why_missing(CATALOG, construction["kind"], name, {}) for name in wanted]
    assert [reason for reason in missing if reason] == []


def variants_demanded() -> list[tuple[str, str]]:
    named: dict[str, list[str]] = REQUIRED["variants"]
    listed = [(algorithm, name) for algorithm, names in named.items() for name in names]
    for algorithm in CATALOG.algorithms:
        if algorithm.file.kind in ("block", "stream", "hash") and algorithm.id not in named:
            listed += [(algorithm.id, "fast"), (algorithm.id, "compact")]
    return listed


@pytest.mark.parametrize(("algorithm", "name"), variants_demanded())
def test_variant(algorithm: str, name: str) -> None:
    assert f"{algorithm}/{name}" in [variant.id for variant in CATALOG.variants]


def context_bytes(algorithm: str) -> dict[str, tuple[Case, int]]:
    """By variant, the context of the algorithm's first primitive, on this machine."""
    named = [case for case in cases() if case.algorithm_id == algorithm]
    first = named[0].primitive.id
    return {
        case.folder.name: (
            case,
            ctypes.c_size_t.in_dll(ctypes.CDLL(str(build_library(case))), "context_bytes").value,
        )
        for case in named
        if case.primitive.id == first
    }


def test_every_block_cipher_says_whether_it_allows_a_key_schedule_on_the_fly() -> None:
    ciphers = [algorithm.id for algorithm in CATALOG.algorithms if algorithm.file.kind == "block"]
    assert sorted([*REQUIRED["on_the_fly"], *REQUIRED["no_on_the_fly"]]) == sorted(ciphers)


@pytest.mark.parametrize(("algorithm", "name"), REQUIRED["on_the_fly"].items())
def test_key_schedule_on_the_fly(algorithm: str, name: str) -> None:
    contexts = context_bytes(algorithm)
    case, least = contexts[name]
    (expanded,) = (size for other, size in contexts.values() if other.variant.default)
    assert least <= max(case.primitive.key_bytes, expanded // 2)


@pytest.mark.parametrize("algorithm", REQUIRED["no_on_the_fly"])
def test_no_variant_contradicts_that_it_is_not_allowed(algorithm: str) -> None:
    contexts = context_bytes(algorithm)
    assert len({size for _, size in contexts.values()}) == 1


def test_modes() -> None:
    assert {mode.id for mode in CATALOG.modes} >= set(REQUIRED["modes"])


@pytest.mark.parametrize(
    ("kind", "name", "wanted", "reason"),
    [
        ("block", "aes-129", {}, "there is no block primitive aes-129"),
        ("hash", "aes-128", {}, "aes-128 is a block, not a hash"),
        ("block", "aes-128", {"key": 192}, "aes-128 has key of 128, not 192"),
    ],
)
def test_a_missing_one_is_seen(kind: str, name: str, wanted: dict[str, Any], reason: str) -> None:
    assert why_missing(CATALOG, kind, name, wanted) == reason
