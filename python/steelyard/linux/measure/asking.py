"""Ask a program on a device for one cell after another; each cell has an outcome, whatever happens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from steelyard.linux.device.agent import Agent, AgentDied, Reply, understood
from steelyard.linux.device.device import Device
from steelyard.linux.measure.question import Question
from steelyard.linux.measure.reply import lead_runs, measured_fields
from steelyard.measure.run import RunResult
from steelyard.record.schema import Record

_GRACE_S = 60.0
_OVERRUN = 5
"""Multiple of a cell's limit after which it counts as hung; a run that has begun may exceed the limit."""


@dataclass(frozen=True)
class HostRules:
    """How each cell is measured: `runs` counted runs, no further one after `limit_s` seconds."""

    runs: int = 50
    seed: str = "steelyard"
    limit_s: float = 60.0
    window_ms: int = 200

    def words(self) -> dict[str, str | int]:
        """Return the words of a request; see firmware/linux/measure.h."""
        return {
            "runs": self.runs + lead_runs(self.runs),
            "limit_ms": round(self.limit_s * 1000),
            "window_ms": self.window_ms,
        }

    @property
    def timeout_s(self) -> float:
        """Seconds after which an answer is no longer awaited."""
        return _OVERRUN * self.limit_s + _GRACE_S


class Asking:
    """The program that runs on a device, if any; one that died is restarted for the next cell."""

    def __init__(self, device: Device, rules: HostRules) -> None:
        self._device = device
        self._rules = rules
        self._agent: Agent | None = None
        self._number = 0

    def outcome(
        self,
        path: str,
        who: str,
        asked: Question,
        words: Mapping[str, str | int],
        message_bytes: int | None,
    ) -> Record:
        """Return a program's answer to a question: status, figures, and what went wrong, told about `who`.

        AgentRefused if it does not start, EnvironmentProblem if the device is lost.
        """
        self._number += 1
        told = {"id": self._number, **words, **asked.words, **self._rules.words()}
        try:
            if self._agent is None:
                self._agent = Agent(self._device, path)
            reply = self._agent.ask("cell", told, self._rules.timeout_s)
            with understood(self._device.name):
                return self._read(reply, who, asked, message_bytes)
        except AgentDied as error:
            self.close()
            return {"status": "fault", "fault_kind": "agent-died", "error": str(error)}

    def _read(self, reply: Reply, who: str, asked: Question, message_bytes: int | None) -> Record:
        if reply.get("id") != self._number:
            self.close()
            return _failed("The program answered another request.")
        if reply["status"] == "unsupported":
            return {"status": "unsupported", "error": f"{reply['detail']}."}
        if reply["status"] != "ok":
            return _failed(f"The device says: {reply['detail']}.")
        named: Record = {"library_version": reply.get("version"), "verified_by": asked.by}
        wrong = asked.wrong(reply)
        if wrong is not None:
            return {**named, "status": "wrong-output", "error": f"{who}: {wrong}"}
        figures = measured_fields(reply, self._device, self._rules.runs, message_bytes)
        return {**named, "status": "ok", "verified": True, **figures}

    def close(self) -> None:
        """End the program."""
        if self._agent is not None:
            self._agent.close()
            self._agent = None


def _failed(sentence: str) -> Record:
    return {"status": "fault", "fault_kind": "agent-failed", "error": sentence}


def collected(records: Iterable[Record], sink: Callable[[Record], None]) -> RunResult:
    """Pass records to the sink as they are made, until there are no more or Ctrl-C."""
    result = RunResult()
    try:
        for record in records:
            sink(record)
            result.records.append(record)
    except KeyboardInterrupt:
        result.interrupted = True
    return result
