"""Discover the studies: each is a folder below `studies/`, and the location is the registration."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path

import steelyard
from steelyard.study.model import Study
from steelyard.study.published import Publication, read_publication


def studies_folder() -> Path:
    """Return the folder of the studies; in a checkout it is a link to the one at the root."""
    return Path(steelyard.__file__).parent / "studies"


def study_folder(name: str) -> Path:
    """Return the folder of a study; its name has no hyphens because it is also a Python package."""
    return studies_folder() / name.replace("-", "_")


@cache
def study_names() -> tuple[str, ...]:
    """Return the names of all studies, sorted."""
    return tuple(sorted(path.parent.name.replace("_", "-") for path in studies_folder().glob("*/study.py")))


def load_study(name: str) -> Study:
    """Return the study with a name of `study_names`."""
    found = import_module(f"steelyard.studies.{study_folder(name).name}.study").STUDY
    assert isinstance(found, Study)
    return found


def publication_of(name: str) -> Publication:
    """Return the publication of a study."""
    return read_publication(study_folder(name))
