"""Transcripts of commands on their pages, and the outputs of the notebook: run, kept, and compared by a test.

A transcript is a block of the language `console`. Lines that begin with `$ ` are run as a reader would, one
after the other, page by page in the order of the help, in a copy of `docs/examples` with one store.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from steelyard.cli.app import app_commands

DOCS = Path(__file__).resolve().parents[1]
NOTEBOOK = DOCS / "examples" / "first-numbers.ipynb"

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_PROMPT = "$ "


def transcript_pages() -> list[Path]:
    """Return the pages of commands in the order of the help."""
    return [DOCS / "commands" / f"{name}.md" for name in app_commands()]


def commands_of(page: Path) -> list[str]:
    """Return the commands in the transcripts of a page."""
    blocks = _BLOCK.findall(page.read_text(encoding="utf-8"))
    return [line.removeprefix(_PROMPT) for text in blocks for line in text.splitlines() if _is_command(line)]


def _is_command(line: str) -> bool:
    return line.startswith(_PROMPT)


def rerun(text: str, run: Callable[[str], str]) -> str:
    """Return a page's text with its transcripts made again."""

    def made(block: re.Match[str]) -> str:
        commands = [line for line in block[1].splitlines() if _is_command(line)]
        said = "".join(f"{line}\n{run(line.removeprefix(_PROMPT))}" for line in commands)
        return f"```console\n{said}```"

    return _BLOCK.sub(made, text)


@contextlib.contextmanager
def workplace() -> Iterator[Callable[[str], str]]:
    """Yield a function that runs a command line and returns what it said, in a folder with the examples."""
    with tempfile.TemporaryDirectory() as folder:
        place = shutil.copytree(DOCS / "examples", Path(folder, "examples"))
        program = Path(folder, "bin", "steelyard")
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m steelyard "$@"\n', encoding="utf-8")
        program.chmod(0o755)
        path = f"{program.parent}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        environment = {**os.environ, "PATH": path, "STEELYARD_STORE": str(Path(folder, "store"))}
        environment |= {"XDG_DATA_HOME": str(Path(folder, "data")), "PYTHONWARNINGS": "error"}

        def run(command: str) -> str:
            done = subprocess.run(
                ["/bin/sh", "-c", command],
                cwd=place,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            if "Traceback" in done.stdout or done.returncode not in (0, 1, 2, 4):
                raise RuntimeError(f"{command}\n{done.stdout}")
            return "".join(f"{line}".rstrip() + "\n" for line in done.stdout.splitlines())

        yield run


def run_notebook(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return a notebook with its code run, cell by cell in one namespace, and the printed outputs."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            text = _ran("".join(cell["source"]), names)
            stream = {"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)}
            cell = {**cell, "outputs": [stream] if text else []}
        cells.append(cell)
    return {**notebook, "cells": cells}


def _ran(source: str, names: dict[str, Any]) -> str:
    """Run a cell; return what it prints, and its last expression's value as text."""
    tree = ast.parse(source)
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr):
        tree.body.pop()
    with contextlib.redirect_stdout(io.StringIO()) as said:
        exec(compile(tree, "<cell>", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
            if value is not None:
                print(value)
    return said.getvalue()


def read_notebook() -> dict[str, Any]:
    """Return the notebook of the pages."""
    found: dict[str, Any] = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    return found


def notebook_text(notebook: dict[str, Any]) -> str:
    """Return the file of a notebook."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def notebook_page() -> str:
    """Return the notebook as Markdown."""
    parts = []
    for cell in read_notebook()["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
        else:
            parts.append(f"```python\n{source}\n```")
            said = "".join("".join(output["text"]) for output in cell["outputs"])
            parts += [f"```text\n{said.rstrip()}\n```"] if said else []
    return "\n\n".join(parts) + "\n"


def renew() -> None:
    """Run every transcript and the notebook, and keep what they say."""
    with workplace() as run:
        for page in transcript_pages():
            page.write_text(rerun(page.read_text(encoding="utf-8"), run), encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["STEELYARD_STORE"] = str(Path(folder, "store"))
        NOTEBOOK.write_text(notebook_text(run_notebook(read_notebook())), encoding="utf-8")


def blocks() -> dict[str, Callable[[], str]]:
    """Return the blocks by name."""
    return {"notebook": notebook_page}
