"""Measure the libraries of a device in the same cells as Steelyard's own code."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from itertools import chain
from typing import Any

from steelyard.cache.content import Cache
from steelyard.catalog.models import Algorithm
from steelyard.errors import UsageError
from steelyard.linux.build import ProgramBuild, build_program
from steelyard.linux.device.agent import AgentRefused
from steelyard.linux.device.connect import Reached
from steelyard.linux.hosts import Host
from steelyard.linux.libraries import DERIVE, OPERATIONS, Library, LibraryAlgorithm
from steelyard.linux.measure.asking import Asking, HostRules, collected
from steelyard.linux.measure.message import message, shown
from steelyard.linux.measure.plan import HostCell, HostPlan
from steelyard.linux.measure.question import Asked, Question, question
from steelyard.linux.measure.reply import device_fields, without_figures
from steelyard.measure.run import RunResult
from steelyard.oracle import sm2
from steelyard.record.schema import Record, complete

OWN = "own"
"""Name of Steelyard's own code where libraries are named."""

DERIVE_ITERATIONS = 1000
DERIVE_SALT_BYTES = 16
DERIVE_KEY_BYTES = 32
"""Parameters of the measured PBKDF2: iterations, salt, and length of the derived key."""

_CCM_LIMIT_BYTES = 1 << 16
"""Limit of messages under a nonce of 13 bytes (RFC 3610)."""


@dataclass(frozen=True)
class LibraryCell:
    """A cell of a library; `gap` is the reason if it is known beforehand to have no figure.

    `instructions` is what the library may use of its CPU: `any`, or `baseline`, what every CPU of its kind
    has.
    """

    library: Library
    instructions: str
    algorithm: Algorithm
    asked: Asked
    entry: LibraryAlgorithm | None = field(repr=False)
    name: str | None
    threads: int = 1
    pieces: str | None = None
    gap: str | None = None

    @property
    def settings(self) -> str | None:
        """Settings in its record beside the cell itself."""
        words = ["instructions=baseline"] if self.instructions == "baseline" else []
        if self.asked.operation == DERIVE:
            words.append(f"iterations={DERIVE_ITERATIONS} salt_bytes={DERIVE_SALT_BYTES}")
        return " ".join(words) or None


@dataclass
class LibraryPlan:
    """Cells by library, and the number of combinations left out for each reason."""

    cells: list[LibraryCell] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)

    def programs(self) -> Iterator[list[LibraryCell]]:
        """Yield the cells of one running program, program by program; each loads one library once."""
        groups: dict[tuple[str, str], list[LibraryCell]] = {}
        for cell in self.cells:
            groups.setdefault((cell.library.id, cell.instructions), []).append(cell)
        yield from groups.values()


def make_library_plan(
    plan: HostPlan, libraries: Iterable[Library], instructions: Sequence[str] = ("any",)
) -> LibraryPlan:
    """Return each library's cells: those of Steelyard's own code, each once whatever its variant."""
    made = LibraryPlan()
    wanted = {_identity(cell): cell for cell in plan.cells}
    for library in libraries:
        for how in instructions:
            if how == "baseline" and not library.file.baseline:
                made.skipped[f"{library.file.title} chooses its instructions itself (--instructions)"] += 1
                continue
            for cell in wanted.values():
                asked = cell.asked
                if asked.operation not in OPERATIONS[asked.kind]:
                    made.skipped[f"libraries have no operation {asked.operation} for themselves"] += 1
                elif asked.kind == "block" and asked.mode is None and asked.operation != "init":
                    made.skipped["libraries take block ciphers in a mode of operation (choose a --mode)"] += 1
                else:
                    made.cells.append(_cell(library, how, cell))
    return made


def derive_cells(
    hmac: Algorithm,
    patterns: Sequence[str],
    libraries: Iterable[Library],
    instructions: Sequence[str] = ("any",),
) -> Iterator[LibraryCell]:
    """Return PBKDF2 in each library, over each HMAC that it has and that fits a pattern (all without one)."""
    listed = list(libraries)
    known = dict.fromkeys(one.primitive for library in listed for one in library.file.derivation)
    for name in known:
        if patterns and not any(fnmatchcase(name, pattern) for pattern in patterns):
            continue
        asked = Asked("mac", hmac.primitive(name), hmac.id, None, False, DERIVE, DERIVE_KEY_BYTES)
        for library in listed:
            for how in instructions:
                if how == "any" or library.file.baseline:
                    found = library.derivation(name)
                    gap = None if found else f"{library.file.title} has no PBKDF2 over {name}"
                    named = found.name if found else None
                    yield LibraryCell(library, how, hmac, asked, None, named, gap=gap)


def _identity(cell: HostCell) -> tuple[object, ...]:
    """Return the identity of a cell, independent of the implementation."""
    mode = cell.mode.id if cell.mode is not None else None
    lengths = (cell.message_bytes, cell.padding, cell.ad_bytes)
    return cell.primitive.id, mode, cell.operation, *lengths, cell.threads


def _cell(library: Library, how: str, own: HostCell) -> LibraryCell:
    asked = own.asked
    primitive = asked.primitive
    entry = library.find(primitive.id, asked.mode)
    mode = asked.mode
    if entry is None:
        gap: str | None = library.gap(primitive.id, asked.mode)
    elif asked.operation not in (entry.operations or OPERATIONS[asked.kind]):
        gap = f"{library.file.title} has no {asked.operation} of {primitive.id}"
    elif entry.aead == "ccm" and asked.plain_bytes >= _CCM_LIMIT_BYTES:
        gap = f"under a nonce of 13 bytes a message of {primitive.id} has less than {_CCM_LIMIT_BYTES} bytes"
    else:
        gap = None
    if entry is not None and asked.kind == "block" and mode is None:
        # A set-up goes with no mode in records; a library wants one.
        mode = entry.modes[0]
    name = entry.name_in(mode) if entry is not None else None
    return LibraryCell(library, how, own.algorithm, asked, entry, name, own.threads, own.pieces, gap)


def run_library_plan(
    plan: LibraryPlan, reached: Reached, rules: HostRules, sink: Callable[[Record], None]
) -> RunResult:
    """Measure all cells like `run_host_plan`; gaps become records with a reason."""
    with closing(Asking(reached.device, rules)) as asking:
        run = _Run(reached, rules, plan.skipped, asking)
        return collected(chain.from_iterable(map(run.program, plan.programs())), sink)


def library_program(host: Host) -> ProgramBuild:
    """Return the build request of the program that loads a device's libraries."""
    more = ("openssl.c", "gcrypt.c", "af_alg.c")
    return ProgramBuild(host, "libraries.c", dynamic=True, libraries=("dl", "pthread", "rt"), more=more)


class _Run:
    def __init__(self, reached: Reached, rules: HostRules, skipped: Counter[str], asking: Asking) -> None:
        self._reached = reached
        self._rules = rules
        self._skipped = skipped
        self._cache = Cache()
        self._asking = asking
        self._path: str | None = None
        self._refused: str | None = None

    def program(self, cells: Sequence[LibraryCell]) -> Iterator[Record]:
        """Yield the records of one library."""
        try:
            for cell in cells:
                outcome = self._outcome(cell)
                if outcome is not None:
                    yield self._record(cell, outcome)
        finally:
            self._asking.close()

    def _outcome(self, cell: LibraryCell) -> Record | None:
        gap = cell.gap or self._refused
        if gap is not None:
            return {"status": "unsupported", "error": f"{gap.rstrip('.')}."}
        try:
            asked = library_question(cell, self._rules.seed, self._cache)
        except UsageError as error:
            self._skipped[str(error)] += 1
            return None
        who = f"{cell.library.file.title}, {cell.name}"
        message_bytes = cell.asked.message_bytes if cell.asked.operation != DERIVE else None
        try:
            return self._asking.outcome(self._put(), who, asked, library_words(cell), message_bytes)
        except AgentRefused as error:
            self._refused = (
                f"{str(error).rstrip('.')}; libraries need the device's own C library and loader,"
                " Steelyard's own code does not"
            )
            return self._outcome(cell)

    def _put(self) -> str:
        """Return the path of the program on the device."""
        if self._path is None:
            program = build_program(library_program(self._reached.host), self._cache)
            self._path = self._reached.device.put(f"libraries-{program.key[:16]}", program.elf)
        return self._path

    def _record(self, cell: LibraryCell, outcome: Record) -> Record:
        asked = cell.asked
        record = complete(
            {
                **device_fields(self._reached),
                "library": cell.library.id,
                "kind": asked.kind,
                "primitive": asked.primitive.id,
                "symbol": cell.name,
                "operation": asked.operation,
                "mode": asked.mode,
                "padding": asked.padding,
                "message_bytes": asked.message_bytes,
                "ad_bytes": asked.ad_bytes,
                "threads": cell.threads,
                "settings": cell.settings,
                "security": asked.primitive.security,
                "samples": 1,
                "input_seed": self._rules.seed,
                "verified": False,
                **outcome,
            }
        )
        return record if record["status"] == "ok" else without_figures(record)


# Questions


def library_words(cell: LibraryCell) -> dict[str, str | int]:
    """Return the words of the program's request beside the question; see firmware/linux/libraries.c."""
    primitive, entry = cell.asked.primitive, cell.entry
    words: dict[str, str | int] = {
        "library": cell.library.id,
        "instructions": cell.instructions,
        "kind": "kdf" if cell.asked.operation == DERIVE else cell.asked.kind,
        "name": cell.name or "",
        "threads": cell.threads,
        "block_bytes": primitive.block_bytes,
    }
    if cell.asked.operation == DERIVE:
        return {**words, "iterations": DERIVE_ITERATIONS}
    assert entry is not None
    mode = entry.aead or cell.asked.mode or (entry.modes[0] if entry.modes else None)
    if mode is not None:
        words["mode"] = mode
    if cell.pieces is not None:
        words["pieces"] = cell.pieces
    if primitive.tag_bytes:
        words["tag_bytes"] = primitive.tag_bytes
    if entry.any_length:
        words["digest_bytes"] = primitive.digest_bytes
    if entry.effective_bits:
        words["effective_bits"] = 8 * primitive.key_bytes
    if entry.rekey:
        words["rekey"] = 1
    return words


def library_question(cell: LibraryCell, seed: str, cache: Cache) -> Question:
    """Return the question of `question` in the library's own order of key and IV."""
    if cell.asked.operation == DERIVE:
        return _derive_question(cell.asked, seed)
    assert cell.entry is not None
    if cell.asked.kind == "signature":
        return SignatureQuestion.of(cell.asked, cell.entry, seed, cache)
    asked = cell.asked
    if asked.kind == "block" and asked.mode is None:
        # What shows whether a set-up was right is a block in the mode that the library wants.
        mode = cell.entry.modes[0]
        asked = replace(asked, mode=mode, uses_iv=mode != "ecb")
    plain = question(asked, seed, cache)
    key, iv = bytes.fromhex(str(plain.words["key"])), str(plain.words["iv"])
    told = {"key": cell.entry.key(key).hex(), "iv": f"{cell.entry.iv_before}{iv}" if iv else ""}
    if not told["key"]:
        del told["key"]
    return TranslatedQuestion(plain, {**plain.words, **told})


@dataclass(frozen=True)
class TranslatedQuestion(Question):
    """A question in a library's own order of key and IV; the answers are unchanged."""

    plain_question: Question = field(repr=False, default=Question({}, {}, ""))

    def __init__(self, asked: Question, words: Mapping[str, str | int]) -> None:
        super().__init__(words, asked.answers, asked.by, asked.plain, asked.parts, asked.asked)
        object.__setattr__(self, "plain_question", asked)

    def wrong(self, reply: Mapping[str, Any]) -> str | None:
        """Implement `Question.wrong` with the key and IV in the usual order."""
        return self.plain_question.wrong(reply)


def _derive_question(asked: Asked, seed: str) -> Question:
    label = f"{seed}|host|{asked.primitive.id}|{DERIVE}"

    def draw(what: str, count: int) -> bytes:
        return hashlib.shake_256(f"{label}|{what}".encode()).digest(count)

    password, salt = draw("password", asked.primitive.key_bytes), draw("salt", DERIVE_SALT_BYTES)
    hash_name = asked.primitive.id.removeprefix("hmac-").replace("sha-", "sha")
    derived = hashlib.pbkdf2_hmac(hash_name, password, salt, DERIVE_ITERATIONS, asked.plain_bytes)
    words: dict[str, str | int] = {
        "operation": DERIVE,
        "bytes": asked.plain_bytes,
        "key": password.hex(),
        "iv": salt.hex(),
    }
    return Question(words, {"output": shown(derived)}, "hashlib.pbkdf2_hmac")


@dataclass(frozen=True)
class SignatureQuestion(Question):
    """SM2 by a library, which draws its own nonces: its outputs are verified, not compared."""

    entry: LibraryAlgorithm | None = field(repr=False, default=None)
    operation: str = ""

    @staticmethod
    def of(asked: Asked, entry: LibraryAlgorithm, seed: str, cache: Cache) -> SignatureQuestion:
        """Return the question of a cell; the second implementation makes its input."""
        made = question(asked, seed, cache)
        words, plain = dict(made.words), made.plain
        key, nonce = (bytes.fromhex(str(words[name])) for name in ("key", "iv"))
        public_key = bytes.fromhex(str(words["public_key"]))
        digest_or_text = message(int(made.words["bytes"]), int(made.words["seed"]))
        words |= {"iv": "", "input": digest_or_text.hex()}
        answers = {}
        if asked.operation == "verify":
            words["ad"] = _signature_bytes(entry, sm2.sign(key, nonce, digest_or_text)).hex()
            answers = {"output": ""}
        elif asked.operation == "decrypt":
            sealed = sm2.encrypt(public_key, nonce, digest_or_text)
            words["input"] = _ciphertext_bytes(entry, sealed).hex()
            answers = {"output": shown(digest_or_text)}
        return SignatureQuestion(
            words, answers, made.by, digest_or_text or plain, entry=entry, operation=asked.operation
        )

    def wrong(self, reply: Mapping[str, Any]) -> str | None:
        """Implement `Question.wrong`: a signature is verified, a ciphertext decrypted, independently."""
        if self.operation not in ("sign", "encrypt"):
            return super().wrong(reply)
        assert self.entry is not None
        try:
            output = bytes.fromhex(str(reply.get("output")))
            numbers = _numbers(output) if self.entry.encoding == "der" else None
            if self.operation == "sign":
                signature = b"".join(n.rjust(32, b"\0") for n in numbers) if numbers else output
                public_key = bytes.fromhex(str(self.words["public_key"]))
                right = sm2.verify(public_key, signature, self.plain)
            else:
                if numbers:
                    x, y, digest, text = numbers
                    output = b"\4" + x.rjust(32, b"\0") + y.rjust(32, b"\0") + digest + text
                right = sm2.decrypt(bytes.fromhex(str(self.words["key"])), output) == self.plain
        except (ValueError, IndexError):
            right = False
        return None if right else f"the output of {self.operation} is not right ({self.by})."


# Numbers in DER (X.690): what OpenSSL makes of signatures and public-key ciphertexts


def _signature_bytes(entry: LibraryAlgorithm, signature: bytes) -> bytes:
    if entry.encoding != "der":
        return signature
    return _element(0x30, _integer(signature[:32]) + _integer(signature[32:]))


def _ciphertext_bytes(entry: LibraryAlgorithm, sealed: bytes) -> bytes:
    if entry.encoding != "der":
        return sealed
    point = _integer(sealed[1:33]) + _integer(sealed[33:65])
    return _element(0x30, point + _element(4, sealed[65:97]) + _element(4, sealed[97:]))


def _integer(number: bytes) -> bytes:
    digits = number.lstrip(b"\0") or b"\0"
    return _element(2, (b"\0" if digits[0] & 0x80 else b"") + digits)


def _element(tag: int, content: bytes) -> bytes:
    count = len(content)
    if count < 0x80:
        return bytes([tag, count]) + content
    digits = count.to_bytes((count.bit_length() + 7) // 8)
    return bytes([tag, 0x80 | len(digits)]) + digits + content


def _numbers(sequence: bytes) -> list[bytes]:
    """Return the contents of a sequence's elements, integers without a leading zero."""
    tag, content, rest = _first(sequence)
    if tag != 0x30 or rest:
        raise ValueError("no sequence")
    found = []
    while content:
        tag, one, content = _first(content)
        found.append(one.lstrip(b"\0") if tag == 2 else one)
    return found


def _first(data: bytes) -> tuple[int, bytes, bytes]:
    """Return tag and content of the first element, and the rest."""
    count, at = data[1], 2
    if count & 0x80:
        at += count & 0x7F
        count = int.from_bytes(data[2:at])
    if at + count > len(data):
        raise ValueError("an element is cut off")
    return data[0], data[at : at + count], data[at + count :]
