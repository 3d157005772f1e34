"""What a command did to a repository's hooks and settings is undone, and nothing of it is lost."""

import subprocess
from pathlib import Path

import pytest

from diligent_tui.tools.sandbox.protected import take_snapshot


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in ((".git/config", "[core]\n"), (".git/hooks/post-commit", "hook"), ("diligent.jsonc", "{}")):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / ".git" / "hooks" / "post-commit").chmod(0o755)
    (tmp_path / ".git" / "hooks" / "pre-push.sample").write_text("sample")
    return tmp_path


def tree(root: Path) -> dict[str, tuple[int, str]]:
    return {
        str(path.relative_to(root)): (path.lstat().st_mode, str(path.readlink()) if path.is_symlink() else text(path))
        for path in root.rglob("*")
        if path.suffix != ".refused" and not any(parent.suffix == ".refused" for parent in path.parents)
    }


def text(path: Path) -> str:
    return path.read_text() if path.is_file() else ""


def kept_aside(root: Path) -> list[str]:
    return sorted(text(path) for path in root.rglob("*.refused"))


@pytest.mark.parametrize(
    ("line", "names", "aside"),
    [
        ("echo evil > .git/config", [".git/config"], ["evil\n"]),
        ("rm .git/config", [".git/config"], []),
        ("echo evil > .git/hooks/pre-commit", [".git/hooks/pre-commit"], ["evil\n"]),
        ("chmod 644 .git/hooks/post-commit", [".git/hooks/post-commit"], ["hook"]),
        ("ln -sf /elsewhere .git/hooks/post-commit", [".git/hooks/post-commit"], [""]),
        ("rm diligent.jsonc; mkdir diligent.jsonc", ["diligent.jsonc"], [""]),
        ("echo /x > .git/commondir", [".git/commondir"], ["/x\n"]),
        ("echo x > file; echo x > .git/index; echo x > .git/hooks/other.sample", [], []),
    ],
)
def test_what_was_changed_is_as_before_and_the_change_is_kept_aside(
    root: Path, line: str, names: list[str], aside: list[str]
) -> None:
    before, snapshot = tree(root), take_snapshot(root)
    subprocess.run(["sh", "-c", line], cwd=root, check=True)
    assert list(snapshot.put_back(only_new=False)) == names
    after = tree(root)
    assert {name: after[name] for name in before} == before
    assert kept_aside(root) == aside


def test_hooks_that_were_exchanged_for_a_link_are_put_back_with_what_was_in_them(root: Path) -> None:
    before, snapshot = tree(root), take_snapshot(root)
    subprocess.run(["sh", "-c", "rm -r .git/hooks && ln -s / .git/hooks"], cwd=root, check=True)
    snapshot.put_back(only_new=False)
    del before[".git/hooks/pre-push.sample"]
    assert tree(root) == before


def test_where_the_sandbox_holds_what_is_there_only_new_things_are_undone(root: Path) -> None:
    snapshot = take_snapshot(root)
    (root / ".git" / "config").write_text("the user's own change")
    (root / ".git" / "config.worktree").write_text("new")
    assert snapshot.put_back(only_new=True) == (".git/config.worktree",)
    assert (root / ".git" / "config").read_text() == "the user's own change"


def test_a_new_repository_is_left_whole(tmp_path: Path) -> None:
    snapshot = take_snapshot(tmp_path)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    before = tree(tmp_path)
    assert snapshot.put_back(only_new=False) == ()
    assert tree(tmp_path) == before


def test_a_repository_that_was_removed_is_not_made_again(root: Path) -> None:
    snapshot = take_snapshot(root)
    subprocess.run(["rm", "-r", ".git"], cwd=root, check=True)
    assert snapshot.put_back(only_new=False) == ()
    assert not (root / ".git").exists()
