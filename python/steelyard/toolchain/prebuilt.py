"""Images that come with Steelyard, for chips whose compiler takes long to build.

`prebuilt/<target>.tar.xz` holds them, `prebuilt/<target>.json` names the inputs of each. An image counts only
if it was made from the present sources; its record says that it was prebuilt.
"""

from __future__ import annotations

import hashlib
import io
import json
import lzma
import tarfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from pydantic import ValidationError

from steelyard.catalog.models import Identifier, Strict
from steelyard.data import data_root
from steelyard.errors import EnvironmentProblem, UsageError

ARCHIVE_LIMIT_BYTES = 1_500_000
"""Maximum size of an archive, because every copy of Steelyard contains them."""


class Entry(Strict):
    """One image: the key of all its inputs, its SHA-256, and the options appended to objects' flags."""

    key: str
    sha256: str
    object_flags: dict[str, str]


class Manifest(Strict):
    """Contents of `prebuilt/<target>.json`; `images` by `image_name`."""

    target: Identifier
    family: Identifier
    toolchain: Identifier
    toolchain_version: str
    archive_sha256: str
    images: dict[str, Entry]


@dataclass(frozen=True)
class Prebuilt:
    """The images for one chip; the archive is read when the first of them is used."""

    manifest: Manifest
    path: Path

    @property
    def toolchain_version(self) -> str:
        """Version of the compiler that made the images."""
        return self.manifest.toolchain_version

    def entry(self, name: str) -> Entry | None:
        """Return the manifest's entry of an image, None if there is none of that name."""
        return self.manifest.images.get(name)

    def elf(self, entry: Entry) -> bytes:
        """Return the image; EnvironmentProblem if the archive is damaged."""
        content = self._contents.get(entry.sha256)
        if content is None:
            raise EnvironmentProblem(f"{self.path} is damaged: an image is missing; install Steelyard again.")
        return content

    @cached_property
    def _contents(self) -> Mapping[str, bytes]:
        """Return the images by SHA-256."""
        try:
            packed = self.path.read_bytes()
            if hashlib.sha256(packed).hexdigest() != self.manifest.archive_sha256:
                raise EnvironmentProblem(
                    f"{self.path} is not the archive of its manifest; install Steelyard again."
                )
            with tarfile.open(fileobj=io.BytesIO(packed), mode="r:xz") as tar:
                files = (tar.extractfile(member) for member in tar if member.isfile())
                images = [file.read() for file in files if file is not None]
        except (OSError, tarfile.TarError, lzma.LZMAError, EOFError) as error:
            raise EnvironmentProblem(f"{self.path} cannot be read: {error}.") from error
        return {hashlib.sha256(image).hexdigest(): image for image in images}


def image_name(primitive: str, variant: str, mode: str | None, footprint: str, flags: Sequence[str]) -> str:
    """Return the name of an image in a manifest."""
    return " ".join((primitive, variant, mode or "none", footprint, *flags))


def prebuilt_folder() -> Path:
    """Return the folder of the archives and manifests."""
    return data_root() / "prebuilt"


def prebuilt_images(target: str, toolchain: str) -> Prebuilt | None:
    """Return the prebuilt images of a chip by that compiler; UsageError for an invalid manifest."""
    path = prebuilt_folder() / f"{target}.json"
    try:
        stamp = path.stat().st_mtime_ns
    except OSError:
        return None
    found = _load(path, stamp)
    return found if found.manifest.toolchain == toolchain else None


def prebuilt_targets(family: str, toolchain: str) -> list[str]:
    """Return the chips of a family that have prebuilt images by a toolchain."""
    found = (prebuilt_images(path.stem, toolchain) for path in sorted(prebuilt_folder().glob("*.json")))
    return [one.manifest.target for one in found if one is not None and one.manifest.family == family]


@lru_cache(maxsize=16)
def _load(path: Path, _stamp: int) -> Prebuilt:
    try:
        manifest = Manifest.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise UsageError(f"{path}: {' '.join(str(error).split())}") from error
    return Prebuilt(manifest, path.with_suffix(".tar.xz"))


def write(folder: Path, manifest: Manifest, images: Mapping[str, bytes]) -> Path:
    """Write archive and manifest; the same images give the same bytes.

    UsageError, with nothing written, if the archive would exceed the limit.
    """
    packed = _pack(images)
    if len(packed) > ARCHIVE_LIMIT_BYTES:
        raise UsageError(
            f"The prebuilt images for {manifest.target} take {len(packed)} bytes,"
            f" more than the {ARCHIVE_LIMIT_BYTES} that are allowed: prebuild fewer."
        )
    folder.mkdir(parents=True, exist_ok=True)
    whole = manifest.model_copy(update={"archive_sha256": hashlib.sha256(packed).hexdigest()})
    path = folder / f"{manifest.target}.tar.xz"
    path.write_bytes(packed)
    text = json.dumps(whole.model_dump(), indent=1, sort_keys=True)
    path.with_name(f"{manifest.target}.json").write_text(f"{text}\n", "utf-8")
    return path


def _pack(images: Mapping[str, bytes]) -> bytes:
    """Pack the images, each content once, similar ones adjacent; without dates and owners."""
    raw = io.BytesIO()
    seen: set[bytes] = set()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, image in sorted(images.items()):
            if image in seen:
                continue
            seen.add(image)
            member = tarfile.TarInfo(hashlib.sha256(name.encode()).hexdigest()[:16])
            member.size = len(image)
            tar.addfile(member, io.BytesIO(image))
    return lzma.compress(raw.getvalue(), preset=9 | lzma.PRESET_EXTREME)
