from pathlib import Path

import pytest

from diligent_tui.cli.doctor.findings import Finding
from diligent_tui.cli.doctor.folders import about_folders, is_slow, read_mounts
from diligent_tui.cli.doctor.programs import about_programs, find_program
from diligent_tui.config.paths import Places, find_places

MOUNTS = r"""
21 1 0:20 / / rw,relatime shared:1 - ext4 /dev/sda rw
30 21 0:30 / /mnt/my\040share rw shared:9 master:1 - nfs4 host:/x rw
31 21 0:31 / /mnt rw - 9p drive rw
broken line
"""


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "project" / ".git").mkdir(parents=True)
    (tmp_path / "home").mkdir()
    return find_places(tmp_path / "project", {}, home=tmp_path / "home")


def found(places: Places, name: str) -> Finding:
    (finding,) = [finding for finding in about_folders(places) if finding.name == name]
    return finding


def test_folders_that_are_not_there_can_be_made(places: Places) -> None:
    assert {finding.verdict for finding in about_folders(places)} == {"ok"}
    assert not places.data.exists()


def test_a_folder_open_to_others_is_told_with_the_command_that_closes_it(places: Places) -> None:
    places.data.mkdir(mode=0o755)
    places.data.chmod(0o755)
    finding = found(places, "project data")
    assert (finding.verdict, finding.remedy) == ("warn", f"Close it: chmod 700 {places.data}")
    places.data.chmod(0o700)
    assert found(places, "project data").verdict == "ok"


def test_what_is_no_folder_of_ours_fails(places: Places, tmp_path: Path) -> None:
    places.data.symlink_to(tmp_path)
    assert found(places, "project data").verdict == "fail"
    places.user_state.parent.mkdir(parents=True)
    places.user_state.write_text("")
    assert (found(places, "user state").verdict, bool(found(places, "user state").remedy)) == ("fail", True)


def test_mounts_are_read_the_longest_first() -> None:
    mounts = read_mounts(MOUNTS)
    assert [(str(mount.point), mount.kind) for mount in mounts] == [
        ("/mnt/my share", "nfs4"),
        ("/mnt", "9p"),
        ("/", "ext4"),
    ]


@pytest.mark.parametrize(
    ("kind", "slow"),
    [("ext4", False), ("overlay", False), ("nfs4", True), ("9p", True), ("fuse.sshfs", True), ("fuse.portal", False)],
)
def test_slow_file_systems_are_known(kind: str, slow: bool) -> None:
    assert is_slow(kind) == slow


def test_a_program_of_the_project_is_not_taken_for_the_real_one(tmp_path: Path) -> None:
    for name in ("git", "rg"):
        program = tmp_path / "project" / "bin" / name
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text(f"#!/bin/sh\ntouch '{tmp_path}/hatched'\n")
        program.chmod(0o755)
    environ = {"PATH": f"{tmp_path}/project/bin:bin:."}
    assert find_program("git", environ, tmp_path / "project") is None
    assert {finding.verdict for finding in about_programs(environ, tmp_path / "project")} == {"warn"}
    assert not (tmp_path / "hatched").exists()
    assert find_program("git", environ, tmp_path / "other") == tmp_path / "project" / "bin" / "git"
