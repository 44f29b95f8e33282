"""A published routine with the user's driver, linked for a chip."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from steelyard.catalog.models import Target
from steelyard.data import data_root
from steelyard.errors import EnvironmentProblem, SteelyardError
from steelyard.fidelity.boards import Figure
from steelyard.fidelity.checkout import Checkout, Rule, filled
from steelyard.toolchain.build import linker_script
from steelyard.toolchain.compilers import Toolchain
from steelyard.toolchain.confine import Places
from steelyard.toolchain.family import families
from steelyard.toolchain.run import compiler_environment, run_program
from steelyard.toolchain.scratch import scratch_folder
from steelyard.toolchain.sizes import sections, without_prefix

_ASSEMBLY = (".s", ".S", ".asm")
_COMPILED = (".c", ".cc", ".cpp")
_MACROS = ("AD_BYTES", "MESSAGE_BYTES")


class NotBuilt(SteelyardError):
    """The compiler or linker refused; the message is the first one it printed."""


@dataclass(frozen=True)
class Image:
    """An ELF file; assembled code lies from `assembled_from` to before `assembled_to`."""

    elf: bytes
    assembled_from: int
    assembled_to: int


class ImageBuilder:
    """Builds images for one chip; objects that several routines share are compiled once."""

    def __init__(self, target: Target, toolchain: Toolchain) -> None:
        self._target = target
        self._programs = toolchain.require().programs
        self._family = families()[toolchain.family]
        self._facts = self._family.toolchain[toolchain.id]
        self._chip = target.file.toolchain[toolchain.id]
        self._kept: dict[tuple[str, ...], bytes] = {}

    def build(self, checkout: Checkout, rule: Rule, figure: Figure) -> Image:
        """Return the image of a routine. NotBuilt or UsageError, each one sentence, if there is none."""
        sizes = zip(_MACROS, (figure.ad_bytes, figure.message_bytes), strict=True)
        of_figure = [f"-D{name}={value}" for name, value in sizes if value is not None]
        of_rule = [f"-D{filled(text, figure)}" for text in rule.define]
        common = [
            *(f"-I{checkout.path(folder, figure)}" for folder in rule.include),
            *(filled(flag, figure) for flag in rule.flags),
        ]
        options = (*self._facts.compile, *self._chip.compile, *figure.options.split())
        firmware = data_root() / "firmware"
        plain = [*self._facts.compile, *self._chip.compile, *self._family.support_flags]
        plain.append(f"-I{firmware / 'include'}")
        objects: dict[str, bytes] = {}
        for source in self._family.harness:
            if source.endswith(".S"):
                objects["harness_start.o"] = self._object(firmware / source, plain, checkout.folder)
        for index, path in enumerate(checkout.files(rule, figure)):
            if path.suffix not in (*_ASSEMBLY, *_COMPILED):
                continue
            # The linker script gives each owner sections of its own: what is assembled is "own".
            owner = "own" if path.suffix in _ASSEMBLY else "compiled"
            name = f"{owner}_{index}.o"
            objects[name] = self._object(path, [*options, *of_rule, *common], checkout.folder)
        driver = checkout.path(rule.driver, figure)
        arguments = [*options, *of_figure, *of_rule, *common]
        objects["compiled_driver.o"] = self._object(driver, arguments, checkout.folder)
        for source in self._facts.support:
            name = f"support_{Path(source).stem}.o"
            objects[name] = self._object(firmware / source, plain, checkout.folder)
        return self._linked(objects)

    def _object(self, source: Path, arguments: Sequence[str], folder: Path) -> bytes:
        key = (str(source), *arguments)
        if key not in self._kept:
            self._kept[key] = self._compiled(source, arguments, folder)
        return self._kept[key]

    def _compiled(self, source: Path, arguments: Sequence[str], folder: Path) -> bytes:
        language = ("-x", "assembler-with-cpp") if source.suffix in _ASSEMBLY else ()
        with scratch_folder() as work:
            made = Path(work, "object.o")
            command = [*self._programs.compile, *arguments, *language, "-c", str(source), "-o", str(made)]
            self._run(command, folder, work, f"{source.name} does not compile")
            return made.read_bytes()

    def _linked(self, objects: dict[str, bytes]) -> Image:
        support = [name for name in objects if name.startswith("support_")]
        options = ["--gc-sections"]
        for root in ("measured", "prepare", "harness_ready"):
            options += ["-u", f"{self._family.symbol_prefix}{root}"]
        group = ["--start-group", "libsupport.a", *self._facts.libraries, "--end-group"]
        if self._programs.links_by_driver:
            options = [f"-Wl,{option}" for option in options]
            group = [f"-Wl,{name}" if name.startswith("--") else name for name in group]
        with scratch_folder() as work:
            for name, content in objects.items():
                Path(work, name).write_bytes(content)
            Path(work, "link.ld").write_text(_with_noinit(linker_script(self._target)), "utf-8")
            folder = Path(work)
            archive = [*self._programs.archive, "rcs", "libsupport.a", *support]
            self._run(archive, folder, work, "the library cannot be made")
            files = [name for name in objects if name not in support]
            flags = (*self._facts.link, *self._chip.link)
            command = [
                *self._programs.link,
                *flags,
                *options,
                "-T",
                "link.ld",
                *files,
                *group,
                "-o",
                "image.elf",
            ]
            self._run(command, folder, work, "the image does not link")
            elf = without_prefix((folder / "image.elf").read_bytes(), self._family.symbol_prefix)
        for section in sections(elf):
            if section.name == ".own.text":
                return Image(elf, section.address, section.address + section.size_bytes)
        return Image(elf, 0, 0)

    def _run(self, command: Sequence[str], folder: Path, work: str, problem: str) -> None:
        """Run a command that reads `folder` and Steelyard's own firmware, and writes `work`."""
        read = (os.path.realpath(folder), os.path.realpath(data_root() / "firmware"))
        places = Places((*self._programs.installation, *read), (work,))
        environment = compiler_environment() | {"TMPDIR": work, "HOME": work}
        try:
            done = run_program(command, str(folder), environment, places=places)
        except OSError as error:
            raise EnvironmentProblem(f"{Path(command[0]).name} cannot be run: {error.strerror}.") from None
        if done.status != 0:
            # Recorded and compared: where the user keeps the code is nobody's business.
            said = done.text.replace(f"{folder}{os.sep}", "").splitlines()
            telling = (line for line in said if "rror" in line or "undefined reference" in line)
            first = done.stopped or next(telling, "no reason given").strip()
            raise NotBuilt(f"{problem}: {first}")


def _with_noinit(script: str) -> str:
    """Return the linker script with room after .bss for data that a C library leaves uninitialised.

    Assembly that names the section without flags makes it one that takes no room by itself.
    """
    end = "  _end = .;"
    assert end in script
    room = "  .noinit __bss_end : { *(.noinit .noinit.*) }\n  _end = __bss_end + SIZEOF(.noinit);"
    return script.replace(end, room)
