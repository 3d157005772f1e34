"""Where paths lead, and what happens when somebody moves the signposts."""

import os
import socket
from pathlib import Path

import pytest

from diligent_tui.domain.errors import PermissionRefused, ToolError
from diligent_tui.tools.paths import locate, open_located, shown_name
from tests.tools.workbench import Bench, open_files


@pytest.mark.parametrize(
    "given", ["a.txt", "./a.txt", "sub/../a.txt", "new/file.txt", ".", "link_inside", "../workspace"]
)
def test_is_inside(bench: Bench, given: str) -> None:
    (bench.root / "link_inside").symlink_to(bench.root / "a.txt")
    assert locate(given, bench.workplace).is_open_to_all


@pytest.mark.parametrize(
    "given",
    [
        "..",
        "../outside.txt",
        "/etc/passwd",
        "~",
        "~/notes.txt",
        "link_out",
        "link_out/new/file.txt",
        "chain",
        "sub/../../workspace-evil/a.txt",
        "/proc/self/root/etc/passwd",
        "/dev/stdin",
    ],
)
def test_is_outside(bench: Bench, given: str) -> None:
    twin = bench.root.with_name("workspace-evil")
    twin.mkdir()
    (bench.root / "link_out").symlink_to(twin)
    (bench.root / "chain").symlink_to("link_out")
    assert not locate(given, bench.workplace).is_inside


def test_a_file_moved_up_through_a_link_is_judged_by_where_it_really_is(bench: Bench) -> None:
    outside = bench.root.parent / "deep" / "deeper"
    outside.mkdir(parents=True)
    (bench.root / "link").symlink_to(outside)
    assert locate("link/../x", bench.workplace).real == (outside.parent / "x").resolve()


@pytest.mark.parametrize("given", ["a\0b", "x" * 256, "a/" * 3_000, "\ud800"])
def test_impossible_paths_are_refused_in_words(bench: Bench, given: str) -> None:
    with pytest.raises(ToolError, match="path"):
        locate(given, bench.workplace)


@pytest.mark.parametrize(
    "given",
    [
        ".env",
        ".env.local",
        "prod.env",
        ".ENV",
        "sub/.ssh/config",
        "id_rsa",
        "id_ed25519_work",
        ".aws/credentials",
        "server.key",
        "cert.pem",
        ".npmrc",
        ".netrc",
        "secrets.yaml",
        "x/.config/gh/hosts.yml",
        "innocent.txt",
    ],
)
def test_looks_secret_also_through_a_link(bench: Bench, given: str) -> None:
    (bench.root / ".git-credentials").touch()
    (bench.root / "innocent.txt").symlink_to(".git-credentials")
    located = locate(given, bench.workplace)
    assert located.is_secret
    assert not located.is_open_to_all


@pytest.mark.parametrize("given", [".env.example", "id_rsa.pub", "environment.py", "keys.py", "secrets.py", "token.c"])
def test_does_not_look_secret(bench: Bench, given: str) -> None:
    assert not locate(given, bench.workplace).is_secret


def test_a_folder_exchanged_for_a_link_after_the_check_is_not_read_through(bench: Bench) -> None:
    (bench.root / "sub").mkdir()
    (bench.root / "sub" / "a.txt").write_text("mine")
    located = locate("sub/a.txt", bench.workplace)
    outside = bench.root.parent / "outside"
    outside.mkdir()
    (outside / "a.txt").write_text("not mine")
    (bench.root / "sub").rename(bench.root / "moved")
    (bench.root / "sub").symlink_to(outside)
    with pytest.raises(PermissionRefused, match="nothing was read"):
        open_located(located, bench.workplace, approved=False)


def test_a_file_exchanged_for_a_link_after_the_check_is_not_followed(bench: Bench) -> None:
    file = bench.root / "a.txt"
    file.write_text("mine")
    located = locate("a.txt", bench.workplace)
    file.unlink()
    file.symlink_to("/etc/passwd")
    with pytest.raises(ToolError, match="is a link"):
        open_located(located, bench.workplace, approved=True)


def test_what_a_user_approved_is_opened_outside_too(bench: Bench) -> None:
    outside = bench.root.parent / "notes.txt"
    outside.write_text("approved")
    located = locate("../notes.txt", bench.workplace)
    with pytest.raises(PermissionRefused):
        open_located(located, bench.workplace, approved=False)
    descriptor = open_located(located, bench.workplace, approved=True)
    assert os.read(descriptor, 100) == b"approved"
    os.close(descriptor)


def test_our_own_environment_is_not_read_even_if_approved(bench: Bench) -> None:
    with pytest.raises(PermissionRefused, match="keys"):
        open_located(locate("/proc/self/environ", bench.workplace), bench.workplace, approved=True)


def test_a_refused_file_is_closed_again(bench: Bench) -> None:
    before = open_files()
    for _ in range(20):
        with pytest.raises(PermissionRefused):
            open_located(locate("/etc/passwd", bench.workplace), bench.workplace, approved=False)
    assert open_files() == before


def test_sockets_and_devices_are_not_opened(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(bench.root)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s")
        with pytest.raises(ToolError, match="a socket"):
            open_located(locate("s", bench.workplace), bench.workplace, approved=True)
    with pytest.raises(ToolError, match="a device"):
        open_located(locate("/dev/zero", bench.workplace), bench.workplace, approved=True)


def test_a_link_to_itself_is_an_error_in_words(bench: Bench) -> None:
    (bench.root / "loop").symlink_to("loop")
    with pytest.raises(ToolError, match="loop"):
        open_located(locate("loop", bench.workplace), bench.workplace, approved=False)


@pytest.mark.parametrize(
    ("name", "shown"),
    [("plain name.txt", "plain name.txt"), ("é.txt", "é.txt"), ("a\nb", r"'a\nb'"), ("\x1b[2J", r"'\x1b[2J'")],
)
def test_names_stay_on_one_line(name: str, shown: str) -> None:
    assert shown_name(name) == shown


def test_a_name_that_is_not_text_is_shown_as_text() -> None:
    shown_name(os.fsdecode(b"bad\xff")).encode()


def test_the_users_home_is_meant_by_a_tilde(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(bench.root))
    assert locate("~/a.txt", bench.workplace).real == Path(os.path.realpath(bench.root)) / "a.txt"
