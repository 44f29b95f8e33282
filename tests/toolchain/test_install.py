"""Building compilers from source, on archives whose "compiler" is a script: every stage, in a second."""

from __future__ import annotations

import fcntl
import hashlib
import io
import os
import tarfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from steelyard.cache.content import Cache
from steelyard.errors import EnvironmentProblem, UsageError
from steelyard.toolchain import find_toolchain
from steelyard.toolchain import install as installing
from steelyard.toolchain import recipe as recipe_module
from steelyard.toolchain.family import Edit
from steelyard.toolchain.install import apply_edit, install, unpack
from steelyard.toolchain.recipe import Recipe, SourceArchive, damage, recipes, toolchains_folder

CONFIGURE = r"""#!/bin/sh
for word in "$@"; do
    case $word in --prefix=*) prefix=${word#--prefix=};; --target=*) target=${word#--target=};; esac
done
mkdir -p gcc
cat > tool <<END
#!/bin/sh
here=\$(dirname "\$0")
case \$1 in
    --version) echo "$target-gcc (small) 1.0";;
    -print-prog-name=*) echo "\$here/$target-\${1#*=}";;
    *) for word in "\$@"; do last=\$word; done; echo object > "\$last";;
esac
END
chmod +x tool
cat > Makefile <<END
all:
	echo build >> ../builds
	echo the assembler is built
install:
	mkdir -p $prefix/bin $prefix/share
	for name in as ld ar; do cp tool $prefix/bin/$target-\$\$name; done
all-gcc:
	echo the compiler is built
	test ! -e @FAIL@
	if test -e @WAIT@; then sleep 60; fi
install-gcc:
	test -e gcc/s-tm-texi
	cp tool $prefix/bin/$target-gcc; cp tool $prefix/bin/$target-cc1
all-target-libgcc install-target-libgcc:
	echo libgcc
END
"""
EDITED = """
static int
small (void)
{
  return 1;
}

static int
other (void)
{
  return 2;
}
"""


class Seen:
    """A watcher that remembers, and stops the work where it is told to."""

    def __init__(self, stop_at: str = "") -> None:
        self.stages: list[str] = []
        self.finished: list[str] = []
        self.lines = self.total_lines = 0
        self._stop_at = stop_at

    def target(self, name: str, total_lines: int) -> None:
        self.total_lines = total_lines

    def stage(self, title: str, *, done_before: bool) -> None:
        (self.finished if done_before else self.stages).append(title)

    def advance(self, lines: int) -> None:
        self.lines += lines
        if self._stop_at and self.stages and self.stages[-1] == self._stop_at:
            raise KeyboardInterrupt


def write_archive(path: Path, folder: str, files: dict[str, str]) -> str:
    """A tar file with these files; its SHA-256."""
    with tarfile.open(path, "w:xz") as tar:
        for name, text in files.items():
            member = tarfile.TarInfo(f"{folder}/{name}")
            member.size, member.mode = len(text.encode()), 0o755
            tar.addfile(member, io.BytesIO(text.encode()))
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with both archives that compilers are built from; a cache of the test's own."""
    folder = tmp_path / "archives"
    folder.mkdir()
    configure = CONFIGURE.replace("@FAIL@", str(tmp_path / "fail")).replace("@WAIT@", str(tmp_path / "wait"))
    archives = {}
    for name, version in (("binutils", "2.0"), ("gcc", "1.0")):
        path = folder / f"{name}-{version}.tar.xz"
        files = {"configure": configure, "gcc/config/m32c/m32c.cc": EDITED, "testsuite/t": "x", "big/t": "x"}
        archives[name] = SourceArchive(
            version=version,
            package=f"{name}-source",
            archive=str(tmp_path / "nowhere" / path.name),
            sha256=write_archive(path, f"{name}-{version}", files),
            needless=("testsuite",),
        )
    monkeypatch.setenv("STEELYARD_CACHE", str(tmp_path / "cache"))
    for module in (installing, recipe_module):
        monkeypatch.setattr(module, "source_archives", lambda: archives)
    monkeypatch.setattr(installing, "check_host", lambda: None)
    small = {
        name: Recipe(one.family, one.build.model_copy(update={"edits": ()}))
        for name, one in recipes().items()
    }
    monkeypatch.setattr(installing, "recipes", lambda: small)
    monkeypatch.setattr("steelyard.toolchain.compilers.recipes", lambda: small)
    yield folder


def test_a_compiler_is_built_found_and_left_alone_the_second_time(sources: Path) -> None:
    first, second = Seen(), Seen()
    (made,) = install(["rl78"], first, jobs=1, sources=sources)
    assert not made.was_there
    assert first.lines == first.total_lines
    found = find_toolchain("rl78", "gcc", Cache()).require()
    assert found.version == made.version == "1.0 (binutils 2.0)"
    assert found.place == "built from source"
    assert found.programs.compile == (str(made.folder / "bin" / "rl78-elf-gcc"),)
    (again,) = install(["rl78"], second, jobs=1, sources=sources)
    assert again == replace(made, was_there=True)
    assert second.stages == []


def test_nothing_but_the_result_and_its_log_is_left(sources: Path) -> None:
    (made,) = install(["rl78"], jobs=1, sources=sources)
    left = {path.name for path in toolchains_folder().iterdir() if path.suffix != ".lock"}
    assert left == {made.folder.name, "rl78-elf.log"}
    assert {path.name for path in made.folder.iterdir()} == {"bin", "manifest.json"}


def test_damage_is_found_and_repaired(sources: Path) -> None:
    (made,) = install(["rl78"], jobs=1, sources=sources)
    recipe = installing.recipes()["rl78"]
    assert damage(recipe) is None
    (made.folder / "bin" / "rl78-elf-cc1").write_text("something else")
    assert damage(recipe) == "bin/rl78-elf-cc1"
    (repaired,) = install(["rl78"], jobs=1, sources=sources)
    assert not repaired.was_there
    assert damage(recipe) is None
    (made.folder / "bin" / "surplus").touch()
    assert damage(recipe) == "bin/surplus"


def test_a_failed_stage_says_so_and_the_next_run_goes_on_there(sources: Path, tmp_path: Path) -> None:
    (tmp_path / "fail").touch()
    with pytest.raises(EnvironmentProblem, match=r"ended with status 2.*rl78-elf\.log.*goes on") as problem:
        install(["rl78"], Seen(), jobs=1, sources=sources)
    assert problem.value.exit_status == 3
    assert installing.recipes()["rl78"].driver is None
    (tmp_path / "fail").unlink()
    seen = Seen()
    builds = toolchains_folder() / "work-rl78-elf" / "builds"
    assert builds.read_text() == "build\n"
    install(["rl78"], seen, jobs=1, sources=sources)
    assert seen.finished == [
        "sources: verify and unpack",
        "binutils: configure",
        "binutils: build and install",
        "GCC: configure",
    ]
    assert seen.stages[0] == "GCC: build"
    assert seen.lines == seen.total_lines
    assert installing.recipes()["rl78"].driver is not None


def test_an_interruption_ends_what_runs_and_keeps_what_is_finished(sources: Path, tmp_path: Path) -> None:
    (tmp_path / "wait").touch()
    with pytest.raises(KeyboardInterrupt):
        install(["rl78"], Seen("GCC: build"), jobs=1, sources=sources)
    work = toolchains_folder() / "work-rl78-elf"
    assert not any(str(work) in command for command in running_folders())
    (tmp_path / "wait").unlink()
    seen = Seen()
    install(["rl78"], seen, jobs=1, sources=sources)
    assert len(seen.finished) == 4


def running_folders() -> list[str]:
    """The current folder of every process of this machine that may be looked at."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cwd"):
        try:
            found.append(os.readlink(path))
        except OSError:
            continue
    return found


def test_another_recipe_begins_anew(sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fail").touch()
    with pytest.raises(EnvironmentProblem):
        install(["rl78"], jobs=1, sources=sources)
    (tmp_path / "fail").unlink()
    changed = recipes()["rl78"].build.model_copy(update={"multilib": None, "edits": ()})
    other = {"rl78": Recipe("rl78", changed)}
    monkeypatch.setattr(installing, "recipes", lambda: other)
    seen = Seen()
    install(["rl78"], seen, jobs=1, sources=sources)
    assert seen.finished == []


def test_two_compilers_share_the_unpacked_sources(sources: Path) -> None:
    made = install(["rl78", "m16c", "rl78"], jobs=1, sources=sources)
    assert [one.family for one in made] == ["rl78", "m16c"]
    assert not list(toolchains_folder().glob("sources-*"))


def test_a_second_installation_at_the_same_time_is_refused(sources: Path) -> None:
    toolchains_folder().mkdir(parents=True)
    with (toolchains_folder() / "rl78-elf.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(EnvironmentProblem, match="Another installation is at work on rl78-elf"):
            install(["rl78"], jobs=1, sources=sources)
    install(["rl78"], jobs=1, sources=sources)


def test_an_archive_with_another_checksum_is_refused(sources: Path) -> None:
    archive = next(sources.glob("gcc-*"))
    archive.write_bytes(archive.read_bytes() + b"\0")
    with pytest.raises(EnvironmentProblem, match=r"gcc-1\.0\.tar\.xz has another checksum"):
        install(["rl78"], jobs=1, sources=sources)
    assert not [
        path for path in toolchains_folder().iterdir() if path.name.startswith(("sources-", "unpack"))
    ]


def test_missing_archives_without_apt_say_what_to_do(
    sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EnvironmentProblem, match=r"binutils-2\.0\.tar\.xz.*binutils-source.*--sources"):
        install(["rl78"], jobs=1)


def test_a_download_is_taken_out_of_its_package(
    sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scripts stand for apt-get and dpkg-deb; the archive comes out of the package's tar."""
    tools = tmp_path / "tools"
    tools.mkdir()
    scripts = {
        "apt-get": '#!/bin/sh\necho package > "$2_1.deb"\n',
        "dpkg-deb": f"""#!/bin/sh
case $2 in *binutils*) name=binutils-2.0;; *) name=gcc-1.0;; esac
cd "$(mktemp -d)" && mkdir -p ".{tmp_path}/nowhere"
cp {sources}/$name.tar.xz ".{tmp_path}/nowhere/" && tar cf - .
""",
    }
    for name, text in scripts.items():
        (tools / name).write_text(text)
        (tools / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tools), prepend=":")
    (made,) = install(["rl78"], jobs=1)
    assert made.folder.is_dir()


def test_a_machine_without_a_compiler_of_its_own_is_told_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("STEELYARD_CACHE", str(tmp_path / "cache"))
    with pytest.raises(
        EnvironmentProblem,
        match=r"lacks make, gcc, g\+\+, binutils, tar, xz-utils, flex, bison; run: apt-get install make",
    ):
        install(["rl78"], jobs=1)


def test_unknown_family_gets_the_nearest() -> None:
    with pytest.raises(UsageError, match='did you mean "rl78"'):
        install(["rl87"])


def test_a_family_whose_compiler_is_installed_otherwise_says_how() -> None:
    with pytest.raises(
        UsageError, match=r"GCC for avr is not built from source; run: apt-get install gcc-avr"
    ):
        install(["rl78", "avr"])


def test_unpacking_leaves_out_what_is_needless(sources: Path, tmp_path: Path) -> None:
    archive = installing.source_archives()["gcc"]
    unpack(sources / archive.name, archive, tmp_path / "tree")
    tree = tmp_path / "tree" / "gcc-1.0"
    assert {path.name for path in tree.iterdir()} == {"configure", "gcc", "big"}


def edit(body: str, function: str = "small") -> Edit:
    return Edit(file="gcc/config/m32c/m32c.cc", function=function, body=body, reason="a test")


def test_an_edit_gives_one_function_another_body_once(tmp_path: Path) -> None:
    path = tmp_path / "gcc" / "config" / "m32c" / "m32c.cc"
    path.parent.mkdir(parents=True)
    path.write_text(EDITED)
    for _ in range(2):
        apply_edit(edit("if (x)\n  return 3;\nreturn 4;"), tmp_path)
    assert path.read_text() == EDITED.replace("  return 1;", "  if (x)\n    return 3;\n  return 4;")


def test_an_edit_of_what_is_not_there_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "gcc" / "config" / "m32c" / "m32c.cc"
    path.parent.mkdir(parents=True)
    path.write_text(EDITED)
    with pytest.raises(EnvironmentProblem, match="defines absent 0 times"):
        apply_edit(edit("", "absent"), tmp_path)
    assert path.read_text() == EDITED


def test_a_changed_edit_is_another_compiler() -> None:
    recipe = recipes()["m16c"]
    assert recipe.build.edits
    other = Recipe("m16c", recipe.build.model_copy(update={"edits": (edit("return 0;"),)}))
    explained = Recipe(
        "m16c",
        recipe.build.model_copy(
            update={"edits": tuple(one.model_copy(update={"reason": "x"}) for one in recipe.build.edits)}
        ),
    )
    assert other.key != recipe.key == explained.key
    assert other.version != recipe.version == explained.version
    assert other.folder != recipe.folder
