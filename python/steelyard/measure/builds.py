"""Measure builds: the image, the outcome of each cell, the checks; the cache keeps all of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from steelyard.cache.content import Cache, content_key
from steelyard.catalog.models import Algorithm, Target
from steelyard.machine import EMULATOR_VERSION, Emulator, describe
from steelyard.measure.check import Checks, annotated
from steelyard.measure.image import Image, Rules
from steelyard.measure.inputs import RandomQuestions
from steelyard.measure.plan import Build, Cell, ToolchainName
from steelyard.measure.random_inputs import evidence_key, kept_key, random_inputs
from steelyard.oracle import libraries, provenance
from steelyard.record.origin import measuring_code, steelyard_commit, steelyard_version
from steelyard.record.schema import Record
from steelyard.store.segments import FORMAT_VERSION
from steelyard.toolchain import (
    BuildFailed,
    BuildResult,
    Toolchain,
    build,
    build_identity,
    measured_hash,
)
from steelyard.toolchain.sources import Readings

Evidence = Callable[[Build, Callable[[], bytes | None]], bytes | None]
"""Returns what a function finds that looks for the answers of builds alike, once these had their turn."""


class Builds:
    """The builds of a run; any number of threads may measure some of them at once.

    `longest_cycles` are those that the random inputs of one image may take; `stopped` tells that the run has
    ended.
    """

    def __init__(
        self,
        toolchains: Mapping[ToolchainName, Toolchain],
        rules: Rules,
        readings: Readings,
        longest_cycles: int,
        stopped: Callable[[], bool],
        cache: Cache | None = None,
    ) -> None:
        self._toolchains = toolchains
        self._rules = rules
        self._readings = readings
        self._longest_cycles = longest_cycles
        self._stopped = stopped
        self._cache = cache or Cache()
        self._questions = RandomQuestions(rules.seed)
        self._memo: dict[object, str] = {}

    def toolchain(self, build_: Build) -> Toolchain:
        """Return the compiler of a build."""
        return self._toolchains[build_.target.file.family, build_.toolchain]

    def key(self, cells: Sequence[Cell]) -> str:
        """Return a key of all that the records of a build's cells are made from.

        BuildFailed if its sources are refused: then it has none.
        """
        build_, rules = cells[0].build, self._rules
        return content_key(
            f"lines of format {FORMAT_VERSION}",
            build_identity(build_.request(self.toolchain(build_)), self._readings),
            EMULATOR_VERSION,
            measuring_code(),
            libraries(),
            self._known_answers(build_.algorithm),
            kept_key(),
            str(self._longest_cycles),
            repr((*build_.key, build_.algorithm.id, [variant.id for variant in build_.parts])),
            repr((rules.samples, rules.seed, rules.max_cycles)),
            repr([cell.call for cell in cells]),
            # What is declassified is not in the image.
            repr([variant.file.declassified for variant in (build_.variant, *build_.parts)]),
        )

    def evidence_keys(self, cells: Sequence[Cell]) -> set[str]:
        """Return the keys under which the answers of builds alike serve the cells of a build."""
        build_ = cells[0].build
        asked = [inputs for cell in cells if (inputs := random_inputs(cell)) is not None]
        if not asked:
            return set()
        source_hash = measured_hash(build_.request(self.toolchain(build_)), self._readings)
        return {evidence_key(build_, inputs, source_hash, *self._versions()) for inputs in asked}

    def outcomes(self, cells: Sequence[Cell], evidence: Evidence) -> Iterator[Record]:
        """Yield what is measured of the cells of a build, in their order, as soon as it is there.

        Fewer than there are cells if the run has stopped.
        """
        build_ = cells[0].build
        toolchain = self.toolchain(build_)
        try:
            built = build(build_.request(toolchain), self._cache, self._readings)
        except BuildFailed as error:
            yield from (failed(error) for _ in cells)
            return
        image_hash = hashlib.sha256(built.elf).hexdigest()
        sealing = partial(self._sealing_image, build_, toolchain)
        image = Image(built, self._rules, self._questions, self._stopped, sealing)
        checks = self._checks(build_, built, image)
        for cell in cells:
            if self._stopped():
                return
            measured = self._outcome(cell, image, image_hash)
            if measured is None:
                return
            if measured.get("verified_by"):
                measured |= self._random_inputs(cell, built, image, str(measured["verified_by"]), evidence)
            if measured.get("verified") and checks is not None:
                measured |= checks.record(cell, float(measured["cycles"] or 0))
            yield {**measured, **_built_fields(built), "image_hash": image_hash}

    def _checks(self, build_: Build, built: BuildResult, image: Image) -> Checks | None:
        """Return the checks of constant time of an image; code that marks its secrets is built for them.

        None if that cannot be built: then what is measured has no verdict.
        """
        plain: Callable[[], Emulator] | None = partial(image.emulator, build_.target)
        if annotated(build_) is not build_:
            try:
                built = build(annotated(build_).request(self.toolchain(build_)), self._cache, self._readings)
            except BuildFailed:
                return None
            plain = None
        described = self._described(build_.target)
        return Checks(self._cache, built, self._questions, self._rules, described, plain)

    def _sealing_image(self, opening: Build, toolchain: Toolchain) -> Image:
        """Return an image of the same sources that seals, linked the first time it is asked for."""
        built = build(sealing(opening).request(toolchain), self._cache, self._readings)
        return Image(built, self._rules, self._questions, self._stopped)

    def _outcome(self, cell: Cell, image: Image, image_hash: str) -> Record | None:
        """Return the outcome from the cache, or measure and cache it."""
        key = self._measurement_key(cell, image_hash)
        stored = self._cache.get("measurement", key)
        if stored is not None:
            cached: Record = json.loads(stored)
            return cached
        measured = image.outcome(cell)
        if measured is None:
            return None
        outcome = {**measured, **_origin()}
        self._cache.put("measurement", key, json.dumps(outcome).encode())
        return outcome

    def _random_inputs(
        self, cell: Cell, built: BuildResult, image: Image, verified_by: str, evidence: Evidence
    ) -> Record:
        """Return what the answers to random inputs change in a cell's outcome.

        A build that failed says nothing about those alike: each of these is asked itself.
        """
        inputs = random_inputs(cell)
        if inputs is None:
            return {}
        key = evidence_key(cell.build, inputs, built.source_hash, *self._versions())
        found = evidence(cell.build, partial(self._cache.get, "random-inputs", key))
        if found is None:
            answered = image.answer_random_inputs(cell, inputs, self._longest_cycles)
            if not isinstance(answered, int):
                return answered
            found = f"{answered} {cell.build.target.id}".encode()
            self._cache.put("random-inputs", key, found)
        count, chip = found.decode().split()
        where = f" on {chip}, from the same sources" if chip != cell.build.target.id else ""
        return {"verified_by": f"{verified_by}; {count} more random inputs{where}"} if count != "0" else {}

    def _versions(self) -> tuple[str, ...]:
        return EMULATOR_VERSION, measuring_code(), str(self._longest_cycles)

    def _measurement_key(self, cell: Cell, image_hash: str) -> str:
        """Return a key of everything that can change the outcome of a cell."""
        build_ = cell.build
        mode = build_.mode.id if build_.mode is not None else None
        rules = self._rules
        return content_key(
            image_hash,
            EMULATOR_VERSION,
            measuring_code(),
            repr((mode, build_.footprint, *cell.call, rules.samples, rules.seed, rules.max_cycles)),
            # One image may be called in more than one way.
            repr(build_.variant.file.call),
            self._described(build_.target),
            self._known_answers(build_.algorithm),
            provenance(build_.primitive, build_.algorithm.id, mode),
            build_.primitive.model_dump_json(),
            # How its functions are called is not in the image.
            build_.variant.file.model_dump_json() if build_.variant.is_foreign else "",
        )

    def _described(self, target: Target) -> str:
        key = ("target", target.id, target.timing_version)
        if key not in self._memo:
            # A series in time is measured, and by the model.
            model = target.file.event_energy
            energy_of_events = "" if model is None else model.model_dump_json()
            self._memo[key] = describe(target) + target.file.title + energy_of_events
        return self._memo[key]

    def _known_answers(self, algorithm: Algorithm) -> str:
        key = ("vectors", algorithm.id)
        if key not in self._memo:
            self._memo[key] = content_key(*(vector.model_dump_json() for vector in algorithm.vectors))
        return self._memo[key]


def sealing(opening: Build) -> Build:
    """Return the build that seals what another one is to open."""
    return replace(opening, footprint="encrypt")


def failed(error: BuildFailed) -> Record:
    """Return the outcome of each cell of a build that failed."""
    why: Record = {"status": "build-failed", "error": error.whole, "verified": False}
    return why | _origin()


def _built_fields(built: BuildResult) -> Record:
    return {
        "toolchain_version": built.toolchain_version,
        "object_flags": json.dumps(dict(sorted(built.object_flags.items()))) if built.object_flags else None,
        "source_hash": built.source_hash,
        "prebuilt": built.prebuilt,
    }


def _origin() -> Record:
    """Return the versions and the date of the measurement."""
    return {
        "emulator_version": EMULATOR_VERSION,
        "steelyard_version": steelyard_version(),
        "steelyard_commit": steelyard_commit(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }
