"""The model of the publication on sensor nodes, on its Table 3 and on our own records of the same rows.

The README beside says how the printed constants have to be read. Observations are the rows of Table 3:
a cipher's set-up alone (no block), and with a message of 16 bytes (one block, as Table 4 was made); a hash's
digests. How many blocks a digest counts is read in two ways: as Table 4 was made, and as padding has it.
Table 3 is read in the first way, our records in the second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path

import polars as pl

from steelyard.models.ganesan import (
    Accuracy,
    ByAlgorithm,
    Observation,
    Parameters,
    accuracy,
    by_parameters,
    factor,
    fit,
    fit_each,
    from_references,
    left_out,
    terms,
)
from steelyard.present.chart import Chart, Spec, nominal, plot, quantitative, tooltip
from steelyard.present.table import Table
from steelyard.studies.sensor_nodes.claims import ATMEGA103, ATMEGA128, BALANCED, M30102, SA1110
from steelyard.studies.sensor_nodes.sheets import (
    ONE_IMAGE,
    PRIMITIVES,
    Platform,
    Tables,
    Timed,
    optimised,
    platforms,
    printed_rows,
    sheets_of,
)
from steelyard.studies.sensor_nodes.study import absent_of, steps
from steelyard.study.comparison import ABOUT
from steelyard.study.measure import in_steps
from steelyard.study.model import Outcome, Row, Study
from steelyard.study.published import claims_of, read_table
from steelyard.study.verdict import MissingFigure, judge

HERE = Path(__file__).parent
_SQUARE_PX = 420

PRINTED, REFITTED = "table 4", "table 3 refitted"
"""The settings that are the publication's own; the others are those of our records."""

MULTIPLIES, MD5 = "IDEA encrypt", "MD5"
"""The algorithms for which equations 2 and 3 are printed."""
GROUPS: Mapping[str, tuple[str, Mapping[str, Callable[[str], bool]]]] = {
    MULTIPLIES: (
        "MUL",
        {"with": lambda target: target != ATMEGA103, "without": lambda target: target == ATMEGA103},
    ),
    MD5: ("RISC", {"RISC": lambda target: target != M30102, "CISC": lambda target: target == M30102}),
}
"""By algorithm, the term that equations 2 and 3 add and the processors of each case."""

IMPROVED = 0.01
"""By how much a mean relative error must fall to be an improvement."""
REFERENCES = (ATMEGA128, M30102, SA1110)
"""One processor of every word size, to predict the others from."""


@dataclass(frozen=True)
class ModelRow:
    """An observation of each platform: the sum of these rows of Table 3."""

    algorithm: str
    labels: tuple[str, ...]
    published_blocks: int
    blocks: int
    weight: float

    @property
    def name(self) -> str:
        """The rows in words."""
        return " + ".join(self.labels)


@dataclass(frozen=True)
class Setting:
    """Observations and the constants that predict them, with the terms of equations 2 and 3 by case.

    `one_image` are those of the newer ATmega with the image of the older one.
    """

    name: str
    flags: str
    observations: tuple[Observation, ...]
    parameters: ByAlgorithm
    terms: Mapping[str, Mapping[str, Parameters]]
    one_image: tuple[Observation, ...] = ()

    def of(self, algorithm: str) -> tuple[Observation, ...]:
        """An algorithm's observations; MissingFigure where there are none."""
        found = tuple(one for one in self.observations if one.algorithm == algorithm)
        if not found:
            raise MissingFigure(f"no figures of {algorithm}")
        return found

    @property
    def targets(self) -> tuple[str, ...]:
        """The processors of which there are observations."""
        return tuple(dict.fromkeys(one.target for one in self.observations))

    def refined(self, one: Observation) -> float:
        """The prediction of equations 2 and 3."""
        predicted = by_parameters(self.parameters)(one)
        _, cases = GROUPS[one.algorithm]
        for case, is_of in cases.items():
            if is_of(one.target):
                predicted += self.terms[one.algorithm][case].bit_cycles(one.blocks)
        return predicted


@dataclass(frozen=True)
class Reproduction(Outcome):
    """The model by choice and flags, the first two settings the publication's own; `absent` lack rows."""

    settings: Mapping[str, Mapping[str, Setting]]
    absent: tuple[Platform, ...]

    def every(self) -> Iterator[Setting]:
        """All settings one after the other."""
        for by_flags in self.settings.values():
            yield from by_flags.values()

    @property
    def worth_showing(self) -> bool:
        return any(setting.name not in (PRINTED, REFITTED) for setting in self.every())

    def figure_rows(self) -> Iterator[Row]:
        for setting in self.every():
            named: Row = {"variants": setting.name, "flags": setting.flags or None}
            for algorithm, constants in setting.parameters.items():
                found = asdict(setting_accuracy(setting, algorithm))
                worst = found.pop("worst")
                yield {
                    "table": "parameters",
                    **named,
                    "algorithm": algorithm,
                    "a_bit_cycles": constants.a,
                    "b_bit_cycles": constants.b,
                    **found,
                    "worst_row": worst["row"],
                    "worst_target": worst["target"],
                }
            for algorithm, by_case in setting.terms.items():
                for case, term in by_case.items():
                    of = {"algorithm": algorithm, "case": case}
                    yield {"table": "term", **named, **of, "a_bit_cycles": term.a, "b_bit_cycles": term.b}
        for point in self._points():
            yield {"table": "prediction", **point, "flags": None if point["flags"] == "-" else point["flags"]}

    def _points(self) -> Iterator[Row]:
        """Measured and predicted bit-cycles of every observation in every setting."""
        for setting in self.every():
            predict = by_parameters(setting.parameters)
            for one in setting.observations:
                yield {
                    "variants": setting.name,
                    "flags": setting.flags or "-",
                    "algorithm": one.algorithm,
                    "row": one.row,
                    "target": one.target,
                    "blocks": one.blocks,
                    "measured": one.bit_cycles,
                    "predicted": predict(one),
                }

    def tables(self) -> Mapping[str, Table]:
        accuracies = tuple(
            (_name(setting), *_accuracy(setting, setting_accuracy(setting))) for setting in self.every()
        )
        constants = tuple(
            (_name(setting), *(_pair(setting.parameters[algorithm]) for algorithm in ALGORITHMS))
            for setting in self.every()
        )
        cases = [(algorithm, case) for algorithm, (_, by_case) in GROUPS.items() for case in by_case]
        added = tuple(
            (_name(setting), *(_pair(setting.terms.get(name, {}).get(case)) for name, case in cases))
            for setting in self.every()
        )
        within = ("Platforms", "Cells", "10 %", "20 %", "Factor 2", "Median", "Worst", "")
        what = (f"{algorithm}, {GROUPS[algorithm][0]}: {case}" for algorithm, case in cases)
        title = "Terms of equations 2 and 3, a / b in bit-cycles (Tables 5 and 6)"
        return {
            "accuracy": Table(
                "Equation 1: cells within, median and worst factor", ("Constants", *within), accuracies, 1
            ),
            "parameters": Table("a / b in bit-cycles (Table 4)", ("Constants", *ALGORITHMS), constants, 1),
            "terms": Table(title, ("Constants", *what), added, 1),
        }

    def charts(self) -> Iterator[Chart]:
        told = tooltip(
            ("algorithm", "row", "target"), measured=("measured", ",.0f"), predicted=("predicted", ",.0f")
        )
        x, diagonal, y = _axis("measured"), _axis("measured"), _axis("predicted")
        equal = {
            "mark": {"type": "line", "strokeDash": [4, 4], "color": "gray"},
            "encoding": {"x": x, "y": diagonal},
        }
        colour = nominal("algorithm", sort=list(ALGORITHMS))
        points = {
            "mark": {"type": "point", "filled": True, "size": 60},
            "encoding": {"x": x, "y": y, "color": colour, "tooltip": told},
        }
        yield Chart(
            id="ganesan-predicted",
            title="Measured against predicted",
            caption="In the form of the publication's Figure 5; on the dashed line both are equal.",
            spec=plot(height=_SQUARE_PX, layer=[equal, points]),
            rows=pl.DataFrame(list(self._points()), infer_schema_length=None),
            open=("target",),
            single=("variants", "flags"),
            series=("algorithm",),
            half=True,
        )

    def warnings(self) -> Iterator[str]:
        for platform in self.absent:
            yield f"not every row was measured on {platform.target}: our constants are fitted without it."


def _axis(field: str) -> Spec:
    return quantitative(
        field,
        f"{field}, bit-cycles",
        scale={"type": "log", "nice": False, "padding": 16},
        axis={"tickCount": 6, "format": ",~r"},
    )


def _name(setting: Setting) -> str:
    return f"{setting.name} {setting.flags}".strip()


def _accuracy(setting: Setting, found: Accuracy) -> tuple[str, ...]:
    return (
        str(len(setting.targets)),
        str(found.cells),
        f"{found.within_10_percent / found.cells:.0%}",
        f"{found.within_20_percent / found.cells:.0%}",
        f"{found.within_factor_two / found.cells:.0%}",
        f"{found.median_factor:.2f}",
        f"{found.worst_factor:.1f}",
        f"{found.worst.row} on {found.worst.target}",
    )


def _pair(parameters: Parameters | None) -> str:
    return "" if parameters is None else f"{parameters.a:,.0f} / {parameters.b:,.0f}"


@cache
def model_rows() -> tuple[ModelRow, ...]:
    """What is observed on every platform."""
    return tuple(
        ModelRow(
            row["algorithm"],
            tuple(row["rows"].split("+")),
            int(row["published_blocks"]),
            int(row["blocks"]),
            float(row["weight"]),
        )
        for row in read_table(HERE / "model-rows.csv")
    )


def printed_parameters() -> dict[str, Parameters]:
    """Table 4."""
    return {
        row["algorithm"]: Parameters(float(row["a_bit_cycles"]), float(row["b_bit_cycles"]))
        for row in read_table(HERE / "table4-parameters.csv")
    }


def printed_terms() -> dict[str, dict[str, Parameters]]:
    """Tables 5 and 6."""
    found: dict[str, dict[str, Parameters]] = {}
    for row in read_table(HERE / "table5-table6-terms.csv"):
        one = Parameters(float(row["a_bit_cycles"]), float(row["b_bit_cycles"]))
        found.setdefault(row["algorithm"], {})[row["case"]] = one
    return found


def printed_observations() -> tuple[Observation, ...]:
    """Table 3."""
    times = {row.label: dict(row.printed_us) for row in printed_rows()}

    def bit_cycles(row: ModelRow, platform: Platform) -> float:
        time_us = sum(times[label][platform.target] for label in row.labels)
        return time_us * platform.clock_mhz * platform.word_bits

    return tuple(
        Observation(
            row.algorithm,
            row.name,
            platform.target,
            row.published_blocks,
            bit_cycles(row, platform),
            row.weight,
        )
        for row in model_rows()
        for platform in platforms()
    )


def reproduce(tables: Tables) -> Reproduction:
    """The model on Table 3 and on figures of ours; nothing but them and the published numbers goes in."""
    printed = printed_observations()
    refitted = fit_each(printed)
    settings = {
        PRINTED: {"": Setting(PRINTED, "", printed, printed_parameters(), printed_terms())},
        REFITTED: {"": Setting(REFITTED, "", printed, refitted, _terms(printed, refitted))},
    }
    for choice, by_flags in optimised(tables).items():
        ours: dict[str, Setting] = {}
        for flags, table in by_flags.items():
            targets = tuple(platform.target for platform in table.present)
            observations = _observations(targets, table.at)
            if observations:
                parameters = fit_each(observations)
                added = _terms(observations, parameters)
                one_image: tuple[Observation, ...] = ()
                with suppress(MissingFigure):
                    one_image = _observations((ATMEGA128,), partial(table.under, ONE_IMAGE))
                ours[flags] = Setting(choice, flags, observations, parameters, added, one_image)
        settings[choice] = ours
    claims = claims_of(HERE, lambda claim: judge(CLAIMS[claim], settings))
    return Reproduction(claims, settings, absent_of(tables))


def _observations(targets: Sequence[str], timed: Callable[[str, str], Timed]) -> tuple[Observation, ...]:
    """What is observed of these processors, from the rows of Table 3."""
    return tuple(
        Observation(
            row.algorithm,
            row.name,
            target,
            row.blocks,
            sum(timed(target, label).bit_cycles for label in row.labels),
            row.weight,
        )
        for row in model_rows()
        for target in targets
    )


def _terms(observations: Sequence[Observation], parameters: ByAlgorithm) -> dict[str, dict[str, Parameters]]:
    """The terms of every case of which there are processors."""
    found: dict[str, dict[str, Parameters]] = {}
    for algorithm, (_, cases) in GROUPS.items():
        own = [one for one in observations if one.algorithm == algorithm]
        for case, is_of in cases.items():
            targets = {one.target for one in own if is_of(one.target)}
            if targets:
                found.setdefault(algorithm, {})[case] = terms(own, targets, parameters[algorithm])
    return found


def setting_accuracy(setting: Setting, algorithm: str | None = None) -> Accuracy:
    """The accuracy of equation 1 in a setting, over one algorithm or all."""
    observations = setting.observations if algorithm is None else setting.of(algorithm)
    return accuracy(observations, by_parameters(setting.parameters))


# The claims


_Test = Callable[[Setting], bool]


def _all_within_factor_two(algorithm: str) -> _Test:
    def test(setting: Setting) -> bool:
        found = setting_accuracy(setting, algorithm)
        return found.within_factor_two == found.cells

    return test


def _most_within_20_percent(algorithm: str) -> _Test:
    def test(setting: Setting) -> bool:
        found = setting_accuracy(setting, algorithm)
        return 2 * found.within_20_percent > found.cells

    return test


def _least_squares(algorithm: str) -> _Test:
    def test(setting: Setting) -> bool:
        if setting.name != PRINTED:
            raise MissingFigure("these constants are a fit of our own")
        ours, theirs = fit(setting.of(algorithm)), setting.parameters[algorithm]
        return abs(ours.a / theirs.a - 1) <= ABOUT and abs(ours.b / theirs.b - 1) <= ABOUT

    return test


def _refinement(algorithm: str, is_of: Callable[[str], bool] = lambda _: True) -> _Test:
    def test(setting: Setting) -> bool:
        cases = GROUPS[algorithm][1]
        missing = [case for case in cases if case not in setting.terms.get(algorithm, {})]
        if missing:
            raise MissingFigure(f"no processor of the case {missing[0]} of {algorithm}")
        own = [one for one in setting.of(algorithm) if is_of(one.target)]
        plain = by_parameters(setting.parameters)

        def error(predict: Callable[[Observation], float]) -> float:
            return sum(abs(predict(one) / one.bit_cycles - 1) for one in own) / len(own)

        return error(setting.refined) < error(plain) - IMPROVED

    return test


def _equal_on_atmegas(algorithm: str) -> _Test:
    def test(setting: Setting) -> bool:
        if setting.name == REFITTED:
            raise MissingFigure("table 3 is asked once")
        own = setting.of(algorithm)
        newer = own if setting.name == PRINTED else setting.one_image
        on_newer = {
            one.row: one.bit_cycles for one in newer if (one.algorithm, one.target) == (algorithm, ATMEGA128)
        }
        ratios = [
            one.bit_cycles / on_newer[one.row]
            for one in own
            if one.target == ATMEGA103 and one.row in on_newer
        ]
        if not ratios:
            raise MissingFigure(f"no figures of {algorithm} of one image on {ATMEGA103} and {ATMEGA128}")
        return all(abs(ratio - 1) <= BALANCED for ratio in ratios)

    return test


def _one_is_enough(measured: str) -> _Test:
    def test(setting: Setting) -> bool:
        if setting.name == PRINTED:
            raise MissingFigure("table 4 was fitted to every processor")
        predicted = [
            pair for target in setting.targets for pair in left_out(setting.observations, target, measured)
        ]
        return all(factor(ours, one.bit_cycles) <= 2 for ours, one in predicted)

    return test


def _references_are_enough(algorithm: str) -> _Test:
    def test(setting: Setting) -> bool:
        if setting.name == PRINTED:
            raise MissingFigure("table 4 was fitted to every processor")
        absent = [target for target in REFERENCES if target not in setting.targets]
        if absent:
            raise MissingFigure(f"no figures of {absent[0]}")
        predicted = from_references(setting.of(algorithm), algorithm, REFERENCES)
        return all(factor(ours, one.bit_cycles) <= 2 for ours, one in predicted)

    return test


ALGORITHMS = tuple(dict.fromkeys(row.algorithm for row in model_rows()))
_WITHOUT_MULTIPLY = tuple(name for name in ALGORITHMS if not name.startswith("IDEA"))


def _each(made: Callable[[str], _Test], text: str, names: Sequence[str] = ALGORITHMS) -> dict[str, _Test]:
    return {f"{name}: {text}": made(name) for name in names}


CLAIMS: Mapping[str, Mapping[str, _Test]] = {
    "seed000-33": _each(_all_within_factor_two, "every cell within a factor of two"),
    "seed000-34": _each(_most_within_20_percent, "more than half of the cells within 20 %"),
    "seed000-35": _each(_least_squares, f"a fit comes within {ABOUT:.0%} of both constants"),
    "seed000-36": {f"{MULTIPLIES}: smaller mean error with the terms": _refinement(MULTIPLIES)},
    "seed000-37": {
        f"{MD5} on {M30102}: smaller mean error with the terms": _refinement(MD5, lambda t: t == M30102)
    },
    "seed000-38": _each(
        _equal_on_atmegas, f"one image on both ATmegas within {BALANCED:.0%}", _WITHOUT_MULTIPLY
    ),
    "seed000-39": _each(_one_is_enough, "where it alone was measured the others come within a factor of two"),
    "seed000-40": _each(
        _references_are_enough,
        f"from {', '.join(REFERENCES)} the other processors come within a factor of two",
    ),
}
"""What each claim says, as tests of one setting."""


STUDY = Study(
    title="An analytic model of encryption overhead (2003)",
    note="Equation 1 of the publication, t = (a + b n) / (f w), with the constants of its Table 4, with"
    " constants fitted anew to its Table 3, and with constants fitted to the records here. a and b are in"
    " bit-cycles; n counts a cipher's message of 16 bytes, or a hash's padded blocks.",
    targets=tuple(platform.target for platform in platforms()),
    primitives=tuple(PRIMITIVES.values()),
    judge=lambda records, defaults: reproduce(sheets_of(records, defaults)),
    measure=in_steps(steps, ATMEGA128),
)
