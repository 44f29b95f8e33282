"""Lifetimes beside a simulation day by day, shares, the nodes' files and bad requests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from command import Steelyard

from steelyard.advise.battery import Node, Work, life, nodes
from steelyard.catalog.load import load_catalog
from steelyard.data import data_root


def by_simulation(node: Node, current_a: float) -> float:
    """Days until the charge is gone, an hour at a time."""
    charge_mah, days = node.capacity_mah, 0.0
    kept = (1 - node.self_discharge_percent_per_year / 100) ** (1 / (365.25 * 24))
    while charge_mah > 0:
        charge_mah = charge_mah * kept - current_a * 1e3
        days += 1 / 24
    return days


@pytest.mark.parametrize("name", ["mica2", "micaz", "telosb", "nrf52840-coin"])
def test_life_as_simulated(name: str) -> None:
    node = nodes()[name]
    work = Work(rate_hz=0.5, crypto_cycles=40_000, air_bytes=45, security_bytes=13, other_s=1e-3)
    found = life(node, work)
    awake_s = 40_000 / node.clock_hz + 1e-3
    on_air_s = 45 * 8 / node.radio_bits_per_s
    on_air_ma = node.radio_send_ma + (node.cpu_active_ma if node.cpu_awake_while_radio_on else 0)
    mean_ma = node.sleep_ua / 1e3 + 0.5 * (awake_s * node.cpu_active_ma + on_air_s * on_air_ma)
    assert found.total_a * 1e3 == pytest.approx(mean_ma)
    assert found.life_s / 86400 == pytest.approx(by_simulation(node, mean_ma / 1e3), rel=1e-3)
    assert found.crypto_share == pytest.approx(0.5 * 40_000 / node.clock_hz * node.cpu_active_ma / mean_ma)
    assert found.life_s < found.unprotected_s
    bare = life(node, Work(0.5, 0, 32, 0, 1e-3))
    assert found.unprotected_s == pytest.approx(bare.life_s)
    assert bare.security_share == 0


def test_files() -> None:
    catalog = load_catalog()
    assert len(nodes()) >= 3
    for node in nodes().values():
        catalog.target(node.target)
        assert node.source


def test_protocol_is_measured(steelyard: Steelyard, tmp_path: Path) -> None:
    protection = ("--protocol", "secoc-can-fd", "--message", 16)
    command = ("battery", "mica2", *protection, "--rate", "1/s")
    (row,) = steelyard.json(*command)
    (cost,) = steelyard.json(
        "protocol", "secoc-can-fd", "--suite", "profile-1", "--target", "atmega128", "--message", 16
    )
    assert (row["crypto_cycles"], row["air_bytes"]) == (cost["message_cycles"], cost["air_bytes"])
    assert row["crypto_ua"] == pytest.approx(cost["message_cycles"] / 7_372_800 * 12e3)
    mine = tmp_path / "mine.toml"
    text = (data_root() / "advice" / "nodes" / "mica2.toml").read_text()
    mine.write_text(text.replace("sleep_ua = 11.0", "sleep_ua = 110.0"))
    (own,) = steelyard.json("battery", mine, *protection, "--rate", "1/s", "--no-measure")
    assert own["sleep_ua"] == pytest.approx(110)
    assert own["life_days"] < row["life_days"]
    asked: Any = ("--sleep", "110uA", "--no-measure")
    assert steelyard.json(*command, *asked)[0]["life_days"] == pytest.approx(own["life_days"])


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("micas", "--crypto-cycles", 1), "did you mean"),
        (("mica2",), "--protocol"),
        (("mica2", "--crypto-cycles", 1, "--rate", "1"), "--rate"),
        (("mica2", "--crypto-cycles", 10**9, "--rate", "1/s"), "not possible"),
        (("mica2", "--crypto-cycles", 1, "--self-discharge", "100%"), "--self-discharge"),
        (("mica2", "--crypto-cycles", 1, "--capacity", "2000"), "--capacity"),
        (("mica2", "--protocol", "spins", "--crypto-cycles", 1), "leave"),
        (("mica2", "--suite", "snep", "--crypto-cycles", 1), "--protocol"),
        (("mica2", "--protocol", "spins", "--suite", "*"), "name one"),
        (("none.toml", "--crypto-cycles", 1), "none.toml"),
    ],
)
def test_impossible_requests(steelyard: Steelyard, arguments: tuple[object, ...], word: str) -> None:
    assert word in steelyard.sentence("battery", *arguments, status=2)
