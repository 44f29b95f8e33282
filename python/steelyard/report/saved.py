"""The sections of the report that show what commands saved in the store beside the records."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from steelyard.interference.result import KIND as INTERFERENCE
from steelyard.report import interference
from steelyard.report.section import Section
from steelyard.store.results import read_results


def saved_sections(folder: Path, warn: Callable[[str], None]) -> tuple[Section, ...]:
    """A section for each kind of result that the store holds; `warn` is told of files that hold none."""
    runs = [result.content for result in read_results(folder, INTERFERENCE, warn)]
    made = (interference.section(runs),)
    return tuple(section for section in made if section is not None)
