"""Adapters: what they make of a tree, mistakes in them, and those that come with Steelyard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from steelyard.catalog.load import CatalogError, load_catalog
from steelyard.catalog.models import Variant
from steelyard.catalog.trees import adapter
from steelyard.catalog.trees.found import Implementation, LeftOut
from steelyard.catalog.trees.readers import read_tree, reader_of
from steelyard.data import data_root

SHIPPED = sorted((data_root() / "adapters").glob("*.toml"))

ADAPTER = """\
title = "Toy library"
needs = ["src/xtea.c", "src/toy.h"]
sources = ["src/common.c"]
defines = { TOY = 1 }
include_dirs = ["src"]

[[variant]]
primitive = "xtea"
sources = ["src/xtea.c"]
defines = { TOY_ROUNDS = 32 }
context = { type = "struct toy", headers = ["toy.h"] }

[variant.call]
init = ["toy_clear(context)", "toy_key(context, key, key.bits) == 0"]
encrypt = "toy_encrypt(context, output, input)"
cbc.encrypt = "toy_cbc(context, iv, message, input.bytes:4, -1:2) == 1"

[[variant]]
each = [{ bits = 128, bytes = 16 }, { bits = 256, bytes = 32 }]
name = "toy-{bits}"
summary = "keys of {bits} bits"
sources = ["src/more/*.c"]
headers = ["src/*.h"]
defines = { "TOY_{bits}" = "{bytes}" }

[variant.primitive]
algorithm = "toy"
kind = "mac"
id = "toy-{bits}"
title = "Toy"
specification = "none"
key_bytes = "{bytes}"
tag_bytes = 4

[variant.call]
mac = "toy_mac_{bits}(key, input, input.bytes, tag)"

[[vector]]
primitive = "toy-128"
operation = "mac"
key = "00000000000000000000000000000000"
input = ""
output = "00000000"
source = "a test"
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A library whose sources say nothing, with an adapter of its own."""
    root = tmp_path / "Toy_Library"
    for name in ("src/xtea.c", "src/toy.h", "src/common.c", "src/more/b.c", "src/more/a.c"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("", "utf-8")
    (root / "adapter.toml").write_text(ADAPTER, "utf-8")
    return root


def changed(tree: Path, old: str, new: str) -> Path:
    assert old in ADAPTER
    (tree / "adapter.toml").write_text(ADAPTER.replace(old, new), "utf-8")
    return tree


def test_a_tree_s_own_adapter_describes_its_variants(tree: Path) -> None:
    assert reader_of(tree) is adapter
    cipher, short, long = read_tree(tree)
    assert isinstance(cipher, Implementation)
    assert (cipher.algorithm, cipher.kind, cipher.primitive, cipher.name) == (
        "xtea", "block", "xtea", "toy-library",
    )  # fmt: skip
    assert cipher.file.sources == ("src/common.c", "src/xtea.c")
    assert cipher.file.defines == {"TOY": 1, "TOY_ROUNDS": 32}
    assert cipher.file.summary == "Toy library"
    clear, key, block, cbc = cipher.file.call
    assert (clear.operation, clear.function, clear.arguments) == ("init", "toy_clear", ("context",))
    assert (key.operation, key.arguments, key.success) == ("init", ("context", "key", "key.bits"), 0)
    assert (block.mode, cbc.mode, cbc.success) == (None, "cbc", 1)
    assert cbc.arguments == ("context", "iv", "message", "input.bytes:4", "-1:2")
    assert isinstance(short, Implementation)
    assert isinstance(long, Implementation)
    assert [one.name for one in (short, long)] == ["toy-128", "toy-256"]
    assert short.file.sources == ("src/common.c", "src/more/a.c", "src/more/b.c")
    assert (short.file.defines, long.file.defines) == ({"TOY": 1, "TOY_128": 16}, {"TOY": 1, "TOY_256": 32})
    assert short.file.summary == "keys of 128 bits"
    assert not isinstance(short.primitive, str)
    assert (short.primitive.key_bytes, short.primitive.tag_bytes) == (16, 4)
    assert [len(one.vectors) for one in (short, long)] == [1, 0]


def test_what_a_tree_brings_is_in_the_catalogue(tree: Path) -> None:
    catalog = load_catalog((tree,))
    variant = catalog.variant("xtea/toy-library")
    assert variant.root == tree
    assert variant.file.primitives == ("xtea",)
    assert catalog.variant("toy/toy-128").file.headers == ("src/toy.h",)
    assert catalog.primitive("toy-256").key_bytes == 32
    assert [vector.source for vector in catalog.algorithm_of("toy-128").vectors] == ["a test"]


def test_several_primitives_of_one_code_are_one_variant(tree: Path) -> None:
    changed(tree, 'primitive = "xtea"', 'primitive = ["aes-128", "camellia-128", "aes-256"]')
    catalog = load_catalog((tree,))
    assert catalog.variant("aes/toy-library").file.primitives == ("aes-128", "aes-256")
    assert catalog.variant("camellia/toy-library").file.primitives == ("camellia-128",)


def test_a_construction_is_whole(tree: Path) -> None:
    changed(tree, 'primitive = "xtea"', 'primitive = ["aes-128-gcm", "aes-256-gcm"]')
    text = (tree / "adapter.toml").read_text("utf-8")
    calls = text[text.index("init = [") : text.index("[[variant]]\neach")]
    (tree / "adapter.toml").write_text(
        text.replace(calls, 'seal = "toy_seal(key, iv, ad, ad.bytes, input, input.bytes, output, tag)"\n\n')
    )
    catalog = load_catalog((tree,))
    assert catalog.variant("gcm/toy-library").file.primitives == ("aes-128-gcm", "aes-256-gcm")


def test_a_file_that_is_not_there_leaves_its_variant_out(tree: Path) -> None:
    (tree / "src" / "common.c").unlink()
    found = list(read_tree(tree))
    assert found == [
        LeftOut(where, "this tree has no src/common.c")
        for where in ("xtea/toy-library", "toy/toy-128", "toy/toy-256")
    ]
    assert load_catalog((tree,)).left_out == tuple(found)


@pytest.mark.parametrize(
    "text",
    [
        "        AREA |.text|, CODE, READONLY\n        EXPORT toy\ntoy\n        BX lr\n        END\n",
        "        MODULE toy\n        RSEG CODE\n        PUBLIC toy\ntoy:  RETA\n        END\n",
    ],
    ids=["armasm", "IAR"],
)
def test_assembly_of_another_assembler_is_left_out(tree: Path, text: str) -> None:
    (tree / "src" / "xtea.s").write_text(text, "utf-8")
    changed(tree, 'sources = ["src/xtea.c"]', 'sources = ["src/xtea.s"]')
    left = next(read_tree(tree))
    assert isinstance(left, LeftOut)
    assert "src/xtea.s is not for the GNU assembler" in left.reason


def test_a_tree_may_lie_in_a_folder(tree: Path, tmp_path: Path) -> None:
    text = ADAPTER.replace('title = "Toy library"', 'title = "Toy library"\nbelow = "inner"')
    outer = tmp_path / "outer"
    outer.mkdir()
    (tree / "adapter.toml").unlink()
    tree.rename(outer / "inner")
    (outer / "adapter.toml").write_text(text, "utf-8")
    cipher, short, _ = read_tree(outer)
    assert isinstance(cipher, Implementation)
    assert isinstance(short, Implementation)
    assert cipher.file.sources == ("inner/src/common.c", "inner/src/xtea.c")
    assert short.file.headers == ("inner/src/*.h",)
    assert cipher.where == "inner/src/common.c"


def test_an_adapter_that_is_named_counts_alone(tree: Path, tmp_path: Path) -> None:
    named = tmp_path / "of-mine.toml"
    named.write_text((tree / "adapter.toml").read_text("utf-8"), "utf-8")
    (tree / "adapter.toml").write_text("nothing", "utf-8")
    first = next(read_tree(tree, named))
    assert isinstance(first, Implementation)
    assert first.name == "of-mine"
    (tree / "src" / "toy.h").unlink()
    with pytest.raises(CatalogError, match=r"of-mine\.toml: field needs: there is no src/toy\.h in "):
        list(read_tree(tree, named))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('needs = ["src/xtea.c", "src/toy.h"]\n', "", "field needs is missing."),
        ("needs =", "neds =", 'unknown field neds; did you mean "needs"?'),
        ('title = "Toy library"', "title = 7", "field title: "),
        ('"src/common.c"]', '"/etc/passwd.c"]', 'field sources: "/etc/passwd.c" leads out of the tree.'),
        ('["src/xtea.c"]\ndef', '["../x.c"]\ndef', 'variant 1: field sources: "../x.c" leads out'),
        ('["src/xtea.c"]\ndef', '["src/xtea.o"]\ndef', "is not the name of a .c, .cc, .cpp, .cxx, .S or"),
        ('headers = ["src/*.h"]', 'headers = ["src/**.h"]', '"src/**.h" is no path and no glob.'),
        ('include_dirs = ["src"]', 'include_dirs = [""]', 'field include_dirs: "" is no path and no glob.'),
        ('["src/more/*.c"]', '["src/more/**.c"]', 'field sources: "src/more/**.c" is no path and no glob.'),
        ('primitive = "xtea"', 'primitive = "xtae"', 'unknown primitive "xtae"; did you mean "xtea"?'),
        ('primitive = "xtea"', "primitive = []", "variant 1: field primitive names none."),
        ('primitive = "xtea"\n', "", "variant 1: field primitive is missing."),
        ("TOY = 1", '"TO Y" = 1', 'field defines: "TO Y" is not the name of a macro'),
        ("TOY = 1", 'TOY = "1\\n2"', '"TOY" is not the name of a macro with a number'),
        ("TOY = 1", "TOY = '__asm__(\".incbin x\")'", '"TOY" is not the name of a macro with a number'),
        ('type = "struct toy"', 'type = "int x; int"', "variant 1: field context: it is neither"),
        ('type = "struct toy"', "bytes = '__asm(1)'", "variant 1: field context: it is neither"),
        ("TOY = 1", "HARNESS_RANDOM = 1", "field defines: HARNESS_RANDOM is a macro of Steelyard."),
        ("TOY_ROUNDS = 32", "TOY_ROUNDS = [1]", "variant 1: field defines.TOY_ROUNDS"),
        ('type = "struct toy", ', "", "variant 1: field context: "),
        ('context = { type = "struct toy", headers = ["toy.h"] }\n', "", "but there is no field context."),
        ("toy_key(context, key", "toy_key(context, kay", 'call.init: "kay" is no argument of kind block'),
        ("input.bytes:4", "input.bytes:3.5", "call.cbc.encrypt"),
        ("toy_clear(context)", "toy_clear(context.bytes)", "its header alone"),
        ('encrypt = "toy_encrypt(context, output, input)"', "encrypt = []", "call.encrypt: it lists no"),
        ('encrypt = "toy_encrypt(context, output, input)"', "encrypt = 3", "call.encrypt: a call is a text"),
        ("toy_encrypt(context, output, input)", "toy_encrypt context", "is not written as f(key, output)"),
        ('mac = "toy_mac_{bits}(', 'macs = "toy_mac_{bits}(', 'has init, mac (did you mean "mac"?).'),
        ('mac = "toy_mac_{bits}(', 'cbc.mac = "toy_mac_{bits}(', "call.cbc: only block ciphers have modes"),
        ('mac = "toy_mac_{bits}(key, input', 'init = "toy_mac_{bits}(key, input', "no operation of a mac"),
        ("[{ bits = 128, bytes = 16 }, { bits = 256, bytes = 32 }]", "[128]", "variant 2: field each:"),
        ("bits = 256, bytes = 32", "bits = 256", 'variant 2 (bits = 256): unknown value "bytes"'),
        ("bits = 256, bytes = 32", "bits = 256, bytes = 32, x = 1", "field each: nothing names {x}."),
        ("bits = 256, bytes = 32", "bits = 256, bytes = [2]", "field each: bytes is neither a number nor a"),
        ('"toy-{bits}"\nsum', '"Toy-{bits}"\nsum', "variant 2 (bits = 128): field name: lower case"),
        ('kind = "mac"', 'kind = "mc"', "variant 2 (bits = 128): field primitive.kind: "),
        ("tag_bytes = 4", "tag_byts = 4", 'unknown field primitive.tag_byts; did you mean "tag_bytes"?'),
        ('key_bytes = "{bytes}"', 'key_bytes = "{bytes}0.5"', "field primitive.key_bytes: "),
        ("include_dirs =", 'families = "avr"\ninclude_dirs =', "field families: "),
        ('operation = "mac"', 'operation = "mack"', "field vector.1.operation: "),
    ],
)  # fmt: skip
def test_a_mistake_is_one_sentence(tree: Path, old: str, new: str, said: str) -> None:
    changed(tree, old, new)
    with pytest.raises(CatalogError) as caught:
        load_catalog((tree,))
    sentence = str(caught.value)
    assert sentence.startswith(f"{tree / 'adapter.toml'}: ")
    assert said in sentence
    assert "\n" not in sentence
    assert sentence.endswith((".", "?"))


def test_two_variants_of_one_name_are_a_mistake(tree: Path) -> None:
    changed(tree, 'name = "toy-{bits}"', 'name = "toy"')
    assert len({one.name for one in read_tree(tree) if isinstance(one, Implementation)}) == 2
    with pytest.raises(CatalogError, match="variant toy/toy is already there"):
        load_catalog((tree,))
    changed(tree, 'id = "toy-{bits}"', 'id = "toy-128"')
    (tree / "adapter.toml").write_text(
        (tree / "adapter.toml").read_text("utf-8").replace('"toy-{bits}"\nsum', '"toy"\nsum'), "utf-8"
    )
    with pytest.raises(
        CatalogError, match=r"variant 2 \(bits = 256\): field name: toy/toy of toy-128 is also"
    ):
        list(read_tree(tree))


def _paths(value: Any, field: str = "") -> Iterator[str]:
    """Every path of an adapter's filled tables that has to be there."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from _paths(one, name)
    elif isinstance(value, list) and field in ("sources", "answers"):
        yield from value


def _tree_of(path: Path, root: Path) -> None:
    """Make the files that an adapter of Steelyard speaks of, all of them empty."""
    described = adapter.load_adapter(path)
    tables = [
        one
        for number, table in enumerate(described.file.variant, start=1)
        for _, one in adapter._each(described, number, table)
    ]
    for name in {*described.file.needs, *(name for table in tables for name in _paths(table))}:
        file = root / re.sub(r"\[(.)[^]]*\]", r"\1", name).replace("*", "any")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_an_adapter_of_steelyard_recognises_its_tree_and_no_other(path: Path, tmp_path: Path) -> None:
    _tree_of(path, tmp_path)
    assert [one for one in SHIPPED if adapter.load_adapter(one).root(tmp_path) is not None] == [path]
    assert reader_of(tmp_path) is adapter
    catalog = load_catalog((tmp_path,))
    assert catalog.left_out == ()
    variants: list[Variant] = [one for one in catalog.variants if catalog.is_users(one)]
    assert variants
    assert all(path.stem in one.id for one in variants)
    for one in variants:
        assert one.file.summary
        assert {call.operation for call in one.file.call} - {"init", "init-decrypt"}


def test_every_adapter_says_where_its_library_is_from() -> None:
    assert len(SHIPPED) >= 8
    for path in SHIPPED:
        assert re.match(r"# .*https://github\.com/[\w-]+/[\w-]+", path.read_text("utf-8")), path
