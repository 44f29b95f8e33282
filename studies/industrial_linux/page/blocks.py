"""The lines with which the page begins."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import polars as pl

from steelyard.studies.industrial_linux.claims import trend
from steelyard.studies.industrial_linux.figures import BASELINE, KEYS_BITS, MODES, OWN
from steelyard.studies.industrial_linux.metric import median_error
from steelyard.studies.industrial_linux.study import Reproduction, Row
from steelyard.study.findings import listed, span, verdicts
from steelyard.study.model import Outcome

NAME = "industrial-linux"


def _times(rows: list[Row]) -> str:
    return span((row.published_delay_ms / row.delay_ms for row in rows), ".3g")


def _sentences(made: Reproduction) -> Iterator[str]:
    own = [row for row in made.printed if row.implementation == OWN]
    plain = [row for row in made.printed if row.implementation.endswith(BASELINE)]
    special = [row for row in made.printed if row not in own and row not in plain]
    yield (
        f"A printed delay of AES is {_times(own)} times that of Steelyard's portable C on the machine"
        f" measured here, {_times(plain)} times that of libraries without special instructions,"
        f" {_times(special)} times that of libraries with them."
    )
    fastest = {
        name: min(
            (row for row in made.printed if row.implementation == name and row.key_bits == KEYS_BITS[0]),
            key=lambda row: row.delay_ms,
        ).mode.upper()
        for name in dict.fromkeys(row.implementation for row in made.printed)
    }
    order = ", ".join(f"{mode} with {name}" for name, mode in fastest.items())
    yield f"The fastest mode of AES, CTR as published, is here {order}."
    theirs = [made.parts["published"][mode].rest_share for mode in MODES]
    ours = [made.parts[OWN][mode].rest_share for mode in MODES]
    yield (
        f"Of a printed delay with a key of 128 bits {span(theirs, '.0%')} do not depend on the number of"
        f" rounds, of that of Steelyard's code {span(ours, '.0%')}."
    )
    (device,) = made.settings[OWN].values()
    trends = [trend(device, cipher, mode) for cipher in ("simon", "speck") for mode in (*MODES, "pcbc")]
    clear = sum(one.low > 1 for one in trends)
    yield (
        "With twice the block the throughput of SIMON and SPECK is"
        f" {span((one.factor for one in trends), '.2f')} times as high; in {clear} of {len(trends)} modes the"
        " trend is clear of chance."
    )
    *each, together = [median_error(metric.asked) for metric in made.predictions.values() if metric.asked]
    yield (
        "The equivalent metric, fitted to one implementation, predicts delays that it has not seen with a"
        f" median error of {span(each, '.1%')}, one metric for all implementations with {together:.0%}."
        f" {verdicts(made)}"
    )


def blocks(
    _: Callable[[str], pl.DataFrame], outcome: Callable[[str], Outcome]
) -> dict[str, Callable[[], str]]:
    """The blocks by name."""

    def findings() -> str:
        made = outcome(NAME)
        assert isinstance(made, Reproduction)
        return listed(_sentences(made))

    return {"findings": findings}
