"""What a command may reach, as it is read from the files that are there."""

import os
import socket
from pathlib import Path

import pytest

from diligent_tui.tools.base import Workplace
from diligent_tui.tools.sandbox import cage as cage_module
from diligent_tui.tools.sandbox.bubblewrap import arguments, find_bubblewrap
from diligent_tui.tools.sandbox.cage import Cage, cage_for
from diligent_tui.tools.sandbox.fenced import fence_of
from diligent_tui.tools.sandbox.landlock import readable_around
from diligent_tui.tools.sandbox.policy import SandboxPolicy


def made(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    return folder


def cage(tmp_path: Path, root: Path | None = None, **wishes: bool) -> Cage:
    made(tmp_path, "workspace/file")
    root = root or tmp_path / "workspace"
    policy = SandboxPolicy(home=tmp_path / "home", temporary=(tmp_path / "tmp",))
    workplace = Workplace(root, root, 1_000, root / ".diligent" / "sessions" / "s")
    return cage_for(policy, workplace, tmp_path / "private", network=wishes.get("network", False))


def test_only_secrets_that_are_there_are_hidden_by_their_real_path(tmp_path: Path) -> None:
    made(tmp_path, "home/.netrc", "elsewhere/keys/id", "home/.config/gh/hosts.yml", "home/notes")
    (tmp_path / "home" / ".ssh").symlink_to(tmp_path / "elsewhere" / "keys")
    hidden = [path for path in cage(tmp_path).hidden if path.is_relative_to(tmp_path)]
    names = {str(path.relative_to(tmp_path)) for path in hidden}
    assert names == {"home/.netrc", "elsewhere/keys", "home/.config/gh"}


def test_what_is_inside_a_hidden_folder_is_not_hidden_twice(tmp_path: Path) -> None:
    made(tmp_path, "home/.aws/credentials", "home/.aws/sso/cache")
    root = tmp_path / "workspace"
    policy = SandboxPolicy(home=tmp_path / "home", hidden=(tmp_path / "home" / ".aws" / "sso",))
    found = cage_for(policy, Workplace(root, root, 1_000, root), tmp_path, network=False)
    assert [path for path in found.hidden if path.is_relative_to(tmp_path)] == [tmp_path / "home" / ".aws"]


def test_in_the_root_of_all_nothing_may_be_written(tmp_path: Path) -> None:
    assert cage(tmp_path, Path("/")).writable == ()


def test_protected_paths_are_those_that_are_there(tmp_path: Path) -> None:
    assert cage(tmp_path).protected == ()
    root = made(tmp_path / "workspace", ".git/config", ".git/hooks/x", ".diligent/sessions/s/a.txt")
    found = cage(tmp_path)
    assert {str(path.relative_to(root)) for path in found.protected} == {".git/config", ".git/hooks", ".diligent"}
    assert found.shown == (root / ".diligent" / "sessions" / "s",)
    assert root / ".diligent" / "sessions" in found.hidden


def test_a_lasting_socket_outside_the_workspace_is_found_and_one_inside_is_left(tmp_path: Path) -> None:
    made(tmp_path, "workspace/file", "home/x", "tmp/x")
    with socket.socket(socket.AF_UNIX) as outer, socket.socket(socket.AF_UNIX) as inner:
        outer.bind(str(tmp_path / "home" / "s"))
        inner.bind(str(tmp_path / "workspace" / "s"))
        assert tmp_path / "home" / "s" not in cage(tmp_path).sockets
        for name in ("home", "workspace"):
            os.utime(tmp_path / name / "s", (0, 0))
        sockets = cage(tmp_path).sockets
    assert tmp_path / "home" / "s" in sockets
    assert tmp_path / "workspace" / "s" not in sockets


def test_without_a_list_of_sockets_none_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cage_module, "SOCKETS", tmp_path / "none")
    assert cage(tmp_path).sockets == ()


@pytest.mark.parametrize("network", [True, False])
def test_bubblewrap_is_told_of_the_network_only_to_take_it_away(tmp_path: Path, network: bool) -> None:
    made(tmp_path, "private/x")
    assert ("--unshare-net" in arguments(cage(tmp_path, network=network))) == (not network)


def test_a_repository_that_is_a_link_or_a_file_is_not_made_writable(tmp_path: Path) -> None:
    made(tmp_path, "private/x", "elsewhere/config", "workspace/.git")
    root = tmp_path / "workspace"
    told = " ".join(arguments(cage(tmp_path)))
    assert f"--ro-bind {root}/.git {root}/.git" in told
    (root / ".git").unlink()
    (root / ".git").symlink_to(tmp_path / "elsewhere")
    assert "elsewhere" not in " ".join(arguments(cage(tmp_path)))


def test_a_bubblewrap_in_the_workspace_or_the_home_is_never_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = made(tmp_path, "bin/bwrap") / "bin" / "bwrap"
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    assert find_bubblewrap() != program
    assert find_bubblewrap(str(program.parent)) == program


def test_everything_is_readable_but_what_is_hidden_and_links_open_nothing(tmp_path: Path) -> None:
    made(tmp_path, "home/.ssh/id", "home/notes", "home/work/file", "other/file")
    (tmp_path / "home" / "way-in").symlink_to(tmp_path / "home" / ".ssh")
    readable = set(readable_around([tmp_path / "home" / ".ssh"]))
    ours = {str(path.relative_to(tmp_path)) for path in readable if path.is_relative_to(tmp_path)}
    assert ours == {"home/notes", "home/work", "other"}
    assert Path("/usr") in readable
    assert tmp_path not in readable
    assert not any(path == Path("/") for path in readable)


def test_devices_are_not_readable_as_a_whole(tmp_path: Path) -> None:
    fence = fence_of(cage(tmp_path))
    assert Path("/dev") not in fence.readable
    assert Path("/dev/null") in fence.devices
