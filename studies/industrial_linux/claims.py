"""What the publication claims, as tests of one implementation's figures on a device."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache
from itertools import pairwise

from steelyard.catalog.load import load_catalog
from steelyard.catalog.models import ModeFile
from steelyard.studies.industrial_linux.figures import (
    CHAINED,
    HALF_PERCENT,
    HERE,
    KEYS_BITS,
    MODES,
    ODD_BYTES,
    OWN,
    ROUNDS,
    SHORT_BYTES,
    SIZES_BITS,
    SPEED_UP,
    STEADY,
    THREADS,
    Figure,
    Measured,
    Settings,
    configurations,
)
from steelyard.study.comparison import ABOUT, CLOSE, is_close
from steelyard.study.model import Claim
from steelyard.study.published import claims_of, read_table
from steelyard.study.verdict import Claimed, MissingFigure, Shown, Statement, Verdict, built_in, judge


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


def _delay_of_size(one: Measured, cipher: str, mode: str, size: int) -> float:
    names = [c.primitive for c in configurations() if c.primitive.startswith(f"{cipher}-{size}-")]
    delays = [one.figure(name, mode).delay_us for name in names]
    return sum(delays) / len(delays)


def _larger_is_faster(cipher: str, mode: str) -> Callable[[Measured], bool]:
    def test(one: Measured) -> bool:
        delays = [_delay_of_size(one, cipher, mode, size) for size in SIZES_BITS]
        return all(larger < smaller for smaller, larger in pairwise(delays))

    return test


_COMPARED = ("aes-128", "sm4", "camellia-128", "simon-128-128", "speck-128-128")


def _cost_of_mode(one: Measured, mode: str) -> list[float]:
    """Of each algorithm that has it, the delay relative to ECB; MissingFigure for less than two of them."""
    ratios = []
    for primitive in _COMPARED:
        with suppress(MissingFigure):
            ratios.append(one.figure(primitive, mode).delay_us / one.figure(primitive, "ecb").delay_us)
    if len(ratios) < 2:
        raise MissingFigure(f"no two algorithms of {one.implementation} in {mode.upper()} and ECB")
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
    return _told((figure.cpu_machine_percent for figure in one.table2()), "the CPU share of the machine")


def _memory(one: Measured) -> list[float]:
    return _told((figure.rss_peak_bytes for figure in one.table2(timed=False)), "the memory of a process")


def _steady(one: Measured) -> list[float]:
    return [figure.sd_us / figure.delay_us for figure in one.table2()]


def _reciprocal(one: Measured) -> bool:
    """The mean of the runs' throughputs times the mean delay is the message."""
    return all(
        abs(figure.throughput_bytes_per_s * figure.delay_us / 1e6 / one.message_bytes - 1) <= STEADY
        for figure in one.table2()
    )


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


def _predicted(one: Measured, mode: str) -> float:
    """The delay of the long message by the line through two short ones, over that measured."""
    (short, shorter_us), (long, longer_us) = (
        (count, one.figure("aes-128", mode, message_bytes=count).delay_us) for count in SHORT_BYTES
    )
    per_byte_us = (longer_us - shorter_us) / (long - short)
    predicted_us = shorter_us + per_byte_us * (one.message_bytes - short)
    return predicted_us / one.figure("aes-128", mode).delay_us


def _connected(mode: str) -> Callable[[Measured], bool]:
    return lambda one: abs(_predicted(one, mode) - 1) <= ABOUT


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
    "seed003-02": {
        f"{cipher.upper()} in {mode.upper()}, 32 to 128 bits": _larger_is_faster(cipher, mode)
        for cipher in ("simon", "speck")
        for mode in ("cbc", "pcbc", "cfb", "ctr", "ecb", "ofb")
    },
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
            f"within {ABOUT:.0%} of {HALF_PERCENT:g} % of the machine",
            lambda one: all(abs(share / HALF_PERCENT - 1) <= ABOUT for share in _cpu(one)),
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
    "seed003-10": {f"their product is the message, within {STEADY:.0%}": _reciprocal},
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
    "seed003-15": {name: _covered(name) for name in dict.fromkeys(row.algorithm for row in configurations())},
    "seed003-16": tuple(
        _shown(
            f"{mode.upper()}: delay by the line through {SHORT_BYTES[0]:,} and {SHORT_BYTES[1]:,} bytes"
            f" within {ABOUT:.0%}",
            _connected(mode),
            predicted_over_measured=_in(_predicted, mode),
        )
        for mode in MODES
    ),
}
"""What each claim says, as tests of one implementation's figures."""

OPINION = "seed003-12"


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


def _verdict(claim: str, found: Settings) -> Verdict:
    if claim != OPINION:
        return judge(CLAIMS[claim], found).with_caveat(_of_modes(claim))
    read = sum(
        figure.cpu_machine_percent is not None and figure.rss_peak_bytes is not None
        for by_device in found.values()
        for one in by_device.values()
        for figure in one
    )
    return built_in(
        "simpler and more practical are no figures; that the way works is shown by"
        f" {read} cells measured on a device with its CPU and memory read during the task",
        found,
    )


_MODES_CLAIM = "cross-03"


def _modes_claim(found: Settings) -> Claim:
    """CTR slowest in one publication and fastest in another: our own code and a library's, on one device."""
    listed = read_table(HERE.parent / "word_sizes" / "claims.csv")
    (row,) = (row for row in listed if row["claim"] == _MODES_CLAIM)

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
    findings = {first.finding, second.finding}
    both = findings.pop() if len(findings) == 1 else "holds in part"
    if "not testable" in (first.finding, second.finding):
        both = "not testable"
    reason = f"{first.reason}; {second.reason}"
    verdict = Verdict(both, {**first.by_choice, **second.by_choice}, reason)
    return Claim(_MODES_CLAIM, row["section"], row["statement"], verdict)


def judged(found: Settings) -> tuple[Claim, ...]:
    """The verdicts on the publication's claims, and on the one it makes together with another."""
    return *claims_of(HERE, lambda claim: _verdict(claim, found)), _modes_claim(found)
