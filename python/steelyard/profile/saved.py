"""Profiles that are kept beside the records, by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from steelyard.errors import UsageError
from steelyard.profile.model import Profile, read
from steelyard.store.results import read_results, save_result

KIND = "profile"


def save(folder: Path, name: str, profile: Profile) -> Path:
    """Keep a profile in a store, in place of one of this name; StoreError if it cannot be written."""
    return save_result(folder, KIND, name, profile.model_dump(mode="json"))


def saved(folder: Path, warn: Callable[[str], None]) -> dict[str, Profile]:
    """Return the profiles of a store by name; `warn` receives a sentence about each that cannot be read."""
    found = {}
    for result in read_results(folder, KIND, warn):
        try:
            found[result.name] = read(result.content, f"profile {result.name}")
        except UsageError as error:
            warn(f"{error} It was left out; the others are used.")
    return found
