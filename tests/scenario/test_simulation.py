"""What the simulation does is what the analysis says can be done at the worst."""

from __future__ import annotations

import heapq
from math import lcm
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenario.scenes import chain, one_device, system_of

from steelyard.scenario.analysis import analyse
from steelyard.scenario.scene import Scene
from steelyard.scenario.schedule import Entry, _edf_candidates, _edf_end, can, edf
from steelyard.scenario.simulate import simulate
from steelyard.scenario.system import SECOND_NS

_MS = 1_000_000

_ROWS = st.lists(
    st.tuples(st.integers(1, 5), st.sampled_from([3, 4, 5, 6, 8, 10, 12, 15]), st.integers(1, 18)),
    min_size=1,
    max_size=5,
)
Rows = list[tuple[int, int, int]]


def tasks_of(rows: Rows, scheduler: str) -> Scene:
    """Tasks of work, period and deadline in milliseconds."""
    return one_device(
        {
            f"t{number}": {"work": f"{c}ms", "period": f"{t}ms", "deadline": f"{d}ms"}
            for number, (c, t, d) in enumerate(rows)
        },
        scheduler,
    )


def span_ns(rows: Rows) -> int:
    """Long enough for the busy period after a start of all tasks at once, and a hyperperiod more."""
    return (lcm(*(row[1] for row in rows)) * 2 + 200) * _MS


@settings(max_examples=60, deadline=None)
@given(_ROWS)
def test_worst_case_happens_at_the_critical_instant(rows: Rows) -> None:
    """Of fixed priorities, all tasks released at once, the longest response is the bound, exactly."""
    system = system_of(tasks_of(rows, "fixed-priority"))
    found = analyse(system)
    if found.devices["chip"] > 1:
        return
    run = simulate(system, span_ns(rows))
    for name, response in found.responses.items():
        assert run.seen[name].longest_ns == response.response_ns
        assert (run.seen[name].misses == 0) == response.meets_deadline


@settings(max_examples=40, deadline=None)
@given(_ROWS, st.data())
def test_deadline_first_worst_case_happens(rows: Rows, data: st.DataObject) -> None:
    """The busy period that the analysis finds worst for a task takes so long; no other start takes longer."""
    entries = [Entry(str(n), t * _MS, c * _MS, d * _MS) for n, (c, t, d) in enumerate(rows)]
    bounds = edf(entries)
    if None in bounds:
        return
    chosen = data.draw(st.integers(0, len(rows) - 1))
    bound, entry = bounds[chosen], entries[chosen]
    assert bound is not None
    candidates = _edf_candidates(entries, entry, span_ns(rows))
    worst = max(candidates, key=lambda due: _edf_end(entries, chosen, due) - due)
    scene = tasks_of(rows, "edf")
    name = f"t{chosen}"
    late = {**scene.task, name: scene.task[name].model_copy(update={"offset": worst % entry.period_ns / 1e9})}
    others = [f"t{number}" for number in range(len(rows)) if number != chosen]
    run = simulate(system_of(scene.model_copy(update={"task": late})), worst + span_ns(rows), favoured=others)
    assert run.seen[name].longest_ns == bound.response_ns
    together = simulate(system_of(scene), span_ns(rows))
    for number, one in enumerate(bounds):
        assert one is not None and together.seen[f"t{number}"].longest_ns <= one.response_ns


def test_an_independent_schedule_agrees() -> None:
    """A schedule made millisecond by millisecond runs the same jobs to the same ends."""
    rows = [(1, 4, 4), (2, 6, 6), (3, 12, 12)]
    run = simulate(system_of(tasks_of(rows, "fixed-priority")), 120 * _MS)
    ends: dict[int, list[int]] = {0: [], 1: [], 2: []}
    ready: list[tuple[int, int, list[int]]] = []
    for now in range(120):
        for number, (work, period, _) in enumerate(rows):
            if now % period == 0:
                heapq.heappush(ready, (number, now, [work]))
        if ready:
            number, released, left = ready[0]
            left[0] -= 1
            if left[0] == 0:
                heapq.heappop(ready)
                ends[number].append(now + 1 - released)
    for number, taken in ends.items():
        seen = run.seen[f"t{number}"]
        assert (seen.jobs, seen.longest_ns, seen.total_ns) == (
            len(taken),
            max(taken) * _MS,
            sum(taken) * _MS,
        )


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 6),
    st.integers(0, 8),
    st.integers(0, 5),
    st.integers(0, 4),
    st.sampled_from(["fixed-priority", "edf"]),
    st.integers(1, 1000),
)
def test_latencies_stay_within_their_bounds(
    load: int, other: int, check: int, jitter: int, scheduler: str, seed: int
) -> None:
    scene = chain()
    changed = dict(scene.task)
    for name, offset in (("load", load), ("other", other), ("check", check)):
        changed[name] = changed[name].model_copy(update={"offset": offset * 1e-3})
    changed["sample"] = changed["sample"].model_copy(update={"jitter": jitter * 1e-3})
    devices = {name: one.model_copy(update={"scheduler": scheduler}) for name, one in scene.device.items()}
    system = system_of(scene.model_copy(update={"task": changed, "device": devices}))
    found = analyse(system)
    run = simulate(system, SECOND_NS, seed)
    for name, response in found.responses.items():
        assert response.response_ns is not None
        assert 0 < run.seen[name].longest_ns <= response.response_ns
    latency = found.latencies["loop"]
    seen = [now - due for (_, due), now in run.acted["loop"]]
    assert len(seen) >= 98
    assert latency.worst_ns is not None
    assert latency.best_ns <= min(seen) and max(seen) <= latency.worst_ns


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 8), st.sampled_from([1, 2, 4, 5, 8, 10]), st.integers(0, 9)),
        min_size=1,
        max_size=6,
    )
)
def test_frames_of_can(rows: list[tuple[int, int, int]]) -> None:
    """Queued together, the least urgent frames wait as long as the analysis says; others never longer."""
    message = {"from": "chip", "bus": "can"}
    scene: dict[str, Any] = {
        "title": "frames",
        "device": {"chip": {"target": "atmega128"}},
        "task": {"idle": {"device": "chip", "period": "1s", "work": "1us"}},
        "bus": {"can": {"kind": "can", "bit_rate": "500kbit/s"}},
        "message": {
            f"m{n}": {**message, "id": n, "payload": f"{size}B", "period": f"{period}ms"}
            for n, (size, period, _) in enumerate(rows)
        },
    }
    together = system_of(Scene.model_validate(scene))
    found = analyse(together)
    if found.buses["can"] > 1:
        return
    run = simulate(together, 100 * _MS)
    frames = [together.messages[f"m{n}"] for n in range(len(rows))]
    entries = [Entry("", one.period_ns, one.passage.longest_ns, one.deadline_ns) for one in frames]
    # Of what is queued just after a frame began, the analysis lets win what comes within a bit; here nothing.
    last = can(entries, 1)[-1]
    assert last is not None
    space = frames[-1].passage.longest_ns - frames[-1].passage.arrives_ns
    assert run.seen[f"m{len(rows) - 1}"].longest_ns == last.response_ns - space
    for number, (_, _, offset) in enumerate(rows):
        scene["message"][f"m{number}"]["offset"] = f"{offset * 0.1:.1f}ms"
    apart = simulate(system_of(Scene.model_validate(scene)), 100 * _MS)
    for name, response in found.responses.items():
        if name != "idle" and response.response_ns is not None:
            assert run.seen[name].longest_ns <= response.response_ns
            assert apart.seen[name].longest_ns <= response.response_ns


def test_a_frame_queued_as_another_ends_takes_part() -> None:
    """Frames of 135 us; the urgent one is queued when the second of three ends."""
    waiting = {"from": "chip", "bus": "can", "payload": "8B", "period": "100ms"}
    scene = {
        "title": "tie",
        "device": {"chip": {"target": "atmega128"}},
        "task": {"late": {"device": "chip", "period": "100ms", "offset": "170us", "work": "100us"}},
        "bus": {"can": {"kind": "can", "bit_rate": "1Mbit/s"}},
        "message": {
            "urgent": {"from": "late", "bus": "can", "payload": "8B", "id": 0},
            **{f"m{n}": {**waiting, "id": n} for n in (1, 2, 3)},
        },
    }
    run = simulate(system_of(Scene.model_validate(scene)), 50 * _MS)
    assert run.seen["urgent"].longest_ns == 132_000
    assert run.seen["m3"].longest_ns == 4 * 135_000 - 3000


def test_triggers_of_pycpa() -> None:
    """Two chains over two processors: IDA-TUBS/pycpa, test/test_spp.py."""
    scene = Scene.model_validate(
        {
            "title": "two chains",
            "device": {"r1": {"target": "atmega128"}, "r2": {"target": "atmega128"}},
            # A bus so fast that what it adds is below a millisecond's thousandth.
            "bus": {"line": {"kind": "can", "bit_rate": "1000Mbit/s"}},
            "task": {
                "t11": {
                    "device": "r1", "period": "30ms", "jitter": "5ms", "priority": 2,
                    "work": "10ms", "least": "5ms",
                },
                "t12": {
                    "device": "r1", "period": "15ms", "jitter": "6ms", "priority": 1,
                    "work": "3ms", "least": "1ms",
                },
                "t21": {"device": "r2", "after": "m1", "priority": 2, "work": "2ms"},
                "t22": {"device": "r2", "after": "m2", "priority": 1, "work": "9ms", "least": "4ms"},
            },
            "message": {
                "m1": {"from": "t11", "to": "t21", "bus": "line", "id": 1, "payload": "1B"},
                "m2": {"from": "t12", "to": "t22", "bus": "line", "id": 2, "payload": "1B"},
            },
        }
    )  # fmt: skip
    found = analyse(system_of(scene)).responses
    # There a response is counted from the release, here of what time releases from when it is due.
    for name, milliseconds in (("t11", 10 + 5), ("t12", 13 + 6), ("t21", 2)):
        assert found[name].response_ns == pytest.approx(milliseconds * _MS, abs=2000)
    # There two releases of t22 are known to be a millisecond apart, and 20 ms end where t21 comes again.
    last = found["t22"].response_ns
    assert last is not None and 19 * _MS <= last <= (19 + 1 + 2) * _MS


def test_what_time_releases_waits_a_period() -> None:
    scene = chain()
    polled = {
        **scene.task,
        "control": scene.task["control"].model_copy(update={"after": None, "period": 0.02}),
    }
    system = system_of(scene.model_copy(update={"task": polled}))
    found = analyse(system)
    direct = analyse(system_of(scene)).latencies["loop"].worst_ns
    slower = found.latencies["loop"].worst_ns
    assert direct is not None and slower is not None
    assert slower > direct + 15 * _MS
    run = simulate(system, SECOND_NS)
    assert max(now - due for (_, due), now in run.acted["loop"]) <= slower


def test_overload_is_unbounded_and_late() -> None:
    system = system_of(tasks_of([(3, 4, 4), (3, 6, 6)], "fixed-priority"))
    found = analyse(system)
    assert found.devices["chip"] == pytest.approx(1.25)
    assert found.responses["t0"].response_ns == 3 * _MS
    assert found.responses["t1"].response_ns is None
    assert simulate(system, 600 * _MS).seen["t1"].misses > 50


def radio_of(count: int) -> Scene:
    """Devices that all send at once, again and again."""
    names = range(count)
    message = {"bus": "air", "payload": "60B", "deadline": "1s"}
    return Scene.model_validate(
        {
            "title": "radio",
            "device": {f"d{n}": {"target": "atmega128"} for n in names},
            "bus": {"air": {"kind": "ieee802154"}},
            "task": {f"t{n}": {"device": f"d{n}", "period": "60ms", "work": "1ms"} for n in names},
            "message": {f"m{n}": {"from": f"t{n}", **message} for n in names},
        }
    )


def test_radio_is_shared_and_bounded() -> None:
    lost = {}
    for count in (1, 2, 6):
        system = system_of(radio_of(count))
        found = analyse(system)
        run = simulate(system, 10 * SECOND_NS)
        seen = [run.seen[f"m{n}"] for n in range(count)]
        for number, one in enumerate(seen):
            bound = found.responses[f"m{number}"].response_ns
            assert bound is None or one.longest_ns <= bound
        lost[count] = sum(one.lost for one in seen) / sum(one.jobs + one.lost for one in seen)
    assert lost[1] == 0
    assert lost[2] < 0.01 < lost[6] < 0.3
