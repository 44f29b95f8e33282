"""Measure cells of Steelyard's own code on a device; each record goes to its sink at once."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import chain

from steelyard.cache.content import Cache
from steelyard.errors import EnvironmentProblem, UsageError
from steelyard.linux.build import Program, build_variant
from steelyard.linux.device.agent import AgentRefused
from steelyard.linux.device.connect import Reached
from steelyard.linux.measure.asking import Asking, HostRules, collected
from steelyard.linux.measure.plan import HostCell, HostPlan
from steelyard.linux.measure.question import question
from steelyard.linux.measure.reply import device_fields, without_figures
from steelyard.measure.run import RunResult
from steelyard.record.schema import Record, complete
from steelyard.toolchain import BuildFailed
from steelyard.toolchain.sources import Readings


def run_host_plan(
    plan: HostPlan, reached: Reached, rules: HostRules, sink: Callable[[Record], None]
) -> RunResult:
    """Measure all cells; cells that Ctrl-C leaves undone have no record.

    Cells that cannot be verified are counted among those the plan leaves out. EnvironmentProblem if the
    device is lost; finished cells have gone through the sink by then.
    """
    with closing(Asking(reached.device, rules)) as asking:
        run = _Run(reached, rules, plan.skipped, asking)
        return collected(chain.from_iterable(map(run.build, plan.builds())), sink)


class _Run:
    def __init__(self, reached: Reached, rules: HostRules, skipped: Counter[str], asking: Asking) -> None:
        self._reached = reached
        self._rules = rules
        self._skipped = skipped
        self._cache = Cache()
        self._readings = Readings()
        self._asking = asking

    def build(self, cells: Sequence[HostCell]) -> Iterator[Record]:
        """Build the agent of these cells, put it on the device, measure them one by one."""
        host = self._reached.host
        try:
            program = build_variant(cells[0].build(host), self._cache, self._readings)
        except BuildFailed as error:
            for cell in cells:
                yield self._record(cell, None, {"status": "build-failed", "error": error.whole})
            return
        path = self._reached.device.put(f"agent-{program.key[:16]}", program.elf)
        try:
            for cell in cells:
                outcome = self._outcome(cell, path)
                if outcome is not None:
                    yield self._record(cell, program, outcome)
        finally:
            self._asking.close()

    def _outcome(self, cell: HostCell, path: str) -> Record | None:
        try:
            asked = question(cell.asked, self._rules.seed, self._cache)
        except UsageError as error:
            self._skipped[str(error)] += 1
            return None
        words: dict[str, str | int] = {"threads": cell.threads}
        if cell.pieces is not None:
            words["pieces"] = cell.pieces
        try:
            return self._asking.outcome(path, cell.variant.id, asked, words, cell.message_bytes)
        except AgentRefused as error:
            # Another one ran before: where the next does not start, the device is lost.
            raise EnvironmentProblem(str(error)) from None

    def _record(self, cell: HostCell, program: Program | None, outcome: Record) -> Record:
        fields: Record = {
            **device_fields(self._reached),
            "kind": cell.algorithm.file.kind,
            "primitive": cell.primitive.id,
            "variant": cell.variant.id,
            "parts": " ".join(variant.id for variant in cell.parts) or None,
            "toolchain": "clang",
            "flags": cell.flags,
            "footprint": "both",
            "operation": cell.operation,
            "mode": cell.mode.id if cell.mode is not None else None,
            "padding": cell.padding,
            "message_bytes": cell.message_bytes,
            "ad_bytes": cell.ad_bytes,
            "threads": cell.threads,
            "security": cell.primitive.security,
            "samples": 1,
            "input_seed": self._rules.seed,
            "verified": False,
        }
        if program is not None:
            fields |= {
                "toolchain_version": program.toolchain_version,
                "source_hash": program.source_hash,
                "image_hash": hashlib.sha256(program.elf).hexdigest(),
                "prebuilt": False,
            }
        record = complete({**fields, **outcome})
        return record if record["status"] == "ok" else without_figures(record)
