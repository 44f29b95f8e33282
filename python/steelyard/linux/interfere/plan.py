"""Plan of a run: the control task, the messages beside it, and the blocks of the run."""

from __future__ import annotations

import re
from dataclasses import dataclass

from steelyard.errors import UsageError
from steelyard.nearest import printable
from steelyard.units import duration, parse_bytes, parse_rate, parse_time

AS_FAST_AS_IT_CAN = "max"

_LEAST_PERIOD_NS, _MOST_PERIOD_NS = 20_000, 10_000_000_000
_LEAST_PERIODS, _MOST_PERIODS = 64, 1_000_000
_LEAST_PAIRS, _MOST_PAIRS = 4, 20
_PERIODS_OF_A_PAIR = 100
_MOST_RATE_HZ = 1e6
_MOST_WORKING_SET_BYTES = 1 << 28
_MOST_LENGTH_BYTES = 16 << 20
_CACHE_LINE_BYTES = 64
_ROUNDS = re.compile(r"([0-9]{1,12})(?:\s*rounds?)?")


@dataclass(frozen=True)
class Plan:
    """A control task and the messages beside it.

    Either `work_ns` or `work_rounds` is given. `interval_ns` is the mean time between messages, 0 for one
    after the other. `priority` 0 is SCHED_OTHER, above it SCHED_FIFO; a core of None is the kernel's choice.
    """

    period_ns: int
    deadline_ns: int
    work_ns: int | None
    work_rounds: int | None
    working_set_bytes: int
    priority: int
    core: int | None
    interval_ns: int
    message_bytes: int
    encryption_priority: int
    encryption_core: int | None
    pairs: int
    block_periods: int
    overload: bool
    seed: int

    @property
    def blocks(self) -> int:
        """Number of blocks, half of which encrypt."""
        return 2 * self.pairs

    @property
    def duration_s(self) -> float:
        """Duration of all blocks in seconds."""
        return self.blocks * self.block_periods * self.period_ns * 1e-9

    @property
    def rate_hz(self) -> float | None:
        """Requested messages per second; None for as many as possible."""
        return 1e9 / self.interval_ns if self.interval_ns else None

    @property
    def messages(self) -> float | None:
        """Messages that fall due in the blocks that encrypt; None for as many as possible."""
        return self.rate_hz * self.duration_s / 2 if self.rate_hz is not None else None

    def words(self) -> dict[str, int]:
        """Return the words of a request to the program on the device, besides those of the primitive."""
        words = {
            "period_ns": self.period_ns,
            "block_periods": self.block_periods,
            "blocks": self.blocks,
            "working_set_bytes": self.working_set_bytes,
            "interval_ns": self.interval_ns,
            "priority": self.priority,
            "encrypt_priority": self.encryption_priority,
            "overload": int(self.overload),
            "moments_seed": self.seed,
        }
        optional = {
            "work_ns": self.work_ns,
            "work_rounds": self.work_rounds,
            "pin": self.core,
            "encrypt_pin": self.encryption_core,
        }
        return words | {name: value for name, value in optional.items() if value is not None}


def make_plan(
    *,
    period: str,
    work: str,
    deadline: str | None,
    working_set: str,
    priority: int,
    core: int | None,
    rate: str,
    length: str,
    encryption_priority: int,
    encryption_core: int | None,
    duration_: str,
    overload: bool,
    seed: int = 1,
) -> Plan:
    """Return the plan for these options; UsageError, naming the option to change, for an impossible one.

    `deadline` defaults to the period, `encryption_core` to the task's core.
    """
    period_ns = round(parse_time("--period", period) * 1e9)
    if not _LEAST_PERIOD_NS <= period_ns <= _MOST_PERIOD_NS:
        raise UsageError(
            f"--period {printable(period)}: from {duration(_LEAST_PERIOD_NS / 1e9)}"
            f" to {duration(_MOST_PERIOD_NS / 1e9)} can be run."
        )
    deadline_ns = period_ns if deadline is None else round(parse_time("--deadline", deadline) * 1e9)
    if deadline_ns > period_ns:
        raise UsageError(
            f"--deadline {deadline}: it is beyond the period of {printable(period)};"
            " a period whose answer comes later than the next release is lost anyway."
        )
    work_ns, work_rounds = _work(work)
    if work_ns is not None:
        _check_load(work, work_ns, period, period_ns, deadline, deadline_ns, overload=overload)
    working_set_bytes = parse_bytes("--working-set", working_set)
    if not _CACHE_LINE_BYTES <= working_set_bytes <= _MOST_WORKING_SET_BYTES:
        raise UsageError(f"--working-set {printable(working_set)}: 64 bytes to 256M can be walked through.")
    message_bytes = parse_bytes("--length", length)
    if message_bytes > _MOST_LENGTH_BYTES:
        raise UsageError(f"--length {printable(length)}: messages of up to 16M can be encrypted.")
    interval_ns = _interval_ns(rate)
    if interval_ns == 0 and encryption_priority:
        raise UsageError(
            "--rate max with --encrypt-priority would leave no time for anything else on the device:"
            " give a rate, or leave the priority out."
        )
    periods = int(parse_time("--duration", duration_) * 1e9 // period_ns)
    if periods < _LEAST_PERIODS:
        raise UsageError(
            f"--duration {printable(duration_)} holds {periods} periods of {printable(period)};"
            f" at least {_LEAST_PERIODS} are needed."
        )
    if periods > _MOST_PERIODS:
        raise UsageError(
            f"--duration {printable(duration_)} holds {periods:,} periods of {printable(period)};"
            f" the device keeps at most {_MOST_PERIODS:,}."
        )
    pairs = min(_MOST_PAIRS, max(_LEAST_PAIRS, periods // _PERIODS_OF_A_PAIR))
    return Plan(
        period_ns=period_ns,
        deadline_ns=deadline_ns,
        work_ns=work_ns,
        work_rounds=work_rounds,
        working_set_bytes=working_set_bytes,
        priority=priority,
        core=core,
        interval_ns=interval_ns,
        message_bytes=message_bytes,
        encryption_priority=encryption_priority,
        encryption_core=core if encryption_core is None else encryption_core,
        pairs=pairs,
        block_periods=periods // (2 * pairs),
        overload=overload,
        seed=seed,
    )


def _work(text: str) -> tuple[int | None, int | None]:
    rounds = _ROUNDS.fullmatch(text.strip())
    if rounds is not None:
        return None, int(rounds[1])
    try:
        return round(parse_time("--work", text) * 1e9), None
    except UsageError:
        raise UsageError(
            f'--work: "{printable(text)}" is not understood; write it as a time, 100us,'
            " or as rounds of the task's loop, 2000."
        ) from None


def _check_load(
    work: str, work_ns: int, period: str, period_ns: int, deadline: str | None, deadline_ns: int, *,
    overload: bool,
) -> None:  # fmt: skip
    if overload:
        if work_ns > 100 * period_ns:
            raise UsageError(
                f"--work {printable(work)} is more than a hundred periods of {printable(period)}."
            )
        return
    if work_ns >= period_ns:
        raise UsageError(
            f"--work {printable(work)} does not fit into a period of {printable(period)}:"
            " the task could never keep up; --overload runs it nevertheless."
        )
    if work_ns >= deadline_ns:
        raise UsageError(
            f"--work {printable(work)} does not end before a deadline of {printable(str(deadline))}:"
            " every period would miss it; --overload runs it nevertheless."
        )


def _interval_ns(rate: str) -> int:
    if rate.strip() == AS_FAST_AS_IT_CAN:
        return 0
    rate_hz = parse_rate("--rate", rate)
    if rate_hz > _MOST_RATE_HZ:
        raise UsageError(
            f"--rate {printable(rate)}: up to a million messages a second can be asked for;"
            f" {AS_FAST_AS_IT_CAN} makes them one after the other."
        )
    return round(1e9 / rate_hz)
