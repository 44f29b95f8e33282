"""Run the control task beside each load on a device; each gives a row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from steelyard.cache.content import Cache
from steelyard.errors import UsageError
from steelyard.linux.build import Program
from steelyard.linux.device.agent import Agent, AgentDied, AgentRefused, Reply, understood
from steelyard.linux.device.connect import Reached
from steelyard.linux.interfere import result
from steelyard.linux.interfere.load import Load
from steelyard.linux.interfere.plan import Plan
from steelyard.linux.interfere.result import Row
from steelyard.linux.measure.question import Question
from steelyard.linux.measure.reply import device_fields
from steelyard.toolchain import BuildFailed

_GRACE_S = 60.0


@dataclass(frozen=True)
class Runner:
    """Runs one task on one device; `on_block` is called as each block of a run begins."""

    reached: Reached
    plan: Plan
    seed: str
    on_block: Callable[[Load], None]
    cache: Cache = field(default_factory=Cache)

    def rows(self, loads: Sequence[Load]) -> Iterator[Row]:
        """Yield a row for every load: with figures if its status is ok, otherwise with the error.

        UsageError if the device cannot run the task.
        """
        for load in loads:
            yield self._row(load)

    def _row(self, load: Load) -> Row:
        device = device_fields(self.reached)
        machine = self.reached.machine
        asked = load.asked
        fields = {
            **result.asked(self.plan),
            **{name: device[name] for name in ("device", "steelyard_version", "steelyard_commit", "date")},
            **{name: machine.get(name) for name in ("processor", "architecture", "kernel", "cores")},
            "primitive": asked.primitive.id,
            "mode": asked.mode,
            "operation": asked.operation,
            "padding": asked.padding,
            **load.fields(),
            "input_seed": self.seed,
            "verified": False,
        }
        return result.complete({**fields, **self._outcome(load)})

    def _outcome(self, load: Load) -> Row:
        if load.gap is not None:
            return {"status": "unsupported", "error": f"{load.gap.rstrip('.')}."}
        try:
            asked = load.question(self.seed, self.cache)
        except UsageError as error:
            return {"status": "failed", "error": f"Not verifiable, so not run: {error}."}
        try:
            program = load.program(self.reached.host, self.cache)
        except BuildFailed as error:
            return {"status": "build-failed", "error": error.whole}
        origin: Row = {
            "toolchain": f"clang {program.toolchain_version}",
            "source_hash": program.source_hash,
        }
        try:
            reply = self._reply(load, asked, program)
            with understood(self.reached.device.name):
                return origin | self._judged(asked, reply)
        except AgentRefused as error:
            return origin | {"status": "unsupported", "error": str(error)}
        except AgentDied as error:
            return origin | {"status": "failed", "error": str(error)}

    def _reply(self, load: Load, asked: Question, program: Program) -> Reply:
        device = self.reached.device
        path = device.put(f"agent-{program.key[:16]}", program.elf)
        words = {"id": 1, **load.words(), **asked.words, **self.plan.words()}
        timeout_s = self.plan.duration_s + _GRACE_S
        agent = Agent(device, path)
        try:
            reply = agent.ask("interfere", words, timeout_s)
            # One for each block, and no more.
            for _ in range(self.plan.blocks):
                if "block" not in reply:
                    break
                self.on_block(load)
                reply = agent.listen(timeout_s)
            return reply
        finally:
            agent.close()

    def _judged(self, asked: Question, reply: Reply) -> Row:
        if reply["status"] == "impossible":
            raise UsageError(f"{self.reached.device.name}: {reply['detail']}.")
        if reply["status"] != "ok":
            status = "unsupported" if reply["status"] == "unsupported" else "failed"
            return {"status": status, "error": f"The device says: {reply['detail']}."}
        version: Row = {"library_version": reply.get("version")}
        wrong = asked.wrong(reply)
        if wrong is not None:
            return {**version, "status": "wrong-output", "error": wrong, "verified_by": asked.by}
        run = result.read_reply(reply, self.plan)
        figures = result.measured(self.plan, run) if self.reached.device.times_count else {}
        return {**version, "status": "ok", "verified": True, "verified_by": asked.by, **figures}
