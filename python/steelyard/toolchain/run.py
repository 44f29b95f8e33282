"""Run a compiler in a folder that contains only its inputs."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from steelyard.errors import EnvironmentProblem, SteelyardError
from steelyard.toolchain.compilers import compiler_environment

_OUTPUT_LIMIT_CHARACTERS = 200_000
_KEPT_CHARACTERS = 20_000


class BuildFailed(SteelyardError):
    """The compiler or linker refused; `text` is its whole output and `command` what was run."""

    def __init__(self, message: str, command: str, text: str) -> None:
        super().__init__(message)
        self.command = command
        self.text = text

    @property
    def whole(self) -> str:
        """Sentence, command and output, as a record keeps them."""
        return f"{self}\n{self.command}\n{self.text}".strip()[:_KEPT_CHARACTERS]


def run_in_folder(
    command: Sequence[str],
    files: Mapping[str, bytes],
    outputs: Sequence[str],
    problem: str,
    shown: str,
    environment: Mapping[str, str] | None = None,
) -> list[bytes]:
    """Run a command in a folder with only these files; return the contents of its output files.

    BuildFailed, beginning with `problem`, if it fails; `shown` is the command for display. `environment` is
    added to that of every compiler run.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="steelyard-") as folder:
            for name, content in files.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            done = subprocess.run(
                command,
                cwd=folder,
                env=compiler_environment() | {"TMPDIR": folder} | dict(environment or {}),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
            )
            made = [Path(folder, output) for output in outputs]
            if done.returncode == 0 and all(path.is_file() for path in made):
                return [path.read_bytes() for path in made]
    except OSError as error:
        raise EnvironmentProblem(
            f"{Path(command[0]).name} cannot be run in the temporary folder: {error.strerror}."
        ) from error
    text = (done.stdout + done.stderr)[:_OUTPUT_LIMIT_CHARACTERS]
    telling = (line for line in text.splitlines() if "error" in line or "undefined reference" in line)
    first = next(telling, "no reason given").strip()
    raise BuildFailed(f"{problem}: {first}", shown, text)
