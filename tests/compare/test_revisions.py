"""What a revision holds is written out; nothing of the repository is run, and nothing in it changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from compare.conftest import Repository

from steelyard.compare.revisions import checked_out, repository_of
from steelyard.errors import UsageError


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_the_folder_as_it_was(repository: Repository, tmp_path: Path) -> None:
    before = files(repository.code)
    repository.change("si", "sx")
    ((folder,), notes) = checked_out(repository_of([repository.code]), "main", tmp_path / "out")
    assert (files(folder), notes) == (before, [])
    assert files(repository.code) != before
    assert not (tmp_path / "out" / ".git").exists()
    ((here,), _) = checked_out(repository_of([repository.code]), ".", tmp_path / "unused")
    assert here == repository.code


def test_no_program_of_the_repository_is_run(repository: Repository, tmp_path: Path) -> None:
    """Hooks, filters and a monitor that would leave a file: a check-out by git itself runs two of them."""
    ran = tmp_path / "ran"
    script = tmp_path / "script"
    script.write_text(f'#!/bin/sh\necho "$0" >> {ran}\ncat\n', "utf-8")
    script.chmod(0o755)
    (repository.root / ".gitattributes").write_text("*.c filter=mine\n", "utf-8")
    repository.commit("attributes")
    hook = repository.root / ".git" / "hooks" / "post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_bytes(script.read_bytes())
    hook.chmod(0o755)
    for name in ("filter.mine.smudge", "core.fsmonitor"):
        repository.git("config", name, str(script))
    index = (repository.root / ".git" / "index").read_bytes()
    named = repository_of([repository.code])
    (folders, _) = checked_out(named, "main", tmp_path / "out")
    assert len(folders) == 1
    assert named.named("main").startswith("main (")
    assert not ran.exists()
    assert (repository.root / ".git" / "index").read_bytes() == index
    # The planted programs would have been seen.
    repository.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "by-git"), "main")
    assert ran.exists()


def test_links_and_submodules(repository: Repository, tmp_path: Path) -> None:
    shared = repository.root / "shared"
    shared.mkdir()
    (shared / "context.h").write_text("int here;\n", "utf-8")
    (shared / "again.h").symlink_to("context.h")
    variant = repository.code / "rc4" / "simple"
    (variant / "linked.h").symlink_to("../../../shared/again.h")
    (variant / "folder").symlink_to("../../../shared")
    (variant / "outside.h").symlink_to("/etc/hostname")
    (variant / "above.h").symlink_to("../../../../above.h")
    commit = repository.git("rev-parse", "HEAD").strip()
    repository.git("add", "--all")
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{commit},my-ciphers/rc4/simple/module")
    repository.git("commit", "--quiet", "--message", "links")
    ((folder,), notes) = checked_out(repository_of([repository.code]), "main", tmp_path / "out")
    out = folder / "rc4" / "simple"
    assert (out / "linked.h").read_text("utf-8") == "int here;\n"
    assert (out / "folder" / "context.h").read_text("utf-8") == "int here;\n"
    assert not (out / "outside.h").is_symlink()
    assert not (out / "module").exists()
    assert sorted(note.split()[0].rpartition("/")[2] for note in notes) == ["above.h", "module", "outside.h"]


@pytest.mark.parametrize(
    ("revision", "said"),
    [("man", 'did you mean "main"?'), ("--output=x", "unknown revision"), ("", "unknown revision")],
)
def test_an_unknown_revision(repository: Repository, tmp_path: Path, revision: str, said: str) -> None:
    with pytest.raises(UsageError, match="--git: ") as raised:
        checked_out(repository_of([repository.code]), revision, tmp_path / "out")
    assert said in str(raised.value)


def test_folders_that_are_in_no_repository(repository: Repository, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no git repository"):
        repository_of([tmp_path])
    other = tmp_path / "other"
    other.mkdir()
    Repository(other).git("init", "--quiet")
    with pytest.raises(UsageError, match="several repositories"):
        repository_of([repository.code, other])


def test_names_of_revisions(repository: Repository) -> None:
    commit = repository.git("rev-parse", "HEAD").strip()
    named = repository_of([repository.code])
    assert named.named("main") == f"main ({commit[:10]})"
    assert named.named(commit[:7]) == commit[:10]
    assert named.named(".") == "the work tree"
