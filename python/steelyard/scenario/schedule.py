"""Response times of tasks on a processor and of frames on a bus: exact analysis, in whole nanoseconds.

Sources, by function. `fixed_priority`: Joseph and Pandya 1986 and Audsley et al. 1993, with jitter and any
deadlines after Lehoczky 1990 and Tindell, Burns and Wellings 1994. `edf`: Spuri 1996. `edf_feasible`: the
processor demand of Baruah et al. 1990, searched as in Zhang and Burns 2009. `can`: Davis, Burns, Bril and
Lukkien 2007. `fifo`: George and Minet 1997.

Each entry is released at most once a period, up to `jitter_ns` late; responses count from the moment it was
due. None stands for a response without a bound, because the demand exceeds the available time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

_JOBS_LIMIT = 50_000
"""Maximum number of jobs examined in a busy period; a longer one counts as unbounded."""

Demand = Callable[[int], int]


@dataclass(frozen=True)
class Entry:
    """A task on its processor, or a message on its bus; times in nanoseconds.

    `blocking_ns` is the maximum delay by work of lower priority. The deadline counts from when a job is due,
    or `from_release`.
    """

    name: str
    period_ns: int
    work_ns: int
    deadline_ns: int
    jitter_ns: int = 0
    blocking_ns: int = 0
    from_release: bool = False

    @property
    def latest_ns(self) -> int:
        """The deadline, counted from when a job is due, at its latest."""
        return self.deadline_ns + (self.jitter_ns if self.from_release else 0)

    @property
    def utilisation(self) -> Fraction:
        """Exact share of the time that it takes."""
        return Fraction(self.work_ns, self.period_ns)


@dataclass(frozen=True)
class Bound:
    """Longest times: `response_ns` from when a job is due, `local_ns` from its actual release."""

    response_ns: int
    local_ns: int


class _Unbounded(Exception):
    """The demand outgrows the time, or the busy period is too long to be examined."""


def utilisation(entries: Iterable[Entry]) -> Fraction:
    """Return the share of the time that all of them take together."""
    return sum((entry.utilisation for entry in entries), Fraction(0))


def fixed_priority(entries: Sequence[Entry]) -> list[Bound | None]:
    """Return bounds under preemptive fixed priorities; the most urgent first."""
    return [_preemptive(entries[:index], entries[index]) for index in range(len(entries))]


def can(entries: Sequence[Entry], bit_ns: int) -> list[Bound | None]:
    """Return bounds under priorities without preemption, such as CAN identifiers; the most urgent first.

    A message that is queued within `bit_ns` after a frame began still joins its arbitration. An entry's own
    `blocking_ns` is ignored: blocking is the longest frame of lower priority.
    """
    bounds = []
    for index, entry in enumerate(entries):
        lower = max((one.work_ns for one in entries[index + 1 :]), default=0)
        bounds.append(_not_preemptive(entries[:index], entry, lower, bit_ns))
    return bounds


def _ceil(dividend: int, divisor: int) -> int:
    return -(-dividend // divisor)


def _busy(start_ns: int, demand: Demand) -> int:
    """Return the least fixed point from `start_ns` up; _Unbounded after very many steps."""
    span = start_ns
    for _ in range(_JOBS_LIMIT):
        longer = demand(span)
        if longer <= span:
            return span
        span = longer
    raise _Unbounded


def _released(entries: Sequence[Entry], span_ns: int) -> int:
    """Return the work released in an open interval after the worst possible start."""
    return sum(_ceil(span_ns + one.jitter_ns, one.period_ns) * one.work_ns for one in entries)


def _endless(group: Sequence[Entry], blocking_ns: int) -> bool:
    """Whether the demand of a group leaves no time in which its busy period could end."""
    share = utilisation(group)
    return share > 1 or (share == 1 and bool(blocking_ns or any(one.jitter_ns for one in group)))


def _preemptive(above: Sequence[Entry], entry: Entry) -> Bound | None:
    if _endless((*above, entry), entry.blocking_ns):
        return None
    response = local = 0
    end = entry.blocking_ns
    try:
        for job in range(_JOBS_LIMIT):
            own = entry.blocking_ns + (job + 1) * entry.work_ns

            def demand(span: int, own: int = own) -> int:
                return own + _released(above, span)

            end = _busy(end + entry.work_ns, demand)
            due = job * entry.period_ns - entry.jitter_ns
            response = max(response, end - due)
            local = max(local, end - max(due, 0))
            if end <= due + entry.period_ns:
                return Bound(response, local)
    except _Unbounded:
        pass
    return None


def _not_preemptive(above: Sequence[Entry], entry: Entry, lower_ns: int, bit_ns: int) -> Bound | None:
    group = (*above, entry)
    if _endless(group, lower_ns):
        return None
    response = local = 0
    try:
        length = _busy(lower_ns + entry.work_ns, lambda span: lower_ns + _released(group, span))
        jobs = _ceil(length + entry.jitter_ns, entry.period_ns)
        start = 0
        for job in range(jobs):
            before = lower_ns + job * entry.work_ns

            def waiting(span: int, before: int = before) -> int:
                return before + _released(above, span + bit_ns)

            start = _busy(max(start, before), waiting)
            end = start + entry.work_ns
            due = job * entry.period_ns - entry.jitter_ns
            response = max(response, end - due)
            local = max(local, end - max(due, 0))
    except _Unbounded:
        return None
    return Bound(response, local)


def fifo(entries: Sequence[Entry]) -> list[Bound | None]:
    """Return bounds for service in order of arrival, without preemption."""
    nothing: list[Bound | None] = [None] * len(entries)
    if _endless(entries, 0):
        return nothing
    try:
        length = _busy(sum(entry.work_ns for entry in entries), lambda span: _released(entries, span))
    except _Unbounded:
        return nothing
    most = 0
    for time in sorted({time for entry in entries for time in _releases(entry, length)}):
        work = sum((1 + (time + one.jitter_ns) // one.period_ns) * one.work_ns for one in entries)
        most = max(most, work - time)
    return [Bound(most + entry.jitter_ns, most) for entry in entries]


def _releases(entry: Entry, length_ns: int) -> Iterable[int]:
    """Yield the releases in a busy period whose first job is as late as possible, and its beginning."""
    yield 0
    yield from range(-entry.jitter_ns % entry.period_ns, length_ns, entry.period_ns)


def edf(entries: Sequence[Entry]) -> list[Bound | None]:
    """Return bounds under preemptive earliest deadline first; equal deadlines have any order."""
    if _endless(entries, max((entry.blocking_ns for entry in entries), default=0)):
        return [None] * len(entries)
    try:
        length = _edf_busy(entries)
        return [_edf_bound(entries, index, length) for index in range(len(entries))]
    except _Unbounded:
        return [None] * len(entries)


def _edf_busy(entries: Sequence[Entry]) -> int:
    blocking = max((entry.blocking_ns for entry in entries), default=0)
    first = blocking + sum(entry.work_ns for entry in entries)
    return _busy(first, lambda span: blocking + _released(entries, span))


def _edf_bound(entries: Sequence[Entry], index: int, length_ns: int) -> Bound:
    """Return the bound over the times `due` of a job in a busy period in which the others start worst."""
    entry = entries[index]
    response = entry.jitter_ns + entry.blocking_ns + entry.work_ns
    local = entry.blocking_ns + entry.work_ns
    for due in _edf_candidates(entries, entry, length_ns):
        end = _edf_end(entries, index, due)
        response = max(response, end - due)
        local = max(local, end - max(due, 0))
    return Bound(response, local)


def _edf_candidates(entries: Sequence[Entry], entry: Entry, length_ns: int) -> list[int]:
    """Return times at which a job's deadline meets another's: the response is longest at one of them."""
    found: set[int] = set()
    for other in entries:
        first = (entry.latest_ns if other is entry else other.deadline_ns) - other.jitter_ns - entry.latest_ns
        skipped = max(0, _ceil(-entry.jitter_ns - first, other.period_ns))
        found.update(range(first + skipped * other.period_ns, length_ns, other.period_ns))
        if len(found) > _JOBS_LIMIT:
            raise _Unbounded
    return sorted(found)


def _edf_end(entries: Sequence[Entry], index: int, due: int) -> int:
    entry = entries[index]
    deadline = due + entry.latest_ns
    own = (1 + (due + entry.jitter_ns) // entry.period_ns) * entry.work_ns
    most = [
        1 + (deadline + other.jitter_ns - other.deadline_ns) // other.period_ns
        if deadline + other.jitter_ns >= other.deadline_ns
        else 0
        for other in entries
    ]

    def demand(span: int) -> int:
        return (
            entry.blocking_ns
            + own
            + sum(
                min(_ceil(span + other.jitter_ns, other.period_ns), most[position]) * other.work_ns
                for position, other in enumerate(entries)
                if position != index
            )
        )

    return _busy(own, demand)


def edf_feasible(entries: Sequence[Entry]) -> bool:
    """Whether every deadline is kept under earliest deadline first: no interval's demand exceeds it."""
    share = utilisation(entries)
    if share > 1:
        return False
    reduced = [entry.deadline_ns - entry.jitter_ns for entry in entries]
    if any(left < entry.work_ns for left, entry in zip(reduced, entries, strict=True)):
        return False
    try:
        longest = _edf_busy(entries)
    except _Unbounded:
        return False
    if share < 1:
        # Baruah et al.: beyond this length the demand cannot exceed the interval.
        slack = sum(
            (
                max(0, entry.period_ns - left) * entry.utilisation
                for left, entry in zip(reduced, entries, strict=True)
            ),
            Fraction(max(entry.blocking_ns for entry in entries)),
        )
        longest = min(longest, max(*reduced, 0, int(slack / (1 - share)) + 1))
    return _demand_is_met(entries, reduced, longest)


def _demand_is_met(entries: Sequence[Entry], deadlines_ns: Sequence[int], longest_ns: int) -> bool:
    """Check by quick processor-demand analysis: from the longest interval down, along the demand itself."""
    pairs = list(zip(entries, deadlines_ns, strict=True))
    least = min(deadlines_ns)

    def demand(span: int) -> int:
        blocking = max((entry.blocking_ns for entry, left in pairs if left <= span), default=0)
        return blocking + sum(
            (1 + (span - left) // entry.period_ns) * entry.work_ns for entry, left in pairs if left <= span
        )

    def last_deadline_before(span: int) -> int:
        return max(
            left + (span - 1 - left) // entry.period_ns * entry.period_ns
            for entry, left in pairs
            if left < span
        )

    if longest_ns < least:
        return True
    span = last_deadline_before(longest_ns + 1)
    while (needed := demand(span)) <= span:
        if needed <= least:
            return True
        span = needed if needed < span else last_deadline_before(span)
        if span < least:
            return True
    return False
