"""Energy of a run by the supply current and by events, and that its figures fit each other."""

from __future__ import annotations

from typing import Any

import pytest

from steelyard.catalog.load import load_catalog
from steelyard.measure.energy import (
    WINDOWS,
    by_current,
    by_events,
    by_part,
    power_at_work_w,
    scale,
)

NO_EVENTS = dict.fromkeys(("cycles", "fetches", "loads", "stores", "registers", "alu", "multiply"), 0.0)
LOOP = {**NO_EVENTS, "cycles": 1e6, "fetches": 1e6, "registers": 3e6, "alu": 1e6}
"""The program by which the simulated form is scaled: an addition in every cycle."""

CHIP = load_catalog().target("sa1100").file
MODEL = CHIP.event_energy
assert MODEL is not None
SMALL = ("--primitive", "rc6-32-20-16", "--variant", "rc6/fast", "--toolchain", "gcc", "--flags=-O2")


def test_a_program_that_computes_takes_what_was_measured() -> None:
    assert MODEL is not None
    energy = by_events(MODEL, 2.0, LOOP)
    # 0.178 A at 1.5 V and 206 MHz, scaled by the square of the supply.
    assert energy.nj == pytest.approx(1e6 * 0.178 * 1.5 / 206e6 * (2.0 / 1.5) ** 2 * 1e9, rel=1e-3)
    assert energy.simulated_nj == pytest.approx(energy.nj)
    assert (energy.low_nj, energy.high_nj) == pytest.approx((0.54 * energy.nj, 2 * energy.nj))


def test_a_transfer_takes_the_difference_of_the_measured_currents() -> None:
    assert MODEL is not None
    plain, loading = (by_events(MODEL, 1.5, LOOP | {"loads": loads}).nj for loads in (0.0, 1e6))
    assert loading / plain == pytest.approx(0.196 / 0.178, rel=2e-3)


def test_parts_are_the_whole() -> None:
    assert MODEL is not None and MODEL.simulated is not None
    counts = LOOP | {"loads": 2e5, "stores": 1e5, "multiply": 1e4}
    energy = by_events(MODEL, 2.0, counts)
    assert energy.shares is not None and energy.simulated_nj is not None
    assert sum(energy.shares.values()) == pytest.approx(1)
    by_hand = sum(by_part(MODEL.simulated, 2.0, counts).values())
    assert energy.simulated_nj == pytest.approx(by_hand)
    # Planted: a part with another coefficient is another whole, and other shares.
    parts = MODEL.simulated.part
    wrong = MODEL.simulated.model_copy(
        update={
            "part": (parts[0].model_copy(update={"capacitance_pf": 2 * parts[0].capacitance_pf}), *parts[1:])
        }
    )
    assert scale(wrong) < scale(MODEL.simulated)
    other = by_events(MODEL.model_copy(update={"simulated": wrong}), 2.0, counts)
    assert other.simulated_nj != pytest.approx(energy.simulated_nj)


def test_energy_by_current_waits_at_its_own_current() -> None:
    model = load_catalog().target("atmega128").file.energy
    assert model is not None
    waiting = model.model_copy(update={"stall_ma": model.active_ma / 10})
    whole, half, none = (by_current(waiting, 1000, stalls).nj for stalls in (0, 500, 1000))
    assert (half, none) == pytest.approx((0.55 * whole, 0.1 * whole))
    energy = by_current(model, 1000, 1000)
    assert energy.nj == pytest.approx(1000 * 17e-3 * 5 / 8e6 * 1e9)
    assert (energy.low_nj, energy.high_nj) == pytest.approx((energy.nj / 1.12, energy.nj * 1.12))


def test_power_at_work_is_known_where_energy_is() -> None:
    for target in load_catalog().targets:
        chip = target.file
        assert (power_at_work_w(chip, chip.clock_hz) is not None) == chip.has_energy


def test_a_series_of_a_call_sums_up_to_its_energy(steelyard: Any) -> None:
    rows = steelyard.json("measure", *SMALL, "--target", "sa1100")
    assert {row["operation"] for row in rows} == {"init", "encrypt", "decrypt"}
    for row in rows:
        series = row["power_series"]
        assert sum(series["cycles"]) == pytest.approx(row["cycles"], abs=1)
        assert len(series["cycles"]) <= WINDOWS + 1
        for name, field in (("measured_mw", "energy_nj"), ("simulated_mw", "energy_simulated_nj")):
            weighed = zip(series["cycles"], series[name], strict=True)
            energy_nj = sum(count * power_mw for count, power_mw in weighed) / row["clock_hz"] * 1e6
            assert energy_nj == pytest.approx(row[field], rel=5e-3)
        assert sum(row["energy_shares"].values()) == pytest.approx(1)
        assert row["energy_low_nj"] < row["energy_nj"] < row["energy_high_nj"]
        assert row["power_mw"] == pytest.approx(row["energy_nj"] / row["time_us"])
    shown = steelyard.run("show", "--energy").stdout
    assert "instruction cache" in shown and "JouleTrack" in shown


def test_other_caches_have_no_parts(steelyard: Any) -> None:
    command = ("measure", *SMALL, "--target", "sa1100", "--set", "icache.size=8K")
    for row in steelyard.json(*command):
        assert row["energy_nj"] is not None
        assert (row["energy_simulated_nj"], row["energy_shares"]) == (None, None)
        assert "simulated_mw" not in row["power_series"]


def test_a_chip_without_events_has_bounds_and_no_series(steelyard: Any) -> None:
    for row in steelyard.json("measure", *SMALL, "--target", "atmega128"):
        assert row["energy_high_nj"] == pytest.approx(row["energy_nj"] * 1.12)
        assert (row["power_series"], row["energy_shares"], row["register_reads"]) == (None, None, None)
