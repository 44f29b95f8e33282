"""Figure 5 of the publication on sensor nodes: times of MD5 by length, measured and by equation 1."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from docs.generate.drawing import svg_of
from docs.generate.studies import outcome

from steelyard.models.ganesan import Parameters
from steelyard.studies.ganesan.study import MD5, printed_parameters
from steelyard.studies.ganesan.study import Reproduction as Model
from steelyard.studies.sensor_nodes.claims import ATMEGA128, M30102, SA1110, SPARC
from steelyard.studies.sensor_nodes.sheets import (
    HASH_LENGTHS_BYTES,
    PADDED_BYTES,
    Platform,
    platforms,
    printed_table,
)
from steelyard.studies.sensor_nodes.study import Reproduction

NAME = "sensor-nodes-md5"
SHOWN = (ATMEGA128, M30102, SA1110, SPARC)
"""A processor of each word size, and the publication's workstation."""
_PUBLISHED, _OURS = "published: Table 3 and Table 4", "ours: records and constants fitted to them"


def picture() -> str:
    """Return the drawing: a panel of the publication's figures and one of ours; lines are predicted."""
    shown = [platform for platform in platforms() if platform.target in SHOWN]
    rows = [row for platform in shown for row in _rows(platform)]
    encoding = {
        "x": {"field": "bytes", "type": "quantitative", "title": "length of the message, bytes"},
        "y": {
            "field": "us",
            "type": "quantitative",
            "title": "MD5, microseconds",
            "scale": {"type": "log", "nice": False},
        },
        "color": {"field": "target", "type": "nominal", "title": None, "sort": list(SHOWN)},
    }

    def layer(what: str, mark: dict[str, Any]) -> dict[str, Any]:
        return {"transform": [{"filter": f"datum.what === '{what}'"}], "mark": mark, "encoding": encoding}

    return svg_of(
        {
            "data": {"values": rows},
            "facet": {
                "column": {"field": "whose", "type": "nominal", "title": None, "sort": [_PUBLISHED, _OURS]}
            },
            "spec": {
                "width": 330,
                "height": 300,
                "layer": [
                    layer("predicted", {"type": "line", "strokeWidth": 1.5, "interpolate": "step-before"}),
                    layer("measured", {"type": "point", "filled": True, "size": 45}),
                ],
            },
        }
    )


def _rows(platform: Platform) -> Iterator[dict[str, object]]:
    made, model = outcome("sensor-nodes"), outcome("ganesan")
    assert isinstance(made, Reproduction)
    assert isinstance(model, Model)
    usual = made.usual()
    assert usual is not None
    bits_per_us = platform.clock_mhz * platform.word_bits
    fitted = model.settings[usual.choice][usual.flags].parameters[MD5]
    for whose, table, parameters, blocks in (
        (_PUBLISHED, printed_table(), printed_parameters()[MD5], _whole),
        (_OURS, usual, fitted, _padded),
    ):
        named = {"whose": whose, "target": platform.target}
        for (target, algorithm, length), cycles in table.digests.items():
            if (target, algorithm) == (platform.target, MD5) and length <= max(HASH_LENGTHS_BYTES):
                yield {**named, "what": "measured", "bytes": length, "us": cycles / platform.clock_mhz}
        for length in range(max(HASH_LENGTHS_BYTES) + 1):
            predicted_us = _predicted(parameters, blocks, length) / bits_per_us
            yield {**named, "what": "predicted", "bytes": length, "us": predicted_us}


def _predicted(parameters: Parameters, blocks: Callable[[int], int], length: int) -> float:
    """Bit-cycles by equation 1."""
    return parameters.a + parameters.b * blocks(length)


def _whole(length: int) -> int:
    """Blocks as equation 1 prints them: the text's length over the block's, rounded up."""
    return -(-length // PADDED_BYTES)


def _padded(length: int) -> int:
    """Blocks with MD5's padding of nine bytes at least, by which the fit counts."""
    return -(-(length + 9) // PADDED_BYTES)
