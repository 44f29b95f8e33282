"""The workflows of docs/ci do what they say: their scripts run on a repository with two commits.

Programs that reach out (pip, gh, curl) are replaced by ones that note how they were called; steelyard and git
are the real ones.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from docs.generate.pull_request import two_commits

DOCS = Path(__file__).parents[2] / "docs"
EXPRESSION = re.compile(r"\$\{\{ *(.*?) *\}\}")
REACHING_OUT = ("pip", "gh", "curl")
WRITTEN = ("steelyard.md", "steelyard.sarif", "steelyard-badge.json")


@dataclass
class Runner:
    """A machine of a service: a clone of the project, and what its programs were asked."""

    folder: Path
    asked: Path
    environment: dict[str, str]

    def run(self, script: str, **environment: str) -> int:
        """Run a script as both services do, stopping at the first failure; return its exit status."""
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", script],
            cwd=self.folder,
            env={**self.environment, **environment},
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return done.returncode

    def calls(self) -> list[str]:
        """How the programs that reach out were called."""
        return self.asked.read_text("utf-8").splitlines() if self.asked.exists() else []

    def git(self, *words: str) -> str:
        done = subprocess.run(
            ["git", "-C", str(self.folder), *words],
            env=self.environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    project = tmp_path / "project"
    project.mkdir()
    two_commits(project)
    asked, programs = tmp_path / "asked", tmp_path / "programs"
    programs.mkdir()
    for name in REACHING_OUT:
        (programs / name).write_text(f'#!/bin/sh\necho "{name} $*" >> "{asked}"\n', "utf-8")
        (programs / name).chmod(0o755)
    # The program of this environment, whether its script is on the path or not.
    (programs / "steelyard").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m steelyard "$@"\n', "utf-8")
    (programs / "steelyard").chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
    }
    subprocess.run(
        ["git", "clone", "--quiet", str(project), str(tmp_path / "clone")], env=environment, check=True
    )
    return Runner(tmp_path / "clone", asked, environment)


def valued(text: str, known: dict[str, str]) -> str:
    """A text with its expressions replaced; KeyError for one that the test does not know."""
    return EXPRESSION.sub(lambda found: known[found[1]], str(text))


def steps_of(workflow: dict[Any, Any], event: str) -> list[dict[str, Any]]:
    """The steps with a script that an event runs, after a failure only those that always run."""
    conditions = {
        None: True,
        "always()": True,
        "always() && github.event_name == 'pull_request'": event == "pull_request",
        "always() && github.event_name == 'push'": event == "push",
        "always() && hashFiles('steelyard.sarif') != ''": True,
    }
    chosen = []
    for step in workflow["jobs"]["compare"]["steps"]:
        assert ("run" in step) != ("uses" in step)
        condition = step.get("if")
        found = EXPRESSION.fullmatch(condition) if condition else None
        if conditions[found[1] if found else condition] and "run" in step:
            chosen.append(step)
    return chosen


def carried_out(runner: Runner, event: str) -> dict[str, int]:
    """Run the workflow; return the exit status of each step that ran, by its name."""
    workflow = yaml.safe_load((DOCS / "ci" / "github.yml").read_text("utf-8"))
    assert set(workflow[True]) == {"pull_request", "push"}
    base = runner.git("rev-parse", "origin/main")
    known = {
        "github.event.pull_request.base.sha || github.event.before": base,
        "github.event.pull_request.number": "7",
        "github.token": "secret",
    }
    common = {name: valued(value, known) for name, value in workflow["env"].items()}
    statuses: dict[str, int] = {}
    for step in steps_of(workflow, event):
        if any(statuses.values()) and "always()" not in step.get("if", ""):
            continue
        own = {name: valued(value, known) for name, value in step.get("env", {}).items()}
        statuses[step["name"]] = runner.run(step["run"], **common, **own)
    return statuses


def test_github_pull_request(runner: Runner) -> None:
    statuses = carried_out(runner, "pull_request")
    # The second commit costs ROM and stack.
    assert statuses == {"Install": 0, "Compare": 4, "Summary": 0, "Comment": 0}
    install, comment = runner.calls()
    assert install == "pip install steelyard"
    assert comment == "gh pr comment 7 --edit-last --create-if-none --body-file steelyard.md"
    tables = (runner.folder / "steelyard.md").read_text("utf-8")
    assert Path(runner.environment["GITHUB_STEP_SUMMARY"]).read_text("utf-8") == tables
    assert "**regression**" in tables
    assert json.loads((runner.folder / "steelyard.sarif").read_text("utf-8"))["runs"][0]["results"]
    rows = json.loads((runner.folder / "steelyard.json").read_text("utf-8"))
    assert {"name", "unit", "value"} <= set(rows[0])
    assert runner.git("status", "--porcelain", "--untracked-files=no") == ""


def test_github_push_renews_the_badge(runner: Runner) -> None:
    # What is pushed is no change to the code.
    runner.git("checkout", "--quiet", "-b", "next", "origin/main")
    assert carried_out(runner, "push") == {"Install": 0, "Compare": 0, "Summary": 0, "Badge": 0}
    runner.git("fetch", "--quiet", "origin", "steelyard-badge")
    badge = json.loads(runner.git("show", "FETCH_HEAD:steelyard.json"))
    assert (badge["schemaVersion"], badge["message"]) == (1, "no regression")


def test_gitlab(runner: Runner) -> None:
    job = yaml.safe_load((DOCS / "ci" / "gitlab.yml").read_text("utf-8"))["steelyard"]
    of_service = {
        "CI_PROJECT_DIR": str(runner.folder),
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": runner.git("rev-parse", "origin/main"),
        "CI_API_V4_URL": "https://example.org/api/v4",
        "CI_PROJECT_ID": "3",
        "CI_MERGE_REQUEST_IID": "7",
        "STEELYARD_TOKEN": "secret",
    }
    own = {name: str(value) for name, value in job["variables"].items() if name != "STEELYARD_CACHE"}
    statuses = []
    for line in job["script"]:
        statuses.append(runner.run(line, **of_service, **own))
    assert statuses == [0, 4]
    assert [runner.run(line, **of_service, **own) for line in job["after_script"]] == [0]
    install, note = runner.calls()
    assert install == "pip install steelyard"
    assert note.endswith("body@steelyard.md https://example.org/api/v4/projects/3/merge_requests/7/notes")
    assert job["artifacts"]["paths"] == list(WRITTEN)
    assert all((runner.folder / name).is_file() for name in WRITTEN)


def test_a_step_that_fails_is_seen(runner: Runner) -> None:
    assert runner.run("false\ntrue") == 1
    assert runner.run("steelyard compare --git none HEAD --primitives my-ciphers") == 2
