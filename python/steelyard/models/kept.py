"""Settings of a model as they were last chosen, kept in the cache until the data or the code change."""

from __future__ import annotations

import json
from contextlib import suppress

import numpy as np

from steelyard.cache.content import Cache, content_key
from steelyard.errors import EnvironmentProblem
from steelyard.models.evaluation import Fit, choose
from steelyard.models.training import MatrixFile, Training
from steelyard.models.transfer import Transfer
from steelyard.record.origin import code_of

_KIND = "model-settings"
_NOTHING: frozenset[str] = frozenset()


def chosen(transfer: Transfer, shot: int, setup: MatrixFile) -> Fit:
    """Return `choose` of all groups for this number of measured primitives, made or kept."""
    key = _key(transfer, shot, setup)
    stored = Cache().get(_KIND, key)
    if stored is not None:
        parameters, width = json.loads(stored)
        return Fit(transfer, _NOTHING, np.array(parameters), {shot: width})
    made = choose(transfer, _NOTHING, (shot,), setup)
    # Predicting needs no cache that can be written.
    with suppress(EnvironmentProblem):
        Cache().put(_KIND, key, json.dumps([made.parameters.tolist(), made.widths[shot]]).encode())
    return made


def _key(transfer: Transfer, shot: int, setup: MatrixFile) -> str:
    from scipy import __version__ as scipy_version

    return content_key(
        code_of("models"),
        f"numpy {np.__version__} scipy {scipy_version}",
        setup.model_dump_json(),
        repr((transfer.metric, transfer.groups, transfer.by_parameters, shot)),
        *_parts(transfer.training),
    )


def _parts(training: Training) -> list[bytes | str]:
    names = training.targets, training.families, training.architectures, training.asked
    arrays = [*(training.figures[metric] for metric in sorted(training.figures)), training.counts]
    return [
        repr((names, training.rows, training.algorithms, sorted(training.figures))),
        *(chip.model_dump_json() for chip in training.chips),
        *(array.tobytes() for array in (*arrays, training.tables)),
    ]
