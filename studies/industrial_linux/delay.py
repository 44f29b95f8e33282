"""What a delay of AES is made of: a part for every round, and a rest that no round adds to.

Keys of 128, 192 and 256 bits have 10, 12 and 14 rounds over the same message, so the line through three
delays of a mode gives the time of a round, and what would be left without rounds: the chaining, the copies,
the calls, and whatever else lies between two readings of the clock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from steelyard.studies.industrial_linux.figures import HERE, ROUNDS, Measured
from steelyard.study.published import read_table


@dataclass(frozen=True)
class Parts:
    """The parts of the delays of one mode, in milliseconds."""

    of_a_round: float
    rest: float

    @property
    def rest_share(self) -> float:
        """Share of the rest in the delay of the shortest key."""
        whole = self.rest + min(ROUNDS.values()) * self.of_a_round
        return self.rest / whole


def parts(delay_ms: Callable[[int], float]) -> Parts:
    """The line of least squares through the delays of the three keys."""
    rounds = list(ROUNDS.values())
    delays = [delay_ms(bits) for bits in ROUNDS]
    mean_rounds, mean_delay = sum(rounds) / len(rounds), sum(delays) / len(delays)
    slope = sum((x - mean_rounds) * (y - mean_delay) for x, y in zip(rounds, delays, strict=True)) / sum(
        (x - mean_rounds) ** 2 for x in rounds
    )
    return Parts(slope, mean_delay - slope * mean_rounds)


def of_published(mode: str) -> Parts:
    """The parts of the printed delays."""
    printed = {
        int(row["key_bits"]): float(row["delay_ms"])
        for row in read_table(HERE / "table2-aes.csv")
        if row["mode"] == mode
    }
    return parts(printed.__getitem__)


def of_measured(one: Measured, mode: str) -> Parts:
    """The parts of an implementation's delays; MissingFigure where one was not measured."""
    return parts(lambda bits: one.aes(bits, mode).delay_us / 1e3)
