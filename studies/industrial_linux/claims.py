"""What the publication claims, as tests of one implementation's figures on a device."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import log2, sqrt
from statistics import linear_regression, median

from steelyard.catalog.load import load_catalog
from steelyard.catalog.models import ModeFile
from steelyard.studies.industrial_linux.figures import (
    CHAINED,
    HERE,
    KEYS_BITS,
    MODES,
    ODD_BYTES,
    OWN,
    ROUNDS,
    SPEED_UP,
    STEADY,
    T_OF_TREND,
    THREADS,
    TRIAL,
    Figure,
    Measured,
    Settings,
    configurations,
)
from steelyard.studies.industrial_linux.metric import Metric, Metrics, half_interval, median_error, of_table2
from steelyard.study.comparison import ABOUT, CLOSE, is_close
from steelyard.study.model import Claim
from steelyard.study.published import claims_of
from steelyard.study.verdict import (
    Claimed,
    MissingFigure,
    Shown,
    Statement,
    Verdict,
    built_in,
    finding_of,
    judge,
    of_all,
)


def _longer(one: Figure, other: Figure) -> bool:
    return one.low_us > other.high_us


def _spread(values: Iterable[float]) -> float:
    listed = list(values)
    return max(listed) / min(listed) - 1


def _told(values: Iterable[float | None], what: str) -> list[float]:
    listed = list(values)
    if any(value is None for value in listed):
        raise MissingFigure(f"the device does not tell {what}")
    return [value for value in listed if value is not None]


def _keys_cost(mode: str) -> Callable[[Measured], bool]:
    return lambda one: all(
        _longer(one.aes(more, mode), one.aes(less, mode)) for less, more in pairwise(KEYS_BITS)
    )


@dataclass(frozen=True)
class Trend:
    """By what factor throughput grows with twice the block, and the ends of its 95 % interval."""

    factor: float
    low: float
    high: float


def trend(one: Measured, cipher: str, mode: str) -> Trend:
    """The line of least squares of the logarithms through every configuration of a cipher."""
    points = []
    for configuration in configurations():
        family, _, sizes = configuration.primitive.partition("-")
        if family == cipher:
            block_bits = int(sizes.partition("-")[0])
            speed = one.figure(configuration.primitive, mode).throughput_bytes_per_s
            points.append((log2(block_bits), log2(speed)))
    slope, intercept = linear_regression(*zip(*points, strict=True))
    mean = sum(x for x, _ in points) / len(points)
    left = sum((y - intercept - slope * x) ** 2 for x, y in points) / (len(points) - 2)
    reach = T_OF_TREND * sqrt(left / sum((x - mean) ** 2 for x, _ in points))
    return Trend(2**slope, 2 ** (slope - reach), 2 ** (slope + reach))


def _larger_is_faster(cipher: str, mode: str) -> Callable[[Measured], bool]:
    return lambda one: trend(one, cipher, mode).low > 1


_COMPARED = ("aes-128", "sm4", "camellia-128", "simon-128-128", "speck-128-128")


def _cost_of_mode(one: Measured, mode: str) -> list[float]:
    """Of each algorithm that has it, the delay relative to ECB; MissingFigure for less than two of them."""
    ratios = []
    for primitive in _COMPARED:
        with suppress(MissingFigure):
            ratios.append(one.figure(primitive, mode).delay_us / one.figure(primitive, "ecb").delay_us)
    if len(ratios) < 2:
        what = f"no two algorithms of {one.implementation} in {mode.upper()} and ECB"
        raise MissingFigure(TRIAL if one.is_trial else what)
    return ratios


def _depends_on_algorithm(mode: str) -> Callable[[Measured], bool]:
    return lambda one: _spread(_cost_of_mode(one, mode)) > ABOUT


def _ctr_first(bits: int) -> Callable[[Measured], bool]:
    return lambda one: all(
        _longer(one.aes(bits, mode), one.aes(bits, "ctr")) for mode in MODES if mode != "ctr"
    )


def _alike_chained(bits: int) -> Callable[[Measured], bool]:
    return lambda one: _spread(one.aes(bits, mode).delay_us for mode in CHAINED) <= ABOUT


def _faster_than_chained(bits: int) -> Callable[[Measured], bool]:
    return lambda one: all(_longer(one.aes(bits, mode), one.aes(bits, "ecb")) for mode in CHAINED)


def _cpu(one: Measured) -> list[float]:
    """Cores that were busy in each row of Table 2; MissingFigure where other programs had a share in them."""
    cores = one.machine.get("cores")
    figures = [(row.cpu_machine_percent, row.cpu_process_percent) for row in one.table2(timed=False)]
    if not isinstance(cores, int) or any(whole is None or own is None for whole, own in figures):
        raise MissingFigure("the device does not tell its cores or its CPU shares")
    told = [
        (whole / 100 * cores, own / 100) for whole, own in figures if whole is not None and own is not None
    ]
    if one.is_trial:
        raise MissingFigure(TRIAL)
    if any(busy - own > ABOUT for busy, own in told):
        raise MissingFigure(f"other work had {one.device} busy while {one.implementation} was measured")
    return [busy for busy, _ in told]


def _memory(one: Measured) -> list[float]:
    return _told((figure.rss_peak_bytes for figure in one.table2(timed=False)), "the memory of a process")


def _steady(one: Measured) -> list[float]:
    """Of each row the deviation from run to run; MissingFigure on a device that is not known to be whole.

    Every run does the same, so the deviation is that of the machine; on a virtual one it is its neighbours'.
    """
    if one.machine.get("virtual") is not False:
        raise MissingFigure(
            "every run of a cell executes the same instructions, so what differs is the machine's doing, and"
            f" {one.device} is virtual or does not tell: a board of its own is needed"
        )
    return [figure.sd_us / figure.delay_us for figure in one.table2()]


def _per_round(one: Measured, mode: str) -> list[float]:
    return [one.aes(bits, mode).delay_us / rounds for bits, rounds in ROUNDS.items()]


def _by_rounds(mode: str) -> Callable[[Measured], bool]:
    return lambda one: is_close(min(_per_round(one, mode)), max(_per_round(one, mode)))


def _gain(one: Measured, mode: str) -> float:
    alone = one.figure("aes-128", mode)
    return alone.delay_us / one.figure("aes-128", mode, threads=THREADS).delay_us


def _independent(mode: str) -> Callable[[Measured], bool]:
    def test(one: Measured) -> bool:
        cores = one.machine.get("cores")
        if not isinstance(cores, int) or cores < THREADS:
            raise MissingFigure(f"{one.device} has less than {THREADS} cores")
        return _gain(one, mode) >= SPEED_UP

    return test


def _any_length(mode: str) -> Callable[[Measured], bool]:
    """The output of a length that is no whole number of blocks was compared byte by byte, and is as long."""
    return lambda one: (
        one.figure("aes-128", mode, message_bytes=ODD_BYTES, timed=False).message_bytes == ODD_BYTES
    )


def _covered(algorithm: str) -> Callable[[Measured], bool]:
    def test(one: Measured) -> bool:
        try:
            for row in configurations():
                if row.algorithm == "SM2" == algorithm:
                    one.figure(row.primitive, operation="sign", message_bytes=None, timed=False)
                elif row.algorithm == algorithm:
                    for mode in row.modes or (None,):
                        one.figure(row.primitive, mode, timed=False)
        except MissingFigure:
            return False
        return True

    return test


_Chosen = Callable[[Measured], Metric]
"""Returns the metric that is asked for the delays of an implementation."""


def _connected(chosen: _Chosen, mode: str) -> Callable[[Measured], bool]:
    return lambda one: median_error(chosen(one).of(one, mode)) <= ABOUT


def _error(chosen: _Chosen, mode: str) -> Callable[[Measured], float]:
    return lambda one: median_error(chosen(one).of(one, mode))


def _error_of_reading(one: Measured, mode: str) -> float:
    return median(half_interval(one.aes(bits, mode)) for bits in KEYS_BITS)


def _error_of_rows(chosen: _Chosen, mode: str) -> Callable[[Measured], float]:
    return lambda one: median_error(of_table2(one, chosen(one).of(one, mode)))


def _reading_is_closer(chosen: _Chosen, mode: str) -> Callable[[Measured], bool]:
    return lambda one: _error_of_reading(one, mode) < _error_of_rows(chosen, mode)(one)


def _trend_figure(cipher: str, mode: str, name: str) -> Callable[[Measured], float]:
    def figure(one: Measured) -> float:
        found: float = getattr(trend(one, cipher, mode), name)
        return found

    return figure


def _over_ecb(bits: int, *modes: str) -> Callable[[Measured], float]:
    """The slowest of the modes relative to ECB."""
    return lambda one: max(one.aes(bits, mode).delay_us for mode in modes) / one.aes(bits, "ecb").delay_us


def _spread_of_chained(bits: int) -> Callable[[Measured], float]:
    return lambda one: _spread(one.aes(bits, mode).delay_us for mode in CHAINED)


def _key_ratio(mode: str) -> Callable[[Measured], float]:
    return lambda one: one.aes(256, mode).delay_us / one.aes(128, mode).delay_us


def _extreme(mode: str, which: Callable[[list[float]], float]) -> Callable[[Measured], float]:
    return lambda one: which(_cost_of_mode(one, mode))


def _spread_by_round(mode: str) -> Callable[[Measured], float]:
    return lambda one: _spread(_per_round(one, mode))


def _in(figure: Callable[[Measured, str], float], mode: str) -> Callable[[Measured], float]:
    return lambda one: figure(one, mode)


def _shown(
    text: str, test: Callable[[Measured], bool], **numbers: Callable[[Measured], float]
) -> Statement[Measured]:
    """A statement with numbers beside it, each by its name with spaces for underscores."""
    return Statement(text, test, tuple(Shown(name.replace("_", " "), one) for name, one in numbers.items()))


_BITS = {bits: f"{bits}-bit key" for bits in KEYS_BITS}

CLAIMS: Mapping[str, Claimed[Measured]] = {
    "seed003-01": tuple(
        _shown(f"AES in {mode.upper()}", _keys_cost(mode), of_256_bits_over_128=_key_ratio(mode))
        for mode in MODES
    ),
    "seed003-02": tuple(
        _shown(
            f"{cipher.upper()} in {mode.upper()}: throughput grows with the block, the 95 % interval above 1",
            _larger_is_faster(cipher, mode),
            factor_of_twice_the_block=_trend_figure(cipher, mode, "factor"),
            least=_trend_figure(cipher, mode, "low"),
            most=_trend_figure(cipher, mode, "high"),
        )
        for cipher in ("simon", "speck")
        for mode in ("cbc", "pcbc", "cfb", "ctr", "ecb", "ofb")
    ),
    "seed003-03": tuple(
        _shown(
            f"{mode.upper()} relative to ECB differs by more than {ABOUT:.0%} among algorithms",
            _depends_on_algorithm(mode),
            least=_extreme(mode, min),
            most=_extreme(mode, max),
        )
        for mode in CHAINED
    ),
    "seed003-04": tuple(
        _shown(name, _ctr_first(bits), over_ECB=_over_ecb(bits, "ctr")) for bits, name in _BITS.items()
    ),
    "seed003-05": tuple(
        _shown(f"{name}, within {ABOUT:.0%}", _alike_chained(bits), spread=_spread_of_chained(bits))
        for bits, name in _BITS.items()
    ),
    "seed003-06": tuple(
        _shown(name, _faster_than_chained(bits), slowest_over_ECB=_over_ecb(bits, *CHAINED))
        for bits, name in _BITS.items()
    ),
    "seed003-07": (
        _shown(
            f"a thread takes one core, the machine's share times its cores within {ABOUT:.0%}",
            lambda one: all(abs(cores - 1) <= ABOUT for cores in _cpu(one)),
            least=lambda one: min(_cpu(one)),
            most=lambda one: max(_cpu(one)),
        ),
        _shown(f"alike in all configurations, within {ABOUT:.0%}", lambda one: _spread(_cpu(one)) <= ABOUT),
    ),
    "seed003-08": (
        _shown(
            f"peak memory within {ABOUT:.0%}",
            lambda one: _spread(_memory(one)) <= ABOUT,
            spread=lambda one: _spread(_memory(one)),
        ),
    ),
    "seed003-09": (
        _shown(
            f"below {STEADY:.0%} in all configurations",
            lambda one: max(_steady(one)) < STEADY,
            most=lambda one: max(_steady(one)),
        ),
    ),
    "seed003-11": tuple(
        _shown(
            f"{mode.upper()}: time per round within {CLOSE:.0%}",
            _by_rounds(mode),
            spread=_spread_by_round(mode),
        )
        for mode in MODES
    ),
    "seed003-13": tuple(
        _shown(
            f"{mode.upper()}: {THREADS} threads gain {SPEED_UP:g} times",
            _independent(mode),
            gain=_in(_gain, mode),
        )
        for mode in ("ecb", "ctr")
    ),
    "seed003-14": {
        f"{mode.upper()} of {ODD_BYTES:,} bytes puts out as many": _any_length(mode)
        for mode in ("cfb", "ofb")
    },
    "seed003-15": of_all(
        {name: _covered(name) for name in dict.fromkeys(row.algorithm for row in configurations())}
    ),
}
"""What each claim says, as tests of one implementation's figures."""

READING, METRIC = "seed003-12", "seed003-16"
"""Claims that are asked of predictions, made from the figures of all implementations."""

BY_DEFINITION = {
    "seed003-10": "throughput is the message over its delay by definition: no record could differ"
}
"""Claims that no measurement can contradict."""


def of_predictions(metrics: Metrics) -> Mapping[str, tuple[Statement[Measured], ...]]:
    """The claims on the metric: whether it connects the two sides, and whether reading is closer than it."""
    kinds: dict[str, _Chosen] = {
        "an implementation's own metric": metrics.of,
        "one metric of all": lambda _: metrics.common,
    }
    return {
        READING: tuple(
            _shown(
                f"{mode.upper()}: half of a reading's 95 % interval is less than the error of {kind}",
                _reading_is_closer(chosen, mode),
                of_reading=_in(_error_of_reading, mode),
                of_the_metric=_error_of_rows(chosen, mode),
            )
            for kind, chosen in kinds.items()
            for mode in MODES
        ),
        METRIC: tuple(
            _shown(
                f"{mode.upper()}: {kind} predicts what it has not seen within {ABOUT:.0%}, in the median",
                _connected(chosen, mode),
                error=_error(chosen, mode),
            )
            for kind, chosen in kinds.items()
            for mode in MODES
        ),
    }


def _of_modes(claim: str) -> str | None:
    """What of a claim is so by the definition of the modes, which are data here."""
    if claim == "seed003-13":
        chained = [mode.upper() for mode in CHAINED if "encrypt" not in _mode_files()[mode].pieces]
        return f"by their definition {', '.join(chained)} encrypt one block after the other"
    if claim == "seed003-14":
        forward = [mode.upper() for mode in ("cfb", "ofb") if _mode_files()[mode].decrypts_with == "encrypt"]
        return f"by their definition {' and '.join(forward)} decrypt with the encryption of the cipher"
    return None


@cache
def _mode_files() -> Mapping[str, ModeFile]:
    return {mode.id: mode.file for mode in load_catalog().modes}


def _verdict(claim: str, found: Settings, claimed: Mapping[str, Claimed[Measured]]) -> Verdict:
    if claim == MODES_CLAIM:
        return _modes_verdict(found)
    if claim in BY_DEFINITION:
        return built_in(BY_DEFINITION[claim], found)
    return judge(claimed[claim], found, _of_modes(claim), _CAVEATS.get(claim))


_CAVEATS = {
    "seed003-07": "half of the machine is one thread on two cores, whatever it computes",
    READING: "simpler is no figure: asked is which way is closer",
}
"""What to bear in mind of a claim."""


MODES_CLAIM = "cross-03"


def _modes_verdict(found: Settings) -> Verdict:
    """CTR slowest in one publication and fastest in another: our own code and a library's, on one device."""

    def slowest(one: Measured) -> bool:
        if one.implementation != OWN:
            raise MissingFigure("a library's")
        return max(MODES, key=lambda mode: one.aes(128, mode).delay_us) == "ctr"

    def fastest(one: Measured) -> bool:
        if one.implementation == OWN:
            raise MissingFigure("our own")
        return _ctr_first(128)(one)

    own = {name: one for name, one in found.items() if name == OWN}
    theirs = {name: one for name, one in found.items() if name != OWN}
    first = judge({"own code, a block at a time: CTR the slowest of five": slowest}, own)
    second = judge({"library: CTR the fastest of five": fastest}, theirs)
    passed, asked = first.tests_passed + second.tests_passed, first.tests_asked + second.tests_asked
    both = finding_of(passed, asked) if first.tests_asked and second.tests_asked else "not testable"
    return Verdict(
        both,
        {**first.by_choice, **second.by_choice},
        f"{first.reason}; {second.reason}",
        passed,
        asked,
        first.counterexample or second.counterexample,
    )


def judged(found: Settings, metrics: Metrics) -> tuple[Claim, ...]:
    """The verdicts on the publication's claims, and on the one it makes together with another."""
    claimed = {**CLAIMS, **of_predictions(metrics)}
    return claims_of(HERE, lambda claim: _in_full(_verdict(claim, found, claimed)))


def _in_full(verdict: Verdict) -> Verdict:
    """What a trial does not say is not measured, which is another thing than not testable."""
    if verdict.finding != "not testable" or TRIAL not in verdict.reason:
        return verdict
    return Verdict("not measured", dict.fromkeys(verdict.by_choice, "not measured"), TRIAL)
