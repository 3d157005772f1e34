"""Ordinary commands run without a question, hostile ones never do."""

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from diligent_tui.tools.base import Workplace
from diligent_tui.tools.harmless import is_harmless
from diligent_tui.tools.shell.known import BUILT_INTO_THE_SHELL, KNOWN
from tests.tools.hostile_commands import HOSTILE, SAFE_GIT_CONFIG, furnish
from tests.tools.ordinary_commands import ASKED, ORDINARY

MOST_NEEDLESSLY_ASKED = 5


@dataclass(frozen=True)
class Ground:
    """A furnished workspace, and a PATH with every program that is known, installed here or not."""

    workplace: Workplace
    search_path: str

    @property
    def root(self) -> Path:
        return self.workplace.root

    def lets(self, command: str) -> bool:
        return is_harmless(command, self.workplace, self.search_path)


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    root = tmp_path_factory.mktemp("workspace")
    furnish(root)
    programs = tmp_path_factory.mktemp("programs")
    for name in {*KNOWN} - BUILT_INTO_THE_SHELL:
        (programs / name).touch(0o755)
    return Ground(Workplace(root, root, 20_000, root / ".diligent"), f"{programs}:{os.environ['PATH']}")


@contextmanager
def moved_away(path: Path) -> Generator[None]:
    aside = path.with_name(f"{path.name}-aside")
    path.rename(aside)
    try:
        yield
    finally:
        aside.rename(path)


def test_no_hostile_command_is_known_as_harmless(ground: Ground) -> None:
    assert [command for command in HOSTILE if ground.lets(command)] == []
    assert len(set(HOSTILE)) >= 300


def test_of_the_ordinary_commands_hardly_any_is_asked(ground: Ground, tmp_path: Path) -> None:
    shutil.copytree(ground.root, tmp_path / "ws", symlinks=True)
    shutil.rmtree(tmp_path / "ws" / "keys")
    plain = replace(ground, workplace=replace(ground.workplace, root=tmp_path / "ws", cwd=tmp_path / "ws"))
    asked = [command for command in ORDINARY if not plain.lets(command)]
    assert asked == [command for command in ORDINARY if command in ASKED]
    assert len(set(ORDINARY)) >= 100
    assert len(ASKED) <= MOST_NEEDLESSLY_ASKED


def test_the_table_of_programs_grows_only_on_purpose() -> None:
    assert " ".join(sorted(KNOWN)) == (
        "arch basename cat cksum cmp column comm command cut date df diff dirname du echo egrep expand false fd fgrep "
        "file find fold free gcc git grep head hexdump hostname id jq ls make md5sum nl node nproc od paste printf pwd "
        "python python3 readlink realpath rev rg sed seq sha1sum sha256sum sha512sum shasum sleep sort stat strings "
        "tac tail test tr tree true tty type uname uniq uptime wc which whoami xxd"
    )


def test_a_program_of_the_workspace_is_not_taken_for_the_systems(ground: Ground) -> None:
    planted = ground.root / "bin" / "ls"
    planted.parent.mkdir()
    planted.touch(0o755)
    linked = ground.root.parent / "linked"
    linked.symlink_to(planted.parent)
    try:
        for folder in (planted.parent, linked):
            assert not is_harmless("ls", ground.workplace, f"{folder}:{ground.search_path}")
        assert is_harmless("ls", ground.workplace, f"bin:.::{ground.search_path}")
        planted.unlink()
        planted.symlink_to("/bin/ls")
        assert not is_harmless("ls", ground.workplace, f"{planted.parent}:{ground.search_path}")
    finally:
        linked.unlink()
        shutil.rmtree(planted.parent)


def test_a_shim_is_not_taken_for_the_program(ground: Ground, tmp_path: Path) -> None:
    shims = tmp_path / "shims"
    shims.mkdir()
    (shims / "jq").touch(0o755)
    assert not is_harmless("jq .", ground.workplace, f"{shims}:{ground.search_path}")
    assert ground.lets("jq .")


def test_a_name_that_is_a_tilde_in_quotes_is_not_taken_for_home(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(ground.root))
    assert not ground.lets('cat "~/README.md"')


def test_listing_where_one_stands_needs_to_stand_in_the_workspace(ground: Ground) -> None:
    elsewhere = replace(ground.workplace, cwd=ground.root.parent)
    assert not is_harmless("ls", elsewhere, ground.search_path)
    assert is_harmless(f"cat {ground.root.name}/README.md", elsewhere, ground.search_path)


@pytest.mark.parametrize(
    ("command", "may_run"),
    [("cat *.md", True), ("cat *", False), ("cat ./*", False), ("cat s*/x", False), ("cat src/m*.py", True)],
)
def test_a_pattern_is_what_its_names_are(ground: Ground, command: str, may_run: bool) -> None:
    assert ground.lets(command) == may_run


def test_a_file_that_is_named_like_a_flag_makes_a_pattern_unknown(ground: Ground) -> None:
    assert (ground.root / "-la").exists()
    assert not ground.lets("ls *a")


HARMFUL_SETTINGS = [
    "[core]\n\tfsmonitor = ./x",
    "[core]\n\tfsmonitor",
    "[core] fsmonitor = ./x",
    "[CORE]\n\tFsMonitor = ./x",
    '[core]\n\tpager = "./x"',
    "[core]\n\thooksPath = hooks",
    "[core]\n\tsshCommand = ./x",
    "[core]\n\tworktree = /etc",
    "[core]\n\tattributesFile = /etc/passwd",
    "[core]\n\teditor = ./x",
    "[core]\n\tbare = \\\n\tfsmonitor = ./x",
    "[diff]\n\texternal = ./x",
    '[diff "x"]\n\tcommand = ./x',
    '[diff "x"]\n\ttextconv = ./x',
    '[filter "x"]\n\tclean = ./x',
    '[filter "x"]\n\tprocess = ./x',
    "[include]\n\tpath = x",
    '[includeIf "gitdir:."]\n\tpath = x',
    "[gpg]\n\tprogram = ./x",
    "[log]\n\tshowSignature = true",
    "[alias]\n\tx = !./x",
    "[pager]\n\tlog = ./x",
    "[extensions]\n\tpartialClone = origin",
    "[extensions]\n\tworktreeConfig = true",
    '[remote "origin"]\n\tpromisor = true',
    '[remote "origin"]\n\tuploadpack = ./x',
    '[remote "origin"]\n\tvcs = x',
    '[submodule "x"]\n\tupdate = !./x',
    "[credential]\n\thelper = ./x",
    "[protocol]\n\tallow = always",
    "[format]\n\tpretty = %G?",
    "not a setting",
    "[unfinished",
    "\ufeff[core]",
]


@pytest.mark.parametrize("said", HARMFUL_SETTINGS)
def test_git_in_a_repository_whose_settings_could_run_something_is_asked(ground: Ground, said: str) -> None:
    config = ground.root / ".git" / "config"
    for text in (said, f"{SAFE_GIT_CONFIG}{said}\n", f"{said}\n{SAFE_GIT_CONFIG}"):
        config.write_text(text)
        try:
            assert not any(map(ground.lets, ("git status", "git log", "git diff", "git -C src show")))
        finally:
            config.write_text(SAFE_GIT_CONFIG)
    assert ground.lets("git status")


@pytest.mark.parametrize(
    "name", ["hooks/post-index-change", "commondir", "config.worktree", "modules", "sharedindex.0"]
)
def test_git_in_a_repository_with_odd_parts_is_asked(ground: Ground, name: str) -> None:
    part = ground.root / ".git" / name
    part.touch()
    try:
        assert not ground.lets("git status")
    finally:
        part.unlink()
    assert ground.lets("git status")


def test_git_in_a_repository_that_holds_another_is_asked(ground: Ground) -> None:
    index = ground.root / ".git" / "index"
    index.write_bytes(b"DIRC" + bytes(20) + b"\x00\x00\x81\xa4" + bytes(40))
    assert ground.lets("git status")
    index.write_bytes(b"DIRC" + bytes(21) + b"\x00\x00\xe0\x00" + bytes(40))
    assert not ground.lets("git status")
    index.unlink()


def test_git_is_asked_where_its_folder_is_a_link_or_a_file_or_elsewhere(ground: Ground, tmp_path: Path) -> None:
    place = ground.root / ".git"
    with moved_away(place):
        assert not ground.lets("git status")
        place.symlink_to(ground.root / ".git-aside")
        assert not ground.lets("git status")
        place.unlink()
        place.write_text("gitdir: .git-aside\n")
        assert not ground.lets("git status")
        place.unlink()
    assert not is_harmless("git status", replace(ground.workplace, cwd=tmp_path), ground.search_path)
    assert ground.lets("git status")


def test_a_search_through_more_than_can_be_looked_at_is_asked(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ground.lets("grep -rn x src")
    monkeypatch.setattr("diligent_tui.tools.shell.open_files.MOST_ENTRIES", 1)
    assert not ground.lets("grep -rn x src")
