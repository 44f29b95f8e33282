"""What the publication on sensor nodes claims, as tests of the figures of all platforms in one setting."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import prod
from statistics import median

from steelyard.studies.sensor_nodes.sheets import (
    COLD,
    FIVE,
    HASH_LENGTHS_BYTES,
    HASHES,
    HERE,
    IDEA,
    LAST_OF_ONE_BLOCK_BYTES,
    LONG_LENGTHS_BYTES,
    MD5,
    ONE_IMAGE,
    PADDED_BYTES,
    PRINTED,
    RC4,
    RC5,
    SHA1,
    Platform,
    PublicKey,
    Sheet,
    Tables,
    Timed,
    printed_rows,
    printed_table,
    rows,
)
from steelyard.study.comparison import ABOUT, CLOSE, is_close
from steelyard.study.model import Claim
from steelyard.study.published import claims_of
from steelyard.study.verdict import (
    Claimed,
    Finding,
    MissingFigure,
    Shown,
    Statement,
    Verdict,
    judge,
    of_all,
)

ATMEGA103, ATMEGA128, M30102, SA1110, XSCALE_400, XSCALE_200, SPARC = (
    "atmega103",
    "atmega128",
    "m30102",
    "sa1110",
    "pxa250-400",
    "pxa250-200",
    "ultrasparc2",
)
AVRS = (ATMEGA103, ATMEGA128)
CACHED = (SA1110, XSCALE_400, SPARC)
"""Processors with caches, the XScale once."""
LOW_END = (*AVRS, M30102)
WIDTHS = (8, 16, 32)

UNIFORM = 2.0
"""Factor by which cycles of one row may differ within a class and still be uniform: the publication's own."""
ROUNDED_US = 0.5
"""What a time printed in whole microseconds leaves open to either side."""
STEP = 1.5
"""Least by which a second block lengthens a digest."""
TWICE = (1.5, 2.5)
"""What is roughly a factor of two."""
SIGNIFICANT = 0.25
"""Least share of a significant part."""
BALANCED = 0.05
"""Most that the times of random inputs may deviate, relative to their mean, and still be balanced."""
NEARLY_TEN = (5.0, 10.0)
"""What is almost an order of magnitude."""
FAR = 2.0
"""Least ratio of what is far dearer."""
INFEASIBLE_US = 1e6
"""A node that works longer than this on 16 bytes is taken for one on which it is not feasible."""
THOUSANDFOLD = 1000.0

_Test = Callable[[Sheet], bool]

RC4_ENC, RC5_ENC, IDEA_ENC = (f"{name} Enc 16" for name in (RC4, RC5, IDEA))
ENCRYPTIONS = (RC4_ENC, RC5_ENC, IDEA_ENC)


# Tests


def _labels(*algorithms: str) -> tuple[str, ...]:
    """The rows of Table 3 of these algorithms, or of all."""
    return tuple(row.label for row in printed_rows() if not algorithms or row.algorithm in algorithms)


def _most(answers: Collection[bool]) -> bool:
    return 2 * sum(answers) > len(answers)


def _processors(table: Sheet) -> tuple[Platform, ...]:
    """The platforms with every row; the XScale at half its clock takes the same cycles, and counts once."""
    return tuple(platform for platform in table.present if platform.target != XSCALE_200)


def _present(table: Sheet, *, least: int = 2) -> tuple[Platform, ...]:
    """The platforms with every row; MissingFigure where there are fewer than a comparison needs."""
    found = _processors(table)
    if len(found) < least:
        raise MissingFigure("too few platforms have verified figures of every row")
    return found


def _everywhere(holds: Callable[[Sheet, str], bool]) -> _Test:
    """Test each platform that has every row."""
    return lambda table: all(holds(table, p.target) for p in _present(table, least=1))


def _class(table: Sheet, word_bits: int) -> tuple[str, ...]:
    found = tuple(platform.target for platform in _processors(table) if platform.word_bits == word_bits)
    if not found:
        raise MissingFigure(f"no verified figures of every row on a processor of {word_bits} bits")
    return found


def _mean(values: Sequence[float]) -> float:
    """Geometric mean."""
    return prod(values) ** (1 / len(values))


def _of_class(table: Sheet, word_bits: int, label: str) -> list[float]:
    return [table.cycles(target, label) for target in _class(table, word_bits)]


def _uniform(table: Sheet) -> bool:
    return _most(
        [
            max(cycles) <= UNIFORM * min(cycles)
            for label in _labels()
            for word_bits in WIDTHS
            if len(cycles := _of_class(table, word_bits, label)) > 1
        ]
    )


def _classes_differ(one_bits: int, other_bits: int) -> _Test:
    def test(table: Sheet) -> bool:
        means = [
            [_mean(_of_class(table, bits, label)) for bits in (one_bits, other_bits)] for label in _labels()
        ]
        return _most([not is_close(*pair) for pair in means])

    return test


def _slower_clock(every: bool) -> _Test:
    def test(table: Sheet) -> bool:
        ratios = [table.cycles(XSCALE_200, label) / table.cycles(XSCALE_400, label) for label in _labels()]
        same = [abs(ratio - 1) <= ABOUT for ratio in ratios]
        return all(same) if every else _most(same)

    return test


def _hardly_longer_cold(target: str) -> _Test:
    def test(table: Sheet) -> bool:
        return _most(
            [
                table.under(COLD, target, label).cycles <= (1 + ABOUT) * table.cycles(target, label)
                for label in _labels()
            ]
        )

    return test


def _longest_cold(target: str) -> Callable[[Sheet], float]:
    return lambda table: max(
        table.under(COLD, target, label).cycles / table.cycles(target, label) for label in _labels()
    )


def _faster(target: str, one: str, other: str) -> _Test:
    return lambda table: table.cycles(target, one) < table.cycles(target, other)


def _close_rows(target: str, one: str, other: str) -> _Test:
    return lambda table: is_close(table.cycles(target, one), table.cycles(target, other))


def _ratio_about(target: str, above: str, below: str, printed: float) -> _Test:
    return lambda table: abs(table.cycles(target, above) / table.cycles(target, below) / printed - 1) <= ABOUT


def _about_cycles(target: str, label: str, printed: float) -> _Test:
    return lambda table: abs(table.cycles(target, label) / printed - 1) <= ABOUT


def _apart_on_avrs(table: Sheet, label: str) -> float:
    """The difference relative to the second; of printed times, beyond what whole microseconds leave open.

    Ours are of one image, compiled for the older chip: the publication ran the same code on both.
    """
    printed = table.choice == PRINTED
    one = table[ATMEGA103, label]
    other = table[ATMEGA128, label] if printed else table.under(ONE_IMAGE, ATMEGA128, label)
    open_us = ROUNDED_US if printed else 0.0
    open_cycles = open_us * (one.clock_hz + other.clock_hz) / 1e6
    return max(0.0, abs(one.cycles - other.cycles) - open_cycles) / other.cycles


def _same_on_avrs(algorithm: str) -> _Test:
    return lambda table: all(_apart_on_avrs(table, label) == 0 for label in _labels(algorithm))


def _most_apart_on_avrs(algorithm: str) -> Callable[[Sheet], float]:
    return lambda table: 100 * max(_apart_on_avrs(table, label) for label in _labels(algorithm))


def _longest_on_atmega103(algorithm: str) -> _Test:
    def test(table: Sheet) -> bool:
        others = [p.target for p in _present(table) if p.target != ATMEGA103]
        return all(
            table[ATMEGA103, label].time_us > table[other, label].time_us
            for label in _labels(algorithm)
            for other in others
        )

    return test


_ONE_BLOCK = tuple(length for length in HASH_LENGTHS_BYTES if length <= LAST_OF_ONE_BLOCK_BYTES)


def _of_one_block(table: Sheet, target: str, algorithm: str) -> list[float]:
    return [table.digest(target, algorithm, length) for length in _ONE_BLOCK]


def _flat(algorithm: str, within: float) -> _Test:
    def test(table: Sheet) -> bool:
        times = [_of_one_block(table, p.target, algorithm) for p in _present(table, least=1)]
        return all(min(one) >= (1 - within) * max(one) for one in times)

    return test


def _steps_up(algorithm: str) -> _Test:
    last = LAST_OF_ONE_BLOCK_BYTES
    return _everywhere(
        lambda table, target: (
            table.digest(target, algorithm, last + 1) >= STEP * table.digest(target, algorithm, last)
        )
    )


def _similar_to_strongarm(target: str) -> _Test:
    return lambda table: _most(
        [is_close(table.cycles(SA1110, label), table.cycles(target, label)) for label in _labels()]
    )


def _over_arm(table: Sheet, target: str, label: str) -> float:
    """Cycles over the mean of StrongARM's and XScale's."""
    return table.cycles(target, label) / _mean([table.cycles(arm, label) for arm in (SA1110, XSCALE_400)])


def _twice_arm(target: str) -> _Test:
    low, high = TWICE
    return lambda table: low <= median(_over_arm(table, target, label) for label in _labels()) <= high


def _more_than_arm(target: str) -> _Test:
    return lambda table: _most([_over_arm(table, target, label) > 1 for label in _labels()])


def _sparc_best(figure: Callable[[Timed], float]) -> _Test:
    def test(table: Sheet) -> bool:
        others = [p.target for p in _present(table) if p.target != SPARC]
        return _most(
            [
                all(figure(table[SPARC, label]) <= figure(table[other, label]) for other in others)
                for label in _labels()
            ]
        )

    return test


def _xscale_beats_sparc(*labels: str) -> _Test:
    return lambda table: all(table[XSCALE_400, one].time_us < table[SPARC, one].time_us for one in labels)


def _m16c_close(table: Sheet, label: str) -> bool:
    return is_close(table.cycles(M30102, label), table.cycles(ATMEGA103, label))


def _atmega128_better(table: Sheet) -> bool:
    close = [label for label in _labels() if _m16c_close(table, label)]
    return bool(close) and any(
        table.cycles(ATMEGA128, label) < (1 - CLOSE) * table.cycles(M30102, label) for label in close
    )


def _md5_faster(by: float) -> _Test:
    last = LAST_OF_ONE_BLOCK_BYTES
    return _everywhere(
        lambda table, target: table.digest(target, MD5, last) < (1 - by) * table.digest(target, SHA1, last)
    )


_SET_UPS = {RC5: "RC5 Init 16", IDEA: "IDEA Init enc 16", RC4: "RC4 Init 16"}


def _with_set_up(table: Sheet, target: str, algorithm: str) -> float:
    return table.cycles(target, _SET_UPS[algorithm]) + table.cycles(target, f"{algorithm} Enc 16")


def _rc5_before_idea(table: Sheet, target: str) -> bool:
    """On the ATmega128, where the text has IDEA at RC5's level, close is enough."""
    return _faster(target, RC5_ENC, IDEA_ENC)(table) or (
        target == ATMEGA128 and _close_rows(ATMEGA128, RC5_ENC, IDEA_ENC)(table)
    )


def _most_rc5_before_idea(table: Sheet) -> bool:
    return _most([_rc5_before_idea(table, p.target) for p in _present(table, least=1)])


def _rc5_before_idea_on_average(table: Sheet) -> bool:
    """By the geometric mean of all platforms, so that none of them decides."""
    rc5, idea = (
        _mean([table.cycles(p.target, label) for p in _present(table, least=1)])
        for label in (RC5_ENC, IDEA_ENC)
    )
    return rc5 < idea


def _least_idea_over_rc5(table: Sheet) -> float:
    return min(
        table.cycles(p.target, IDEA_ENC) / table.cycles(p.target, RC5_ENC) for p in _present(table, least=1)
    )


def _platforms_with_rc5_first(*, with_set_up: bool) -> Callable[[Sheet], float]:
    def count(table: Sheet) -> float:
        targets = [p.target for p in _present(table, least=1)]
        if with_set_up:
            return sum(_with_set_up(table, one, RC5) < _with_set_up(table, one, IDEA) for one in targets)
        return sum(table.cycles(one, RC5_ENC) < table.cycles(one, IDEA_ENC) for one in targets)

    return count


def _significant_set_up(algorithm: str) -> _Test:
    return _everywhere(
        lambda table, target: (
            table.cycles(target, _SET_UPS[algorithm]) >= SIGNIFICANT * _with_set_up(table, target, algorithm)
        )
    )


def _all_labels(algorithm: str) -> list[str]:
    return [row.label for row in rows() if row.algorithm == algorithm]


def _rarely_varies(algorithm: str) -> _Test:
    return lambda table: _most(
        [
            not table[p.target, label].varies
            for p in _present(table, least=1)
            for label in _all_labels(algorithm)
        ]
    )


def _varying(table: Sheet) -> Iterator[Timed]:
    for platform in _present(table, least=1):
        for row in rows():
            one = table[platform.target, row.label]
            if one.varies:
                yield one


def _cached(table: Sheet) -> list[str]:
    """Platforms with caches: those of 32 bits."""
    return list(_class(table, 32))


def _padded_blocks(length_bytes: int) -> int:
    return -(-(length_bytes + 9) // PADDED_BYTES)


def _steady(algorithm: str) -> _Test:
    """What a block more costs is the same in short and in long messages."""

    def test(table: Sheet) -> bool:
        lengths = (max(HASH_LENGTHS_BYTES), *LONG_LENGTHS_BYTES)
        for target in _cached(table):
            costs = [
                (table.digest(target, algorithm, longer) - table.digest(target, algorithm, shorter))
                / (_padded_blocks(longer) - _padded_blocks(shorter))
                for shorter, longer in pairwise(lengths)
            ]
            if max(costs) > (1 + ABOUT) * min(costs):
                return False
        return True

    return test


def _mean_of_rows(table: Sheet, word_bits: int, algorithm: str) -> float:
    return _mean([_mean(_of_class(table, word_bits, label)) for label in _labels(algorithm)])


def _falls_with_width(algorithm: str) -> _Test:
    return lambda table: all(
        _mean_of_rows(table, wide, algorithm) < _mean_of_rows(table, narrow, algorithm)
        for narrow, wide in pairwise(WIDTHS)
    )


def _wide_over_narrow(algorithm: str, narrow: int, wide: int) -> Callable[[Sheet], float]:
    return lambda table: _mean_of_rows(table, wide, algorithm) / _mean_of_rows(table, narrow, algorithm)


def normalised(table: Sheet, target: str, label: str) -> float:
    """Time normalised by clock and word size over SPARC's: Figure 3; MissingFigure without one of the two."""
    return table[target, label].bit_cycles / table[SPARC, label].bit_cycles


def _beside_sparc(table: Sheet) -> bool:
    return _most(
        [
            1 / UNIFORM <= normalised(table, p.target, label) <= UNIFORM
            for p in _present(table)
            for label in _labels()
            if p.target != SPARC
        ]
    )


def _beside_the_median(table: Sheet) -> bool:
    """Beside the middle of all platforms in the row: no single one is the measure."""
    answers = []
    for label in _labels():
        row = [table[p.target, label].bit_cycles for p in _present(table)]
        answers += [1 / UNIFORM <= one / median(row) <= UNIFORM for one in row]
    return _most(answers)


def _m16c_outlier(table: Sheet) -> bool:
    others = [p.target for p in _present(table) if p.target != M30102]
    return _most(
        [
            all(normalised(table, M30102, label) > normalised(table, other, label) for other in others)
            for label in _labels(SHA1)
        ]
    )


def _avr_lowest(algorithm: str) -> _Test:
    def test(table: Sheet) -> bool:
        targets = [p.target for p in _present(table)]
        return _most(
            [
                min(targets, key=lambda target: table[target, label].bit_cycles) in AVRS
                for label in _labels(algorithm)
            ]
        )

    return test


def _code_of_present(table: Sheet) -> Iterator[dict[str, int]]:
    for platform in _present(table, least=1):
        yield {algorithm: table.code(platform.target, algorithm) for algorithm in FIVE}


def _md5_largest(by: float) -> _Test:
    return lambda table: all(
        (1 - by) * code[MD5] > max(code[other] for other in FIVE if other != MD5)
        for code in _code_of_present(table)
    )


def _avr_largest(algorithm: str) -> _Test:
    def test(table: Sheet) -> bool:
        others = [p.target for p in _present(table) if p.target not in AVRS]
        if not others:
            raise MissingFigure("no verified figures of another instruction set than AVR's")
        least = min(table.code(target, algorithm) for target in AVRS)
        return (1 - CLOSE) * least > max(table.code(target, algorithm) for target in others)

    return test


def _strongarm_larger(other: str) -> _Test:
    def test(table: Sheet) -> bool:
        ours, theirs = (sum(table.code(target, name) for name in FIVE) for target in (SA1110, other))
        return (1 - CLOSE) * ours > theirs

    return test


def _nearly_ten(algorithm: str) -> _Test:
    low, high = NEARLY_TEN

    def test(table: Sheet) -> bool:
        return _most(
            [
                low
                <= table.digest(p.target, algorithm, LAST_OF_ONE_BLOCK_BYTES)
                / _mean([table.cycles(p.target, label) for label in ENCRYPTIONS])
                <= high
                for p in _present(table, least=1)
            ]
        )

    return test


def _both_ways_alike(algorithm: str) -> _Test:
    return _everywhere(
        lambda table, target: _ratio_about(target, f"{algorithm} Dec 16", f"{algorithm} Enc 16", 1)(table)
    )


def _low_end(table: Sheet) -> list[str]:
    found = [target for target in LOW_END if target in table.public_key]
    if not found:
        raise MissingFigure("no figures of encryption with a public key on a low-end node")
    return found


def _too_slow(one: PublicKey) -> bool:
    return one.time_us is None or one.time_us > INFEASIBLE_US


def _all_too_slow(table: Sheet) -> bool:
    return all(_too_slow(table.public(target)) for target in _low_end(table))


def _thousandfold(table: Sheet) -> bool:
    """Beside the dearest symmetric encryption with its set-up; one that does not fit is no smaller."""
    return all(
        (cycles := table.public(target).cycles) is None
        or cycles > THOUSANDFOLD * max(_with_set_up(table, target, name) for name in _SET_UPS)
        for target in _low_end(table)
    )


_OF_CLOCKS = (
    Statement(f"most rows take the same cycles at 200 and 400 MHz, within {ABOUT:.0%}", _slower_clock(False)),
    Statement("every row does", _slower_clock(True)),
)
"""What a table of warm times says of caches."""

CLAIMS: Mapping[str, Claimed[Sheet]] = {
    "seed000-01": {
        f"most rows within a factor of {UNIFORM:g} in each class": _uniform,
        **{
            f"most rows' means of {one} and {other} bits more than {CLOSE:.0%} apart": _classes_differ(
                one, other
            )
            for one, other in pairwise(WIDTHS)
        },
    },
    "seed000-02": (
        *_OF_CLOCKS,
        *(
            Statement(
                f"on {target} most rows at most {ABOUT:.0%} longer from cold caches",
                _hardly_longer_cold(target),
                (Shown("at most times", _longest_cold(target)),),
            )
            for target in CACHED
        ),
    ),
    "seed000-03": {"RC4 faster": _faster(ATMEGA103, RC4_ENC, RC5_ENC)},
    "seed000-04": {f"RC4 faster on {one}": _faster(one, RC4_ENC, RC5_ENC) for one in LOW_END},
    "seed000-05": {
        "RC4 faster": _faster(ATMEGA103, RC4_ENC, RC5_ENC),
        f"within {CLOSE:.0%}": _close_rows(ATMEGA103, RC4_ENC, RC5_ENC),
    },
    "seed000-06": {
        "RC5 faster": _faster(SA1110, RC5_ENC, RC4_ENC),
        f"within {ABOUT:.0%} of three times": _ratio_about(SA1110, RC4_ENC, RC5_ENC, 3),
    },
    "seed000-07": {
        "RC5 faster": _faster(ATMEGA103, RC5_ENC, IDEA_ENC),
        f"within {ABOUT:.0%} of 1.5 times": _ratio_about(ATMEGA103, IDEA_ENC, RC5_ENC, 1.5),
    },
    "seed000-08": {
        f"a ratio within {ABOUT:.0%} of two": lambda table: (
            abs(table.cycles(ATMEGA103, IDEA_ENC) / table.cycles(ATMEGA128, IDEA_ENC) / 2 - 1) <= ABOUT
        ),
        f"within {ABOUT:.0%} of 10,220 cycles on {ATMEGA103}": _about_cycles(ATMEGA103, IDEA_ENC, 10_220),
        f"within {ABOUT:.0%} of 5,200 cycles on {ATMEGA128}": _about_cycles(ATMEGA128, IDEA_ENC, 5200),
    },
    "seed000-09": {f"within {CLOSE:.0%}": _close_rows(ATMEGA128, RC5_ENC, IDEA_ENC)},
    "seed000-10": tuple(
        Statement(
            f"{name} equal in every row, one image on both",
            _same_on_avrs(name),
            (Shown("at most this % apart:", _most_apart_on_avrs(name)),),
        )
        for name in (MD5, SHA1, RC5, RC4)
    ),
    "seed000-11": of_all({f"{name} in every row": _longest_on_atmega103(name) for name in FIVE}),
    "seed000-12": {
        **{
            f"{name} of up to {LAST_OF_ONE_BLOCK_BYTES} bytes within {CLOSE:.0%}": _flat(name, CLOSE)
            for name in HASHES
        },
        **{f"{name} of a byte more at least {STEP:g} times as long": _steps_up(name) for name in HASHES},
    },
    "seed000-13": {f"most rows within {CLOSE:.0%}": _similar_to_strongarm(XSCALE_400)},
    "seed000-14": {
        **{f"most rows take more cycles on {one}": _more_than_arm(one) for one in LOW_END},
        **{
            f"the median on {one} {TWICE[0]:g} to {TWICE[1]:g} times as many": _twice_arm(one)
            for one in LOW_END
        },
    },
    "seed000-15": {
        "time, in most rows": _sparc_best(lambda one: one.time_us),
        "cycles, in most rows": _sparc_best(lambda one: one.cycles),
    },
    "seed000-16": {
        "SHA-1 faster": _xscale_beats_sparc(*_labels(SHA1)),
        "IDEA encryption faster": _xscale_beats_sparc(IDEA_ENC),
        "IDEA decryption faster": _xscale_beats_sparc("IDEA Dec 16"),
    },
    "seed000-17": {
        f"some row within {CLOSE:.0%}": lambda table: any(_m16c_close(table, label) for label in _labels()),
        f"of these one more than {CLOSE:.0%} faster on {ATMEGA128}": _atmega128_better,
    },
    "seed000-18": {
        "a block faster on every platform": _md5_faster(0),
        f"by more than {CLOSE:.0%}": _md5_faster(CLOSE),
    },
    "seed000-19": (
        Statement(
            f"16 bytes faster on most platforms, on {ATMEGA128} within {CLOSE:.0%} or faster",
            _most_rc5_before_idea,
            (
                Shown("IDEA over RC5, the least of all platforms", _least_idea_over_rc5),
                Shown("platforms with RC5 faster", _platforms_with_rc5_first(with_set_up=False)),
                Shown("with its set-up", _platforms_with_rc5_first(with_set_up=True)),
            ),
        ),
        Statement("faster by the mean of all platforms", _rc5_before_idea_on_average),
    ),
    "seed000-20": {
        f"{name}: at least {SIGNIFICANT:.0%} of a message of 16 bytes": _significant_set_up(name)
        for name in _SET_UPS
    },
    "seed000-21": {
        f"{name} takes the same for all inputs in most rows": _rarely_varies(name) for name in FIVE
    },
    "seed000-22": {
        "some row varies with random data": lambda table: any(True for _ in _varying(table)),
        f"where one does, the standard deviation is at most {BALANCED:.0%}": lambda table: all(
            one.sd <= BALANCED * one.cycles for one in _varying(table)
        ),
    },
    "seed000-23": {
        f"{name} of up to {LAST_OF_ONE_BLOCK_BYTES} bytes within {ABOUT:.0%}": _flat(name, ABOUT)
        for name in HASHES
    },
    "seed000-24": {
        f"a block of {name} within {ABOUT:.0%} for {max(HASH_LENGTHS_BYTES)} bytes to"
        f" {max(LONG_LENGTHS_BYTES) // 1024} KB": _steady(name)
        for name in HASHES
    },
    "seed000-25": tuple(
        Statement(
            f"{name}, mean of its rows",
            _falls_with_width(name),
            tuple(
                Shown(f"{wide} over {narrow} bits", _wide_over_narrow(name, narrow, wide))
                for narrow, wide in pairwise(WIDTHS)
            ),
        )
        for name in FIVE
    ),
    "seed000-26": {
        f"most rows within a factor of {UNIFORM:g} of SPARC's": _beside_sparc,
        f"most rows within a factor of {UNIFORM:g} of the platforms' median": _beside_the_median,
    },
    "seed000-27": {
        "highest of all platforms in most rows": _m16c_outlier,
        f"more than {FAR:g} times SPARC's in most rows": lambda table: _most(
            [normalised(table, M30102, label) > FAR for label in _labels(SHA1)]
        ),
    },
    "seed000-28": {f"{name}, in most rows": _avr_lowest(name) for name in (MD5, IDEA, RC4)},
    "seed000-29": {
        "most code of the five on every platform": _md5_largest(0),
        f"by more than {CLOSE:.0%}": _md5_largest(CLOSE),
    },
    "seed000-30": {
        "least code of the five on every platform": lambda table: all(
            min(code, key=lambda name: code[name]) == RC4 for code in _code_of_present(table)
        )
    },
    "seed000-31": {f"{name}: by more than {CLOSE:.0%} on both chips": _avr_largest(name) for name in FIVE},
    "seed000-32": {
        f"the five by more than {CLOSE:.0%} larger than on {other}": _strongarm_larger(other)
        for other in (XSCALE_400, SPARC)
    },
    "seed000-41": {
        f"a block of {name} {NEARLY_TEN[0]:g} to {NEARLY_TEN[1]:g} times 16 bytes of the ciphers,"
        " on most platforms": _nearly_ten(name)
        for name in HASHES
    },
    "seed000-42": {
        f"{name} within {ABOUT:.0%} on every platform": _both_ways_alike(name) for name in (RC5, IDEA)
    },
    "seed000-43": {
        f"at least {FAR:g} times on every platform": _everywhere(
            lambda table, target: (
                table.cycles(target, "IDEA Init dec 16") >= FAR * table.cycles(target, "IDEA Init enc 16")
            )
        )
    },
    "seed000-44": {
        f"does not fit, or takes more than {INFEASIBLE_US / 1e6:g} s": _all_too_slow,
        f"more than {THOUSANDFOLD:,.0f} times a cipher with its set-up": _thousandfold,
    },
}
"""What each claim says, as tests of one setting."""

_CAVEATS = {
    "seed000-02": "theirs are means of a thousand runs, warm from the second on",
    "seed000-10": "the image compiled for the older chip runs on both, as in the publication",
    "seed000-19": "the sentence is of encryption, without a number, and another one"
    f" says that IDEA comes to RC5's level on {ATMEGA128}",
    "seed000-25": "the sentence is of classes and has no number; as the text finds the ATmega128 before the"
    " M16C in some rows, it cannot be of every row: geometric means of rows and of a class's chips are"
    " compared",
    "seed000-44": "SM2 of this library stands for encryption with a public key",
}
"""What to bear in mind of a claim."""

_OF_ALL_PLATFORMS = frozenset(
    f"seed000-{number}"
    for number in ("01", 11, 12, 15, 18, 19, 20, 21, 22, 23, 25, 26, 28, 29, 30, 31, 41, 42, 43)
)
"""The claims that are asked of whatever platforms there are."""


_OF_DATA = frozenset(("seed000-21", "seed000-22", "seed000-23"))
"""The claims on how times vary, of which a table of means says nothing."""


def _printed_finding(table: Sheet, claim: str) -> Finding:
    """What Table 3 says of a claim."""
    statements = _OF_CLOCKS if claim == "seed000-02" else CLAIMS[claim]
    return "not testable" if claim in _OF_DATA else judge(statements, {PRINTED: {"": table}}).finding


def judged(found: Tables, absent: Sequence[Platform]) -> tuple[Claim, ...]:
    """The verdicts on the claims; those on all platforms name the ones that were not asked."""
    without = f"asked without {', '.join(one.target for one in absent)}" if absent else None

    def verdict(claim: str) -> Verdict:
        unasked = without if claim in _OF_ALL_PLATFORMS else None
        return judge(CLAIMS[claim], found, _CAVEATS.get(claim), unasked)

    table = printed_table()
    return tuple(
        replace(one, published=_printed_finding(table, one.claim)) for one in claims_of(HERE, verdict)
    )
