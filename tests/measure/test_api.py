"""The functions of the package take what people write."""

from __future__ import annotations

from pathlib import Path

import pytest

import steelyard
from steelyard.errors import UsageError
from steelyard.measure import check

OWN = Path(__file__).parents[2] / "docs" / "examples" / "my-ciphers"


def test_folders_may_be_texts(tmp_path: Path) -> None:
    store, page = str(tmp_path / "store"), str(tmp_path / "report.html")
    frame = steelyard.measure(
        "rc4-128",
        variant="rc4/simple",
        target="atmega128",
        toolchain="clang",
        length=64,
        primitives=str(OWN),
        store=store,
    )
    assert frame["status"].unique().to_list() == ["ok"]
    assert steelyard.records(store).height == steelyard.scan(store).collect().height == frame.height
    steelyard.report(page, frame, primitives=[str(OWN)])
    assert Path(page).stat().st_size > 100_000


def test_one_value_is_a_list_of_one(tmp_path: Path) -> None:
    frame = steelyard.measure(
        "md5", target="atmega128", toolchain="clang", length=64, samples=2, store=tmp_path / "store"
    )
    assert frame["message_bytes"].to_list() == [64]


def test_unknown_arguments_name_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"targt.*target"):
        steelyard.compare("-Os", "-O3", between="flags", targt="atmega128")


def test_long_calls_are_not_checked_for_constant_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def verdicts(seed: str) -> list[str | None]:
        frame = steelyard.measure(
            "md5",
            target="atmega128",
            toolchain="clang",
            length=[64, 1024],
            samples=2,
            seed=seed,
            store=tmp_path / "store",
        )
        return frame.sort("message_bytes")["constant_time"].to_list()

    assert verdicts("one") == ["yes", "yes"]
    short, long = steelyard.records(tmp_path / "store").sort("message_bytes")["cycles"]
    monkeypatch.setattr(check, "LONGEST_CYCLES", int(short + long) // 2)
    # Another seed, since outcomes of the first are in the cache.
    assert verdicts("two") == ["yes", None]
