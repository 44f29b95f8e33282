"""Build an image: compile each object once, link, measure sizes; a cache keeps every step."""

from __future__ import annotations

import json
import posixpath
import re
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from itertools import chain
from pathlib import Path

from steelyard.cache.content import Cache, content_key
from steelyard.catalog.models import Footprint, ForeignCall, Kind, Memory, Mode, Primitive, Target, Variant
from steelyard.data import data_root
from steelyard.errors import EnvironmentProblem, UsageError
from steelyard.record.origin import code_of
from steelyard.toolchain.compilers import Installed, Toolchain
from steelyard.toolchain.confine import Places
from steelyard.toolchain.dependencies import check_read, first_rules, rules
from steelyard.toolchain.family import families
from steelyard.toolchain.flags import check_flags
from steelyard.toolchain.prebuilt import Entry, Prebuilt, image_name, prebuilt_images
from steelyard.toolchain.run import PRINTED, BuildFailed, run_in_folder
from steelyard.toolchain.scratch import scratch_root
from steelyard.toolchain.sections import with_memory
from steelyard.toolchain.sizes import (
    Sizes,
    chip_memory,
    defined_symbols,
    does_not_fit,
    image_sizes,
    without_prefix,
)
from steelyard.toolchain.sources import Closure, Place, Readings, SourceTree, folder_digest, place
from steelyard.toolchain.units import (
    MEASURED_OWNERS,
    MeasuredSource,
    foreign_tree,
    is_cplusplus,
    measured_macros,
    measured_sources,
    measured_tree,
    object_name,
)

# Goes into every key: to be raised when this module builds another image from the same inputs.
_BUILD_VERSION = "2"

RANDOM_SYMBOLS = (
    *("harness_random_next", "harness_random_begin", "harness_random_end"),
    "harness_random_lap",
)
"""Pointers of the harness to the random bytes of code with an interface of its own, and how often these have
been used up."""

_SECTIONS_VERSION = "sections 1"
_WITH_DIRECTIVES = ("-x", "assembler-with-cpp")
_PREPROCESSED = re.compile(rb"^[ \t]*\#[ \t]*(?:define|undef|include|if|ifdef|ifndef)\b", re.MULTILINE)
"""Directives in a file `.s`, whose name says that it has none; a file system may not tell it from `.S`."""
_HOSTED = ("support/heap.c", "support/hosted.c")
"""What code of others may expect of a C library, beside what every image may have."""
_FOREIGN_FLAGS = ("-std=gnu11", "-w")
# The name of C++17 that all compilers know; no library is behind exceptions, types at run time and guards.
_CPLUSPLUS_FLAGS = (
    *("-std=gnu++1z", "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics", "-fno-use-cxa-atexit"),
)

_CPLUSPLUS_STANDARD = re.compile(r"-std=(?:c|gnu)\+\+[0-9a-z]+")

_DEBUG_FLAGS = {"gcc": "-gdwarf-4", "ziglang": "-gline-tables-only"}
"""By the driver. GCC's lesser levels leave inlined functions out; what clang's greater ones say of variables
changes its code for AVR."""
_DEBUG_OWNERS = (*MEASURED_OWNERS, "support_")
"""What has lines. The start-up code has none: where an image begins at address 0, all else that seems to lie
there was dropped by the linker."""
_DEBUG_SECTIONS = (
    "abbrev addr aranges info line line_str loc loclists ranges rnglists str str_offsets".split()
)

# Where the compiler, and GCC's assembler, list what they read.
_READ, _ASSEMBLED = "read.d", "assembled.d"


@dataclass(frozen=True)
class Build:
    """A build request. `flags` are the compiler's, such as ("-Os",); `mode` is only for block ciphers."""

    kind: Kind
    variant: Variant
    primitive: Primitive
    mode: Mode | None
    target: Target
    toolchain: Toolchain
    flags: tuple[str, ...]
    footprint: Footprint
    parts: tuple[Variant, ...] = ()
    """Variants of the primitive's parts, in the order of the parts."""


@dataclass(frozen=True)
class BuildResult:
    """An image, its sizes and its origin. `commands` are those that made it, without folders of this machine.

    `does_not_fit` says by how much the image is too large for the chip; such an image must not be run.
    `object_flags` holds the options appended to the flags of objects that do not compile without them;
    `prebuilt` images come with Steelyard, for machines without the compiler.
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
    object_flags: Mapping[str, str]
    prebuilt: bool


@dataclass(frozen=True)
class _Unit:
    """An object to be compiled; its name says who owns its bytes."""

    name: str
    source: str
    tree: SourceTree
    defines: tuple[str, ...]
    flags: tuple[str, ...]
    ladder: tuple[tuple[str, ...], ...]

    @property
    def of_others_in_assembly(self) -> bool:
        """Whether its sections are given what their names say (`sections`)."""
        return self.tree.foreign and self.source.endswith((".S", ".s"))

    @property
    def options(self) -> tuple[str, ...]:
        return self.options_with(())

    def options_with(self, more_flags: tuple[str, ...]) -> tuple[str, ...]:
        folders = (f"-I{folder}" for folder in self.tree.include)
        return (*self.flags, *more_flags, *self.defines, *folders)

    def arguments_with(self, more_flags: tuple[str, ...]) -> tuple[str, ...]:
        return (*self.options_with(more_flags), "-c", self.source, "-o", self.name)


def build(
    request: Build,
    cache: Cache | None = None,
    readings: Readings | None = None,
    *,
    debug: bool = False,
) -> BuildResult:
    """Build an image, or take it from the cache; safe to call from several threads and processes.

    Builds that share `readings` use each source as the first of them read it. `debug` adds DWARF to what is
    measured and to the support routines. BuildFailed if the compiler refuses, UsageError for flags or a
    combination that cannot be built, EnvironmentProblem if the toolchain is missing or the disk full.
    """
    return _Builder(request, cache or Cache(), readings or Readings(), debug=debug).run()


def prebuilt_refusal(request: Build, readings: Readings | None = None) -> str | None:
    """Return why a build without a compiler has no prebuilt image, or None if it has one."""
    facts = request.toolchain
    images = prebuilt_images(request.target.id, facts.id)
    need = f"{facts.title} for {facts.family} is not installed (run: {facts.install})"
    if images is None:
        return need
    if images.entry(_name(request)) is None:
        return f"{need}, and no prebuilt image is of this build"
    try:
        entry = _Builder(request, Cache(), readings or Readings()).prebuilt_entry()
    except BuildFailed as refused:
        return str(refused).rstrip(".")
    if entry is None:
        return (
            f"the prebuilt image for {request.target.id} was made from other sources than these,"
            f" so it is refused; {need}"
        )
    return None


def build_identity(request: Build, readings: Readings) -> str:
    """Return a digest of everything from which an image is made, including the code that makes it.

    Builds of one identity have the same image. Builds of two identities may also have the same image:
    `BuildResult.key` tells, but takes longer to compute.
    """
    return _Builder(request, Cache(), readings).identity()


def measured_hash(request: Build, readings: Readings) -> str:
    """Return `BuildResult.source_hash` of a build without building it."""
    return _Builder(request, Cache(), readings).measured_hash()


def sources_of(request: Build, readings: Readings) -> dict[Place, Closure]:
    """Return what a build reads of the catalogue or of code of others, by place; not the support routines."""
    units = _Builder(request, Cache(), readings).measured_units()
    return {place(unit.tree, unit.source): readings.closure(unit.tree, unit.source) for unit in units}


def prebuilt_key(request: Build, version: str) -> str:
    """Return the key of a prebuilt image: a hash of all its inputs and the compiler's version."""
    return _Builder(request, Cache(), Readings(), request.toolchain.without_compiler(version)).key()


def _name(request: Build) -> str:
    mode = request.mode.id if request.mode is not None else None
    return image_name(request.primitive.id, request.variant.id, mode, request.footprint, request.flags)


def image_roots(request: Build) -> tuple[str, ...]:
    """Return the functions that the footprint keeps in the image; see ARCHITECTURE.md, "An image"."""
    if request.variant.is_foreign:
        return _foreign_roots(request)
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


_FOOTPRINT_OPERATIONS: dict[str, frozenset[str]] = {
    "encrypt": frozenset({"encrypt", "seal"}),
    "decrypt": frozenset({"decrypt", "open"}),
}


def _foreign_roots(request: Build) -> tuple[str, ...]:
    """Return the functions of code with an interface of its own, those of the set-up first."""
    calls = foreign_calls(request.variant, request.mode, request.footprint)
    return tuple(dict.fromkeys(call.function for call in calls))


def foreign_calls(variant: Variant, mode: Mode | None, footprint: Footprint) -> tuple[ForeignCall, ...]:
    """Return the calls whose functions an image of code with an interface of its own holds."""
    operations, name = _FOOTPRINT_OPERATIONS.get(footprint), mode.id if mode is not None else None
    chosen = dict.fromkeys(
        call.operation
        for call in variant.file.call
        if not call.operation.startswith("init") and (operations is None or call.operation in operations)
    )
    calls = ((*variant.setup(one, name), *variant.calls(one, name)) for one in chosen)
    return tuple(chain.from_iterable(calls))


def _is_prepared(request: Build) -> bool:
    """Whether the image's code finds what its set-up makes in read-only memory."""
    calls = foreign_calls(request.variant, request.mode, request.footprint)
    return any(call.prepared for call in calls)


def _signature_roots(request: Build) -> tuple[str, ...]:
    roots: dict[str, tuple[str, ...]] = {
        "sign": ("signature_init", "signature_sign"),
        "verify": ("signature_verify",),
    }
    if request.primitive.overhead_bytes:
        roots |= {"encrypt": ("pke_encrypt",), "decrypt": ("pke_decrypt",)}
    return roots.get(request.footprint) or tuple(chain.from_iterable(roots.values()))


def _kept(request: Build) -> tuple[str, ...]:
    """Return all symbols that the linker must keep; a context only if a function of the image takes one."""
    if request.variant.is_foreign:
        file = request.variant.file
        calls = foreign_calls(request.variant, request.mode, request.footprint)
        context = ("harness_context",) if any("context" in call.arguments for call in calls) else ()
        random = RANDOM_SYMBOLS if file.random is not None else ()
        return (*image_roots(request), "harness_ready", *context, *random)
    needless = request.kind == "signature" and request.footprint not in ("sign", "both")
    return (*image_roots(request), "harness_ready", *(() if needless else ("harness_context",)))


@dataclass(frozen=True)
class _Compiled:
    """An object, and the options appended to its flags."""

    content: bytes
    more_flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Image:
    elf: bytes
    sizes: Sizes
    object_flags: Mapping[str, str]


@dataclass(frozen=True)
class _Object:
    """A unit with all files that its compilation reads, and the key of the result."""

    unit: _Unit
    closure: Closure
    key: str

    @property
    def opaque(self) -> bool:
        """Whether the assembler may read more than the preprocessor tells."""
        measured = self.unit.name.startswith(MEASURED_OWNERS)
        return measured and (self.unit.source.endswith((".S", ".s")) or self.closure.assembles)


class _Builder:
    """One build; an `installed` compiler may provide only its version, for the key of a prebuilt image."""

    def __init__(
        self,
        request: Build,
        cache: Cache,
        readings: Readings,
        installed: Installed | None = None,
        *,
        debug: bool = False,
    ) -> None:
        _check(request)
        self._debug = debug
        self._request = request
        self._cache = cache
        self._readings = readings
        self._prebuilt: Prebuilt | None = None
        if installed is None and not request.toolchain.available:
            self._prebuilt = prebuilt_images(request.target.id, request.toolchain.id)
            if self._prebuilt is not None:
                installed = request.toolchain.without_compiler(self._prebuilt.toolchain_version)
        self._installed = installed or request.toolchain.require()
        self._programs = self._installed.programs
        self._family = families()[request.toolchain.family]
        self._facts = self._family.toolchain[request.toolchain.id]
        self._chip = request.target.file.toolchain[request.toolchain.id]
        self._root = data_root()

    def run(self) -> BuildResult:
        objects = [self._keyed(unit) for unit in self._units()]
        script = linker_script(self._request.target)
        if self._debug:
            script = _with_debug_sections(script)
        link = self._link_command([one.unit.name for one in objects])
        key = self._key(objects, script, link)
        image = self._taken(key) if self._prebuilt is not None else self._made(key, objects, script, link)
        more = {name: tuple(options.split()) for name, options in image.object_flags.items()}
        compile_commands = (
            [*self._programs.compile, *one.unit.arguments_with(more.get(one.unit.name, ()))]
            for one in objects
        )
        return BuildResult(
            elf=image.elf,
            key=key,
            sizes=image.sizes,
            source_hash=self.measured_hash(),
            toolchain=self._request.toolchain.id,
            toolchain_version=self._installed.version,
            flags=self._request.flags,
            commands=tuple(self._programs.shown(command) for command in (*compile_commands, link)),
            does_not_fit=does_not_fit(image.sizes, self._request.target),
            object_flags=image.object_flags,
            prebuilt=self._prebuilt is not None,
        )

    def identity(self) -> str:
        """Return the build's identity, as `build_identity` defines it."""
        request, chip, once = self._request, self._request.target, self._readings.once
        harness = tuple(unit.source for unit in self._harness_units() if unit.source.endswith(".c"))

        def code() -> str:
            sources = [(one.tree, one.path) for one in measured_sources(request, self._root)]
            sources += [(unit.tree, unit.source) for unit in self._harness_units()]
            described = [request.primitive, request.variant.file, *(part.file for part in request.parts)]
            if request.mode is not None:
                described.append(request.mode.file)
            return content_key(
                *(one.model_dump_json() for one in described),
                repr(request.variant.chosen),
                *(self._readings.closure(*source).digest for source in sources),
            )

        made = (request.variant.id, request.variant.chosen)
        folders = [one.folder for one in (request.variant, *request.parts, request.mode) if one is not None]
        entry = self._prebuilt.entry(_name(request)) if self._prebuilt is not None else None
        return content_key(
            code_of("cache", "catalog", "toolchain"),
            once("firmware", lambda: folder_digest(self._root / "firmware")),
            once(("code", request.kind, request.primitive.id, *made, *folders, harness), code),
            once(("chip", chip.id, chip.file.settings), lambda: content_key(chip.model_dump_json())),
            repr((request.toolchain.id, self._installed.version, self._installed.identity)),
            repr((request.kind, request.flags, request.footprint, entry)),
        )

    def key(self) -> str:
        """Key of the image, kept in the cache for builds of the same identity."""
        identity = self.identity()
        kept = self._cache.get("image-key", identity)
        if kept is not None:
            return kept.decode()
        objects = [self._keyed(unit) for unit in self._units()]
        link = self._link_command([one.unit.name for one in objects])
        key = self._key(objects, linker_script(self._request.target), link)
        self._cache.put("image-key", identity, key.encode())
        return key

    def measured_hash(self) -> str:
        """Return a digest of the sources and macros of what is measured."""
        measured = (unit for unit in self._units() if unit.name.startswith(MEASURED_OWNERS))
        closures = (self._readings.closure(unit.tree, unit.source) for unit in measured)
        return content_key(*(one.digest for one in closures), *measured_macros(self._request))

    def measured_units(self) -> Iterator[_Unit]:
        """Yield the units whose folders hold what is measured."""
        return (unit for unit in self._units() if {"own", "mode"} & unit.tree.mounts.keys())

    def prebuilt_entry(self) -> Entry | None:
        """Return the prebuilt image of this build, if there is one."""
        entry = self._prebuilt.entry(_name(self._request)) if self._prebuilt is not None else None
        return entry if entry is not None and entry.key == self.key() else None

    def _key(self, objects: Sequence[_Object], script: str, link: Sequence[str]) -> str:
        return content_key(
            _BUILD_VERSION,
            self._installed.identity,
            script,
            self._programs.shown(link),
            *(one.key for one in objects),
            self._support()[1],
        )

    def _made(self, key: str, objects: Sequence[_Object], script: str, link: list[str]) -> _Image:
        """Return the image from the cache, or compile and link it."""
        stored = self._cache.get("image", key)
        if stored is None:
            compiled = self._objects(objects)
            files = {name: one.content for name, one in compiled.items()}
            files["libsupport.a"] = self._support_archive(*self._support())
            files["link.ld"] = script.encode()
            elf, sizes = self._link(link, files)
            if _is_prepared(self._request):
                sizes = self._prepared_sizes(link, files)
            flags = {name: " ".join(one.more_flags) for name, one in compiled.items() if one.more_flags}
            stored = _pack(_Image(elf, sizes, flags))
            self._cache.put("image", key, stored)
        return _unpack(stored)

    def _taken(self, key: str) -> _Image:
        """Return the prebuilt image; EnvironmentProblem if there is none of these sources."""
        assert self._prebuilt is not None
        entry = self._prebuilt.entry(_name(self._request))
        if entry is None or entry.key != key:
            raise EnvironmentProblem(f"{prebuilt_refusal(self._request, self._readings)}.")
        elf = self._prebuilt.elf(entry)
        return _Image(elf, image_sizes(elf), entry.object_flags)

    def _keyed(self, unit: _Unit) -> _Object:
        """Return a unit's object. Its key omits macros that no file can name: builds that differ in them
        share it.
        """

        def keyed() -> tuple[Closure, str]:
            closure = self._readings.closure(unit.tree, unit.source)
            # Macros of others need not look like macros.
            foreign = unit.tree.foreign
            named = [option for option in unit.defines if foreign or closure.can_name(_macro(option))]
            include = (f"-I{folder}" for folder in unit.tree.include)
            arguments = (*unit.flags, *named, *include, "-c", unit.source)
            if unit.of_others_in_assembly:
                arguments = (*arguments, _SECTIONS_VERSION)
            ladder = (" ".join(step) for step in unit.ladder)
            return closure, content_key(
                _BUILD_VERSION, self._installed.identity, *arguments, *ladder, closure.digest
            )

        if self._debug and unit.name.startswith(_DEBUG_OWNERS):
            unit = replace(unit, flags=(*unit.flags, _DEBUG_FLAGS[self._facts.driver]))
        same = (self._installed.identity, unit.options, unit.ladder, unit.tree.identity, unit.source)
        return _Object(unit, *self._readings.once(("object", same), keyed))

    def _support(self) -> tuple[list[_Object], str]:
        """Return the objects of the support library and the key of its archive, the same for all builds for a
        chip.
        """

        def keyed() -> tuple[list[_Object], str]:
            objects = [self._keyed(unit) for unit in self._support_units()]
            return objects, content_key(*(one.key for one in objects))

        chip = (self._request.toolchain.family, self._request.toolchain.id, self._chip.compile)
        return self._readings.once(("support", self._installed.identity, self._debug, *chip), keyed)

    def _units(self) -> Iterator[_Unit]:
        request = self._request
        more: tuple[str, ...] = ()
        if request.variant.is_foreign:
            self._check_own_flags()
            own = request.variant.file.defines_for.get(self._request.toolchain.family, {})
            defines = (f"-D{name}={value}" for name, value in own.items())
            more = (*_FOREIGN_FLAGS, *request.variant.file.flags, *defines)
        chosen = check_flags(request.variant.parameter_flags)
        flags = (*self._facts.compile, *self._chip.compile, *request.flags, *chosen, *more)
        for one in measured_sources(request, self._root):
            own_flags = self._own_flags(one, flags) if request.variant.is_foreign else flags
            yield _Unit(one.name, one.path, one.tree, one.macros, own_flags, self._facts.ladder)
        yield from self._harness_units()
        for function in self._led_to():
            macro = (f"-DMSPGCC_FUNCTION={function}",)
            unit = self._plain_unit("call", self._family.mspgcc or "")
            yield replace(unit, name=f"call_mspgcc_{function}.o", defines=macro)

    def _own_flags(self, one: MeasuredSource, flags: tuple[str, ...]) -> tuple[str, ...]:
        """Return the flags of a source of others, by its language."""
        if one.path.endswith(".s"):
            content = self._readings.closure(one.tree, one.path).files[one.path].content
            if _PREPROCESSED.search(content):
                flags = (*_WITH_DIRECTIVES, *flags)
        return _for_language(flags, one.path)

    def _led_to(self) -> tuple[str, ...]:
        """Return the functions in assembly for MSPGCC that C of the mode calls."""
        file = self._request.variant.file
        by_c = self._request.mode is not None and self._request.mode.id in file.in_mode
        return file.mspgcc if by_c and self._family.mspgcc is not None else ()

    def _check_own_flags(self) -> None:
        """BuildFailed for options of code of others that choose more than code."""
        variant = self._request.variant
        try:
            check_flags([flag for flag in variant.file.flags if not _CPLUSPLUS_STANDARD.fullmatch(flag)])
        except UsageError as error:
            raise BuildFailed(f"{variant.id}: field flags: {error}", "", "") from None

    def _harness_units(self) -> Iterator[_Unit]:
        request = self._request
        flags = (*self._facts.compile, *self._chip.compile, *request.flags)
        if request.variant.is_foreign:
            yield from (
                self._plain_unit("harness", source)
                for source in self._family.harness
                if source.endswith(".S")
            )
            yield self._foreign_harness(flags)
            # Objects that pass numbers in different registers do not link.
            convention = tuple(_convention((*request.flags, *request.variant.file.flags)).values())
            yield from (self._plain_unit("support", source, convention) for source in _HOSTED)
            return
        tree, macros = measured_tree(request, self._root), measured_macros(request)
        for source in self._family.harness:
            if source.endswith(".S"):
                yield self._plain_unit("harness", source)
                continue
            path, kind = f"firmware/{source}", request.kind
            more = (
                f"-DHARNESS_CONTEXT={kind}_context",
                *((f"-DHARNESS_{kind.upper()}",) if kind in ("mac", "aead", "signature") else ()),
            )
            name = object_name("harness", path)
            yield _Unit(name, path, tree, (*macros, *more), flags, self._facts.ladder)

    def _foreign_harness(self, flags: tuple[str, ...]) -> _Unit:
        """Return the unit with the context and the random bytes of code with an interface of its own."""
        variant = self._request.variant
        context, random = variant.file.context, variant.file.random
        headers = context.headers if context is not None else ()
        macros = list(measured_macros(self._request))
        if context is not None and context.type is not None:
            macros.append(f"-DHARNESS_CONTEXT_TYPE={context.type}")
        elif context is not None:
            macros.append(f"-DHARNESS_CONTEXT_BYTES=({context.bytes})")
        if _is_prepared(self._request):
            macros.append("-DHARNESS_CONTEXT_PREPARED=1")
        if random is not None:
            macros.append(f"-DHARNESS_RANDOM={random}")
        own = variant.file.defines_for.get(self._request.toolchain.family, {})
        macros += (f"-D{name}={value}" for name, value in own.items())
        forced = (part for header in headers for part in ("-include", header))
        tree, path = foreign_tree(variant, self._root, headers), "firmware/harness/foreign.c"
        options = _for_language((*flags, *_FOREIGN_FLAGS, *variant.file.flags, *forced), path)
        return _Unit(object_name("harness", path), path, tree, tuple(macros), options, self._facts.ladder)

    def _support_units(self) -> Iterator[_Unit]:
        for source in self._facts.support:
            yield self._plain_unit("support", source)

    def _plain_unit(self, owner: str, source: str, more: tuple[str, ...] = ()) -> _Unit:
        """Return a unit that is the same for every measured variant with the same options `more`."""
        flags = (*self._facts.compile, *self._chip.compile, *self._family.support_flags, *more)
        tree = SourceTree({"firmware": f"{self._root}/firmware"}, ("firmware/include",))
        name = f"{owner}_{Path(source).stem}.o"
        return _Unit(name, f"firmware/{source}", tree, (), flags, self._facts.ladder)

    def _objects(self, wanted: Sequence[_Object]) -> dict[str, _Compiled]:
        """Return the objects by name; those that one command can compile are compiled together."""
        groups: list[list[_Object]] = []
        for one in wanted:
            group = next((group for group in groups if self._goes_with(one, group)), None)
            if group is None:
                groups.append([one])
            else:
                group.append(one)
        made: dict[str, _Compiled] = {}
        for group in groups:
            first = group[0].unit
            with _one_at_a_time((self._installed.identity, first.options, first.tree.identity)):
                made |= self._group(group)
        return made

    def _goes_with(self, one: _Object, group: Sequence[_Object]) -> bool:
        """Whether one command can compile an object with others, with the macros of all of them defined."""
        unit, first = one.unit, group[0].unit
        alike = (unit.flags, unit.ladder, unit.tree.identity, unit.source[-2:])
        if (
            one.opaque
            or group[0].opaque
            or alike != (first.flags, first.ladder, first.tree.identity, first.source[-2:])
        ):
            return False
        if any(self._output(one) == self._output(other) for other in group):
            return False
        return all(_apart(one, other) and _apart(other, one) for other in group)

    def _output(self, one: _Object) -> str:
        """Return where a command that compiles several sources leaves the object of this one."""
        path = f"{one.unit.source.rpartition('.')[0]}.o"
        return posixpath.basename(path) if self._programs.driver_takes_many else path

    def _group(self, objects: Sequence[_Object]) -> dict[str, _Compiled]:
        found: dict[str, _Compiled] = {}
        missing = []
        for one in objects:
            stored = self._cache.get("object", one.key)
            if stored is None:
                missing.append(one)
            else:
                more_flags, _, content = stored.partition(b"\n")
                found[one.unit.name] = _Compiled(content, tuple(more_flags.decode().split()))
        for one, made in zip(missing, self._compiled(missing), strict=True):
            self._cache.put("object", one.key, " ".join(made.more_flags).encode() + b"\n" + made.content)
            found[one.unit.name] = made
        return found

    def _compiled(self, objects: Sequence[_Object]) -> list[_Compiled]:
        # A front end starts one process where a driver starts two.
        together = len(objects) > 1 or not self._programs.driver_takes_many
        if objects and together and not objects[0].unit.ladder[0]:
            try:
                return [_Compiled(content) for content in self._compiled_together(objects)]
            except BuildFailed:
                # One by one they tell which of them does not compile, and with what command.
                pass
        return [self._compiled_alone(one) for one in objects]

    def _compiled_alone(self, one: _Object) -> _Compiled:
        """Compile with the first step of the ladder that succeeds; BuildFailed of the first step if none
        does.
        """
        source = one.unit.source
        problem = f"{source.partition('/')[2]} does not compile"
        outputs, telling = [one.unit.name, _READ], ["-MD", "-MF", _READ]
        if source.endswith(".s") and one.unit.flags[:2] != _WITH_DIRECTIVES:
            # Nothing is preprocessed.
            outputs, telling = [one.unit.name], []
        if one.opaque and self._programs.driver_takes_many:
            outputs.append(_ASSEMBLED)
            telling.append(f"-Wa,--MD,{_ASSEMBLED}")
        first: BuildFailed | None = None
        for more_flags in one.unit.ladder:
            command = [*self._programs.compile, *one.unit.arguments_with(more_flags)]
            try:
                made = self._run(command, one.closure.contents, outputs, problem, telling)
                for name, read in zip(outputs[1:], made[1:], strict=True):
                    names = chain.from_iterable(rules(read.decode("utf-8", "replace")))
                    # The assembler also lists what `.file` says; what is not covered is not in the folder.
                    outside = (one for one in names if posixpath.normpath(one).startswith(("/", "..")))
                    self._check_read(one, names if name == _READ else outside)
            except BuildFailed as error:
                first = first or error
            else:
                content = with_memory(made[0]) if one.unit.of_others_in_assembly else made[0]
                return _Compiled(content, more_flags)
        assert first is not None
        raise first

    def _compiled_together(self, objects: Sequence[_Object]) -> list[bytes]:
        """Compile units that go together with one command, which saves start-up time."""
        flags = objects[0].unit.flags
        defines = dict.fromkeys(option for one in objects for option in one.unit.defines)
        options = [*defines, *(f"-I{folder}" for folder in objects[0].unit.tree.include)]
        sources = [one.unit.source for one in objects]
        if self._programs.driver_takes_many:
            command = [*self._programs.compile, *flags, *options, "-c", *sources]
            telling = ["-MD"]
        else:
            front_end = self._readings.once(
                ("front end", self._installed.identity, flags), lambda: self._programs.front_end(flags)
            )
            if front_end is None or not all(source.endswith(".c") for source in sources):
                raise BuildFailed("no front end for this", "", "")
            command = [*front_end, *options, *sources]
            telling = ["-dependency-file", PRINTED, "-MT", "all", "-sys-header-deps"]
        outputs = [self._output(one) for one in objects]
        lists = [f"{output.removesuffix('.o')}.d" for output in outputs]
        files = {name: content for one in objects for name, content in one.closure.contents.items()}
        if not self._programs.driver_takes_many:
            lists = [PRINTED]
        made = self._run(command, files, [*outputs, *lists], "", telling)
        read = first_rules(b"\n".join(made[len(outputs) :]).decode("utf-8", "replace"))
        for one in objects:
            self._check_read(one, read[one.unit.source])
        return made[: len(outputs)]

    def _check_read(self, one: _Object, names: Iterable[str]) -> None:
        what, folders = self._request.variant.id, (*self._programs.installation, scratch_root())
        covered = {*one.closure.files, posixpath.basename(one.unit.source)}
        check_read(f"{what}: {one.unit.source.partition('/')[2]}", names, covered, folders)

    def _support_archive(self, support: Sequence[_Object], key: str) -> bytes:
        with _one_at_a_time(key):
            stored = self._cache.get("archive", key)
            if stored is None:
                members = self._objects(support)
                command = [*self._programs.archive, "rcsD", "libsupport.a", *members]
                files = {name: one.content for name, one in members.items()}
                (stored,) = self._run(
                    command, files, ["libsupport.a"], "the support routines cannot be archived"
                )
                self._cache.put("archive", key, stored)
        return stored

    def _link_command(self, objects: Sequence[str]) -> list[str]:
        options = ["--gc-sections", "--orphan-handling=error"]
        for root in _kept(self._request):
            options += ["-u", f"{self._family.symbol_prefix}{root}"]
        options += (f"--wrap={function}" for function in self._led_to())
        files = [*objects, "--start-group", "libsupport.a", *self._facts.libraries, "--end-group"]
        if self._programs.links_by_driver:
            options = [f"-Wl,{option}" for option in options]
            files = [f"-Wl,{name}" if name.startswith("--") else name for name in files]
        flags = self._link_flags()
        return [*self._programs.link, *flags, *options, "-T", "link.ld", *files, "-o", "image.elf"]

    def _link(self, command: list[str], inputs: Mapping[str, bytes]) -> tuple[bytes, Sizes]:
        try:
            elf = self._linked(command, inputs)
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

    def _prepared_sizes(self, link: Sequence[str], inputs: Mapping[str, bytes]) -> Sizes:
        """Return the sizes of the image without the set-up, and with what it makes among the constants."""
        calls = foreign_calls(self._request.variant, self._request.mode, self._request.footprint)
        needless = {call.function for call in calls if call.operation.startswith("init")}
        prefix = f"-Wl,{self._family.symbol_prefix}" if self._programs.links_by_driver else ""
        roots = {f"{prefix or self._family.symbol_prefix}{name}" for name in needless}
        keep = "-Wl,-u" if self._programs.links_by_driver else "-u"
        command: list[str] = []
        for option in link:
            if option in roots and command and command[-1] == keep:
                command.pop()
            else:
                command.append(option)
        sizes = image_sizes(self._linked(command, inputs))
        constants = sizes.rom_const_bytes + sizes.ram_context_bytes
        return replace(sizes, rom_const_bytes=constants, ram_context_bytes=0)

    def _linked(self, command: list[str], inputs: Mapping[str, bytes]) -> bytes:
        problem = "the image does not link"
        direct = self._direct(command)
        try:
            (elf,) = self._run(direct or command, inputs, ["image.elf"], problem)
        except BuildFailed:
            if direct is None:
                raise
            # The driver tells why in its own words, which are those of a record.
            (elf,) = self._run(command, inputs, ["image.elf"], problem)
        return without_prefix(elf, self._family.symbol_prefix)

    def _direct(self, command: list[str]) -> list[str] | None:
        """Return a command that starts the linker itself; None where `command` does, or the driver has to."""
        if not self._programs.links_by_driver:
            return None
        flags = self._link_flags()
        linking = self._readings.once(
            ("linking", self._installed.identity, flags), lambda: self._programs.linking(flags)
        )
        if linking is None:
            return None
        rest = command[len(self._programs.link) + len(flags) :]
        return [*linking, *(word.removeprefix("-Wl,") for word in rest)]

    def _link_flags(self) -> tuple[str, ...]:
        flags = (*self._facts.link, *self._chip.link)
        if not self._programs.links_by_driver:
            return flags
        return _with_runtime(flags, (*self._request.flags, *self._request.variant.file.flags))

    def _too_large(self, command: list[str], inputs: Mapping[str, bytes]) -> bytes | None:
        option = "-Wl,--noinhibit-exec" if self._programs.links_by_driver else "--noinhibit-exec"
        try:
            elf = self._linked([*command, option], inputs)
            sizes = image_sizes(elf)
        except (BuildFailed, ValueError):
            return None
        return elf if does_not_fit(sizes, self._request.target) else None

    def _run(
        self,
        command: list[str],
        files: Mapping[str, bytes],
        outputs: Sequence[str],
        problem: str,
        telling: Sequence[str] = (),
    ) -> list[bytes]:
        """Run a command; `telling` are options that change no result, so that no record shows them."""
        shown = self._programs.shown(command)
        sentence, places = f"{self._request.variant.id}: {problem}", Places(self._programs.installation, ())
        return run_in_folder([*command, *telling], files, outputs, sentence, shown, places)


def _apart(one: _Object, other: _Object) -> bool:
    """Whether what only the first one defines means nothing to the other."""
    more = [option for option in one.unit.defines if option not in other.unit.defines]
    return not any(other.closure.can_name(_macro(option)) for option in more)


def _macro(option: str) -> str:
    return option.removeprefix("-D").partition("=")[0]


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


def _for_language(flags: tuple[str, ...], source: str) -> tuple[str, ...]:
    """Return the flags of a source: a standard (`-std=`) counts for the sources in its language."""
    cplusplus = is_cplusplus(source)
    more = _CPLUSPLUS_FLAGS if cplusplus else ()
    return tuple(
        flag for flag in (*more, *flags) if not flag.startswith("-std=") or ("++" in flag) == cplusplus
    )


def _with_runtime(link: tuple[str, ...], flags: tuple[str, ...]) -> tuple[str, ...]:
    """Return options of the link with those of `flags` by which GCC's driver chooses a runtime.

    An option takes the place of another of its name: given both, the driver chooses the runtime of neither.
    """
    chosen = _convention(flags)
    return (*(flag for flag in link if flag.partition("=")[0] not in chosen), *chosen.values())


def _convention(flags: tuple[str, ...]) -> dict[str, str]:
    """Return those of `flags` that say what numbers are passed in, by their names; of one name the last."""
    return {flag.partition("=")[0]: flag for flag in flags if flag.startswith(("-mfpu=", "-mfloat-abi="))}


def linker_script(target: Target) -> str:
    """Return the linker script of a chip: its family's template filled with its memories."""
    memory = target.file.memory
    window = next((m for m in memory if m.kind == "flash-window"), None)
    root = data_root() / "firmware"
    template = (root / families()[target.file.family].linker_script).read_text("utf-8")
    flash, ram = (chip_memory(target, kind) for kind in ("flash", "ram"))
    mirror = target.core.get("mirror")
    return _linker_script(template, flash, ram, window, mirror if isinstance(mirror, int) else None)


def _with_debug_sections(script: str) -> str:
    """Return a linker script that keeps what it drops otherwise: DWARF, which takes no room on the chip."""
    kept = "".join(f"  .debug_{name} 0 : {{ *(.debug_{name}) }}\n" for name in _DEBUG_SECTIONS)
    before, drop, dropped = script.rpartition("  /DISCARD/")
    return f"{before}{kept}{drop}{dropped}"


@lru_cache(maxsize=64)
def _linker_script(
    template: str, flash: Memory, ram: Memory, window: Memory | None, mirror: int | None
) -> str:
    """Fill the template; `mirror` is a window address minus the address in the flash that it shows."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(undefined=StrictUndefined, autoescape=False, keep_trailing_newline=True)
    return environment.from_string(template).render(flash=flash, ram=ram, window=window, mirror=mirror)


def _pack(image: _Image) -> bytes:
    head = {"sizes": asdict(image.sizes), "object_flags": image.object_flags}
    return json.dumps(head).encode() + b"\n" + image.elf


def _unpack(stored: bytes) -> _Image:
    raw, _, elf = stored.partition(b"\n")
    head = json.loads(raw)
    return _Image(elf, Sizes(**head["sizes"]), head["object_flags"])


_locks: defaultdict[object, threading.Lock] = defaultdict(threading.Lock)


def _one_at_a_time(key: object) -> threading.Lock:
    """Return a lock with which threads that want the same entry wait for the first to make it."""
    return _locks[key]
