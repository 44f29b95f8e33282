"""The primitives of constructions: a MAC or AEAD over each primitive of another kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from steelyard.catalog.models import AlgorithmFile, Derived, Over, Part, Primitive, Security

_WORST_FIRST: tuple[Security, ...] = ("broken", "legacy", "acceptable", "recommended")


def expand(files: Mapping[str, AlgorithmFile]) -> dict[str, AlgorithmFile]:
    """Return all algorithms by name, with constructions' primitives generated and every part filled in.

    KeyError, with the name as its argument, if a primitive names a missing one in `over`.
    """
    parts = {
        primitive.id: Part(algorithm_id=name, kind=file.kind, primitive=primitive)
        for name, file in sorted(files.items())
        for primitive in file.primitive
    }
    return {
        name: file.model_copy(update={"primitive": _primitives(file, parts)}) for name, file in files.items()
    }


def _primitives(file: AlgorithmFile, parts: Mapping[str, Part]) -> tuple[Primitive, ...]:
    written = tuple(
        primitive.model_copy(update={"parts": tuple(parts[name] for name in primitive.over)})
        for primitive in file.primitive
    )
    return (*written, *_derived(file.over, parts)) if file.over is not None else written


def _derived(over: Over, parts: Mapping[str, Part]) -> Iterator[Primitive]:
    for derived in over.primitive:
        for name in (*derived.counted, *derived.standing):
            if name not in parts:
                raise KeyError(name)
        for part in parts.values():
            taken = not over.block_bytes or part.primitive.block_bytes in over.block_bytes
            if part.kind == over.kind and taken:
                yield _over(derived, part)


def _over(derived: Derived, part: Part) -> Primitive:
    inner = part.primitive
    output_bytes = inner.digest_bytes or inner.block_bytes
    security = min(derived.security, inner.security, key=_WORST_FIRST.index)
    authority = derived.authority if security == derived.security else f"{inner.id}: {inner.authority}"
    if inner.id in derived.standing:
        security = derived.standing[inner.id].security
        authority = derived.standing[inner.id].authority
    return Primitive(
        id=derived.id.replace("{}", inner.id),
        key_bytes=inner.key_bytes or inner.digest_bytes,
        block_bytes=inner.block_bytes,
        iv_bytes=derived.iv_bytes,
        tag_bytes=output_bytes if derived.tag_bytes is None else derived.tag_bytes,
        rounds=inner.rounds,
        security=security,
        authority=authority,
        over=(inner.id,),
        parts=(part,),
        counted=inner.id in derived.counted,
    )
