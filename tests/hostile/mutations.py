"""Hypothesis strategies that damage the project's own valid texts, and what a parser may do then.

`STEELYARD_FUZZ_EXAMPLES` is the number of examples of each test; without it a few, always the same.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from steelyard.errors import SteelyardError

CPU_LIMIT_S = 10.0
"""Processor time of one example; any takes milliseconds, but for reading what all later ones share."""

_EXAMPLES = os.environ.get("STEELYARD_FUZZ_EXAMPLES")

NASTY = (
    *("", "0", "-1", "1", "5" * 5000, "1e300", "1e999", "nan", "-inf", "0x" + "f" * 40, "9" * 19, "true"),
    *("[" * 2000, "{" * 2000, "[[]]", '["a", 1]', "{ a = 1 }", "a.b.c.d = 1", "." * 300, "=" * 50, '"""'),
    *('"', "'", '"\\u0000"', '"\\ud800"', "\x00", "\ufeff", "\u202e", "\r", "\n\n[x]\n", "#", "é" * 300),
    *("1e300s", "0.000000001s", "1us", "1e9s", "5 parsecs", "-5ms", "1K", "1e30K", "0bit/s", "1979-05-27"),
    *("99:99:99", "../../../etc/passwd", "/dev/zero", "/dev/full", ".", "*", "--", "-1e5", "a" * 5000, ","),
    *("NaN", "null", "Infinity", "{}", "[]", '{"a":', "\\", "%s%n", "{0}", "$(id)", "\x1b[31m", "\ud800"),
)

nasty = st.sampled_from(NASTY) | st.text(max_size=20)


def fuzzed(examples: int) -> Any:
    """The settings of a test: `examples` in the ordinary run, or as many as are asked for."""
    return settings(
        max_examples=int(_EXAMPLES) if _EXAMPLES else examples,
        derandomize=_EXAMPLES is None,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


@st.composite
def damaged(draw: st.DrawFn, texts: Sequence[str]) -> bytes:
    """One of the texts with up to four changes: values, lines, pieces and bytes."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(0, 4))):
        lines = text.split("\n")
        at = draw(st.integers(0, len(lines) - 1))
        change = draw(st.sampled_from(("value", "value", "value", "item", "insert", "drop", "double", "cut")))
        if change == "value" and "=" in lines[at]:
            lines[at] = lines[at].partition("=")[0] + "= " + draw(nasty)
        elif change == "item":
            items = lines[at].split(",")
            items[draw(st.integers(0, len(items) - 1))] = draw(nasty)
            lines[at] = ",".join(items)
        elif change == "insert":
            place = draw(st.integers(0, len(lines[at])))
            lines[at] = lines[at][:place] + draw(nasty) + lines[at][place:]
        elif change == "drop":
            del lines[at]
        elif change == "double":
            lines.insert(at, lines[at])
        else:
            lines[at] = lines[at][: draw(st.integers(0, len(lines[at])))]
        text = "\n".join(lines)
    raw = text.encode("utf-8", "surrogatepass")
    if draw(st.integers(0, 9)) == 0:
        place = draw(st.integers(0, len(raw)))
        raw = raw[:place] + draw(st.binary(max_size=8)) + raw[place:]
    return raw


def accepted(parse: Callable[[], object]) -> bool:
    """Whether the parser accepted; it may refuse in one sentence instead, and do nothing else, soon."""
    began = time.process_time()
    try:
        parse()
    except SteelyardError as error:
        check_sentence(str(error))
        assert error.exit_status in (1, 2, 3)
        return False
    finally:
        assert time.process_time() - began < CPU_LIMIT_S
    return True


def check_sentence(said: str) -> None:
    """What a user reads is one line of printable text, neither empty nor a page."""
    assert said.isprintable(), said
    assert 10 < len(said) < 2000, said
