"""Measure the steps of a study on emulated chips."""

from __future__ import annotations

from collections.abc import Callable

from steelyard.errors import SteelyardError
from steelyard.record.schema import Record
from steelyard.study.model import Setup, StepsOf, Taken


def in_steps(steps: StepsOf, target: str) -> Callable[[Setup], Taken]:
    """Return a function that measures these steps; the default compiler is that of `target`."""

    def measure(setup: Setup) -> Taken:
        """Return the records of all steps, or of those until Ctrl-C.

        A step that cannot be built here is left out with a sentence, if it is optional and not the only one.
        """
        from steelyard.measure.image import Rules
        from steelyard.measure.run import RunResult
        from steelyard.measure.selection import match
        from steelyard.measure.session import default_toolchain, prepare
        from steelyard.measure.settings import parse_settings
        from steelyard.store.segments import store_folder
        from steelyard.toolchain import discover

        if setup.toolchain is not None:
            match("toolchain", [setup.toolchain], sorted({one.id for one in discover()}))
        every = steps(setup.catalog, setup.toolchain or default_toolchain(setup.catalog, target))
        whole = RunResult()
        problems: list[SteelyardError] = []
        for number, next_step in enumerate(every, start=1):
            step = next_step(whole.records)
            try:
                session = prepare(setup.catalog, step.selections, parse_settings(step.settings))
            except SteelyardError as problem:
                if not step.optional:
                    raise
                setup.tell(str(problem))
                problems.append(problem)
                continue
            which = f" (step {number} of {len(every)})" if len(every) > 1 else ""
            builds, cells = len(session.plan.builds), session.plan.cell_count
            setup.tell(f"{builds} images to build, {cells} cells to measure{which}.")
            rules = Rules() if step.samples is None else Rules(samples=step.samples)
            with setup.bar("measuring", cells) as advance:

                def told(record: Record, advance: Callable[[str], None] = advance) -> None:
                    advance(f"{record['primitive']} on {record['target']}")

                result = session.run(store_folder(setup.store), rules, setup.jobs, told)
            whole.records += result.records
            if result.interrupted:
                whole.interrupted = True
                break
        if len(problems) == len(every):
            raise problems[0]
        return Taken(whole.records, whole.records, whole.failed, whole.interrupted)

    return measure
