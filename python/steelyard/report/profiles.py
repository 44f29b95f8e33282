"""Sections of the report on saved profiles: a flame graph, and where most cycles go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from steelyard.profile.flame import flame_graph
from steelyard.profile.model import Profile
from steelyard.profile.page import function_table, heading, line_table
from steelyard.report.section import Section

_ROWS = 10


def sections(profiles: Mapping[str, Profile]) -> tuple[Section, ...]:
    """Return a section for each saved profile, by name."""
    return tuple(
        _section(number, name, profiles[name]) for number, name in enumerate(sorted(profiles), start=1)
    )


def _section(number: int, name: str, profile: Profile) -> Section:
    functions = function_table(profile, _ROWS)
    lines = [] if profile.no_lines is not None else [line_table(profile, _ROWS)]
    lacking = "" if profile.no_lines is None else f" No source lines: {profile.no_lines}."
    return Section(
        id=f"profile-{number}",
        kind="Profiles",
        title=f"Profile: {name}",
        note=f"{'. '.join(heading(profile).splitlines())}.{lacking}",
        picture=flame_graph(profile),
        lines=(
            replace(functions, title="By function"),
            *(replace(one, title="By source line") for one in lines),
        ),
    )
