"""The main job from selection to stored records, for the command line and the API."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from steelyard.catalog.load import Catalog
from steelyard.catalog.models import Target
from steelyard.catalog.own import with_own
from steelyard.errors import EnvironmentProblem
from steelyard.measure.axes import Axis, points_of
from steelyard.measure.image import Rules
from steelyard.measure.plan import Build, Plan, ToolchainName, make_joint_plan
from steelyard.measure.run import RunResult, run_plan
from steelyard.measure.selection import Selection, match
from steelyard.measure.settings import Setting, changed
from steelyard.measure.workers import Jobs
from steelyard.record.schema import Record
from steelyard.store.segments import SegmentWriter
from steelyard.toolchain import Toolchain, discover, prebuilt_refusal
from steelyard.toolchain.prebuilt import prebuilt_images
from steelyard.toolchain.sources import Readings


@dataclass(frozen=True)
class Session:
    """A plan and its toolchains; `missing` are requested ones that this machine lacks."""

    plan: Plan
    toolchains: dict[ToolchainName, Toolchain]
    missing: tuple[Toolchain, ...]
    readings: Readings = field(default_factory=Readings, repr=False)
    """The sources as planning read them."""

    def run(
        self,
        store: Path,
        rules: Rules,
        jobs: Jobs = None,
        on_record: Callable[[Record], None] = lambda record: None,
    ) -> RunResult:
        """Measure; each record is in the store before `on_record` receives it."""
        with SegmentWriter(store) as writer:

            def keep(records: Sequence[Record], lines: bytes) -> None:
                writer.append_lines(lines)
                for record in records:
                    on_record(record)

            return run_plan(self.plan, self.toolchains, rules, keep, jobs, self.readings)


def prepare(catalog: Catalog, selections: Sequence[Selection], settings: Sequence[Setting] = ()) -> Session:
    """Plan the selections with the compilers of this machine, on chips changed by `settings`.

    A target may be the path of a chip of one's own.
    EnvironmentProblem if a toolchain requested by name, or every suitable one, is missing; UsageError like
    `make_plan`.
    """
    catalog, selections = _with_own(catalog, selections)
    chosen = {target.id for selection in selections for target in _targets(catalog, selection)}
    catalog = changed(catalog, settings, sorted(chosen))
    return _prepared(selections, [(catalog, selection) for selection in selections])


def prepare_sweep(catalog: Catalog, selection: Selection, axes: Sequence[Axis]) -> Session:
    """Plan a selection at every point of the axes, each target at those that it has.

    EnvironmentProblem and UsageError like `prepare`, and UsageError for an axis that no chosen target has.
    """
    catalog, selections = _with_own(catalog, [selection])
    points, impossible = points_of(catalog, axes, [one.id for one in _targets(catalog, selections[0])])
    pairs = [
        (changed(catalog, settings, targets), selections[0].model_copy(update={"target": tuple(targets)}))
        for settings, targets in points.items()
    ]
    session = _prepared(selections, pairs)
    session.plan.skipped.update(impossible)
    return session


def _prepared(selections: Sequence[Selection], pairs: Sequence[tuple[Catalog, Selection]]) -> Session:
    """Plan pairs of a catalogue and a selection with the compilers that the selections want."""
    catalog = pairs[0][0]
    found = {(toolchain.family, toolchain.id): toolchain for toolchain in discover()}
    readings = Readings()
    prebuilt = _Prebuilt(found, readings)
    missing = [
        toolchain
        for toolchain in _wanted(catalog, selections, found.values(), prebuilt)
        if not toolchain.available
    ]
    installed = {name: toolchain.available for name, toolchain in found.items()}
    plan = make_joint_plan(pairs, installed, prebuilt)
    return Session(plan, found, tuple(missing), readings)


def missing_sentence(toolchain: Toolchain) -> str:
    """Return a sentence on what is missing and how to install it."""
    return (
        f"{toolchain.title} for {toolchain.family} is not installed on this machine; run: {toolchain.install}"
    )


class _Prebuilt:
    """The images that come with Steelyard, for the toolchains that are missing."""

    def __init__(self, toolchains: Mapping[ToolchainName, Toolchain], readings: Readings) -> None:
        self._toolchains = toolchains
        self._readings = readings

    def has(self, target: Target, toolchain: str) -> bool:
        """Whether there are any for a chip."""
        return prebuilt_images(target.id, toolchain) is not None

    def refusal(self, build: Build) -> str | None:
        """Return why a build has no image, None if it has one."""
        toolchain = self._toolchains[build.target.file.family, build.toolchain]
        return prebuilt_refusal(build.request(toolchain), self._readings)


def default_toolchain(catalog: Catalog, target: str) -> str:
    """Return the default compiler: GCC, or clang on a machine without it."""
    family = catalog.target(target).file.family
    available = {one.id for one in discover() if one.family == family and one.available}
    return "clang" if "clang" in available and "gcc" not in available else "gcc"


def _wanted(
    catalog: Catalog, selections: Iterable[Selection], toolchains: Iterable[Toolchain], prebuilt: _Prebuilt
) -> list[Toolchain]:
    """Return the toolchains that the selections name for the families of their targets, in order, each once.

    EnvironmentProblem for one without which nothing of a selection can be measured.
    """
    listed = list(toolchains)
    ids = sorted({toolchain.id for toolchain in listed})
    wanted: set[ToolchainName] = set()
    for selection in selections:
        chosen = match("toolchain", selection.toolchain, ids) if selection.toolchain else ids
        targets = _targets(catalog, selection)
        families = {target.file.family for target in targets}
        beforehand = {
            (target.file.family, one) for target in targets for one in ids if prebuilt.has(target, one)
        }
        of_selection = [one for one in listed if one.id in chosen and one.family in families]
        absent = [one for one in of_selection if not one.available and (one.family, one.id) not in beforehand]
        by_name = [toolchain for toolchain in absent if toolchain.id in selection.toolchain]
        if by_name or (absent and len(absent) == len(of_selection)):
            raise EnvironmentProblem(missing_sentence((by_name or absent)[0]))
        wanted |= {(toolchain.family, toolchain.id) for toolchain in of_selection}
    return [toolchain for toolchain in listed if (toolchain.family, toolchain.id) in wanted]


def _with_own(catalog: Catalog, selections: Sequence[Selection]) -> tuple[Catalog, list[Selection]]:
    """Read the files that selections name as targets, and name them by their identifiers."""
    read = []
    for selection in selections:
        catalog, names = with_own(catalog, selection.target)
        read.append(selection.model_copy(update={"target": names}))
    return catalog, read


def _targets(catalog: Catalog, selection: Selection) -> list[Target]:
    names = match("target", selection.target or ("*",), [target.id for target in catalog.targets])
    return [target for target in catalog.targets if target.id in names]
