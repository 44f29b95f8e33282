"""FELICS: block and stream ciphers, hash functions and AEADs for AVR, MSP430 and Cortex-M.

Below `<area>/source/ciphers` each implementation is a folder `<Name>_<sizes in bits>_v<number>`, whose
`source` holds C with the functions of `<area>/source/common/cipher.h`. `test_vectors.c` has its known answer,
`constants.h` its sizes, `implementation.info` the language for each processor. A macro (`AVR`, `MSP`, `ARM`,
`PC`) selects the processor, `SCENARIO` what is measured.

Round keys, or a state, are the context. Blocks and messages are worked on in place. The modes of FELICS'
scenarios 1 and 2 (CBC over 128 bytes, CTR over 16 bytes with round keys in read-only memory) are calls with
these modes and lengths.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from steelyard.catalog.models import (
    ForeignCall,
    ForeignContext,
    InMode,
    Kind,
    Primitive,
    VariantFile,
    Vector,
)
from steelyard.catalog.trees.expression import NotANumber, value, words
from steelyard.catalog.trees.found import Found, Implementation, LeftOut
from steelyard.catalog.trees.preprocess import Preprocessor, Unreadable
from steelyard.data import data_root
from steelyard.errors import UsageError
from steelyard.files import read_limited

TITLE = "FELICS, with block_ciphers/source/ciphers and the like"

_LIMIT_BYTES = 4 << 20

_PROCESSORS = {"avr": "AVR", "msp430": "MSP", "cortex-m": "ARM"}
"""Macros by the families that FELICS is written for."""
_ELSEWHERE = ("arm", "riscv", "rl78", "m16c", "sparc")
"""Families that get what FELICS has for a PC, where that is C."""
_PC_MACROS: Mapping[str, int | str] = {"PC": 1, "ALIGNED": "__attribute__((aligned(8)))"}
"""What is defined there: tables at multiples of 64 bytes are of no use to these."""

_IN_CATALOGUE: Mapping[str, tuple[str, str]] = {
    "AES_128_128": ("aes", "aes-128"),
    "AES-GCM_128_128_96_1824_128": ("gcm", "aes-128-gcm"),
    "BLAKE2s_512_512_256": ("blake2s", "blake2s-256"),
    "Chaskey_128_128": ("chaskey", "chaskey-em-8"),
    "Chaskey-LTS_128_128": ("chaskey", "chaskey-em-16"),
    "HIGHT_64_128": ("hight", "hight"),
    "LEA_128_128": ("lea", "lea-128"),
    "RC5-20_64_128": ("rc5", "rc5-32-20-16"),
    "RECTANGLE_64_80": ("rectangle", "rectangle-80"),
    "RECTANGLE_64_128": ("rectangle", "rectangle-128"),
    "SHA2_512_256_256": ("sha-256", "sha-256"),
    "Simon_64_96": ("simon", "simon-64-96"),
    "Simon_64_128": ("simon", "simon-64-128"),
    "SKINNY_64_128": ("skinny", "skinny-64-128"),
    "SKINNY_128_128": ("skinny", "skinny-128-128"),
    "SPARX_64_128": ("sparx", "sparx-64-128"),
    "Speck_64_96": ("speck", "speck-64-96"),
    "Speck_64_128": ("speck", "speck-64-128"),
    "Trivium_288_80_80": ("trivium", "trivium"),
}
"""Algorithm and primitive of the catalogue by FELICS' name, where the bytes are in the same order. Other
orders (PRESENT, PRINCE, most of RECTANGLE) are primitives of the tree's own."""

_PREFIX = "felics-"
"""Before names of what the catalogue has not, or with bytes in another order."""

_FOLDER = re.compile(r"([A-Za-z][A-Za-z0-9-]*)((?:_[0-9]+)+)_v([0-9]+)")
_TEMPLATE = re.compile(r"(?:Cipher|Hash)Name_")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_CONDITION = re.compile(r"[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b(.*)")
_DEFINE = re.compile(r"[ \t]*#[ \t]*define[ \t]+(\w+)(?!\()(.*)")
_ASKED = re.compile(r"defined\s*(?:\(\s*(\w+)\s*\)|(\w+))")
_ASSEMBLY = re.compile(r"\b(?:asm|__asm|__asm__)\b")
_STATED = re.compile(r"^(\w+):[ \t]*([^\r\n]*?)[ \t]*\r?$", re.MULTILINE)
_EMPTY_BODY = re.compile(r"\bRunDecryptionKeySchedule\s*\([^)]*\)\s*\{\s*\}")
_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_OPERAND = re.compile(r'(?:\[(\w+)\]\s*)?""\s*\(([^()]*)\)')
_DEFINED = re.compile(r"\b(\w+)\s*\(([^(){};]*)\)\s*\{")


class _Unusable(ValueError):
    """Why an implementation is left out; the message is a clause."""


@dataclass(frozen=True)
class _Area:
    """A kind of FELICS: its folder, the sizes that its folders' names state in bits, and its functions.

    `sizes` are macros of `constants.h` in the order of the name, None for a number that says nothing here.
    `defined` names one function that every implementation has, `zeroed` tells whether the caller clears the
    state first.
    """

    folder: str
    kind: Kind
    sizes: tuple[str | None, ...]
    context: str
    defined: str
    calls: Callable[[_Tree], Iterator[ForeignCall]]
    vector: Callable[[str, Mapping[str, bytes]], Vector]
    primitive: Callable[[Mapping[str, int]], dict[str, int]]
    common: tuple[str, ...] = ()
    modes: Mapping[str, InMode] = field(default_factory=dict)
    zeroed: bool = False


@dataclass(frozen=True)
class _Tree:
    """One implementation as it lies there: texts of its sources and headers, without comments, by name."""

    root: Path
    area: _Area
    folder: Path
    texts: Mapping[str, str]
    info: Mapping[str, str]
    sizes: Mapping[str, int]

    @property
    def name(self) -> str:
        """The cipher with its sizes, without the version."""
        return self.folder.name.rpartition("_v")[0]

    @property
    def sources(self) -> tuple[str, ...]:
        """What is compiled: all C but the answers, as FELICS does it."""
        names = (name for name in self.texts if name.endswith(".c") and name != "test_vectors.c")
        return tuple(sorted(names))

    def says(self, key: str) -> str:
        """What `implementation.info` says, in lower case."""
        return self.info.get(key, "").lower()


def recognises(root: Path) -> bool:
    """Whether a folder is the root of FELICS."""
    return any(
        (root / area.folder / "source" / "ciphers").is_dir()
        and (root / area.folder / "source" / "common" / "cipher.h").is_file()
        for area in _AREAS
    )


def read(root: Path) -> Iterator[Found]:
    """Yield the implementations of all areas."""
    for area in _AREAS:
        places = root / area.folder / "source" / "ciphers"
        if not places.is_dir():
            continue
        known = _Known()
        for folder in sorted(path for path in places.iterdir() if path.is_dir()):
            yield _implementation(root, area, folder, known)


def _implementation(root: Path, area: _Area, folder: Path, known: _Known) -> Found:
    where = folder.relative_to(root).as_posix()
    if _TEMPLATE.match(folder.name):
        return LeftOut(where, "it is the template for an implementation")
    if folder.name.startswith("Identity"):
        return LeftOut(where, "it copies its input, to show what the bench itself costs")
    named = _FOLDER.fullmatch(folder.name)
    if named is None or len(named[2].split("_")) - 1 != len(area.sizes):
        what = {"aead": "an AEAD", "hash": "a hash"}.get(area.kind, f"a {area.kind} cipher")
        return LeftOut(where, f"its name is no name, sizes in bits and version of {what}")
    try:
        tree = _read_folder(root, area, folder)
        vector = area.vector(where, _arrays(tree))
        file = _file(tree)
    except (_Unusable, Unreadable, NotANumber) as reason:
        return LeftOut(where, str(reason))
    except UsageError as reason:
        return LeftOut(where, str(reason).rstrip("."))
    if vector.output == vector.input and not vector.tag.strip("0"):
        return LeftOut(where, "its known answer is its input: nothing is implemented yet")
    bits = "-".join(named[2].split("_")[1:])
    version = f"v{named[3]}"
    title = named[1]
    algorithm, primitive = known.primitive_of(tree, title.lower(), bits, version, vector)
    own = isinstance(primitive, Primitive)
    # Chaskey and Chaskey-LTS are one algorithm of the catalogue.
    differs = "" if own or title.lower() == algorithm else f"{title.lower()}-"
    return Implementation(
        algorithm=algorithm,
        kind=area.kind,
        primitive=primitive,
        name=f"{bits}-{version}" if own else f"{_PREFIX}{differs}{bits}-{version}",
        where=where,
        file=file,
        title=title,
        specification=f"FELICS, {where}",
        vectors=_named(vector, primitive),
    )


def _named(vector: Vector, primitive: Primitive | str) -> tuple[Vector, ...]:
    """Return the answer as one of a primitive of the tree; the catalogue has its own."""
    if isinstance(primitive, str):
        return ()
    return (vector.model_copy(update={"primitive": primitive.id}),)


class _Known:
    """Which primitive each implementation is of; one byte order of a cipher has one."""

    def __init__(self) -> None:
        self._answers: dict[str, dict[tuple[str, ...], tuple[str, str]]] = {}

    def primitive_of(
        self, tree: _Tree, name: str, bits: str, version: str, vector: Vector
    ) -> tuple[str, Primitive | str]:
        """Return the algorithm's identifier, and the catalogue's primitive or one of the tree."""
        given = _IN_CATALOGUE.get(tree.name)
        if given is not None and not _contradicts(given[1], vector):
            return given
        sizes = tree.area.primitive(tree.sizes)
        base = f"{_PREFIX}{name}-{bits}"
        unlike = [key for key, value in _stated(tree).items() if tree.sizes[key] != value]
        if unlike:
            base += f"-in-{'-'.join(str(tree.sizes[key]) for key in unlike)}"
        asked, answer = _question(vector)
        for identifier, answers in self._answers.items():
            same = identifier == base or identifier.startswith(f"{base}-v")
            if same and answers.get(asked, answer) == answer:
                answers[asked] = answer
                break
        else:
            identifier = base if base not in self._answers else f"{base}-{version}"
            self._answers[identifier] = {asked: answer}
        stated = {**sizes, "id": identifier, "security": "acceptable", "authority": "FELICS"}
        primitive = Primitive.model_validate(stated)
        return f"{_PREFIX}{name}", primitive


def _question(vector: Vector) -> tuple[tuple[str, ...], tuple[str, str]]:
    return (vector.key, vector.iv, vector.ad, vector.input), (vector.output, vector.tag)


def _stated(tree: _Tree) -> dict[str, int]:
    """Return the bytes that the folder's name states, by macro; those of a part of a byte say nothing."""
    bits = tree.name.split("_")[1:]
    named = zip(tree.area.sizes, bits, strict=True)
    return {name: int(text) // 8 for name, text in named if name is not None and not int(text) % 8}


def _contradicts(primitive: str, vector: Vector) -> bool:
    """Whether the catalogue has another answer to the same question: the bytes are in another order."""
    answers = _catalogue_answers(primitive)
    asked, answer = _question(vector)
    return answers.get(asked, answer) != answer


@cache
def _catalogue_answers(primitive: str) -> dict[tuple[str, ...], tuple[str, str]]:
    algorithm = next(algorithm for algorithm, name in _IN_CATALOGUE.values() if name == primitive)
    path = data_root() / "vectors" / f"{algorithm}.toml"
    listed = tomllib.loads(path.read_text("utf-8")).get("vector", ()) if path.is_file() else ()
    vectors = (Vector.model_validate(one) for one in listed if "mode" not in one)
    return dict(
        _question(one)
        for one in vectors
        if one.primitive == primitive and one.repeat == 1 and one.operation in ("encrypt", "digest")
    )


# What lies in an implementation's folder


def _read_folder(root: Path, area: _Area, folder: Path) -> _Tree:
    source = folder / "source"
    if not source.is_dir():
        raise _Unusable("it has no folder named source")
    texts = _texts(source)
    for name in ("constants.h", "test_vectors.c"):
        if name not in texts:
            raise _Unusable(f"it has no {name}")
    info_path = source / "implementation.info"
    info = dict(_STATED.findall(_text(info_path))) if info_path.is_file() else {}
    headers = _preprocessed(root, area, folder, source / "constants.h")
    wanted = dict.fromkeys([*(one for one in area.sizes if one is not None), area.context])
    sizes = {name: _size(headers, name) for name in wanted}
    return _Tree(root, area, folder, texts, info, sizes)


def in_assembly(root: Path, where: str) -> tuple[str, ...]:
    """Return the families of FELICS for which an implementation has assembly in files of its own."""
    texts = _texts(root / where / "source").values()
    return tuple(
        family
        for family, macro in _PROCESSORS.items()
        if any(_ASSEMBLY.search(_active(text, macro)) for text in texts)
    )


def _texts(source: Path) -> dict[str, str]:
    """Return sources and headers without comments, by name."""
    names = sorted(path.name for path in source.iterdir() if path.suffix in (".c", ".h") and path.is_file())
    return {name: _COMMENT.sub(" ", _text(source / name)) for name in names}


def _text(path: Path) -> str:
    return read_limited(path, _LIMIT_BYTES, "a source").decode("utf-8", "replace")


def _folders(area: _Area, folder: Path, root: Path) -> tuple[str, ...]:
    """Return where headers are searched, as FELICS' makefiles name it."""
    own = (folder / "source").relative_to(root).as_posix()
    listed = (own, f"{area.folder}/source/common", "common/source/rotations")
    return tuple(name for name in listed if (root / name).is_dir())


def _preprocessed(root: Path, area: _Area, folder: Path, path: Path) -> Preprocessor:
    """Return what a file of an implementation declares, for no processor in particular."""
    folders = [root / name for name in _folders(area, folder, root)]
    headers = Preprocessor(root, folders, {})
    headers.read(path)
    return headers


def _size(headers: Preprocessor, name: str) -> int:
    if name not in headers.macros:
        raise _Unusable(f"its constants.h does not define {name}")
    try:
        size = value(headers.expand(name))
    except NotANumber as reason:
        raise _Unusable(f"its constants.h: {name}: {reason}") from None
    if not 0 < size <= 1 << 16:
        raise _Unusable(f"its constants.h says that {name} is {size}")
    return size


def _arrays(tree: _Tree) -> dict[str, bytes]:
    """Return the arrays of bytes in the file of known answers, by name; zeros behind what is given."""
    path = tree.folder / "source" / "test_vectors.c"
    found: dict[str, bytes] = {}
    text = "".join(_preprocessed(tree.root, tree.area, tree.folder, path).text)
    for match in re.finditer(r"(\w+)\s*\[([^\]]*)\]\s*=\s*(\{[^}]*\}|\"[^\"]*\")", text):
        try:
            size = value(words(match[2]))
        except NotANumber as reason:
            raise _Unusable(f"its test_vectors.c: the size of {match[1]}: {reason}") from None
        literal = _STRING.fullmatch(match[3])
        if literal is not None:
            content = literal[1].encode()
        else:
            listed = (one.strip() for one in match[3][1:-1].split(","))
            content = bytes(value(words(one)) % 256 for one in listed if one)
        if not len(content) <= size <= 1 << 16:
            raise _Unusable(f"its test_vectors.c gives {match[1]} {len(content)} of {size} bytes")
        found[match[1]] = content.ljust(size, b"\0")
    return found


def _given(arrays: Mapping[str, bytes], *names: str) -> list[str]:
    """Return arrays of the known answers as hexadecimal digits."""
    for name in names:
        if name not in arrays:
            raise _Unusable(f"its test_vectors.c has no {name}")
    return [arrays[name].hex() for name in names]


# What is compiled, and for which processors


def _file(tree: _Tree) -> VariantFile:
    own = (tree.folder / "source").relative_to(tree.root).as_posix()
    common = (f"{tree.area.folder}/source/common/{name}" for name in tree.area.common)
    families = tuple(_families(tree))
    if not families:
        raise _Unusable(f"it defines {tree.area.defined} for none of the processors of FELICS")
    macros: dict[str, dict[str, int | str]] = {
        family: {_PROCESSORS[family]: 1} if family in _PROCESSORS else dict(_PC_MACROS) for family in families
    }
    modes = {
        name: mode
        for name, mode in tree.area.modes.items()
        if all((tree.root / source).is_file() for source in mode.sources)
    }
    calls = tuple(tree.area.calls(tree))
    return VariantFile(
        summary=tree.info.get("ImplementationDescription") or tree.folder.name,
        sources=(*(f"{own}/{name}" for name in tree.sources), *common),
        include_dirs=_folders(tree.area, tree.folder, tree.root),
        defines_for=macros,
        in_mode=modes,
        mspgcc=tuple(_by_register(tree, {call.function for call in calls})),
        call=tuple(call for call in calls if call.mode is None or call.mode in modes),
        context=ForeignContext(bytes=str(tree.sizes[tree.area.context]), zeroed=tree.area.zeroed),
        families=families,
    )


def _families(tree: _Tree) -> Iterator[str]:
    """Yield the families for which the functions are there, by the conditions around them."""
    for family, macro in _PROCESSORS.items():
        if tree.says(f"Implementation{macro}") != "no" and _is_for(tree, macro):
            yield family
    pc = {name: _active(text, "PC") for name, text in tree.texts.items()}
    if tree.says("ImplementationPC") == "no" or any(_ASSEMBLY.search(text) for text in pc.values()):
        return
    if _is_for(tree, "PC"):
        yield from _ELSEWHERE


def _is_for(tree: _Tree, macro: str) -> bool:
    function = re.compile(rf"\b{tree.area.defined}\s*\([^)]*\)\s*\{{")
    return any(function.search(_active(tree.texts[name], macro)) for name in tree.sources)


def _active(text: str, macro: str) -> str:
    """Return the lines that count where `macro` is defined, and what the text itself defines."""
    if not re.search(r"^[ \t]*#[ \t]*if", text, re.MULTILINE):
        return text
    lines: list[str] = []
    defined = {macro: "1"}
    # Of each open condition: whether its lines count, and whether a branch was taken.
    branches: list[tuple[bool, bool]] = []
    for line in text.split("\n"):
        found = _CONDITION.match(line)
        if found is None:
            if all(counts for counts, _ in branches):
                lines.append(line)
                made = _DEFINE.match(line)
                if made is not None:
                    defined[made[1]] = made[2].strip()
            continue
        name, rest = found[1], found[2]
        if name in ("if", "ifdef", "ifndef"):
            holds = _holds(name, rest, defined)
            branches.append((holds, holds))
        elif branches:
            _, taken = branches.pop()
            if name != "endif":
                holds = not taken and (name == "else" or _holds("if", rest, defined))
                branches.append((holds, taken or holds))
    return "\n".join(lines)


def _holds(name: str, rest: str, defined: Mapping[str, str]) -> bool:
    """Whether a condition holds; a name that is not defined is 0, and so is one whose value is no number."""
    if name != "if":
        return (rest.strip() in defined) == (name == "ifdef")
    asked = _ASKED.sub(lambda match: str(int((match[1] or match[2]) in defined)), rest)
    try:
        return value([defined.get(word) or word for word in words(asked)], unknown=0) != 0
    except NotANumber:
        return True


def _by_register(tree: _Tree, functions: Collection[str]) -> Iterator[str]:
    """Yield functions in assembly for MSPGCC, the compiler of FELICS: no instruction names an argument."""
    for name in tree.sources:
        text = tree.texts[name]
        if not any(function in text for function in functions):
            continue
        for match in _DEFINED.finditer(_active(text, "MSP")):
            body = _body(match.string, match.end())
            given = re.findall(r"(\w+)\s*(?:,|$)", match[2])
            if match[1] in functions and _ASSEMBLY.search(body) and not _uses(body, given):
                yield match[1]


def _uses(body: str, given: Sequence[str]) -> bool:
    """Whether C, or an operand that an instruction names, uses one of these arguments."""
    instructions, code = "".join(_STRING.findall(body)), _STRING.sub('""', body)
    names = re.compile(rf"\b(?:{'|'.join(given)})\b")
    for label, expression in _OPERAND.findall(code):
        place = rf"\[{label}\]" if label else r"\d"
        if names.search(expression) and re.search(rf"%[A-Za-z]?{place}", instructions):
            return True
    return names.search(_OPERAND.sub("", code)) is not None


def _body(text: str, begin: int) -> str:
    """Return a function's body from behind its opening brace; strings hold no braces that count."""
    depth, place = 1, begin
    while depth and place < len(text):
        string = _STRING.match(text, place)
        if string is not None:
            place = string.end()
            continue
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        place += 1
    return text[begin:place]


# The functions of each area


def _block_calls(tree: _Tree) -> Iterator[ForeignCall]:
    schedules = tree.says("UseEncryptionKeySchedule") != "no"
    inverse = "RunDecryptionKeySchedule", ("key", "context")
    text = tree.texts.get("decryption_key_schedule.c", "")
    keys = "context" if schedules else "key"
    expand = "RunEncryptionKeySchedule", ("key", "context")
    if schedules:
        yield _call("init", *expand)
    if "RunDecryptionKeySchedule" in text and not _EMPTY_BODY.search(text):
        if schedules:
            yield _call("init-decrypt", *expand)
        yield _call("init-decrypt", *inverse)
    yield _call("encrypt", "Encrypt", ("message", keys))
    yield _call("decrypt", "Decrypt", ("message", keys))
    of_messages = ("message", keys, "iv")
    yield _call("encrypt", "EncryptScenario1", of_messages, mode="cbc", message_bytes=128)
    yield _call("decrypt", "DecryptScenario1", of_messages, mode="cbc", message_bytes=128)
    # A cipher without a key schedule copies its key, which then lies in read-only memory like round keys.
    yield _call("init", *expand, mode="ctr")
    of_constants = ("message", "context", "iv")
    yield _call("encrypt", "EncryptScenario2", of_constants, mode="ctr", message_bytes=16, prepared=True)


def _call(operation: str, function: str, arguments: Sequence[str], **more: object) -> ForeignCall:
    return ForeignCall.model_validate(
        {"operation": operation, "function": function, "arguments": tuple(arguments), **more}
    )


def _block_vector(where: str, arrays: Mapping[str, bytes]) -> Vector:
    key, plaintext, ciphertext = _given(arrays, "expectedKey", "expectedPlaintext", "expectedCiphertext")
    return _vector(where, "encrypt", key=key, input=plaintext, output=ciphertext)


def _vector(where: str, operation: str, **fields: str) -> Vector:
    source = f"{where}/source/test_vectors.c"
    return Vector.model_validate({"primitive": "x", "operation": operation, "source": source, **fields})


def _stream_calls(tree: _Tree) -> Iterator[ForeignCall]:
    yield _call("init", "Setup", ("context", "key", "iv"))
    for operation in ("encrypt", "decrypt"):
        yield _call(operation, "Encrypt", ("context", "message", "message.bytes:2"))


def _stream_vector(where: str, arrays: Mapping[str, bytes]) -> Vector:
    names = "expectedKey", "expectedIV", "expectedPlaintext", "expectedCiphertext"
    key, iv, plaintext, ciphertext = _given(arrays, *names)
    return _vector(where, "encrypt", key=key, iv=iv, input=plaintext, output=ciphertext)


def _hash_calls(tree: _Tree) -> Iterator[ForeignCall]:
    fixed = any(re.search(r"\bMESSAGE_SIZE\b", text) for text in tree.texts.values())
    only = len(_arrays(tree).get("expectedMessage", b"")) if fixed else None
    yield _call("digest", "Initialize", ("context",), message_bytes=only)
    yield _call("digest", "Update", ("context", "input", "input.bytes:2"), message_bytes=only)
    yield _call("digest", "Finalize", ("context", "output"), message_bytes=only)


def _hash_vector(where: str, arrays: Mapping[str, bytes]) -> Vector:
    message, digest = _given(arrays, "expectedMessage", "expectedDigest")
    return _vector(where, "digest", input=message, output=digest)


def _aead_calls(tree: _Tree) -> Iterator[ForeignCall]:
    text = {"seal": "ProcessPlaintext", "open": "ProcessCiphertext"}
    for operation, process in text.items():
        yield _call(operation, "Initialize", ("context", "key", "iv"))
        yield _call(operation, "ProcessAssociatedData", ("context", "ad", "ad.bytes:4"))
        yield _call(operation, process, ("context", "message", "message.bytes:4"))
        yield _call(operation, "Finalize", ("context", "key"))
        if operation == "seal":
            yield _call(operation, "TagGeneration", ("context", "tag"))
        else:
            yield _call(operation, "TagVerification", ("context", "tag"), success=0)


def _aead_vector(where: str, arrays: Mapping[str, bytes]) -> Vector:
    names = "expectedKey", "expectedNonce", "expectedAssociatedData", "expectedPlaintext"
    key, nonce, ad, plaintext = _given(arrays, *names)
    ciphertext, tag = _given(arrays, "expectedCiphertext", "expectedTag")
    return _vector(where, "seal", key=key, iv=nonce, ad=ad, input=plaintext, output=ciphertext, tag=tag)


_BLOCKS = "block_ciphers/source/common"

_AREAS = (
    _Area(
        folder="authenticated_ciphers",
        kind="aead",
        sizes=(None, "KEY_SIZE", "NONCE_SIZE", None, "TAG_SIZE"),
        context="STATE_SIZE",
        defined="ProcessPlaintext",
        calls=_aead_calls,
        vector=_aead_vector,
        primitive=lambda sizes: {
            "key_bytes": sizes["KEY_SIZE"],
            "iv_bytes": sizes["NONCE_SIZE"],
            "tag_bytes": sizes["TAG_SIZE"],
        },
        common=("tag_verification.c",),
        zeroed=True,
    ),
    _Area(
        folder="block_ciphers",
        kind="block",
        sizes=("BLOCK_SIZE", "KEY_SIZE"),
        context="ROUND_KEYS_SIZE",
        defined="Encrypt",
        calls=_block_calls,
        vector=_block_vector,
        primitive=lambda sizes: {"block_bytes": sizes["BLOCK_SIZE"], "key_bytes": sizes["KEY_SIZE"]},
        modes={
            "cbc": InMode(
                sources=tuple(f"{_BLOCKS}/scenario1/{way}crypt_scenario1.c" for way in ("en", "de")),
                defines={"SCENARIO": 1},
            ),
            "ctr": InMode(sources=(f"{_BLOCKS}/scenario2/encrypt_scenario2.c",), defines={"SCENARIO": 2}),
        },
    ),
    _Area(
        folder="hash_functions",
        kind="hash",
        sizes=("BLOCK_SIZE", None, "DIGEST_SIZE"),
        context="STATE_SIZE",
        defined="Update",
        calls=_hash_calls,
        vector=_hash_vector,
        primitive=lambda sizes: {"block_bytes": sizes["BLOCK_SIZE"], "digest_bytes": sizes["DIGEST_SIZE"]},
        zeroed=True,
    ),
    _Area(
        folder="stream_ciphers",
        kind="stream",
        sizes=(None, "KEY_SIZE", "IV_SIZE"),
        context="STATE_SIZE",
        defined="Encrypt",
        calls=_stream_calls,
        vector=_stream_vector,
        primitive=lambda sizes: {"key_bytes": sizes["KEY_SIZE"], "iv_bytes": sizes["IV_SIZE"]},
    ),
)
