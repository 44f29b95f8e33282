"""A wheel alone is complete: in an empty environment it measures, with no compiler but its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest
from report.packed import blocks

ROOT = Path(__file__).resolve().parents[2]
EXPLORER = ("explorer.js", "explorer.css", "licenses.md")
DATA = (
    *("primitives", "modes", "firmware", "targets", "vectors", "reference", "models", "prebuilt", "advice"),
    "adapters",
)


def run(*command: str, **options: object) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload]
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return str(done.stdout)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as a user would get it; the cargo build of the checkout is used again."""
    if shutil.which("cargo") is None:
        pytest.skip("Rust is not installed; see https://rustup.rs")
    folder = tmp_path_factory.mktemp("wheel")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    run(
        sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps",
        "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT), env={**os.environ, "PATH": path},
    )  # fmt: skip
    (built,) = folder.glob("steelyard-*.whl")
    return built


def data_files_of_checkout() -> set[str]:
    return {
        str(path.relative_to(ROOT)) for name in DATA for path in (ROOT / name).rglob("*") if path.is_file()
    } | {"bench.toml", "plotting.js", *(f"explorer/{name}" for name in EXPLORER)}


def test_wheel_holds_every_data_file(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        (record,) = (name for name in names if name.endswith(".dist-info/RECORD"))
        recorded = {line.partition(",")[0] for line in archive.read(record).decode().splitlines()}
        prefix = "steelyard/_data/"
        assert {
            name.removeprefix(prefix) for name in names if name.startswith(prefix)
        } == data_files_of_checkout()
        code = {
            str(path.relative_to(ROOT))
            for path in (ROOT / "studies").rglob("*")
            if path.suffix in (".csv", ".md", ".py", ".toml")
            and "page" not in path.parts
            and not path.name.startswith("test_")
        }
        assert code == {
            name.removeprefix("steelyard/") for name in names if name.startswith("steelyard/studies/")
        }
        assert len(names) == len(set(names))
        assert recorded == set(names)
        assert "steelyard/py.typed" in names


def test_data_of_a_checkout_is_the_checkouts() -> None:
    from steelyard.data import data_root
    from steelyard.study.discover import studies_folder

    assert studies_folder().resolve() == ROOT / "studies"

    for name in (*DATA, "bench.toml"):
        assert (data_root() / name).resolve() == ROOT / name


@pytest.mark.parametrize(
    "dependencies", ["of this environment", pytest.param("installed", marks=pytest.mark.soak)]
)
def test_wheel_alone_measures_aes(wheel: Path, tmp_path: Path, dependencies: str) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    programs = tmp_path / "venv" / "bin"
    install = (str(programs / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    if dependencies == "installed":
        run(*install, "--constraint", str(ROOT / "requirements.txt"), str(wheel))
    else:
        run(*install, "--no-deps", str(wheel))
        (packages,) = (tmp_path / "venv" / "lib").glob("python*/site-packages")
        # A folder that is named so gives its modules; the .pth of the checkout in it is not followed.
        (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    lacking = tmp_path / "lacking"
    lacking.mkdir()
    (lacking / "vl_convert.py").write_text('raise ImportError("a wheel has what this makes")\n')
    environment = {"PATH": str(programs), "HOME": str(elsewhere), "PYTHONPATH": str(lacking)}
    assert shutil.which("avr-gcc", path=environment["PATH"]) is None
    command = (
        str(programs / "steelyard"), "measure", "--primitive", "aes-128", "--target", "atmega128",
        "--toolchain", "clang", "--json",
    )  # fmt: skip
    records = json.loads(run(*command, cwd=elsewhere, env=environment))
    assert {record["operation"] for record in records} >= {"init", "encrypt", "decrypt"}
    for record in records:
        assert (record["status"], record["verified"]) == ("ok", True)
        assert (record["toolchain"], record["target"]) == ("clang", "atmega128")
        assert record["cycles"] > 1000
        assert record["rom_const_bytes"] >= 256
    run(str(programs / "steelyard"), "report", cwd=elsewhere, env=environment)
    held = blocks(elsewhere / "report.html")
    assert b"vegaEmbed=" in held["plotting"].replace(b" ", b"")
    assert b"aes-128" in held["records"]
    claims = json.loads(run(str(programs / "steelyard"), "claims", "--json", cwd=elsewhere, env=environment))
    assert {claim["experiment"] for claim in claims} >= {"atmega128", "ganesan", "industrial-linux"}
    located = run(
        str(programs / "python"),
        "-c",
        "import steelyard; print(steelyard.__file__)",
        cwd=elsewhere,
        env=environment,
    )
    assert not Path(located.strip()).is_relative_to(ROOT)
