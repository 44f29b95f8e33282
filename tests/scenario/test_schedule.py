"""Response times beside known examples and beside what schedules of small sets do."""

from __future__ import annotations

from math import lcm

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.scenario.bus import bit_ns, passage
from steelyard.scenario.scene import Can
from steelyard.scenario.schedule import (
    Bound,
    Entry,
    can,
    edf,
    edf_feasible,
    fifo,
    fixed_priority,
    utilisation,
)


def entries(*rows: tuple[int, ...]) -> list[Entry]:
    """Entries of work, period, and where they are given deadline, jitter and blocking."""
    return [
        Entry(str(number), row[1], row[0], *(row[2:3] or row[1:2]), *row[3:])
        for number, row in enumerate(rows)
    ]


def responses(bounds: list[Bound | None]) -> list[int | None]:
    """Responses alone."""
    return [None if bound is None else bound.response_ns for bound in bounds]


# brandenburg/response-time-analysis-rs, src/fixed_priority/tests.rs, and brandenburg/schedcat, tests/fp.py;
# two of them are examples 2 and 3 of Lehoczky 1990, whose second task responds latest in a later job.
@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([(1, 4), (1, 5), (3, 9), (3, 18)], [1, 2, 7, 18]),
        ([(52, 100), (52, 140)], [52, 156]),
        ([(52, 140), (52, 100)], [52, 108]),
        ([(26, 70), (62, 100)], [26, 118]),
        ([(1, 2), (1, 3), (3, 9), (3, 18)], [1, 2, None, None]),
        ([(1, 2, 2, 0, 1), (5, 20, 20, 0, 5), (1, 20)], [2, 20, 12]),
    ],
)
def test_fixed_priorities(rows: list[tuple[int, ...]], expected: list[int | None]) -> None:
    assert responses(fixed_priority(entries(*rows))) == expected


def test_avionics_of_audsley() -> None:
    # Audsley et al. 1993, as brandenburg/schedcat, tests/fp.py, has it: C, T, D, B, J and the response.
    rows = [
        (51, 1000, 1000, 0, 0, 51),
        (3000, 2000000, 5000, 300, 0, 3504),
        (2000, 25000, 25000, 600, 0, 5906),
        (5000, 25000, 25000, 900, 0, 11512),
        (1000, 40000, 40000, 1350, 0, 13064),
        (3000, 50000, 50000, 1350, 0, 16217),
        (5000, 50000, 50000, 750, 0, 20821),
        (8000, 59000, 59000, 750, 0, 36637),
        (9000, 80000, 80000, 1350, 0, 47798),
        (2000, 80000, 80000, 450, 0, 48949),
        (5000, 100000, 100000, 1050, 0, 99150),
        (1000, 200000, 200000, 450, 1000, 99550),
        (3000, 200000, 200000, 450, 0, 140641),
        (1000, 200000, 200000, 450, 0, 141692),
        (1000, 200000, 200000, 1350, 0, 143694),
        (3000, 1000000, 1000000, 0, 0, 145446),
        (1000, 1000000, 1000000, 0, 0, 146497),
        (1000, 1000000, 1000000, 0, 0, 147548),
    ]
    found = fixed_priority([Entry("", t, c, d, j, b) for c, t, d, b, j, _ in rows])
    assert responses(found) == [response + j for *_, j, response in rows]


def test_liu_and_layland() -> None:
    # Just at their bound n (2^(1/n) - 1) a set is schedulable by rates; these three are the worst such set.
    root = 2 ** (1 / 3)
    periods = [round(10**9 * root**place) for place in range(3)]
    rows = [(periods[1] - periods[0], periods[0]), (periods[2] - periods[1], periods[1])]
    rows.append((2 * periods[0] - periods[2], periods[2]))
    full = entries(*rows)
    assert float(utilisation(full)) == pytest.approx(3 * (root - 1))
    last = responses(fixed_priority(full))[2]
    assert last is not None and last <= periods[2]
    more = entries(*rows[:2], (rows[2][0] + 10, rows[2][1]))
    late = responses(fixed_priority(more))[2]
    assert late is None or late > periods[2]


def test_messages_of_broster() -> None:
    # Broster et al. 2002 at 250 kbit/s, as brandenburg/schedcat, tests/canbus.py, has them: bytes and period
    # in ms, responses in ms until the end of the frame.
    sizes = (8, 3, 3, 2, 5, 5, 4, 5, 4, 7, 5, 1)
    rows = list(zip(sizes, (10, 14, 20, 15, 20, 40, 15, 50, 20, 100, 50, 100), strict=True))
    expected = [1.028, 1.368, 1.708, 2.008, 2.428, 2.848, 3.228, 3.648, 4.028, 4.448, 4.708, 4.720]
    # It counts a space of three bits before the last one too, which nothing less urgent can have left.
    expected[-1] -= 3 / 250
    bus = Can(kind="can", bit_rate="250kbit/s")
    frames = [passage(bus, size) for size, _ in rows]
    listed = [
        Entry("", period * 10**6, frame.longest_ns, period * 10**6)
        for (_, period), frame in zip(rows, frames, strict=True)
    ]
    found = responses(can(listed, bit_ns(bus)))
    ends = [
        (response or 0) - frame.longest_ns + frame.arrives_ns
        for response, frame in zip(found, frames, strict=True)
    ]
    assert [end / 1e6 for end in ends] == pytest.approx(expected, abs=5e-7)


def test_second_frame_is_the_latest() -> None:
    # What Davis et al. 2007 found overlooked: the first frame of the third takes 3, its second one 3.5.
    assert responses(can(entries((100, 250), (100, 350), (100, 350)), 1)) == [200, 300, 350]


def test_without_preemption() -> None:
    # brandenburg/response-time-analysis-rs, src/fixed_priority/tests.rs, where blocking is a step shorter.
    assert responses(can(entries((20, 70), (20, 80), (35, 200)), 1)) == [55, 75, 75]
    assert responses(can(entries((10, 20), (20, 50), (30, 200)), 1))[2] is None


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([(79, 120, 50), (11, 34, 100), (1, 190, 120)], [79, 101, 121]),
        (
            [(1, 5, 5), (100, 1000, 1000), (2, 10, 10), (5, 20, 45), (10, 50, 50)],
            [1, 694, 3, 22, 27],
        ),
    ],
)
def test_earliest_deadline_first(rows: list[tuple[int, ...]], expected: list[int]) -> None:
    # brandenburg/response-time-analysis-rs, src/edf/tests.rs.
    assert responses(edf(entries(*rows))) == expected


def test_demand_of_buttazzo() -> None:
    # Buttazzo, Hard Real-Time Computing Systems, 4.6: schedulable; utilisation 11/12, hyperperiod 72.
    listed = entries((2, 6, 4), (2, 8, 5), (3, 9, 7))
    assert utilisation(listed) == pytest.approx(11 / 12)
    assert edf_feasible(listed)
    assert not edf_feasible(entries((2, 6, 4), (2, 8, 5), (4, 9, 7)))


@pytest.mark.parametrize(
    ("rows", "expected"),
    [([(79, 120), (11, 34), (1, 190)], [91] * 3), ([(2, 4), (2, 8), (4, 12)], [None] * 3)],
)
def test_in_order(rows: list[tuple[int, ...]], expected: list[int | None]) -> None:
    # brandenburg/response-time-analysis-rs, src/fifo/tests.rs.
    assert responses(fifo(entries(*rows))) == expected


_ROWS = st.lists(
    st.tuples(st.integers(1, 6), st.sampled_from([2, 3, 4, 5, 6, 8, 10, 12]), st.integers(1, 14)),
    min_size=1,
    max_size=4,
)


@settings(max_examples=150, deadline=None)
@given(_ROWS)
def test_demand_agrees_with_responses(rows: list[tuple[int, int, int]]) -> None:
    """Two exact methods of earliest deadline first, and the demand at every deadline, say the same."""
    listed = entries(*rows)
    bounds = edf(listed)
    by_response = all(
        bound is not None and bound.response_ns <= entry.deadline_ns
        for bound, entry in zip(bounds, listed, strict=True)
    )
    assert edf_feasible(listed) == by_response
    span = lcm(*(row[1] for row in rows)) + max(row[2] for row in rows)
    by_demand = utilisation(listed) <= 1 and all(
        sum((1 + (time - d) // t) * c for c, t, d in rows if d <= time) <= time for time in range(1, span + 1)
    )
    assert by_demand == by_response
