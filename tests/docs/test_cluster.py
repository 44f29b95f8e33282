"""What docs/cluster.md gives to run: the containers' file is parsed, the script for Slurm is run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from command import Steelyard
from docs.generate import program

FOLDER = Path(__file__).parents[2] / "docs" / "examples" / "cluster"
PROGRAMS = {"scheduler": "distributed.cli.dask_scheduler", "worker": "distributed.cli.dask_worker"}


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((FOLDER / "compose.yaml").read_text("utf-8"))
    return found


def problems(compose: dict[str, Any]) -> list[str]:
    """What is wrong with services that are to be one image and to be reached from this machine alone."""
    found = []
    services = compose["services"]
    for name, service in services.items():
        if service["image"] != "steelyard" or "dockerfile_inline" not in service["build"]:
            found.append(f"{name} is another image")
        found += [f"{name} depends on {one}" for one in service.get("depends_on", ()) if one not in services]
        found += [f"{name} has {one}" for one in service["networks"] if one not in compose["networks"]]
        for port in service.get("ports", ()):
            if not re.fullmatch(r"127\.0\.0\.1:\d+:\d+", port):
                found.append(f"{name} publishes {port}")
        for volume in service.get("volumes", ()):
            if volume.partition(":")[0] not in compose["volumes"]:
                found.append(f"{name} mounts {volume}")
        for word in service["command"]:
            address = re.fullmatch(r"tcp://([a-z]+):(\d+)", word)
            if address and (address[1] not in services or address[2] not in services[address[1]]["command"]):
                found.append(f"{name} asks {word}")
    return found


def test_the_containers(compose: dict[str, Any]) -> None:
    assert problems(compose) == []
    assert set(compose["services"]) == {"scheduler", "worker", "measure"}


@pytest.mark.parametrize(
    ("service", "field", "value"),
    [
        ("scheduler", "ports", ["8786:8786"]),
        ("worker", "depends_on", ["schedule"]),
        ("worker", "command", ["dask", "worker", "tcp://scheduler:8787"]),
        ("measure", "image", "another"),
        ("measure", "volumes", ["/:/records"]),
    ],
)
def test_the_check_sees_a_fault(compose: dict[str, Any], service: str, field: str, value: object) -> None:
    services = compose["services"]
    changed = {**compose, "services": {**services, service: {**services[service], field: value}}}
    assert len(problems(changed)) == 1


def test_the_commands_have_these_options(compose: dict[str, Any]) -> None:
    for name, module in PROGRAMS.items():
        command = compose["services"][name]["command"]
        assert command[:2] == ["dask", name]
        done = subprocess.run(
            [sys.executable, "-m", module, "--help"], capture_output=True, text=True, check=True
        )
        for word in command:
            assert not word.startswith("--") or re.search(rf"{word}\b", done.stdout), word
    command = compose["services"]["measure"]["command"]
    known = {name for one in program.commands()["measure"].params for name in one.opts}
    assert command[:2] == ["steelyard", "measure"]
    assert {word for word in command if word.startswith("--")} <= known


HERE = """
import runpy, sys
import dask_jobqueue
from dask_jobqueue.local import LocalCluster


class OnThisMachine(LocalCluster):
    def __init__(self, queue, walltime, **more):
        super().__init__(**more)


dask_jobqueue.SLURMCluster = OnThisMachine
sys.argv = ["slurm.py", *sys.argv[1:]]
runpy.run_path({script!r}, run_name="__main__")
"""


def test_the_script_for_slurm(steelyard: Steelyard, tmp_path: Path) -> None:
    """With jobs that are processes of this machine: they start, agree, measure, and end."""
    steelyard.cache = tmp_path / "cold"
    cells = (
        "--primitive",
        "rc5-32-12-8",
        "--target",
        "atmega128",
        "--toolchain",
        "gcc",
        "--operation",
        "init",
    )
    words = ("--jobs", "1", "--cores", "1", "--shared", str(tmp_path), "--", "measure", *cells)
    done = subprocess.run(
        [sys.executable, "-c", HERE.format(script=str(FOLDER / "slurm.py")), *words],
        env={**os.environ, **steelyard.env()},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert [row["operation"] for row in steelyard.json("show")] == ["init"]
