"""Carry out a plan on all cores: build, measure, verify; each record goes to its sink at once."""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, wait
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from threading import Event, Lock

from steelyard.cache.content import Cache, content_key
from steelyard.catalog.models import Algorithm, Target
from steelyard.machine import EMULATOR_VERSION, describe
from steelyard.measure.check import Checks, annotated
from steelyard.measure.energy import energy
from steelyard.measure.execute import function_called
from steelyard.measure.image import Image, Rules
from steelyard.measure.inputs import RandomQuestions, is_chain, iv_bytes
from steelyard.measure.plan import Build, Cell, Plan
from steelyard.measure.random_inputs import (
    Alike,
    evidence_key,
    first_alike,
    kept_key,
    longest_cycles,
    random_inputs,
)
from steelyard.measure.workers import workers
from steelyard.oracle import libraries, provenance
from steelyard.record.origin import measuring_code, steelyard_commit, steelyard_version
from steelyard.record.schema import METRICS, Record, complete
from steelyard.store.lines import line, record_of
from steelyard.store.segments import FORMAT_VERSION
from steelyard.toolchain import BuildFailed, BuildResult, Toolchain, build, build_identity
from steelyard.toolchain.flags import check_flags, split_flags
from steelyard.toolchain.sources import Readings

# After Ctrl-C a thread between two calls of the emulator ends within this time; others are not waited for.
_LAST_RECORDS_S = 0.1
# A call of the emulator takes less than the 5 ms after which Python usually lets another thread run.
# With this, threads wait 2 % of their time for the lock instead of 5 %.
_SWITCH_S = 0.0005


@dataclass
class RunResult:
    """Records in the plan's order; `interrupted` if Ctrl-C ended the run before the plan was done."""

    records: list[Record] = field(default_factory=list)
    interrupted: bool = False

    @property
    def failed(self) -> bool:
        """Whether any cell failed; one that does not fit the chip did not fail.

        Without any figure all have failed that would have had one.
        """
        failed = any(record["status"] in ("build-failed", "wrong-output", "fault") for record in self.records)
        unverified = any(record["status"] == "ok" and not record["verified"] for record in self.records)
        return failed or (unverified and not any(record["verified"] for record in self.records))


Sink = Callable[[Sequence[Record], bytes], None]
"""Takes records with their lines in a segment."""


def run_plan(
    plan: Plan,
    toolchains: Mapping[tuple[str, str], Toolchain],
    rules: Rules,
    sink: Sink,
    jobs: int | None = None,
    readings: Readings | None = None,
) -> RunResult:
    """Measure all cells of a plan; `toolchains` by CPU family and name.

    `sink` gets every record once, from whichever thread finished it, one call at a time. UsageError for
    flags no build takes, EnvironmentProblem when the disk is full; what was finished before has been through
    the sink.
    """
    for flags in {cells[0].build.flags for cells in plan.cells.values()}:
        check_flags(split_flags(flags))
    run = _Run(toolchains, rules, sink, readings or Readings())
    return run.carry_out(list(plan.cells.values()), jobs)


class _Run:
    def __init__(
        self,
        toolchains: Mapping[tuple[str, str], Toolchain],
        rules: Rules,
        sink: Sink,
        readings: Readings,
    ) -> None:
        self._toolchains = toolchains
        self._rules = rules
        self._sink = sink
        self._sink_lock = Lock()
        self._closed = False
        self._stop = Event()
        self._cache = Cache()
        self._readings = readings
        self._questions = RandomQuestions(rules.seed)
        self._memo: dict[object, str] = {}
        self._alike = Alike([])
        self._longest_cycles = 0

    def carry_out(self, builds: Sequence[Sequence[Cell]], jobs: int | None) -> RunResult:
        """Take what is kept, and measure the other builds on a pool of threads.

        Compilers and the emulator run outside Python's lock.
        """
        result = RunResult()
        futures: list[Future[None]] = []
        finished: list[list[Record]] = [[] for _ in builds]
        self._longest_cycles = longest_cycles(build[0].build for build in builds)
        switch_s = sys.getswitchinterval()
        sys.setswitchinterval(_SWITCH_S)
        try:
            with workers(jobs) as pool:
                try:
                    keys = [self._take(*build) for build in zip(builds, finished, strict=True)]
                    missing = [number for number in range(len(builds)) if not finished[number]]
                    order = [
                        missing[place] for place in _order([builds[number][0].build for number in missing])
                    ]
                    self._alike = Alike([builds[number][0].build for number in order])
                    for number in order:
                        work = (builds[number], keys[number], finished[number])
                        futures.append(pool.submit(self._measure_build, *work))
                    wait(futures, return_when=FIRST_EXCEPTION)
                finally:
                    self._stop.set()
                    for future in futures:
                        future.cancel()
        except KeyboardInterrupt:
            result.interrupted = True
            wait(futures, timeout=_LAST_RECORDS_S)
        finally:
            sys.setswitchinterval(switch_s)
        with self._sink_lock:
            self._closed = True
        for future in futures:
            error = future.exception() if future.done() and not future.cancelled() else None
            if error is not None and not isinstance(error, KeyboardInterrupt):
                raise error
        for records in finished:
            result.records.extend(records)
        return result

    def _take(self, cells: Sequence[Cell], finished: list[Record]) -> str:
        """Return the key of a build's records; `finished` receives them if they need no compiler.

        All of them were made before, or the build's sources are refused: then it has no key.
        """
        try:
            key = self._records_key(cells)
        except BuildFailed as error:
            self._fail(cells, error, finished)
            return ""
        lines = self._cache.get("records", key)
        if lines is not None:
            records = [record_of(text) for text in lines.splitlines()]
            self._sink(records, lines)
            finished += records
        return key

    def _records_key(self, cells: Sequence[Cell]) -> str:
        """All that the records of a build's cells are made from."""
        build, rules = cells[0].build, self._rules
        toolchain = self._toolchain(cells)
        return content_key(
            f"lines of format {FORMAT_VERSION}",
            build_identity(build.request(toolchain), self._readings),
            EMULATOR_VERSION,
            measuring_code(),
            libraries(),
            self._known_answers(build.algorithm),
            kept_key(),
            str(self._longest_cycles),
            repr((*build.key, build.algorithm.id, [variant.id for variant in build.parts])),
            repr((rules.samples, rules.seed, rules.max_cycles)),
            repr([cell.call for cell in cells]),
            # What is declassified is not in the image.
            repr([variant.file.declassified for variant in (build.variant, *build.parts)]),
        )

    def _measure_build(self, cells: Sequence[Cell], key: str, finished: list[Record]) -> None:
        """Measure the cells of a build; `finished` receives their records."""
        try:
            self._measure_image(cells, key, finished)
        finally:
            self._alike.finished(cells[0].build)

    def _measure_image(self, cells: Sequence[Cell], key: str, finished: list[Record]) -> None:
        toolchain = self._toolchain(cells)
        try:
            built = build(cells[0].build.request(toolchain), self._cache, self._readings)
        except BuildFailed as error:
            self._fail(cells, error, finished)
            return
        image_hash = hashlib.sha256(built.elf).hexdigest()
        sealing = partial(self._sealing_image, cells[0].build, toolchain)
        image = Image(built, self._rules, self._questions, self._stop.is_set, sealing)
        checks = self._checks(cells, built)
        lines = []
        for cell in cells:
            if self._stop.is_set():
                break
            measured = self._outcome(cell, image, image_hash)
            if measured is not None and measured.get("verified_by"):
                measured |= self._random_inputs(cell, built, image, str(measured["verified_by"]))
            if measured is not None and measured.get("verified") and checks is not None:
                measured |= checks.record(cell)
            if measured is not None:
                named = {**measured, **_built_fields(built), "image_hash": image_hash}
                lines.append(self._finish(cell, toolchain, named, finished))
        if len(lines) == len(cells):
            self._cache.put("records", key, b"".join(lines))

    def _checks(self, cells: Sequence[Cell], built: BuildResult) -> Checks | None:
        """Return the checks of constant time of an image; code that marks its secrets is built for them.

        None if that cannot be built: then what is measured has no verdict.
        """
        build_, toolchain = cells[0].build, self._toolchain(cells)
        if annotated(build_) is not build_:
            try:
                built = build(annotated(build_).request(toolchain), self._cache, self._readings)
            except BuildFailed:
                return None
        return Checks(self._cache, built, self._questions, self._rules, self._described(build_.target))

    def _sealing_image(self, opening: Build, toolchain: Toolchain) -> Image:
        """Return an image of the same sources that seals, linked the first time it is asked for."""
        sealing = replace(opening, footprint="encrypt")
        built = build(sealing.request(toolchain), self._cache, self._readings)
        return Image(built, self._rules, self._questions, self._stop.is_set)

    def _fail(self, cells: Sequence[Cell], error: BuildFailed, finished: list[Record]) -> None:
        why: Record = {"status": "build-failed", "error": error.whole, "verified": False}
        outcome = why | _origin()
        for cell in cells:
            self._finish(cell, self._toolchain(cells), outcome, finished)

    def _toolchain(self, cells: Sequence[Cell]) -> Toolchain:
        build = cells[0].build
        return self._toolchains[build.target.file.family, build.toolchain]

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

    def _random_inputs(self, cell: Cell, built: BuildResult, image: Image, verified_by: str) -> Record:
        """Return what the answers to random inputs change in a cell's outcome.

        A build that failed says nothing about those alike: each of these is asked itself.
        """
        inputs = random_inputs(cell)
        if inputs is None:
            return {}
        versions = (EMULATOR_VERSION, measuring_code(), str(self._longest_cycles))
        key = evidence_key(cell.build, inputs, built.source_hash, *versions)
        look = partial(self._cache.get, "random-inputs", key)
        evidence = self._alike.evidence(cell.build, look, self._stop.is_set)
        if evidence is None:
            answered = image.answer_random_inputs(cell, inputs, self._longest_cycles)
            if not isinstance(answered, int):
                return answered
            evidence = f"{answered} {cell.build.target.id}".encode()
            self._cache.put("random-inputs", key, evidence)
        count, chip = evidence.decode().split()
        where = f" on {chip}, from the same sources" if chip != cell.build.target.id else ""
        return {"verified_by": f"{verified_by}; {count} more random inputs{where}"} if count != "0" else {}

    def _measurement_key(self, cell: Cell, image_hash: str) -> str:
        """Return a key of everything that can change the outcome of a cell."""
        build = cell.build
        mode = build.mode.id if build.mode is not None else None
        rules = self._rules
        return content_key(
            image_hash,
            EMULATOR_VERSION,
            measuring_code(),
            repr((mode, build.footprint, *cell.call, rules.samples, rules.seed, rules.max_cycles)),
            # One image may be called in more than one way.
            repr(build.variant.file.call),
            self._described(build.target),
            self._known_answers(build.algorithm),
            provenance(build.primitive, build.algorithm.id, mode),
            build.primitive.model_dump_json(),
            # How its functions are called is not in the image.
            build.variant.file.model_dump_json() if build.variant.is_foreign else "",
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

    def _finish(self, cell: Cell, toolchain: Toolchain, outcome: Record, finished: list[Record]) -> bytes:
        """Pass the record to the sink and then to `finished`, unless the run has ended; return its line."""
        record = whole_record(cell, toolchain, self._rules, outcome)
        text = line(record)
        with self._sink_lock:
            if not self._closed:
                self._sink([record], text)
                finished.append(record)
        return text


def _order(builds: Sequence[Build]) -> list[int]:
    """Return the order of builds: those that are asked random inputs for others, which wait for them, then an
    image of each set of objects, then the others linked from them.

    Threads then do not wait for each other, nor for each other's compilers. Signatures, which take a
    thousand times longer than the rest, are spread among these: at the end no thread works on one while the
    others have nothing left.
    """
    begun: Counter[tuple[str, ...]] = Counter()
    first, rank = first_alike(builds), []
    for number, one in enumerate(builds):
        objects = (one.primitive.id, one.variant.id, one.target.id, one.toolchain, one.flags)
        rank.append((one.key not in first, begun[objects], number))
        begun[objects] += 1
    order = [number for _, _, number in sorted(rank)]
    long = [number for number in order if builds[number].algorithm.file.kind == "signature"]
    rest = [number for number in order if builds[number].algorithm.file.kind != "signature"]
    for place, number in enumerate(long):
        rest.insert((place + 1) * (len(builds) // (len(long) + 1)), number)
    return rest


def whole_record(cell: Cell, toolchain: Toolchain, rules: Rules, outcome: Record) -> Record:
    """Return the record of a cell with what follows from its outcome; a failed cell has no figures."""
    record = complete({**_cell_fields(cell, toolchain, rules), **outcome})
    record["verified"] = record["verified"] is True
    _derive(record, cell)
    return record


def _cell_fields(cell: Cell, toolchain: Toolchain, rules: Rules) -> Record:
    build = cell.build
    return {
        "kind": build.algorithm.file.kind,
        "primitive": build.primitive.id,
        "variant": build.variant.id,
        "parts": " ".join(variant.id for variant in build.parts) or None,
        "parameters": build.variant.parameters,
        "target": build.target.id,
        "toolchain": toolchain.id,
        "toolchain_version": toolchain.version,
        "flags": build.flags,
        "footprint": build.footprint,
        "operation": cell.operation,
        "mode": build.mode.id if build.mode is not None else None,
        "padding": cell.padding,
        "message_bytes": cell.message_bytes,
        "ad_bytes": cell.ad_bytes,
        "cache_state": cell.cache_state,
        "settings": build.target.file.settings or None,
        "clock_hz": build.target.file.clock_hz,
        "symbol": function_called(cell),
        "security": build.primitive.security,
        "input_seed": rules.seed,
        "tier": build.target.file.tier,
        "ram_io_bytes": _io_bytes(cell),
        "target_hash": build.target.file.file_hash or None,
        "timing_version": build.target.timing_version,
    }


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


def _io_bytes(cell: Cell) -> int:
    """Return the bytes of the buffers that the caller provides.

    For a set-up key and IV, otherwise IV, associated data, message (ciphers work in place) and digest or tag.
    """
    primitive = cell.build.primitive
    if is_chain(cell.build):
        message = cell.message_bytes or 0
        return {
            "keypair": primitive.public_key_bytes + primitive.key_bytes,
            "encapsulate": primitive.public_key_bytes
            + primitive.ciphertext_bytes
            + primitive.shared_secret_bytes,
            "decapsulate": primitive.key_bytes + primitive.ciphertext_bytes + primitive.shared_secret_bytes,
            "sign": primitive.key_bytes + message + primitive.signature_bytes,
            "verify": primitive.public_key_bytes + message + primitive.signature_bytes,
        }[cell.operation]
    if cell.build.algorithm.file.kind == "signature":
        ciphertext_bytes = cell.call_bytes + primitive.overhead_bytes
        signing = primitive.digest_bytes + primitive.iv_bytes + primitive.signature_bytes
        return {
            "init": primitive.key_bytes + primitive.public_key_bytes,
            "sign": signing,
            "verify": primitive.public_key_bytes + primitive.digest_bytes + primitive.signature_bytes,
            "encrypt": primitive.public_key_bytes + primitive.iv_bytes + ciphertext_bytes,
            "decrypt": primitive.key_bytes + ciphertext_bytes,
        }[cell.operation]
    if cell.operation.startswith("init"):
        stream = cell.build.algorithm.file.kind == "stream"
        return primitive.key_bytes + (primitive.iv_bytes if stream else 0)
    iv = iv_bytes(cell.build) if cell.build.mode is not None or cell.operation in ("seal", "open") else 0
    return cell.call_bytes + iv + (cell.ad_bytes or 0) + primitive.digest_bytes + primitive.tag_bytes


def _derive(record: Record, cell: Cell) -> None:
    """Fill in the figures that follow from others; a failed cell has none."""
    if record["status"] not in ("ok", "does-not-fit") or (
        record["status"] == "ok" and not record["verified"]
    ):
        record.update(dict.fromkeys(METRICS))
        return
    stack_bytes, cycles = record["ram_stack_bytes"], record["cycles"]
    if isinstance(stack_bytes, int):
        static, context = record["ram_static_bytes"], record["ram_context_bytes"]
        heap = record["ram_heap_bytes"] or 0
        assert isinstance(static, int) and isinstance(context, int) and isinstance(heap, int)
        record["ram_bytes"] = static + context + stack_bytes + heap
    if not isinstance(cycles, float):
        return
    target = cell.build.target.file
    time_s = cycles / target.clock_hz
    record["time_us"] = time_s * 1e6
    if cell.message_bytes:
        record["cycles_per_byte"] = cycles / cell.message_bytes
        record["throughput_bytes_per_s"] = cell.message_bytes / time_s
    used = energy(target, record)
    if used is not None:
        record["energy_nj"], record["energy_low_nj"], record["energy_high_nj"] = (
            used.nj,
            used.low_nj,
            used.high_nj,
        )
        record["energy_error_percent"] = used.error_percent
        record["power_mw"] = used.nj / (time_s * 1e6)
        record["energy_simulated_nj"] = used.simulated_nj
        record["energy_shares"] = None if used.shares is None else json.dumps(used.shares)
