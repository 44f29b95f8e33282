"""Predictions for other chips: exact where chips follow the model, honest intervals where they do not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from steelyard.models import operations, structure
from steelyard.models.evaluation import (
    BOTH,
    CORES,
    EQUATION_1,
    PARAMETERS,
    Calibration,
    Case,
    Fit,
    choose,
    conformal_share,
    cores_left_out,
    cost_vector,
    summary,
    weighted_quantile,
)
from steelyard.models.training import (
    CLASSES,
    METRICS,
    Chip,
    Row,
    Training,
    chips,
    matrix_file,
    read_records,
    training,
)
from steelyard.models.transfer import Transfer, class_cycles, extra_table_cycles

RANDOM = np.random.default_rng(1)


@pytest.fixture(scope="module")
def real() -> Training:
    return training(read_records())


def made_up(noise: float, families: int = 6) -> Training:
    """Families of alike 32-bit chips whose cycles are counts times prices, but for `noise`."""
    setup = matrix_file()
    rows = tuple(
        Row(name, operation, -1)
        for names in setup.algorithm_family.values()
        for name in names
        for operation in ("init", "encrypt")
    )
    counts = np.exp(RANDOM.normal(6, 1, (len(rows), len(CLASSES))))
    machines = tuple(
        Chip(word_bits=32, registers=16, load_cycles=1 + index % 3, branch_cycles=1 + index % 4)
        for index in range(families)
    )
    cycles = np.array([counts @ class_cycles(one) for one in machines])
    cycles *= np.exp(noise * RANDOM.normal(0, 1, cycles.shape))
    names = tuple(f"family-{index}" for index in range(families))
    return Training(
        names,
        machines,
        names,
        names,
        (True,) * families,
        rows,
        tuple(setup.algorithm_of[row.primitive] for row in rows),
        dict.fromkeys(METRICS, cycles),
        np.array([counts] * families),
        np.zeros(cycles.shape),
    )


def unfitted(transfer: Transfer, absent: str) -> Fit:
    """Predictions without a group, by what is held before any evidence."""
    return Fit(transfer, frozenset({absent}), structure.START, {})


def test_chips_that_follow_the_model_are_predicted_to_the_cycle() -> None:
    exact = made_up(0.0)
    transfer = Transfer(exact, "cycles")
    found = unfitted(transfer, "family-2").predict(exact.chips[2], {})
    assert np.exp(found.mean) == pytest.approx(exact.figures["cycles"][2], rel=0.01)


def test_what_was_measured_is_met_and_corrects_the_rest() -> None:
    """Planted: a chip three times as slow as its data sheet says."""
    exact = made_up(0.05)
    slow = 3 * exact.figures["cycles"][4]
    transfer = Transfer(exact, "cycles")
    measured = {row: float(slow[row]) for row in range(6)}
    blind = unfitted(transfer, "family-4").predict(exact.chips[4], {})
    seen = unfitted(transfer, "family-4").predict(exact.chips[4], measured)
    before = np.abs(blind.mean - np.log(slow))[6:].mean()
    after = np.abs(seen.mean - np.log(slow))[6:].mean()
    assert after < 0.5 * before
    assert (seen.deviation[6:] < blind.deviation[6:]).all()


def test_a_left_out_family_is_not_looked_at() -> None:
    whole = made_up(0.3)
    changed = replace(
        whole,
        figures={
            metric: np.where(np.arange(6)[:, None] == 3, 1e9, values)
            for metric, values in whole.figures.items()
        },
        counts=np.where(np.arange(6)[:, None, None] == 3, 1e9, whole.counts),
    )
    one, other = (
        unfitted(Transfer(each, "cycles"), "family-3").predict(whole.chips[3], {0: 5e4})
        for each in (whole, changed)
    )
    assert (one.mean == other.mean).all()
    assert (one.deviation == other.deviation).all()
    seen, unchanged = (
        unfitted(Transfer(each, "cycles"), "family-5").predict(whole.chips[5], {})
        for each in (changed, whole)
    )
    assert not np.allclose(seen.mean, unchanged.mean)


def test_slopes_are_those_of_the_answer(real: Training) -> None:
    """What the parameters are fitted by, against differences."""
    transfer = Transfer(real, "cycles")
    chip = real.targets.index("erc32")
    calibration = Calibration(real, "cycles", matrix_file())
    rows, measured = calibration.tested(chip)[::20], calibration.measured(chip, 2)
    question = structure.ask(transfer, real.chips[chip], measured, rows, frozenset({"erc32"}))
    logs = transfer.log[chip][rows]
    _, slope = structure.loss(structure.START, [(question, logs, 1.0)])
    for place in range(len(structure.START)):
        step = 1e-5 * (np.arange(len(structure.START)) == place)
        above, _ = structure.loss(structure.START + step, [(question, logs, 1.0)])
        below, _ = structure.loss(structure.START - step, [(question, logs, 1.0)])
        assert slope[place] == pytest.approx((above - below) / 2e-5, abs=1e-4)


def test_fitted_parameters_are_likelier_than_those_before(real: Training) -> None:
    few = real.chips_of(["atmega128", "msp430f1611", "sa1110", "pxa250-400", "stm32l152", "leon3"])
    fitted = choose(Transfer(few, "cycles"), frozenset({"leon"}), (0, 3), matrix_file())
    assert set(fitted.widths) == {0, 3}
    assert all(width > 0 for width in fitted.widths.values())
    assert not np.allclose(fitted.parameters, structure.START)


def test_code_of_another_compiler_is_learned_from_and_never_asked_for(real: Training) -> None:
    calibration = Calibration(real, "cycles", matrix_file())
    others = [index for index, asked in enumerate(real.asked) if not asked]
    assert {real.chips[index].compiler for index in others} == {"gcc", "clang"}
    assert not set(others) & set(calibration.chips)
    assert [real.targets[index] for index in calibration.chips] == list(matrix_file().core_of)
    transfer = Transfer(real, "cycles")
    without = Transfer(real.chips_of({"atmega128", "sa1110", "leon3", "gd32vf103"}), "cycles")
    chip = real.chips[real.targets.index("atmega103")]
    assert not np.allclose(
        transfer.prior(chip, frozenset({"avr"}))[0], without.prior(chip, frozenset({"avr"}))[0]
    )


def test_tables_in_slow_flash_are_priced_by_the_width_of_their_entries(real: Training) -> None:
    """DES reads words of four bytes, AES bytes, on a chip whose flash takes a thousand cycles to answer."""
    transfer = Transfer(real, "cycles")
    chip = real.chips[real.targets.index("fe310-g002")]
    _, reads = transfer.profile(chip, frozenset({"sifive-e31"}))
    for row, figure in zip(real.rows, real.figures["cycles"][real.targets.index("fe310-g002")], strict=True):
        if (row.primitive, row.operation) in {("des", "encrypt"), ("aes-128", "encrypt")}:
            place = real.rows.index(row)
            assert reads[place] * extra_table_cycles(chip) == pytest.approx(figure, rel=0.1)


def test_intervals_hold_what_they_say() -> None:
    noisy = made_up(0.2, 16)
    cases = [case for case in cores_left_out(noisy, "cycles", CORES) if case.model in (PARAMETERS, BOTH)]
    for primitives in (0, 3):
        found = summary([case for case in cases if case.primitives == primitives])
        assert found.coverage is not None
        assert 0.75 < found.coverage < 0.92


def test_a_summary_counts_what_it_says() -> None:
    def case(predicted: float, low: float | None, high: float | None) -> Case:
        return Case(CORES, "g", BOTH, 3, "cycles", "t", Row("x", "init", -1), 100.0, predicted, low, high)

    found = summary([case(110, 90, 120), case(300, 200, 400), case(100, 99, 101)])
    assert (found.cells, found.groups) == (3, 1)
    assert found.median_error == pytest.approx(0.1)
    assert found.within_factor_two == pytest.approx(2 / 3)
    assert found.coverage == pytest.approx(2 / 3)
    assert summary([case(100, None, None)]).coverage is None


def test_a_weighted_quantile_follows_its_weights() -> None:
    values = np.array([3.0, 1.0, 2.0])
    assert weighted_quantile(values, np.ones(3), 0.8) == 3.0
    assert weighted_quantile(values, np.array([0.1, 1.0, 1.0]), 0.8) == 2.0


def test_least_squares_without_negative_prices() -> None:
    terms = RANDOM.random((50, 4))
    prices = np.array([2.0, 0.0, 1.0, 5.0])
    assert operations.non_negative_least_squares(terms, terms @ prices) == pytest.approx(prices, abs=1e-6)
    pulled = operations.non_negative_least_squares(terms, terms @ np.array([2.0, -1.0, 1.0, 5.0]))
    assert (pulled >= 0).all()
    assert pulled[1] == 0


def test_a_cost_vector_finds_prices_that_the_data_sheet_has_wrong() -> None:
    exact = made_up(0.0)
    chip = exact.chips[1]
    wrong = chip.model_copy(update={"load_cycles": 9, "branch_cycles": 9})
    transfer = Transfer(exact, "cycles")
    of = operations.profile(transfer, wrong, frozenset({"family-1"}))
    logs = np.log(exact.figures["cycles"][1])
    known = np.arange(0, len(logs) - 20)
    groups = [exact.algorithms[row] for row in known]
    vector, width = cost_vector(of, known, logs[known], groups, 0.8)
    found = vector.predict(np.arange(len(logs) - 20, len(logs)))
    assert np.abs(found.mean - logs[-20:]).max() < 0.1
    assert np.abs(of.base[-20:] - logs[-20:]).max() > 0.3
    assert width > 0


def test_the_committed_splits_are_whole(real: Training) -> None:
    setup = matrix_file()
    chosen = {name for select in setup.select for name in select.primitive}
    assert chosen == set(setup.algorithm_of)
    assert len(setup.algorithm_family) >= 35
    assert len(setup.core_family) >= 10
    assert sum(map(len, setup.algorithm_family.values())) == len(chosen)
    assert set(setup.core_of) == set(chips())
    assert set(real.targets) == set(setup.core_of)
    assert set(real.algorithms) == set(setup.algorithm_family)
    assert np.isfinite(real.weights).all()


def test_no_tested_row_is_kin_to_a_calibration_primitive(real: Training) -> None:
    setup = matrix_file()
    calibration = Calibration(real, "cycles", setup)
    kin = {setup.algorithm_of[name] for name in setup.calibration.primitives}
    for chip in calibration.chips:
        assert not kin & {real.algorithms[row] for row in calibration.tested(chip)}
        measured = {real.rows[row].primitive for row in calibration.measured(chip, 3)}
        # Two of the five are all that the smallest RAM has room for.
        assert len(measured) == (2 if real.targets[chip] == "rl78-g10" else 3)


def test_parameters_alone_beat_equation_1_on_a_family_left_out(real: Training) -> None:
    """One split of the evaluation as it runs: StrongARM, whose instruction set another family has."""
    setup, transfer = matrix_file(), Transfer(real, "cycles")
    calibration = Calibration(real, "cycles", setup)
    chip = real.targets.index("sa1110")
    rows = calibration.tested(chip)
    found = unfitted(transfer, "strongarm").predict(real.chips[chip], {})
    errors = np.abs(np.expm1(found.mean[rows] - transfer.log[chip][rows]))
    equation = [
        case.error
        for case in cores_left_out(real.chips_of([*real.targets[:8], "sa1110"]), "cycles", CORES)
        if (case.model, case.primitives, case.target) == (EQUATION_1, 0, "sa1110")
    ]
    assert np.median(errors) < 0.15 < np.median(equation)


def test_few_groups_make_intervals_wider() -> None:
    assert conformal_share(0.8, 4) == 1.0
    assert conformal_share(0.8, 40) == pytest.approx(0.82)
