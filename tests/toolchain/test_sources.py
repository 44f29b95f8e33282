"""What a compilation can read, found without a compiler."""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from steelyard.catalog.load import load_catalog
from steelyard.data import data_root
from steelyard.errors import UsageError
from steelyard.measure.plan import make_plan
from steelyard.measure.selection import Selection
from steelyard.toolchain import BuildFailed
from steelyard.toolchain.sources import SourceTree
from steelyard.toolchain.units import measured_sources


def tree(tmp_path: Path, **files: str) -> SourceTree:
    for name, text in files.items():
        path = tmp_path / name.replace("__", "/").replace("_h", ".h").replace("_c", ".c")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for folder in ("own", "include"):
        (tmp_path / folder).mkdir(exist_ok=True)
    return SourceTree(
        {"own": str(tmp_path / "own"), "include": str(tmp_path / "include")}, ("own/v", "include")
    )


def names(found: SourceTree, source: str = "own/v/a.c") -> set[str]:
    return set(found.closure(source))


def test_closure_follows_quotes_brackets_and_cycles(tmp_path: Path) -> None:
    found = tree(
        tmp_path,
        own__v__a_c='#include "b.h"\n  #  include <c.h>\n#include <stdint.h>\n',
        own__v__b_h='#include "../shared.h"\n',
        own__shared_h="",
        include__c_h='#include "c.h"\n',
    )
    assert names(found) == {"own/v/a.c", "own/v/b.h", "own/shared.h", "include/c.h"}


def test_quotes_look_beside_the_includer_first(tmp_path: Path) -> None:
    found = tree(tmp_path, own__v__a_c='#include "c.h"\n', own__v__c_h="", include__c_h="")
    assert names(found) == {"own/v/a.c", "own/v/c.h"}


def test_header_that_appears_earlier_in_the_search_is_seen(tmp_path: Path) -> None:
    found = tree(tmp_path, own__v__a_c="#include <c.h>\n", include__c_h="")
    assert names(found) == {"own/v/a.c", "include/c.h"}
    (tmp_path / "own/v/c.h").write_text("")
    assert names(found) == {"own/v/a.c", "own/v/c.h"}


def test_what_a_folder_lacks_is_looked_for_in_the_folder_around_it(tmp_path: Path) -> None:
    found = tree(tmp_path, own__a_c='#include "b.h"\n#include "c.h"\n', own__b_h="", own__c_h="1")
    assert set(found.closure("own/v/a.c")) == {"own/v/a.c", "own/v/b.h", "own/v/c.h"}
    # The variant's own file goes first, for what is shared too, and is seen as soon as it is there.
    (tmp_path / "own/v").mkdir()
    (tmp_path / "own/v/c.h").write_text("2")
    assert found.closure("own/v/a.c")["own/v/c.h"].content == b"2"
    with pytest.raises(UsageError, match=f"{tmp_path}/own/v/absent.c: cannot be read"):
        found.closure("own/v/absent.c")


@pytest.mark.parametrize("name", ["/etc/passwd", "../../../secret.h"])
def test_include_may_not_leave_the_tree(tmp_path: Path, name: str) -> None:
    found = tree(tmp_path, own__v__a_c=f'#include "{name}"\n')
    with pytest.raises(BuildFailed, match="leads out of the folder"):
        found.closure("own/v/a.c")


@pytest.mark.parametrize(
    "text", ['"' + '\\"' * 40_000, "'" + "\\'" * 40_000, "/*" * 40_000, "#" + "/**/" * 40_000, "\\ " * 40_000]
)
def test_reading_takes_time_in_proportion(tmp_path: Path, text: str) -> None:
    content = f'#include "b.h"\n#/**/include "c.h"\nint CAN_NAME;\n{text}\n'
    found = tree(tmp_path, own__v__a_c=content, own__v__b_h="", own__v__c_h="")
    start = time.process_time()
    closure = found.closure("own/v/a.c")
    assert set(closure) == {"own/v/a.c", "own/v/b.h", "own/v/c.h"}
    assert b"CAN_NAME" in closure["own/v/a.c"].words
    assert time.process_time() - start < 1


def test_missing_source_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"a\.c: cannot be read"):
        tree(tmp_path).closure("own/v/a.c")


def test_no_two_objects_of_an_image_have_one_name() -> None:
    """Whatever a variant and the parts of a construction share with others of their algorithms."""
    plan = make_plan(
        load_catalog(), [Selection(target=("atmega128",), everything=True)], {("avr", "gcc"): True}
    )
    images = {(build.primitive.id, build.variant.id): build for build in plan.builds}
    assert len(images) > 300
    for image in images.values():
        measured = SimpleNamespace(
            kind=image.algorithm.file.kind,
            variant=image.variant,
            primitive=image.primitive,
            mode=image.mode,
            parts=image.parts,
        )
        names = [source.name for source in measured_sources(measured, data_root())]
        assert len(set(names)) == len(names)
