"""Sections of the report on results that commands saved in the store beside the records."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from steelyard.linux.interfere.result import KIND as INTERFERENCE
from steelyard.profile.saved import saved
from steelyard.report import interference, profiles, scenario
from steelyard.report.section import Section
from steelyard.store.results import read_results


def saved_sections(folder: Path, warn: Callable[[str], None]) -> tuple[Section, ...]:
    """Return sections on saved results; `warn` receives a sentence about each invalid file."""
    runs = [result.content for result in read_results(folder, INTERFERENCE, warn)]
    beside = interference.section(runs)
    return (
        *scenario.sections(read_results(folder, scenario.KIND, warn)),
        *([beside] if beside is not None else []),
        *profiles.sections(saved(folder, warn)),
    )
