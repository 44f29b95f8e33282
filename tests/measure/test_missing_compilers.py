"""A compiler that is missing for one family of chips is missed on these chips alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from steelyard.catalog.load import load_catalog
from steelyard.errors import EnvironmentProblem
from steelyard.measure import session
from steelyard.measure.selection import select
from steelyard.toolchain import Toolchain, discover


def only(monkeypatch: pytest.MonkeyPatch, available: Iterable[tuple[str, str]]) -> None:
    """A machine on which these compilers, by family and name, are installed."""
    names = set(available)
    listed = [
        replace(one, installed=one.installed if (one.family, one.id) in names else None) for one in REAL
    ]
    monkeypatch.setattr(session, "discover", lambda: listed)


REAL: list[Toolchain] = discover()
GCC_FOR_AVR = pytest.mark.skipif(
    not any((one.family, one.id) == ("avr", "gcc") and one.available for one in REAL),
    reason="GCC for AVR is not installed",
)


@GCC_FOR_AVR
def test_a_compiler_of_another_family_is_not_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, [("avr", "gcc")])
    avr = select(primitive=["xtea"], target=["atmega128"], toolchain=["gcc"])
    assert session.prepare(load_catalog(), [avr]).missing == ()


@GCC_FOR_AVR
def test_the_compiler_of_a_chosen_chip_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, [("avr", "gcc")])
    arm = select(primitive=["xtea"], target=["sa1100"], toolchain=["gcc"])
    with pytest.raises(EnvironmentProblem, match="for arm is not installed"):
        session.prepare(load_catalog(), [arm])


def test_gcc_is_taken_where_none_is_named_and_clang_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    catalog = load_catalog()
    names = {(one.family, one.id) for one in REAL if one.available}
    only(monkeypatch, names - {("arm", "gcc")})
    clang = ("arm", "clang") in names
    assert session.default_toolchain(catalog, "sa1100") == ("clang" if clang else "gcc")
    only(monkeypatch, names)
    expected = "gcc" if ("arm", "gcc") in names or not clang else "clang"
    assert session.default_toolchain(catalog, "sa1100") == expected


def test_only_builds_with_cells_are_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, [])
    # Of a block cipher without a mode only the set-up can take 64 bytes.
    rl78 = select(primitive=["xtea"], target=["rl78-g13"], toolchain=["gcc"], flags=["-Os"], length=[64])
    plan = session.prepare(load_catalog(), [rl78]).plan
    assert [cell.operation for cells in plan.cells.values() for cell in cells] == ["init"]
    assert not plan.refused
