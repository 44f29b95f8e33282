"""Substitution at all positions of words at once: the truth table of an S-box, minterm by minterm."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter


def sliced(box: Sequence[int], mask: int) -> Callable[[Sequence[int]], list[int]]:
    """Return the substitution of words: their bits at one position, the first word's lowest, are an input.

    `mask` has all bits of a word. Each bit of the output is set by two inputs at least.
    """
    bits = len(box).bit_length() - 1
    setting = [itemgetter(*(x for x, image in enumerate(box) if image >> bit & 1)) for bit in range(bits)]

    def substitute(words: Sequence[int]) -> list[int]:
        # Where each input stands, in the order of inputs; no two of them stand at the same position.
        places = [mask]
        for word in reversed(words):
            without = word ^ mask
            places = [place & part for place in places for part in (without, word)]
        return [sum(of_inputs(places)) for of_inputs in setting]

    return substitute
