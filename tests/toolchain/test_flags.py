"""Which compiler flags a build takes: those that choose code and name no file."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from steelyard.data import data_root
from steelyard.errors import UsageError
from steelyard.toolchain.flags import check_flags

ROOT = Path(__file__).parents[2]
# Flags of examples in pages and tests of commands: `--flags -O2`, `--flags="-O2 -g"`.
GIVEN = re.compile(r"""--flags[= ]\\?(?:"([^"`]+)"|'([^'`]+)'|(-[\w=-]+))""")
QUOTED = re.compile(r"""["'](-O[\w ,=-]*)["']""")
# What only the data of a target may say: which machine it is.
CHOSEN_BY_TARGET = re.compile(r"-(?:mcpu|march|mmcu|-target)=\S*|-Xclang \S+")


def in_tables(value: object) -> Iterator[str]:
    """Yield the flags of a data file: values of `flags`, and options of chips for their compilers."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name in ("flags", "compile") and isinstance(inner, str | list):
                yield inner if isinstance(inner, str) else " ".join(inner)
            else:
                yield from in_tables(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from in_tables(inner)


def in_use() -> Iterator[tuple[Path, str]]:
    data = data_root()
    for path in (
        ROOT / "bench.toml",
        *(data / "targets").rglob("*.toml"),
        *(ROOT / "advice").rglob("*.toml"),
    ):
        yield from ((path, flags) for flags in in_tables(tomllib.loads(path.read_text("utf-8"))))
    for path in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "python").rglob("*.py")):
        for match in GIVEN.finditer(path.read_text("utf-8")):
            yield path, next(flags for flags in match.groups() if flags)
    for path in (ROOT / "studies").rglob("*.py"):
        if not path.name.startswith("test_"):
            yield from ((path, match[1]) for match in QUOTED.finditer(path.read_text("utf-8")))


def test_all_flags_in_use_are_taken() -> None:
    found = list(in_use())
    assert {path.relative_to(ROOT).parts[0] for path, _ in found if path.is_relative_to(ROOT)} >= {
        "bench.toml",
        "docs",
        "python",
        "studies",
    }
    for path, flags in found:
        if "*" in flags:
            # A pattern of records' flags.
            continue
        words = shlex.split(CHOSEN_BY_TARGET.sub("", flags))
        assert check_flags(words) == tuple(words), path


@pytest.mark.parametrize(
    "flag",
    [
        *("-fopt-info-all=/p", "-ftime-trace=/p", "-foptimization-record-file=/p", "-fproc-stat-report=/p"),
        *("-fmodules-cache-path=/p", "-fmodule-map-file=/p", "-fmemory-profile-use=/p", "-fprofile-use=p"),
        *("-fopt-info-all=p", "-ftime-trace=p", "-fdiagnostics-format=json-file", "-fbranch-probabilities"),
        *("-fsave-optimization-record", "-save-temps", "-fdump-tree-all", "-fstack-usage", "-fplugin=x"),
        *("@file", "-o", "-ofile", "-MF", "-MFfile", "-MD", "-Wp,-MD,x", "-Wa,-a=x", "-Wl,-Map=x", "-mllvm"),
        *("-include", "-imacros", "-I.", "-isystem", "-B.", "-specs=x", "-wrapper", "-x", "-T", "-Xclang"),
        *('-DHEADER="x.h"', "-DX=/etc/passwd", "-DX=a/b", "-DX=__asm__", "-DX=asm", "-funroll-loops=/p"),
        *("-mcpu=x", "-march=x", "-mmcu=x", "-O2\n", "", "-O2 -g", "x.c"),
    ],
)
def test_flag_that_names_a_file_or_is_unknown_is_one_sentence(flag: str) -> None:
    with pytest.raises(UsageError, match="not a flag for code generation") as refusal:
        check_flags([flag])
    assert "\n" not in str(refusal.value)
    assert refusal.value.exit_status == 2


@pytest.mark.parametrize(
    ("flag", "near"),
    [
        ("-funrol-loops", "-funroll-loops"),
        ("-fno-inlin", "-fno-inline"),
        ("-fomit-frame-ponter", "-fomit-frame-pointer"),
    ],
)
def test_misspelt_flag_gets_the_nearest(flag: str, near: str) -> None:
    with pytest.raises(UsageError, match=f'did you mean "{near}"'):
        check_flags([flag])


def test_flags_for_code_are_taken() -> None:
    flags = (
        *("-O", "-O3", "-Ofast", "-Oz", "-g", "-g3", "-std=gnu11", "-std=c99", "-pedantic", "-Wno-unused"),
        *("-Werror=vla", "-Wframe-larger-than=100", "-DN=4", "-DX", "-DF=(1 + 2)", "-UX", "-mcall-prologues"),
        *("-mtune=x", "-mbranch-cost=2", "-munaligned-access", "-funroll-loops", "-finline-limit=20"),
        *("-fno-tree-vectorize", "-fno-jump-tables", "-falign-functions=16:8", "-fshort-enums", "-fwrapv"),
        *("-fno-builtin-memcpy", "-fomit-frame-pointer", "-fno-strict-aliasing", "-fno-ivopts", "-ffixed-r2"),
    )
    assert check_flags(flags) == flags
