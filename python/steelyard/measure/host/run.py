"""Measure cells of Steelyard's own code on a device; each record goes to its sink as soon as it is there."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain

from steelyard.errors import EnvironmentProblem, UsageError
from steelyard.machine.host.agent import Agent, AgentDied, AgentRefused, Reply
from steelyard.machine.host.connect import Reached
from steelyard.measure.host.plan import HostCell, HostPlan
from steelyard.measure.host.question import Question, question
from steelyard.measure.host.reply import device_fields, lead_runs, measured_fields, without_figures
from steelyard.measure.record import Record, complete
from steelyard.measure.run import RunResult
from steelyard.store.cache import Cache
from steelyard.toolchain import BuildFailed
from steelyard.toolchain.host import Program, build_variant
from steelyard.toolchain.sources import Readings

_ERROR_LIMIT_CHARACTERS = 20_000
_GRACE_S = 60.0
_OVERRUN = 5
"""A run that has begun ends, so that a cell takes longer than its limit; several times that is too long."""


@dataclass(frozen=True)
class HostRules:
    """How each cell is measured: `runs` that count, no further one after `limit_s` seconds."""

    runs: int = 50
    seed: str = "steelyard"
    limit_s: float = 60.0
    window_ms: int = 200

    def words(self) -> dict[str, str | int]:
        """As a request says it; see firmware/linux/measure.h."""
        return {
            "runs": self.runs + lead_runs(self.runs),
            "limit_ms": round(self.limit_s * 1000),
            "window_ms": self.window_ms,
        }

    @property
    def timeout_s(self) -> float:
        """After which no answer is waited for any longer."""
        return _OVERRUN * self.limit_s + _GRACE_S


def run_host_plan(
    plan: HostPlan, reached: Reached, rules: HostRules, sink: Callable[[Record], None]
) -> RunResult:
    """Measure all cells; what Ctrl-C leaves undone is simply not there.

    Cells that nobody can verify are counted among those the plan leaves out.

    EnvironmentProblem where the device is lost; what was finished before has been through the sink.
    """
    with closing(_Run(reached, rules, plan.skipped)) as run:
        return collected(chain.from_iterable(map(run.build, plan.builds())), sink)


def collected(records: Iterable[Record], sink: Callable[[Record], None]) -> RunResult:
    """Pass records on as they are made, until there are no more or Ctrl-C."""
    result = RunResult()
    try:
        for record in records:
            sink(record)
            result.records.append(record)
    except KeyboardInterrupt:
        result.interrupted = True
    return result


class _Run:
    def __init__(self, reached: Reached, rules: HostRules, skipped: Counter[str]) -> None:
        self._reached = reached
        self._rules = rules
        self._skipped = skipped
        self._cache = Cache()
        self._readings = Readings()
        self._agent: Agent | None = None
        self._number = 0

    def build(self, cells: Sequence[HostCell]) -> Iterator[Record]:
        """Build the agent of these cells, put it on the device, measure them one by one."""
        host = self._reached.host
        try:
            program = build_variant(cells[0].build(host), self._cache, self._readings)
        except BuildFailed as error:
            text = f"{error}\n{error.command}\n{error.text}".strip()[:_ERROR_LIMIT_CHARACTERS]
            for cell in cells:
                yield self._record(cell, None, {"status": "build-failed", "error": text})
            return
        path = self._reached.device.put(f"agent-{program.key[:16]}", program.elf)
        try:
            for cell in cells:
                outcome = self._outcome(cell, path)
                if outcome is not None:
                    yield self._record(cell, program, outcome)
        finally:
            self.close()

    def _outcome(self, cell: HostCell, path: str) -> Record | None:
        try:
            asked = question(cell.asked, self._rules.seed, self._cache)
        except UsageError as error:
            self._skipped[str(error)] += 1
            return None
        self._number += 1
        words = {"id": self._number, **asked.words, **self._rules.words(), "threads": cell.threads}
        if cell.pieces is not None:
            words["pieces"] = cell.pieces
        try:
            if self._agent is None:
                self._agent = Agent(self._reached.device, path)
            reply = self._agent.ask("cell", words, self._rules.timeout_s)
        except AgentDied as error:
            # The next cell gets a new one; where that does not start either, the device is lost.
            self.close()
            return {"status": "fault", "fault_kind": "agent-died", "error": str(error)}
        except AgentRefused as error:
            raise EnvironmentProblem(str(error)) from None
        return self._judged(cell, asked, reply)

    def _judged(self, cell: HostCell, asked: Question, reply: Reply) -> Record:
        if reply.get("id") != self._number:
            self.close()
            error = "The program answered another request."
            return {"status": "fault", "fault_kind": "agent-failed", "error": error}
        if reply["status"] != "ok":
            status = "unsupported" if reply["status"] == "unsupported" else "fault"
            kind = None if status == "unsupported" else "agent-failed"
            return {"status": status, "fault_kind": kind, "error": f"The device says: {reply['detail']}."}
        wrong = asked.wrong(reply)
        if wrong is not None:
            return {"status": "wrong-output", "error": f"{cell.variant.id}: {wrong}", "verified_by": asked.by}
        figures = measured_fields(reply, self._reached.device, self._rules.runs, cell.message_bytes)
        return {"status": "ok", "verified": True, "verified_by": asked.by, **figures}

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

    def close(self) -> None:
        """End the agent."""
        if self._agent is not None:
            self._agent.close()
            self._agent = None
