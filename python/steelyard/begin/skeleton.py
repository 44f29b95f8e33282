"""Write a variant, a primitive or a chip of one's own: a copy of a known one, which measures at once."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from steelyard.catalog.load import Catalog, needs_import, sentence
from steelyard.catalog.models import Algorithm, Primitive, Target, Variant
from steelyard.errors import UsageError
from steelyard.nearest import unknown

EXAMPLES: Mapping[str, str] = {
    "block": "xtea",
    "stream": "rc4-128",
    "hash": "ascon-hash256",
    "mac": "siphash-2-4",
    "aead": "ascon-aead128",
}
"""The primitive that a new one of a kind is begun as, where none is named."""

_NAME = re.compile(r"[a-z0-9][a-z0-9.+-]*")
_HEADERS = (".h", ".inc")


def new_variant(catalog: Catalog, name: str, like: str | None, folder: Path) -> list[Path]:
    """Write variant `algorithm/name`; return the files. UsageError for a name that is taken or unknown.

    `like` is the variant it is a copy of, by default the algorithm's for processors of 32 bits.
    """
    algorithm_id, _, own = name.partition("/")
    known = {one.id: one for one in catalog.algorithms}
    if algorithm_id in (one.id for one in catalog.awaited):
        raise UsageError(needs_import(algorithm_id))
    if algorithm_id not in known:
        raise UsageError(sentence(unknown("algorithm", algorithm_id, known)))
    if not _NAME.fullmatch(own):
        raise UsageError(f"{name}: a variant is named algorithm/name, such as {algorithm_id}/mine.")
    taken = {one.id for one in catalog.variants}
    if name in taken:
        raise UsageError(f"{name}: there is a variant of that name; choose another.")
    origin = _variant(catalog, like or catalog.default_variant(algorithm_id, "32-bit").id)
    if origin.algorithm_id != algorithm_id:
        raise UsageError(f"--like {origin.id}: it is no variant of {algorithm_id}.")
    return list(_write(_variant_files(origin), folder / algorithm_id / own))


def new_primitive(
    catalog: Catalog, name: str, kind: str | None, like: str | None, folder: Path
) -> list[Path]:
    """Write a primitive with one variant and known answers; return the files. UsageError like `new_variant`.

    It is begun as `like`, by default the example of its kind.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name}: a name is lower case, digits, '.', '+' and '-'.")
    every = (*catalog.algorithms, *catalog.awaited)
    if any(name in (one.id, *(p.id for p in one.file.primitive)) for one in every):
        raise UsageError(f"{name}: there is a primitive or an algorithm of that name; choose another.")
    if (kind is None) == (like is None):
        raise UsageError("name --kind or --like: what it is begun as.")
    if kind is not None and kind not in EXAMPLES:
        raise UsageError(f"--kind: {sentence(unknown('kind', kind, EXAMPLES))}")
    chosen = like or EXAMPLES[str(kind)]
    algorithm = catalog.algorithm_of(chosen)
    primitive = algorithm.primitive(chosen)
    if primitive.parts:
        raise UsageError(f"--like {chosen}: it is made of other primitives; choose one that stands alone.")
    origin = catalog.default_variant(algorithm.id, "32-bit")
    files = {
        "algorithm.toml": _algorithm(algorithm, primitive, name),
        "vectors.toml": _vectors(algorithm, primitive, name),
        **{f"first/{path}": content for path, content in _variant_files(origin, default=True).items()},
    }
    return list(_write(files, folder / name))


def new_target(catalog: Catalog, name: str, like: str, folder: Path) -> list[Path]:
    """Write the file of a chip that inherits from a known one; return it. UsageError like `new_variant`."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name}: a name is lower case, digits, '.', '+' and '-'.")
    known = {one.id: one for one in catalog.targets}
    if name in known:
        raise UsageError(f"{name}: there is a chip of that name; choose another.")
    if like not in known:
        raise UsageError(f"--like: {sentence(unknown('target', like, known))}")
    return list(_write({f"{name}.toml": _target(known[like], name)}, folder))


def _variant(catalog: Catalog, name: str) -> Variant:
    known = {one.id: one for one in catalog.variants}
    if name not in known:
        raise UsageError(f"--like: {sentence(unknown('variant', name, known))}")
    return known[name]


def _variant_files(origin: Variant, *, default: bool = False) -> dict[str, str]:
    """Return the files of a variant, those of its algorithm's folder beside its own."""
    file = origin.file
    shared = origin.folder.parent
    headers = [path for path in sorted(shared.iterdir()) if path.suffix in _HEADERS]
    sources = [origin.folder / name for name in (*file.sources, *file.call_sources)]
    own = [path for path in sorted(origin.folder.iterdir()) if path.is_file() and path.suffix != ".toml"]
    # A file of the variant hides one of its algorithm.
    files = {path.name: path.read_text("utf-8") for path in (*headers, *sources, *own)}
    keys: dict[str, object] = {
        "summary": f"begun as {origin.id}",
        "sources": [Path(name).name for name in file.sources],
    }
    for name in ("init_decrypt", "on_the_fly", "interface", "record_bytes"):
        if getattr(file, name):
            keys[name] = getattr(file, name)
    if not file.decrypts:
        keys["decrypts"] = False
    for name in ("call_sources", "families", "primitives"):
        if getattr(file, name) and not (default and name == "primitives"):
            keys[name] = [Path(one).name for one in getattr(file, name)]
    if default:
        keys["default"] = True
    return {"variant.toml": _table(keys), **files}


def _algorithm(algorithm: Algorithm, primitive: Primitive, name: str) -> str:
    given = primitive.model_dump(exclude_defaults=True, exclude={"parts", "over"}) | {"id": name}
    head = {
        "kind": algorithm.file.kind,
        "title": name,
        "specification": f"begun as {algorithm.file.title}: {algorithm.file.specification}",
    }
    return f"{_table(head)}\n[[primitive]]\n{_table(given)}"


def _vectors(algorithm: Algorithm, primitive: Primitive, name: str) -> str:
    chosen = [one for one in algorithm.vectors if one.primitive == primitive.id and one.mode is None]
    blocks = [
        "[[vector]]\n" + _table(one.model_dump(exclude_defaults=True) | {"primitive": name}) for one in chosen
    ]
    return "\n".join(blocks)


def _target(origin: Target, name: str) -> str:
    head = {
        "id": name,
        "title": f"{name}, like {origin.file.title}",
        "inherits": origin.id,
        "clock_hz": origin.file.clock_hz,
    }
    lines = [_table(head).rstrip(), "# Lists replace those of the chip that is inherited from."]
    memories = [one for one in origin.file.memory if one.kind in ("flash", "ram") and one.name != "lab"]
    lines += [f"# {one.name}: {one.size:#x} bytes from {one.base:#x} on" for one in memories]
    return "\n".join(lines) + "\n"


def _table(keys: Mapping[str, object]) -> str:
    return "".join(f"{name} = {_value(value)}\n" for name, value in keys.items())


def _value(value: object) -> str:
    """Return a TOML value; its strings are written as JSON writes them."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(str(k))} = {_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, bool | str):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def _write(files: Mapping[str, str], folder: Path) -> Iterator[Path]:
    """Write new files; UsageError before anything is written where one is there already."""
    paths = {folder / name: content for name, content in files.items()}
    for path in paths:
        if path.exists():
            raise UsageError(f"{path}: is there already; nothing was written.")
    for path, content in paths.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, "utf-8")
        except OSError as error:
            raise UsageError(f"{path}: cannot be written: {error.strerror}.") from error
        yield path
