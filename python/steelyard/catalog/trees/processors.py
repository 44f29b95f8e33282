"""The CPU families that code is written for, told by its assembly, its intrinsics and their conditions."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

FAMILIES: Mapping[str, frozenset[str]] = {
    "avr": frozenset({"__AVR__", "__AVR", "AVR", "__AVR_ARCH__", "__AVR_HAVE_LPMX__", "__AVR_HAVE_MUL__"}),
    "arm": frozenset({"__arm__", "__arm", "__ARM_ARCH", "__ARM_EABI__", "__ARMEL__"}),
    "cortex-m": frozenset(
        "__arm__ __arm __thumb__ __thumb2__ __ARM_ARCH __ARM_ARCH_ISA_THUMB __ARM_EABI__ __ARMEL__"
        " __ARM_ARCH_6M__ __ARM_ARCH_7M__ __ARM_ARCH_7EM__ __ARM_FEATURE_DSP".split()
    ),
    "riscv": frozenset({"__riscv", "__riscv__", "__riscv_xlen"}),
    "msp430": frozenset({"__MSP430__", "MSP430", "__MSP430X__"}),
    "rl78": frozenset({"__RL78__", "__RL78"}),
    "m16c": frozenset({"__m32c__", "__M16C__"}),
    "sparc": frozenset({"__sparc__", "__sparc", "sparc"}),
}
"""Macros of the compilers for each family."""

_UNSURE = ("__BYTE_", "__ORDER_", "__clang", "__OPT")
_SURE = frozenset({"__GNUC__", "__STDC__", "__STDC_VERSION__", "__ELF__"})

_PLACES: Mapping[str, tuple[str, ...]] = {
    "AVR": ("avr",),
    "ARM": ("arm", "cortex-m"),
    "Thumb": ("cortex-m",),
    "RISC-V": ("riscv",),
    "MSP430": ("msp430",),
    "RL78": ("rl78",),
    "SPARC": ("sparc",),
    "x86": (),
    "AArch64": (),
    "Arm NEON": (),
    "Xtensa": (),
    "PowerPC": (),
    "RISC-V vectors": (),
    "MIPS": (),
}
"""Families by what assembly is written for, none for processors that are not emulated."""

_SIGNS: Mapping[str, re.Pattern[str]] = {
    kind: re.compile(sign, re.MULTILINE | re.IGNORECASE)
    for kind, sign in {
        "x86": r"%%?[re]?[abcd]x\b|%%?[re][sd]i\b|%%?r(?:8|9|1[0-5])\b|%%?[xyz]mm\d|\bv?movdq[au]\b"
        r"|\.intel_syntax|\brdrand\b|\bcpuid\b|\brdtsc\b",
        "AArch64": r"\bv\d+\.(?:16b|8b|4s|2d|2s)\b|\b(?:ldp|stp)\s+[xq]\d|\b(?:eor|add|ldr|str)\s+[xw]\d+\s*,"
        r"|\.arch\s+armv[89](?:\.\d)?-a",
        "Arm NEON": r"\bvld[1-4]\.|\bvst[1-4]\.|\bveor\b|\.fpu\s+neon|\bvext\.",
        "Thumb": r"^[ \t]*\.(?:thumb|thumb_func|code\s+16)\b|\.cpu\s+cortex-m|\.arch\s+armv[678]-?e?-?m",
        "ARM": r"\b(?:mvns?|bics?|orrs?|rsbs?|(?:ld|st)m(?:ia|fd|db)|ubfx|bfi|rev16|umull|umlal|umaal)\b"
        r"|\beors?\s+[%r]\S+\s*,\s*[%r]\S+\s*,|\bldr[bhd]?\s+\S+\s*,|\bstr[bhd]?\s+\S+\s*,|\bpush\s*\{"
        r"|\bbx\s+lr\b|\.syntax\s+unified|\brors?\s+[%r]\S*\s*,|\bmov[wt]\s+\S+\s*,\s*\#|\brev\s+[%r]",
        "AVR": r"\b(?:ldi|e?lpm|rjmp|rcall|sbiw|adiw|br(?:ne|eq|cc|cs)|swap|com|cpc|sbci|bst|bld|lsl|rol)"
        r"\s+(?:[%r]\d|\\|__|[XYZ]\b|\.|[a-z]\w*\s*(?:,|$))|\bmovw\s+(?:r\d+\s*,\s*r|\\)"
        r"|\bld\s+\S+\s*,\s*-?[XYZ]\b|\bst\s+-?[XYZ]\+?\s*,|\.progmem",
        "RISC-V": r"\b(?:addi|slli|srli|andi|xori|ori|lw|sw|lbu|sb|bnez|beqz|jal)\s+(?:%|[astx]\d|sp\b|zero)"
        r"|\bcsrr[sw]?\b",
        "MSP430": r"\b(?:bis|rra|rla|rlc|rrc|addc|subc|dadd|swpb|inv|mova|xor)(?:\.[bwa])?\s+[@#&%r\d]"
        r"|\bmov(?:\.[bwa])?\s+@",
        "Xtensa": r"\bl32i\b|\bs32i\b|\bentry\s+a1\b|\bssai\b",
        "SPARC": r"%%?[goli][0-7]\b|\bsethi\b",
        "PowerPC": r"\brlwinm\b|\blwz\b|\bstwu\b",
        "RL78": r"\bmovw\s+ax\b|\bes:\[hl\]",
    }.items()
}
"""What assembly looks like, most telling first among equals."""

_INTRINSICS: Mapping[str, str] = {
    "immintrin.h": "x86",
    "emmintrin.h": "x86",
    "xmmintrin.h": "x86",
    "tmmintrin.h": "x86",
    "smmintrin.h": "x86",
    "wmmintrin.h": "x86",
    "nmmintrin.h": "x86",
    "x86intrin.h": "x86",
    "cpuid.h": "x86",
    "arm_neon.h": "Arm NEON",
    "arm_sve.h": "AArch64",
    "altivec.h": "PowerPC",
    "riscv_vector.h": "RISC-V vectors",
}

_ASSEMBLY = (".s", ".S")
_ENOUGH = 20_000
"""Characters that tell what assembly is written for."""
_OTHER_INTRINSICS = re.compile(r"arm_neon\.h|arm_sve\.h|altivec\.h|riscv_vector\.h|cpuid\.h")
_ASKED = tuple(macro for macros in FAMILIES.values() for macro in macros if macro.startswith("__"))
_INCLUDE = re.compile(r"""^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]""", re.MULTILINE)
_CONDITION = re.compile(r"^[ \t]*#[ \t]*(ifdef|ifndef|if|elif|else|endif)\b([^\n]*)", re.MULTILINE)
_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)", re.MULTILINE)
_GLOBAL = re.compile(r"^[ \t]*\.globa?l\s+([A-Za-z_]\w*)", re.MULTILINE)
_STATEMENT = re.compile(r"""\b(?:asm|__asm|__asm__)\b((?:[^;"]|"(?:[^"\\]|\\.)*+")*+)""")
_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_LABEL = re.compile(r'\s*\(\s*"[A-Za-z_]\w*"\s*\)')
_WORD = re.compile(r"[A-Za-z_]\w*")
_WORDS = re.compile(r"defined\s*\(\s*(\w+)\s*\)|defined\s+(\w+)|\|\||&&|[!=<>]=|[!()]|\w+|\S")


@dataclass(frozen=True)
class Written:
    """What code is for: `families` that can run it (None for all), or none of them, and then `instead`."""

    families: tuple[str, ...] | None
    instead: str = ""


def written_for(sources: Mapping[str, str], headers: Mapping[str, str]) -> Written:
    """Return what sources and the headers beside them, texts without comments by name, are written for.

    A condition that depends on what is not known here counts as true and as false. Code without assembly or
    intrinsics is for all.
    """
    texts = {**headers, **sources}
    needing = [
        (name.endswith(_ASSEMBLY), text)
        for name, text in texts.items()
        if name.endswith(_ASSEMBLY) or "asm" in text or "intrin.h" in text or _OTHER_INTRINSICS.search(text)
    ]
    if not needing:
        return Written(None)
    defined = frozenset(match[1] for text in texts.values() for match in _DEFINE.finditer(text))
    seen = {family: [_seen(*one, family, defined) for one in needing] for family in FAMILIES}
    plain = "\n".join(text for name, text in texts.items() if not name.endswith(_ASSEMBLY))
    # Code that asks for the processor may well do without routines in assembly.
    chooses = any(any(macro in match[2] for macro in _ASKED) for match in _CONDITION.finditer(plain))
    able, instead = list[str](), dict[str, None]()
    for family, files in seen.items():
        others = {kind for one in files for kind in one.kinds if family not in _PLACES[kind]}
        if not others and not chooses:
            others = _lacking(family, seen, plain)
        instead |= dict.fromkeys(sorted(others))
        if not others:
            able.append(family)
    return Written(None if len(able) == len(FAMILIES) else tuple(able), ", ".join(instead))


@dataclass(frozen=True)
class _Seen:
    """What a family's compiler may see of a file: what it is written for, and the routines in assembly."""

    kinds: frozenset[str]
    routines: frozenset[str]


def _lacking(family: str, seen: Mapping[str, Sequence[_Seen]], plain: str) -> set[str]:
    """Return what routines are written for that C sources call and that only other families have."""
    own = {name for one in seen[family] for name in one.routines}
    others: set[str] = set()
    for files in seen.values():
        for one in files:
            for name in one.routines - own:
                word = re.escape(name)
                called = re.search(rf"\b{word}\b", plain)
                if called and not re.search(rf"\b{word}\s*\([^;{{}}()]*\)\s*\{{", plain):
                    others |= one.kinds
    return others


_KEPT: dict[tuple[object, ...], _Seen] = {}


def _seen(assembly: bool, text: str, family: str, defined: frozenset[str]) -> _Seen:
    """Return what a family's compiler may see of a file; of many copies one is read."""
    asked = frozenset(_WORD.findall("\n".join(match[2] for match in _CONDITION.finditer(text)))) & defined
    key = (hashlib.blake2b(text.encode()).digest(), assembly, family, asked)
    if key not in _KEPT:
        active = "\n".join(_active(text, family, asked))
        routines = frozenset(_GLOBAL.findall(active)) if assembly else frozenset[str]()
        _KEPT[key] = _Seen(frozenset(_kinds(assembly, active)), routines)
    return _KEPT[key]


def _kinds(assembly: bool, active: str) -> Iterator[str]:
    for match in _INCLUDE.finditer(active):
        if match[1] in _INTRINSICS:
            yield _INTRINSICS[match[1]]
    statements = [active] if assembly else (match[1] for match in _STATEMENT.finditer(active))
    for statement in statements:
        if not assembly and _LABEL.match(statement):
            continue
        kind = _looks_like(statement if assembly else "\n".join(_STRING.findall(statement)))
        if kind is not None:
            yield kind


def _looks_like(text: str) -> str | None:
    """Return what assembly looks like, None where it says nothing."""
    text = text[:_ENOUGH]
    found = {kind: len(sign.findall(text)) for kind, sign in _SIGNS.items()}
    if found["Thumb"] and not found["AArch64"]:
        return "Thumb"
    best = max(found, key=lambda kind: found[kind])
    return best if found[best] else None


def _active(text: str, family: str, defined: frozenset[str]) -> Iterator[str]:
    """Yield the parts that may count: those in no branch that surely is not taken."""
    # Of each open condition: whether its lines may count, and whether an earlier branch surely was taken.
    branches: list[tuple[bool, bool]] = []
    begin = 0
    for condition in _CONDITION.finditer(text):
        if all(may for may, _ in branches):
            yield text[begin : condition.start()]
        begin = condition.end()
        name, rest = condition[1], condition[2]
        if name in ("if", "ifdef", "ifndef"):
            holds = _holds(name, rest, family, defined)
            branches.append((holds is not False, holds is True))
        elif branches:
            _, taken = branches.pop()
            if name != "endif":
                holds = True if name == "else" else _holds("if", rest, family, defined)
                branches.append((not taken and holds is not False, taken or holds is True))
    if all(may for may, _ in branches):
        yield text[begin:]


def _holds(name: str, rest: str, family: str, defined: frozenset[str]) -> bool | None:
    if name == "if":
        return _Condition(rest, family, defined).value()
    words = rest.split()
    known = _is_defined(words[0], family, defined) if words else None
    return known if name == "ifdef" or known is None else not known


def _is_defined(macro: str, family: str, defined: frozenset[str]) -> bool | None:
    """Whether a macro is defined, None where that is not known here."""
    if macro in _SURE:
        return True
    if macro in FAMILIES[family]:
        # A core of the family may lack what others have.
        return True if macro in _CERTAIN else None
    if any(macro in macros for macros in FAMILIES.values()):
        return False
    return None if macro in defined or macro.startswith(_UNSURE) else False


_CERTAIN = frozenset(
    "__AVR__ __AVR __arm__ __thumb__ __ARM_ARCH __ARM_ARCH_ISA_THUMB __ARM_EABI__ __riscv __riscv_xlen"
    " __MSP430__ __RL78__ __m32c__ __sparc__".split()
)


class _Condition:
    """The condition of an `#if`, which may be true, false or unknown (None)."""

    def __init__(self, text: str, family: str, defined: frozenset[str]) -> None:
        self._words = list(_WORDS.finditer(text))
        self._at = 0
        self._family = family
        self._defined = defined

    def value(self) -> bool | None:
        """Return the condition's value."""
        result = self._any()
        return result if self._at == len(self._words) else None

    def _next(self) -> str:
        return self._words[self._at][0] if self._at < len(self._words) else ""

    def _any(self) -> bool | None:
        result = self._all()
        while self._next() == "||":
            self._at += 1
            other = self._all()
            result = True if True in (result, other) else (None if None in (result, other) else False)
        return result

    def _all(self) -> bool | None:
        result = self._one()
        while self._next() == "&&":
            self._at += 1
            other = self._one()
            result = False if False in (result, other) else (None if None in (result, other) else True)
        return result

    def _one(self) -> bool | None:
        if self._at == len(self._words):
            return None
        match = self._words[self._at]
        self._at += 1
        if match[0] == "!":
            inner = self._one()
            return None if inner is None else not inner
        if match[0] == "(":
            inner = self._any()
            self._at += self._next() == ")"
            return self._compared(inner)
        if match[1] or match[2]:
            return _is_defined(match[1] or match[2], self._family, self._defined)
        if match[0].isdigit():
            return self._compared(match[0] != "0")
        known = _is_defined(match[0], self._family, self._defined)
        return self._compared(None if known else known)

    def _compared(self, value: bool | None) -> bool | None:
        """Return a value, or unknown where something else than `&&` and `||` follows it."""
        unknown = False
        while self._next() not in ("", "&&", "||", ")"):
            self._at += 1
            unknown = True
        return None if unknown else value
