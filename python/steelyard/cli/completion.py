"""Names for the completion of a shell, read from the data files' own names: a catalogue takes too long."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path


def _data(*parts: str) -> Path:
    from steelyard.data import data_root

    return data_root().joinpath(*parts)


def _starting(names: Iterator[str], incomplete: str) -> list[str]:
    return sorted(name for name in names if name.startswith(incomplete))


def primitive_names(incomplete: str) -> list[str]:
    """Return the primitives that begin so."""

    def names() -> Iterator[str]:
        for path in _data("primitives").glob("*/*/algorithm.toml"):
            file = tomllib.loads(path.read_text("utf-8"))
            yield from (one["id"] for one in file.get("primitive", ()))
            for one in file.get("over", {}).get("primitive", ()):
                yield from (one["id"].replace("{}", part) for part in one.get("counted", ()))

    return _starting(names(), incomplete)


def variant_names(incomplete: str) -> list[str]:
    """Return the variants that begin so."""
    paths = _data("primitives").glob("*/*/*/variant.toml")
    return _starting((f"{path.parts[-3]}/{path.parts[-2]}" for path in paths), incomplete)


def target_names(incomplete: str) -> list[str]:
    """Return the chips that begin so."""
    return _starting((path.stem for path in _data("targets").glob("*.toml")), incomplete)


def toolchain_names(incomplete: str) -> list[str]:
    """Return the compilers that begin so."""

    def names() -> Iterator[str]:
        for path in _data("firmware").glob("*/family.toml"):
            yield from tomllib.loads(path.read_text("utf-8")).get("toolchain", ())

    return _starting(iter({*names()}), incomplete)


def mode_names(incomplete: str) -> list[str]:
    """Return the modes of operation that begin so."""
    return _starting((path.parent.name for path in _data("modes").glob("*/mode.toml")), incomplete)


def operation_names(incomplete: str) -> list[str]:
    """Return the operations that begin so."""
    from steelyard.measure.selection import OPERATIONS

    return _starting(iter(OPERATIONS), incomplete)


def study_names(incomplete: str) -> list[str]:
    """Return the studies that begin so."""
    paths = Path(__file__).parents[1].joinpath("studies").glob("*/study.py")
    return _starting((path.parent.name.replace("_", "-") for path in paths), incomplete)


def figure_names(incomplete: str) -> list[str]:
    """Return the figures of any records that begin so."""
    from steelyard.figures.catalogue import FIDELITY, FIGURES

    return _starting(iter((*FIGURES, FIDELITY)), incomplete)
