"""One cell measured again for what its samples show beside its record: their calls, observed in detail."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace

from steelyard.cache.content import Cache
from steelyard.measure.image import Image, Rules, Sampled
from steelyard.measure.inputs import RandomQuestions
from steelyard.measure.plan import Build, Cell
from steelyard.measure.records import whole_record
from steelyard.measure.session import Session
from steelyard.record.schema import Record
from steelyard.toolchain import BuildFailed, BuildResult, build


@dataclass(frozen=True)
class Observation:
    """The record of a cell; image and samples are None where its status is not `ok`."""

    record: Record
    built: BuildResult | None = None
    sampled: Sampled | None = None


def observe_cell(
    session: Session, cell: Cell, rules: Rules, stopped: Callable[[], bool] = lambda: False
) -> Observation:
    """Measure and verify a cell of a session like any run, its samples observed in detail.

    Nothing is stored. EnvironmentProblem if the compiler is missing.
    """
    toolchain = session.toolchains[cell.build.target.file.family, cell.build.toolchain]
    cache = Cache()

    def made(one: Build) -> BuildResult:
        return build(one.request(toolchain), cache, session.readings)

    def sealing() -> Image:
        sealed = made(replace(cell.build, footprint="encrypt"))
        return Image(sealed, rules, RandomQuestions(rules.seed), stopped)

    try:
        built = made(cell.build)
    except BuildFailed as error:
        failed: Record = {"status": "build-failed", "error": error.whole}
        return Observation(whole_record(cell, toolchain, rules, failed))
    image = Image(built, rules, RandomQuestions(rules.seed), stopped, sealing, observe="detail")
    outcome = image.outcome(cell)
    if outcome is None:
        raise KeyboardInterrupt
    origin: Record = {
        "image_hash": hashlib.sha256(built.elf).hexdigest(),
        "toolchain_version": built.toolchain_version,
        "source_hash": built.source_hash,
        "prebuilt": built.prebuilt,
    }
    record = whole_record(cell, toolchain, rules, {**outcome, **origin})
    ok = record["status"] == "ok" and record["verified"]
    return Observation(record, built, image.sampled if ok else None)
