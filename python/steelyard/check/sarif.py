"""Findings in the form that code-scanning views read: Static Analysis Results Interchange Format 2.1.0."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from steelyard.check.explain import Explained
from steelyard.check.run import Result
from steelyard.record.origin import steelyard_version

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

RULES = {
    "branch": "A secret decides whether a branch or a skip is taken.",
    "target": "A secret decides where a jump, call or return goes.",
    "condition": "A secret decides whether an instruction is executed that takes another time if it is not.",
    "load": "The address of a load depends on a secret.",
    "store": "The address of a store depends on a secret.",
    "multiply": "The time of a multiplication depends on a secret factor.",
    "divide": "The time of a division depends on a secret operand.",
    "shift": "The time of a shift, or of a repeated instruction, depends on a secret amount.",
    "stack": "The stack pointer depends on a secret.",
}
"""What each kind of finding is."""


def sarif(results: Iterable[Result]) -> dict[str, object]:
    """Return a log of the explained findings; those that cannot change time on their chip are notes."""
    rules = {f"secret-{kind}": sentence for kind, sentence in RULES.items()}
    return log(rules, [_result(result, one) for result in results for one in _told(result)])


def log(rules: Mapping[str, str], results: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """Return a log of one run of Steelyard: its rules with a sentence each, and results that name them."""
    listed = [{"id": name, "shortDescription": {"text": sentence}} for name, sentence in rules.items()]
    driver = {"name": "Steelyard", "version": steelyard_version(), "rules": listed}
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": list(results)}],
    }


def _told(result: Result) -> Iterator[Explained]:
    yield from (one for one in result.explained if one.finding.declassified is None)


def _result(result: Result, told: Explained) -> dict[str, object]:
    finding, build = told.finding, result.cell.build
    where = f"{build.variant.id} for {build.primitive.id}, {result.cell.operation}"
    machine = f"{build.target.id}, {build.toolchain} {build.flags}"
    text = f"{RULES[finding.kind]} {told.text} in {finding.function} ({where}; {machine}): {finding.reason}."
    place = {
        "logicalLocations": [{"name": finding.function, "kind": "function"}],
        "physicalLocation": _place(told, build.variant.id),
    }
    said: dict[str, object] = {
        "ruleId": f"secret-{finding.kind}",
        "level": "warning" if finding.matters else "note",
        "message": {"text": text},
        "locations": [place],
        "partialFingerprints": {
            "steelyard/v1": f"{where}|{machine}|{finding.kind}|{finding.function}|{finding.address:x}"
        },
    }
    if told.path:
        steps = [{"location": {"message": {"text": line}}} for line in told.path]
        said["codeFlows"] = [{"threadFlows": [{"locations": steps}]}]
    return said


def _place(told: Explained, variant: str) -> dict[str, object]:
    """Return file and line; without debug information the variant, at its address."""
    if told.frames and told.frames[0].file is not None:
        frame = told.frames[0]
        return {"artifactLocation": {"uri": frame.file}, "region": {"startLine": frame.line or 1}}
    return {"artifactLocation": {"uri": variant}, "address": {"absoluteAddress": told.finding.address}}
