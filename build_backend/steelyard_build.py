"""Build backend: maturin, and the data files inside the wheel.

An editable installation needs only maturin's: `steelyard/_data` and `steelyard/studies` of a checkout link to
the folders at the root, so that an edit takes effect at once. A wheel holds copies under the same
names, and the programs in the page of the report, so that what makes them need not be installed.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import os
import zipfile
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path

import maturin
from maturin import (
    build_editable,
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

import explorer_build

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

_ROOT = Path(__file__).resolve().parents[1]
_DATA = (
    *("primitives", "modes", "firmware", "targets", "vectors", "reference", "models", "prebuilt", "advice"),
    *("adapters", "bench.toml"),
)
_PLACES = {**dict.fromkeys(_DATA, "steelyard/_data"), "studies": "steelyard"}
# Of a study the test, and what only its page shows.
_LEFT_OUT = ("studies/*/test_*", "studies/*/page/*", "*/__pycache__/*")


def get_requires_for_build_wheel(config_settings: Mapping[str, object] | None = None) -> list[str]:
    """Return what maturin needs, and a Node where the machine has none (PEP 517)."""
    needed: list[str] = maturin.get_requires_for_build_wheel(config_settings)
    return needed if explorer_build.has_node() else [*needed, explorer_build.NODE_PACKAGE]


def build_wheel(
    wheel_directory: str,
    config_settings: Mapping[str, object] | None = None,
    metadata_directory: str | None = None,
) -> str:
    """Build maturin's wheel and add the data (PEP 517); return its file name in `wheel_directory`."""
    name: str = maturin.build_wheel(wheel_directory, config_settings, metadata_directory)
    _add_data(Path(wheel_directory, name))
    return name


def _add_data(wheel: Path) -> None:
    """Rewrite the wheel with the data files in it and their lines in RECORD."""
    remade = wheel.with_suffix(".new")
    with zipfile.ZipFile(wheel) as source, zipfile.ZipFile(remade, "w", zipfile.ZIP_DEFLATED) as target:
        record = next(name for name in source.namelist() if name.endswith(".dist-info/RECORD"))
        lines = source.read(record).decode().splitlines()
        for info in source.infolist():
            if info.filename != record:
                target.writestr(info, source.read(info), zipfile.ZIP_DEFLATED)
        for name, content in _contents():
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            lines.insert(-1, f"{name},sha256={digest},{len(content)}")
            target.writestr(_entry(name), content, zipfile.ZIP_DEFLATED)
        target.writestr(_entry(record), "\n".join(lines) + "\n", zipfile.ZIP_DEFLATED)
    os.replace(remade, wheel)


def data_files() -> Iterator[tuple[Path, str]]:
    """Every file of the product's data with its name in a wheel."""
    for top, place in _PLACES.items():
        for path in sorted({_ROOT / top, *(_ROOT / top).rglob("*")}):
            name = path.relative_to(_ROOT).as_posix()
            if path.is_file() and not any(fnmatchcase(name, pattern) for pattern in _LEFT_OUT):
                yield path, f"{place}/{name}"


def _contents() -> Iterator[tuple[str, bytes]]:
    """Every added file of a wheel, by name."""
    for path, name in data_files():
        yield name, path.read_bytes()
    path = _ROOT / "python" / "steelyard" / "report" / "plotting.py"
    spec = importlib.util.spec_from_file_location("plotting", path)
    assert spec is not None
    assert spec.loader is not None
    plotting = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(plotting)
    yield f"steelyard/_data/{plotting.FILE}", plotting.plotting_code().encode()
    explorer_build.build("build")
    for file in explorer_build.BUILT:
        yield f"steelyard/_data/explorer/{file}", (explorer_build.FOLDER / "dist" / file).read_bytes()


def _entry(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    info.external_attr = 0o644 << 16
    return info
