"""The class of an instruction by its text, named like the classes in the mix of a record.

An instruction whose condition fails is counted in the mix as `other`; its text tells what it would have been.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from steelyard.catalog.models import Target
from steelyard.machine import instructions

CALL_KIND = "call"
OTHER = "other"

_CONDITION = "eq|ne|cs|cc|hs|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le"
_RULES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "avr": (
        (r"br[a-z]{2} .*", "branch"),
        (r"(?:se|cl)[cznvshti]", "bit"),
    ),
    "arm": (
        (r"(?:pop|ldm[a-z]* sp!,).*\bpc\b.*", "return"),
        (r"(?:push|pop|stm[a-z]* sp!,|ldm[a-z]* sp!,).*", "stack"),
        (r"bx(?:" + _CONDITION + r")? lr", "return"),
        (r"mov(?:" + _CONDITION + r")? pc, lr", "return"),
        (r"b(?:" + _CONDITION + r") .*", "branch"),
        (r"(?:b|bx|mov pc,|ldr pc,|add pc,) .*", "jump"),
    ),
    "cortex-m": (
        (r"(?:pop|ldm[a-z.]* sp!,).*\bpc\b.*", "return"),
        (r"(?:push|pop|stm[a-z.]* sp!,|ldm[a-z.]* sp!,|vpush|vpop).*", "stack"),
        (r"bx lr", "return"),
        (r"mov pc, lr", "return"),
        (r"ldr(?:\.w)? pc, \[sp.*", "return"),
        (r"(?:mov|add|ldr)(?:\.w)? pc,.*", "jump"),
        (r"b(?:" + _CONDITION + r")(?:\.[nw])? .*", "branch"),
        (r"b(?:\.[nw])? .*", "jump"),
    ),
    "riscv": (
        (r"(?:c\.jr x1|c\.jalr? x0,x1|jalr x0,.*x1\)?.*|ret)", "return"),
        (r"(?:c\.jal|c\.jalr|jal x1,|jalr x1,).*", "call"),
    ),
    "sparc": (
        (r"(?:ret|retl)\b.*", "return"),
        (r"jmpl %[io]7 \+ 8, %g0", "return"),
        (r"jmpl .*, %o7", "call"),
    ),
    "msp430": (
        (r"(?:ret|mov(?:\.w)? @(?:sp|r1)\+, ?(?:pc|r0))", "return"),
        (r"(?:br|mov[a.w]*) .*(?:pc|r0)", "jump"),
        (r"(?:push|pop)[a-z.]* .*", "stack"),
        (r"mov[a-z.]* @(?:sp|r1)\+, ?r\d+", "stack"),
    ),
    "rl78": (
        (r"(?:addw|subw) sp, .*", "stack"),
        (r"(?:br|b) .*", "jump"),
    ),
    "m16c": (
        (r"j(?!mp|sr)[a-z]+ .*", "branch"),
        (r"add[.:a-z]* .*,sp", "stack"),
    ),
}
"""Texts whose class the rows of the instructions do not give, by family; the first that matches counts."""

_SUFFIX = re.compile(r"[.:,].*$")
_FAILS = re.compile(rf"(?:{_CONDITION})$")
_MOVES = re.compile(r"(?:mov|clr|one)(?:w|b|s)?(?:[.:].*)?")
"""Instructions that are loads or stores by their operands, in the families that follow."""
_VALUE = {
    "rl78": re.compile(r"[axbcdehl]|ax|bc|de|hl|cy|#.*"),
    "m16c": re.compile(r"r[0-3][lh]?|r2r0|r3r1|a[01]|[fs]b|[iu]?sp|flg|intb[lh]?|#.*"),
    "msp430": re.compile(r"r\d+|pc|sp|sr|cg|#.*"),
}
"""Operands that are no memory."""
_TO_FIRST = ("rl78",)
"""Families whose first operand is the destination, instead of the last."""
_ASIDE = re.compile(r",(?![^\[(]*[\])])")


class Kinds:
    """The classes of a chip's instructions."""

    def __init__(self, target: Target) -> None:
        """Read the rows of the chip's core."""
        self._family = target.file.family
        self._rules = [(re.compile(text), kind) for text, kind in _RULES.get(self._family, ())]
        self._of_rows: dict[str, set[str]] = {}
        for row in instructions(target):
            self._of_rows.setdefault(row.mnemonic, set()).add(row.kind)
        self._known: dict[str, str] = {}

    def of(self, text: str) -> str:
        """Return the class of a disassembled instruction; `other` of a text that no row explains."""
        if text not in self._known:
            self._known[text] = self._of(text)
        return self._known[text]

    def _of(self, text: str) -> str:
        for rule, kind in self._rules:
            if rule.fullmatch(text):
                return kind
        mnemonic, _, rest = text.partition(" ")
        value = _VALUE.get(self._family)
        if value is not None and _MOVES.fullmatch(mnemonic):
            return self._moved(rest, value)
        kinds: set[str] = set()
        for name in self._names(mnemonic):
            kinds = kinds or self._of_rows.get(name, set())
        return next(iter(kinds)) if len(kinds) == 1 else "alu" if "alu" in kinds else OTHER

    def _names(self, mnemonic: str) -> Iterator[str]:
        """Yield the names under which the rows may have a mnemonic, without what a text adds."""
        yield mnemonic
        yield re.sub(r"\.[bw](?=:|$)", ".size", mnemonic)
        bare = _SUFFIX.sub("", mnemonic)
        yield from (bare, bare.removesuffix("s"), _FAILS.sub("", bare))

    def _moved(self, operands: str, value: re.Pattern[str]) -> str:
        """Return what a move is: a store, a load, or neither between registers."""
        parts = [one.strip() for one in _ASIDE.split(operands)]
        to, others = (parts[0], parts[1:]) if self._family in _TO_FIRST else (parts[-1], parts[:-1])
        loads, stores = any(not value.fullmatch(one) for one in others), not value.fullmatch(to)
        if loads and stores:
            return "load" if self._family == "m16c" else "store"
        return "load" if loads else "store" if stores else "alu"
