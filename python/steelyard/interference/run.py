"""Run the control task beside the encryption of each cell on a device, a row for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from steelyard.errors import UsageError
from steelyard.interference import result
from steelyard.interference.plan import Plan
from steelyard.interference.result import Row
from steelyard.machine.host.agent import Agent, AgentDied, Reply
from steelyard.machine.host.connect import Reached
from steelyard.measure.host.plan import HostCell
from steelyard.measure.host.question import Question, question
from steelyard.measure.host.reply import device_fields
from steelyard.store.cache import Cache
from steelyard.toolchain import BuildFailed
from steelyard.toolchain.host import Program, build_variant
from steelyard.toolchain.sources import Readings

LOADS = ("encrypt", "digest", "mac", "seal")
"""Operations that a message can be protected by; each kind of primitive has one of them."""

_GRACE_S = 60.0
_ERROR_LIMIT_CHARACTERS = 20_000

Progress = Callable[[HostCell], None]
"""Called as each block of a cell's run begins."""


@dataclass(frozen=True)
class Runner:
    """Runs on one device, with one task."""

    reached: Reached
    plan: Plan
    seed: str
    on_block: Progress
    cache: Cache = field(default_factory=Cache)
    readings: Readings = field(default_factory=Readings)

    def rows(self, cells: Sequence[HostCell]) -> Iterator[Row]:
        """A row for every cell: with figures where its status is ok, else with what went wrong.

        UsageError where the device cannot run the task.
        """
        for cell in cells:
            yield self._row(cell)

    def _row(self, cell: HostCell) -> Row:
        device = device_fields(self.reached)
        machine = self.reached.machine
        fields = {
            **result.asked(self.plan),
            **{name: device[name] for name in ("device", "steelyard_version", "steelyard_commit", "date")},
            **{name: machine.get(name) for name in ("processor", "architecture", "kernel", "cores")},
            "primitive": cell.primitive.id,
            "variant": cell.variant.id,
            "mode": cell.mode.id if cell.mode is not None else None,
            "operation": cell.operation,
            "padding": cell.padding,
            "flags": cell.flags,
            "input_seed": self.seed,
            "verified": False,
        }
        return result.complete({**fields, **self._outcome(cell)})

    def _outcome(self, cell: HostCell) -> Row:
        try:
            asked = question(cell.asked, self.seed, self.cache)
        except UsageError as error:
            return {"status": "failed", "error": f"Not verifiable, so not run: {error}."}
        try:
            program = build_variant(cell.build(self.reached.host), self.cache, self.readings)
        except BuildFailed as error:
            text = f"{error}\n{error.command}\n{error.text}".strip()[:_ERROR_LIMIT_CHARACTERS]
            return {"status": "build-failed", "error": text}
        origin: Row = {
            "toolchain": f"clang {program.toolchain_version}",
            "source_hash": program.source_hash,
        }
        try:
            return origin | self._judged(cell, asked, self._reply(cell, asked, program))
        except AgentDied as error:
            return origin | {"status": "failed", "error": str(error)}

    def _reply(self, cell: HostCell, asked: Question, program: Program) -> Reply:
        device = self.reached.device
        path = device.put(f"agent-{program.key[:16]}", program.elf)
        words = {"id": 1, **asked.words, **self.plan.words()}
        timeout_s = self.plan.duration_s + _GRACE_S
        agent = Agent(device, path)
        try:
            reply = agent.ask("interfere", words, timeout_s)
            while "block" in reply:
                self.on_block(cell)
                reply = agent.listen(timeout_s)
            return reply
        finally:
            agent.close()

    def _judged(self, cell: HostCell, asked: Question, reply: Reply) -> Row:
        if reply["status"] == "unsupported":
            raise UsageError(f"{self.reached.device.name}: {reply['detail']}.")
        if reply["status"] != "ok":
            return {"status": "failed", "error": f"The device says: {reply['detail']}."}
        wrong = asked.wrong(reply)
        if wrong is not None:
            return {"status": "wrong-output", "error": f"{cell.variant.id}: {wrong}", "verified_by": asked.by}
        run = result.read_reply(reply, self.plan)
        figures = result.measured(self.plan, run) if self.reached.device.times_count else {}
        return {"status": "ok", "verified": True, "verified_by": asked.by, **figures}
