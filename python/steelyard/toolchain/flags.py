"""Compiler flags that a build accepts: those that choose code generation, none that names or moves files."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from difflib import get_close_matches
from itertools import chain

from steelyard.errors import UsageError
from steelyard.nearest import printable

# What follows `-f` or `-fno-`, by the reason for which a build takes it. A word with `*` stands for all that
# begin so; any may have a value of letters, digits and punctuation.
_CODE = {
    "which calls are expanded": """
        early-inlining indirect-inlining inline* partial-inlining""",
    "what is done to loops": """
        aggressive-loop-optimizations finite-loops ivopts loop-* modulo-sched* move-loop-*
        peel-loops predictive-commoning prefetch-loop-arrays rerun-cse-after-loop split-loops
        unroll* unswitch-loops version-loops*""",
    "optimisations over single assignments": """
        code-hoisting forward-propagate isolate-erroneous-paths-* simd-cost-model slp-vectorize
        split-paths split-wide-types* ssa-* tree-* vect-cost-model vectorize""",
    "optimisations over functions, their order and alignment": """
        align-* devirtualize* ipa-* reorder-* toplevel-reorder unit-at-a-time whole-program""",
    "optimisations within a function": """
        auto-inc-dec bit-tests branch-count-reg combine-stack-adjustments compare-elim
        conserve-stack cprop-registers crossjumping cse-* dce defer-pop delayed-branch delete-*
        dse expensive-optimizations function-cse gcse* guess-branch-probability
        hoist-adjacent-loads if-conversion* jump-tables merge-* optimize-* section-anchors
        store-merging switch-* thread-jumps web""",
    "the order of instructions, registers and the stack": """
        call-saved-* call-used-* caller-saves fixed-* ira-* live-range-shrinkage lra-*
        omit-frame-pointer omit-leaf-frame-pointer optimize-sibling-calls rename-registers
        sched* sel-sched-* selective-scheduling* shrink-wrap* stack-reuse""",
    "what is put where in an object": """
        PIC PIE asynchronous-unwind-tables common data-sections exceptions function-sections
        ident pic pie plt semantic-interposition unwind-tables visibility
        zero-initialized-in-bss""",
    "the language": """
        allow-store-data-races asm builtin builtin-* freestanding gnu89-inline hosted
        lax-vector-conversions ms-extensions pack-struct short-enums short-wchar
        signed-bitfields signed-char unsigned-bitfields unsigned-char""",
    "what the language leaves open": """
        associative-math excess-precision fast-math finite-math-only fp-contract math-errno
        reciprocal-math rounding-math signed-zeros single-precision-constant strict-aliasing
        strict-overflow strict-volatile-bitfields trapping-math trapv unsafe-math-optimizations
        wrapv wrapv-pointer""",
    "hardening and debugging": """
        cf-protection sanitize sanitize-recover sanitize-trap stack-check stack-clash-protection
        stack-protector stack-protector-* trivial-auto-var-init var-tracking* verbose-asm
        zero-call-used-regs""",
}
_VALUE = r"(?:=[\w.,:+-]+)?"

# All other options, as patterns of the whole flag.
_OTHERS = {
    "the level of optimisation": r"-O(?:[0-3sgz]|fast)?",
    "code for the machine, which the target's file names": (
        rf"-m(?!cpu|arch|mcu|llvm|mlir|dump)[a-z][a-z0-9-]*{_VALUE}"
    ),
    "a macro whose value is neither text nor a file": (
        r"-D[A-Za-z_]\w*(?:=(?!.*\b_*asm_*\b)[\w+*()<>|&^~!?.,:;={}\[\]% -]*)?"
    ),
    "no macro of that name": r"-U[A-Za-z_]\w*",
    "warnings": r"-W(?:no-)?[a-z][a-z0-9+-]*(?:=[a-z0-9-]+)?",
    "the language": r"-std=(?:c|gnu|iso9899:)[0-9a-z]+|-ansi|-pedantic(?:-errors)?",
    "debugging information, which no chip holds": r"-g(?:[0-3]|dwarf(?:-[2-5])?)?",
}
_USUAL = (
    *("-O0", "-O1", "-O2", "-O3", "-Os", "-Oz", "-Ofast", "-Wall", "-Wextra", "-std=gnu99", "-std=c99"),
    *("-funroll-loops", "-funroll-all-loops", "-finline-functions", "-finline-limit=100", "-fno-inline"),
)
_WORDS = tuple(chain.from_iterable(words.split() for words in _CODE.values()))
_TAKEN = re.compile(
    "|".join(
        (
            *_OTHERS.values(),
            rf"-f(?:no-)?(?:{'|'.join(word.replace('*', '[a-z0-9-]*') for word in _WORDS)}){_VALUE}",
        )
    )
)


def check_flags(flags: Sequence[str]) -> tuple[str, ...]:
    """Return the flags unchanged; UsageError, in one sentence, for a flag that a build does not accept."""
    for flag in flags:
        if flag.startswith("-flto"):
            raise UsageError(
                f"{flag}: link-time optimisation merges the variant's code with the rest of the image,"
                " so that its bytes cannot be told apart; leave it out."
            )
        if not _TAKEN.fullmatch(flag):
            raise UsageError(f"{printable(flag)}: not a flag for code generation{_instead(flag)}")
    return tuple(flags)


def split_flags(text: str) -> tuple[str, ...]:
    """Return the words of flags as a shell would; UsageError, in one sentence, for an open quotation."""
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        reason = str(error)[0].lower() + str(error)[1:]
        raise UsageError(f"--flags {printable(text)}: {reason}.") from None


def _instead(flag: str) -> str:
    """Return what to say after a refusal: the flag that was probably meant, or what a build takes."""
    off = flag.startswith("-fno-")
    words = (word for word in _WORDS if not word.endswith("*"))
    known = [*_USUAL, *(f"-fno-{word}" if off else f"-f{word}" for word in words)]
    likely = get_close_matches(flag, known, n=1, cutoff=0.85)
    if likely:
        return f'; did you mean "{likely[0]}"?'
    return "; a build takes -O, -D, -U, -W, -g, -std, and what of -f and -m chooses code and names no file."
