"""Build one image: compile each object once, link, size; everything by content-addressed cache."""

from __future__ import annotations

import json
import subprocess
import tempfile
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from itertools import chain
from pathlib import Path

from jinja2 import Environment, StrictUndefined

from steelyard.catalog.models import Footprint, Kind, Memory, Mode, Primitive, Target, Variant
from steelyard.data import data_root
from steelyard.errors import EnvironmentProblem, SteelyardError, UsageError
from steelyard.store.cache import Cache, content_key
from steelyard.toolchain.compilers import Toolchain, compiler_environment
from steelyard.toolchain.family import families
from steelyard.toolchain.flags import check_flags
from steelyard.toolchain.sizes import Sizes, chip_memory, defined_symbols, does_not_fit, image_sizes
from steelyard.toolchain.sources import Closure, Readings, SourceTree

# Goes into every key: to be raised when this module builds another image from the same inputs.
_BUILD_VERSION = "1"

_OUTPUT_LIMIT_CHARACTERS = 200_000


@dataclass(frozen=True)
class Build:
    """What to build. `flags` are the compiler's, such as ("-Os",); `mode` is for block ciphers only."""

    kind: Kind
    variant: Variant
    primitive: Primitive
    mode: Mode | None
    target: Target
    toolchain: Toolchain
    flags: tuple[str, ...]
    footprint: Footprint
    parts: tuple[Variant, ...] = ()
    """The variants of the primitive's parts, in their order."""


@dataclass(frozen=True)
class BuildResult:
    """An image, its sizes and its origin. `commands` are those that made it, without folders of this machine.

    `does_not_fit` says by how much the image is too large for the chip; such an image must not be run.
    """

    elf: bytes = field(repr=False)
    key: str
    sizes: Sizes
    source_hash: str
    toolchain: str
    toolchain_version: str
    flags: tuple[str, ...]
    commands: tuple[str, ...]
    does_not_fit: str | None


class BuildFailed(SteelyardError):
    """The compiler or linker refused; `text` is all that it said and `command` what was run."""

    def __init__(self, message: str, command: str, text: str) -> None:
        super().__init__(message)
        self.command = command
        self.text = text


@dataclass(frozen=True)
class _Unit:
    """One object to be: its name says who owns its bytes."""

    name: str
    source: str
    tree: SourceTree
    defines: tuple[str, ...]
    flags: tuple[str, ...]

    @property
    def arguments(self) -> tuple[str, ...]:
        include = tuple(f"-I{folder}" for folder in self.tree.include)
        return (*self.flags, *self.defines, *include, "-c", self.source, "-o", self.name)


def build(request: Build, cache: Cache | None = None, readings: Readings | None = None) -> BuildResult:
    """Build an image, or take it from the cache; safe to call from several threads and processes.

    Builds that share `readings` take each source as it was when the first of them read it.
    BuildFailed where the compiler refuses, UsageError for flags or a combination that cannot be built,
    EnvironmentProblem where the toolchain is missing or the disk full.
    """
    return _Builder(request, cache or Cache(), readings or Readings()).run()


def image_roots(request: Build) -> tuple[str, ...]:
    """The functions that the footprint keeps in the image; see ARCHITECTURE.md, "An image"."""
    if request.kind == "stream":
        return ("stream_init", "stream_crypt")
    if request.kind == "hash":
        return ("hash_digest",)
    if request.kind == "mac":
        return ("mac_init", "mac_compute")
    if request.kind == "aead":
        operations = {"encrypt": ("seal",), "decrypt": ("open",), "both": ("seal", "open")}
        return ("aead_init", *(f"aead_{operation}" for operation in operations[request.footprint]))
    if request.kind == "signature":
        return _signature_roots(request)
    prefix = "block" if request.mode is None else "mode"
    backwards = "decrypt" if request.mode is None else request.mode.file.decrypts_with
    roots: list[str] = []
    if request.footprint != "decrypt" or not (request.variant.file.init_decrypt and backwards == "decrypt"):
        roots.append("block_init")
    if request.footprint != "decrypt":
        roots.append(f"{prefix}_encrypt")
    if request.footprint != "encrypt":
        if request.variant.file.init_decrypt and backwards == "decrypt":
            roots.append("block_init_decrypt")
        roots.append(f"{prefix}_decrypt")
    return tuple(roots)


def _signature_roots(request: Build) -> tuple[str, ...]:
    roots: dict[str, tuple[str, ...]] = {
        "sign": ("signature_init", "signature_sign"),
        "verify": ("signature_verify",),
    }
    if request.primitive.overhead_bytes:
        roots |= {"encrypt": ("pke_encrypt",), "decrypt": ("pke_decrypt",)}
    return roots.get(request.footprint) or tuple(chain.from_iterable(roots.values()))


def _kept(request: Build) -> tuple[str, ...]:
    """All that the linker must not drop; a context only where a function of the image takes one."""
    needless = request.kind == "signature" and request.footprint not in ("sign", "both")
    return (*image_roots(request), "harness_ready", *(() if needless else ("harness_context",)))


@dataclass(frozen=True)
class _Object:
    """A unit with all that its compilation reads, and the key of the result."""

    unit: _Unit
    closure: Closure
    key: str


class _Builder:
    def __init__(self, request: Build, cache: Cache, readings: Readings) -> None:
        _check(request)
        self._request = request
        self._cache = cache
        self._readings = readings
        self._installed = request.toolchain.require()
        self._programs = self._installed.programs
        self._family = families()[request.toolchain.family]
        self._facts = self._family.toolchain[request.toolchain.id]
        self._chip = request.target.file.toolchain[request.toolchain.id]
        self._root = data_root()

    def run(self) -> BuildResult:
        objects = [self._keyed(unit) for unit in self._units()]
        support, support_key = self._support()
        script = self._linker_script()
        link = self._link_command([one.unit.name for one in objects])
        key = content_key(
            _BUILD_VERSION,
            self._installed.identity,
            script,
            self._programs.shown(link),
            *(one.key for one in objects),
            support_key,
        )
        stored = self._cache.get("image", key)
        if stored is None:
            files = {one.unit.name: self._object(one) for one in objects}
            files["libsupport.a"] = self._support_archive(support, support_key)
            stored = _pack(*self._link(link, {**files, "link.ld": script.encode()}))
            self._cache.put("image", key, stored)
        elf, sizes = _unpack(stored)
        compile_commands = ([*self._programs.compile, *one.unit.arguments] for one in objects)
        return BuildResult(
            elf=elf,
            key=key,
            sizes=sizes,
            source_hash=self._source_hash(objects),
            toolchain=self._request.toolchain.id,
            toolchain_version=self._installed.version,
            flags=self._request.flags,
            commands=tuple(self._programs.shown(command) for command in (*compile_commands, link)),
            does_not_fit=does_not_fit(sizes, self._request.target),
        )

    def _keyed(self, unit: _Unit) -> _Object:
        closure = self._readings.closure(unit.tree, unit.source)
        key = content_key(_BUILD_VERSION, self._installed.identity, *unit.arguments, closure.digest)
        return _Object(unit, closure, key)

    def _support(self) -> tuple[list[_Object], str]:
        """The objects of the support library and the key of its archive, alike for all builds for a chip."""

        def keyed() -> tuple[list[_Object], str]:
            objects = [self._keyed(unit) for unit in self._support_units()]
            return objects, content_key(*(one.key for one in objects))

        chip = (self._request.toolchain.family, self._request.toolchain.id, self._chip.compile)
        return self._readings.once(("support", self._installed.identity, *chip), keyed)

    def _source_hash(self, objects: Sequence[_Object]) -> str:
        measured = [one for one in objects if one.unit.name.startswith(("own_", "mode_"))]
        return content_key(*(one.closure.digest for one in measured), *self._defines())

    def _units(self) -> Iterator[_Unit]:
        request = self._request
        flags = (*self._facts.compile, *self._chip.compile, *request.flags)
        variant_folder = f"own/{request.variant.folder.name}"
        parts = [
            (f"part{number}", variant, part.primitive)
            for number, (variant, part) in enumerate(zip(request.parts, request.primitive.parts, strict=True))
        ]
        mounts = {
            "own": str(request.variant.folder.parent),
            **{name: str(variant.folder.parent) for name, variant, _ in parts},
            "include": f"{self._root}/primitives/include",
            "libc": f"{self._root}/firmware/include",
            "mode": f"{self._root}/modes",
            "firmware": f"{self._root}/firmware",
        }
        part_folders = [f"{name}/{variant.folder.name}" for name, variant, _ in parts]
        tree = SourceTree(mounts, (variant_folder, *part_folders, "include", "libc"))
        defines = self._defines()

        def unit(owner: str, source: str, *more: str) -> _Unit:
            stem = source.partition("/")[2].replace("/", "_").replace(".", "_")
            return _Unit(f"{owner}_{stem}.o", source, tree, (*defines, *more), flags)

        for source in request.variant.file.sources:
            yield unit("own", f"{variant_folder}/{source}")
        for folder, (_, variant, primitive) in zip(part_folders, parts, strict=True):
            part_tree = SourceTree(mounts, (folder, "include", "libc"))
            for source in variant.file.sources:
                stem = f"{folder}/{source}".replace("/", "_").replace(".", "_")
                macros = _options(primitive.macros)
                yield _Unit(f"own_{stem}.o", f"{folder}/{source}", part_tree, macros, flags)
        if request.mode is not None:
            for source in request.mode.file.sources:
                yield unit("mode", f"mode/{request.mode.id}/{source}")
        glue = {"hash": "digest", "mac": "mac"}.get(request.kind)
        if glue is not None:
            for path in sorted((self._root / "modes" / glue).glob("*.c")):
                yield unit("mode", f"mode/{glue}/{path.name}")
        for source in self._family.harness:
            kind = request.kind
            yield unit(
                "harness",
                f"firmware/{source}",
                f"-DHARNESS_CONTEXT={kind}_context",
                *((f"-DHARNESS_{kind.upper()}",) if kind in ("mac", "aead", "signature") else ()),
            )

    def _support_units(self) -> Iterator[_Unit]:
        flags = (*self._facts.compile, *self._chip.compile, *self._family.support_flags)
        tree = SourceTree({"firmware": f"{self._root}/firmware"}, ("firmware/include",))
        for source in self._facts.support:
            yield _Unit(f"support_{Path(source).stem}.o", f"firmware/{source}", tree, (), flags)

    def _defines(self) -> tuple[str, ...]:
        inverse = any(variant.file.init_decrypt for variant in self._request.parts)
        apart = {"PART_INIT_DECRYPT": 1} if inverse else {}
        return _options({**self._request.primitive.macros, **apart})

    def _linker_script(self) -> str:
        memory = self._request.target.file.memory
        window = next((m for m in memory if m.kind == "flash-window"), None)
        template = (self._root / "firmware" / self._family.linker_script).read_text("utf-8")
        flash, ram = (chip_memory(self._request.target, kind) for kind in ("flash", "ram"))
        return _linker_script(template, flash, ram, window)

    def _object(self, one: _Object) -> bytes:
        with _one_at_a_time(one.key):
            stored = self._cache.get("object", one.key)
            if stored is None:
                stored = self._run(
                    [*self._programs.compile, *one.unit.arguments],
                    {name: file.content for name, file in one.closure.files.items()},
                    one.unit.name,
                    f"{one.unit.source.partition('/')[2]} does not compile",
                )
                self._cache.put("object", one.key, stored)
        return stored

    def _support_archive(self, support: Sequence[_Object], key: str) -> bytes:
        with _one_at_a_time(key):
            stored = self._cache.get("archive", key)
            if stored is None:
                members = {one.unit.name: self._object(one) for one in support}
                command = [*self._programs.archive, "rcsD", "libsupport.a", *members]
                stored = self._run(
                    command, members, "libsupport.a", "the support routines cannot be archived"
                )
                self._cache.put("archive", key, stored)
        return stored

    def _link_command(self, objects: Sequence[str]) -> list[str]:
        options = ["--gc-sections", "--orphan-handling=error"]
        for root in _kept(self._request):
            options += ["-u", root]
        files = [*objects, "--start-group", "libsupport.a", *self._facts.libraries, "--end-group"]
        if self._programs.links_by_driver:
            options = [f"-Wl,{option}" for option in options]
            files = [f"-Wl,{name}" if name.startswith("--") else name for name in files]
        flags = (*self._facts.link, *self._chip.link)
        return [*self._programs.link, *flags, *options, "-T", "link.ld", *files, "-o", "image.elf"]

    def _link(self, command: list[str], inputs: Mapping[str, bytes]) -> tuple[bytes, Sizes]:
        try:
            elf = self._run(command, inputs, "image.elf", "the image does not link")
        except BuildFailed:
            # Code beyond the reach of a chip's jumps cannot be linked; its size can still be told.
            beyond = self._too_large(command, inputs)
            if beyond is None:
                raise
            elf = beyond
        missing = sorted(set(image_roots(self._request)) - defined_symbols(elf))
        if missing:
            raise BuildFailed(
                f"{self._request.variant.id} does not define {', '.join(missing)}.",
                self._programs.shown(command),
                "",
            )
        return elf, image_sizes(elf)

    def _too_large(self, command: list[str], inputs: Mapping[str, bytes]) -> bytes | None:
        option = "-Wl,--noinhibit-exec" if self._programs.links_by_driver else "--noinhibit-exec"
        try:
            elf = self._run([*command, option], inputs, "image.elf", "")
            sizes = image_sizes(elf)
        except (BuildFailed, ValueError):
            return None
        return elf if does_not_fit(sizes, self._request.target) else None

    def _run(self, command: list[str], files: Mapping[str, bytes], output: str, problem: str) -> bytes:
        """Run a command in a folder that holds these files alone; the bytes of the file it makes."""
        try:
            with tempfile.TemporaryDirectory(prefix="steelyard-") as folder:
                for name, content in files.items():
                    path = Path(folder, name)
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(content)
                done = subprocess.run(
                    command,
                    cwd=folder,
                    env=compiler_environment() | {"TMPDIR": folder},
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    text=True,
                    errors="replace",
                    check=False,
                )
                made = Path(folder, output)
                if done.returncode == 0 and made.is_file():
                    return made.read_bytes()
        except OSError as error:
            raise EnvironmentProblem(
                f"{Path(command[0]).name} cannot be run in the temporary folder: {error.strerror}."
            ) from error
        text = (done.stdout + done.stderr)[:_OUTPUT_LIMIT_CHARACTERS]
        first = next((line for line in text.splitlines() if "error" in line), "no reason given").strip()
        raise BuildFailed(
            f"{self._request.variant.id}: {problem}: {first}", self._programs.shown(command), text
        )


def _options(macros: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(f"-D{name}={value}" for name, value in macros.items())


def _check(request: Build) -> None:
    check_flags(request.flags)
    if request.toolchain.family != request.target.file.family:
        raise UsageError(
            f"Toolchain {request.toolchain.id} of {request.toolchain.family} has no {request.target.id}."
        )
    if request.toolchain.id not in request.target.file.toolchain:
        raise UsageError(f"Target {request.target.id} has no flags for toolchain {request.toolchain.id}.")
    if request.mode is not None and request.kind != "block":
        raise UsageError(
            f"Mode {request.mode.id} is for block ciphers; {request.primitive.id} is a {request.kind}."
        )
    if not request.variant.does(request.primitive.id):
        raise UsageError(f"Variant {request.variant.id} does not implement {request.primitive.id}.")
    families_named = request.variant.file.families
    if families_named is not None and request.target.file.family not in families_named:
        raise UsageError(f"Variant {request.variant.id} does not assemble for {request.target.file.family}.")


@lru_cache(maxsize=64)
def _linker_script(template: str, flash: Memory, ram: Memory, window: Memory | None) -> str:
    environment = Environment(undefined=StrictUndefined, autoescape=False, keep_trailing_newline=True)
    return environment.from_string(template).render(flash=flash, ram=ram, window=window)


def _pack(elf: bytes, sizes: Sizes) -> bytes:
    return json.dumps(asdict(sizes)).encode() + b"\n" + elf


def _unpack(stored: bytes) -> tuple[bytes, Sizes]:
    head, _, elf = stored.partition(b"\n")
    return elf, Sizes(**json.loads(head))


_locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)


def _one_at_a_time(key: str) -> threading.Lock:
    """Threads of one process that want the same entry wait for the first, instead of making it again."""
    return _locks[key]
