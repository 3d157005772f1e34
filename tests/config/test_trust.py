import json
import os
import stat
from pathlib import Path

import pytest

from diligent_tui.config.paths import Places, find_places
from diligent_tui.config.survey import Finding, Survey, names_of, take_survey
from diligent_tui.config.trust import FILE_NAME, TrustList
from diligent_tui.domain.errors import StorageError


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def names(survey: Survey) -> list[str]:
    return [finding.name for finding in survey.findings]


def test_a_folder_that_brings_nothing_needs_no_trust(places: Places) -> None:
    trust = TrustList.load(places.user_state)
    assert take_survey(places).findings == ()
    assert trust.is_trusted(take_survey(places))
    assert not places.user_state.exists()


BROUGHT = [
    ("diligent.jsonc", "settings (diligent.jsonc)"),
    ("AGENTS.md", "instructions (AGENTS.md)"),
    ("CLAUDE.md", "instructions (CLAUDE.md)"),
    (".diligent/knowledge/knowledge.jsonl", "knowledge (.diligent/knowledge/knowledge.jsonl)"),
    (".diligent/sessions/20260101000000-abcdef.jsonl", "sessions (.diligent/sessions)"),
]


@pytest.mark.parametrize(("name", "words"), BROUGHT)
def test_each_thing_a_folder_brings_is_named_and_needs_trust(places: Places, name: str, words: str) -> None:
    write(places.root / name, "x")
    survey = take_survey(places)
    trust = TrustList.load(places.user_state)
    assert [finding.words for finding in trust.strangers(survey)] == [words]
    trust.trust(survey)
    assert trust.is_trusted(take_survey(places))
    assert TrustList.load(places.user_state).is_trusted(take_survey(places))


@pytest.mark.parametrize("name", [name for name, _ in BROUGHT[:4]])
def test_what_changed_after_trust_is_strange_again(places: Places, name: str) -> None:
    path = write(places.root / name, "x")
    trust = TrustList.load(places.user_state)
    before = take_survey(places)
    trust.trust(before)
    write(path, "y")
    after = take_survey(places)
    assert [finding.path for finding in trust.strangers(after)] == [path]
    assert before.fingerprint != after.fingerprint


def test_a_yes_is_to_what_was_shown_and_not_to_what_came_between(places: Places) -> None:
    path = write(places.root / "AGENTS.md", "kind")
    shown = take_survey(places)
    write(path, "unkind")
    trust = TrustList.load(places.user_state)
    trust.trust(shown)
    assert not trust.is_trusted(take_survey(places))


def test_what_is_taken_away_needs_no_new_question(places: Places) -> None:
    write(places.root / "AGENTS.md", "x")
    settings = write(places.root / "diligent.jsonc", "{}")
    trust = TrustList.load(places.user_state)
    trust.trust(take_survey(places))
    settings.unlink()
    assert trust.is_trusted(take_survey(places))


def test_instructions_of_a_subfolder_are_asked_about_when_one_stands_there(places: Places, tmp_path: Path) -> None:
    write(places.root / "AGENTS.md", "x")
    write(places.root / "a" / "b" / "CLAUDE.md", "y")
    trust = TrustList.load(places.user_state)
    trust.trust(take_survey(places))
    below = find_places(places.root / "a" / "b", {}, home=tmp_path / "home")
    assert [finding.name for finding in trust.strangers(take_survey(below))] == ["a/b/CLAUDE.md"]
    trust.trust(take_survey(below))
    assert trust.is_trusted(take_survey(places))


def test_the_same_content_in_another_folder_is_not_trusted(places: Places, tmp_path: Path) -> None:
    write(places.root / "AGENTS.md", "x")
    trust = TrustList.load(places.user_state)
    trust.trust(take_survey(places))
    write(tmp_path / "project-evil" / "AGENTS.md", "x")
    assert not trust.is_trusted(take_survey(find_places(tmp_path / "project-evil", {}, home=tmp_path / "home")))


def test_trust_given_through_a_link_is_given_to_the_real_folder(places: Places, tmp_path: Path) -> None:
    write(places.root / "AGENTS.md", "x")
    (tmp_path / "link").symlink_to(places.root)
    linked = find_places(tmp_path / "link", {}, home=tmp_path / "home")
    trust = TrustList.load(places.user_state)
    trust.trust(take_survey(linked))
    assert trust.is_trusted(take_survey(places))


def test_a_link_within_the_project_is_named_as_one_and_watched_by_its_content(places: Places) -> None:
    target = write(places.root / "docs" / "agents.md", "x")
    (places.root / "AGENTS.md").symlink_to(target)
    trust = TrustList.load(places.user_state)
    assert [finding.words for finding in trust.strangers(take_survey(places))] == ["instructions (AGENTS.md, a link)"]
    trust.trust(take_survey(places))
    write(target, "y")
    assert not trust.is_trusted(take_survey(places))


def test_a_link_out_of_the_project_is_named_and_watched_without_being_opened(places: Places, tmp_path: Path) -> None:
    target = write(tmp_path / "elsewhere", "x")
    target.chmod(0)
    (places.root / "AGENTS.md").symlink_to(target)
    trust = TrustList.load(places.user_state)
    (stranger,) = trust.strangers(take_survey(places))
    assert stranger.words == "instructions (AGENTS.md, a link out of this folder)"
    assert stranger.leads_to == target
    trust.trust(take_survey(places))
    assert trust.is_trusted(take_survey(places))
    target.chmod(0o600)
    write(target, "y and more")
    assert not trust.is_trusted(take_survey(places))


def test_a_link_turned_to_another_file_of_the_same_words_is_strange(places: Places, tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(tmp_path / name, "x")
    link = places.root / "AGENTS.md"
    link.symlink_to(tmp_path / "one")
    trust = TrustList.load(places.user_state)
    trust.trust(take_survey(places))
    link.unlink()
    link.symlink_to(tmp_path / "two")
    assert not trust.is_trusted(take_survey(places))


@pytest.mark.parametrize("name", [".diligent", ".diligent/sessions"])
def test_sessions_behind_a_link_out_of_the_project_are_strange_and_not_listed(
    places: Places, tmp_path: Path, name: str
) -> None:
    (tmp_path / "there").mkdir()
    link = places.root / name
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(tmp_path / "there")
    # Whether there are any cannot be known without a look into the other folder.
    (tmp_path / "there" / "sessions").mkdir()
    assert [finding.kind for finding in take_survey(places).findings] == ["sessions"]


@pytest.mark.parametrize(
    ("count", "words"),
    [(1, "0"), (2, "0 and 1"), (3, "0, 1 and 2"), (4, "0, 1, 2 and 1 more"), (1_500, "0, 1, 2 and 1,497 more")],
)
def test_findings_are_named_in_a_sentence(count: int, words: str) -> None:
    assert names_of([Finding("instructions", Path(str(n)), str(n), "") for n in range(count)]) == words


def test_what_is_trusted_for_now_is_forgotten_with_the_run(places: Places) -> None:
    path = write(places.root / "AGENTS.md", "x")
    trust = TrustList.load(places.user_state)
    trust.trust_for_now(trust.strangers(take_survey(places)))
    assert trust.is_trusted(take_survey(places))
    assert not TrustList.load(places.user_state).is_trusted(take_survey(places))
    assert not places.user_state.exists()
    write(path, "y")
    assert not trust.is_trusted(take_survey(places))


def test_a_no_is_remembered_for_exactly_what_was_shown(places: Places) -> None:
    path = write(places.root / "AGENTS.md", "x")
    trust = TrustList.load(places.user_state)
    assert not trust.is_refused(trust.strangers(take_survey(places)))
    trust.refuse(trust.strangers(take_survey(places)))
    again = TrustList.load(places.user_state)
    assert again.is_refused(again.strangers(take_survey(places)))
    assert not again.is_trusted(take_survey(places))
    write(path, "y")
    assert not again.is_refused(again.strangers(take_survey(places)))


def test_a_later_yes_takes_the_no_back(places: Places) -> None:
    write(places.root / "AGENTS.md", "x")
    trust = TrustList.load(places.user_state)
    survey = take_survey(places)
    trust.refuse(survey.findings)
    trust.trust(survey)
    again = TrustList.load(places.user_state)
    assert again.is_trusted(survey)
    assert not again.is_refused(survey.findings)


def test_a_list_from_before_there_were_noes_still_counts(places: Places) -> None:
    write(places.root / "AGENTS.md", "x")
    TrustList.load(places.user_state).trust(take_survey(places))
    path = places.user_state / FILE_NAME
    content = json.loads(path.read_text())
    del content["refused"]
    path.write_text(json.dumps(content))
    trust = TrustList.load(places.user_state)
    assert trust.problem is None
    assert trust.is_trusted(take_survey(places))


def test_pipes_folders_and_dangling_links_bring_nothing_and_do_not_hang(places: Places) -> None:
    os.mkfifo(places.root / "AGENTS.md")
    (places.root / "CLAUDE.md").mkdir()
    (places.root / "diligent.jsonc").symlink_to("nowhere")
    os.mkfifo(places.root / ".git" / "x")
    assert take_survey(places).findings == ()


def test_a_hostile_folder_name_is_shown_clean(places: Places, tmp_path: Path) -> None:
    folder = places.root / "a\x1b]0;x\x07\nb"
    write(folder / "AGENTS.md", "x")
    (finding,) = take_survey(find_places(folder, {}, home=tmp_path / "home")).findings
    assert not set("\x1b\x07\n") & set(finding.words)


def test_a_name_that_is_not_text_can_be_trusted_too(places: Places, tmp_path: Path) -> None:
    folder = places.root / os.fsdecode(b"a\xff")
    write(folder / "AGENTS.md", "x")
    survey = take_survey(find_places(folder, {}, home=tmp_path / "home"))
    assert len(survey.fingerprint) == 64
    TrustList.load(places.user_state).trust(survey)
    assert TrustList.load(places.user_state).is_trusted(survey)


def test_sessions_in_a_folder_that_diligent_made_are_its_own(places: Places) -> None:
    places.data.mkdir()
    TrustList.load(places.user_state).mark_own(places.data)
    write(places.sessions / "a.jsonl", "{}")
    trust = TrustList.load(places.user_state)
    assert names(take_survey(places)) == [".diligent/sessions"]
    assert trust.is_trusted(take_survey(places))


def test_a_folder_put_in_place_of_our_own_is_strange(places: Places) -> None:
    places.data.mkdir()
    trust = TrustList.load(places.user_state)
    trust.mark_own(places.data)
    places.data.rename(places.root / "away")
    write(places.sessions / "a.jsonl", "{}")
    assert not trust.is_trusted(take_survey(places))


def test_a_linked_folder_is_never_our_own(places: Places, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    places.data.symlink_to(tmp_path / "there")
    trust = TrustList.load(places.user_state)
    trust.mark_own(places.data)
    write(places.sessions / "a.jsonl", "{}")
    assert not trust.is_trusted(take_survey(places))


def test_knowledge_that_diligent_wrote_is_its_own(places: Places) -> None:
    trust = TrustList.load(places.user_state)
    for text in ("one", "one two"):
        with trust.own_write(places.knowledge):
            write(places.knowledge, text)
        assert TrustList.load(places.user_state).is_trusted(take_survey(places))
    write(places.knowledge, "one two three")
    assert not trust.is_trusted(take_survey(places))


def test_adding_to_trusted_knowledge_keeps_it_trusted(places: Places) -> None:
    write(places.knowledge, "theirs")
    trust = TrustList.load(places.user_state)
    trust.trust(take_survey(places))
    with trust.own_write(places.knowledge):
        write(places.knowledge, "theirs and ours")
    assert TrustList.load(places.user_state).is_trusted(take_survey(places))


def test_adding_to_strange_knowledge_does_not_make_it_ours(places: Places) -> None:
    write(places.knowledge, "theirs")
    trust = TrustList.load(places.user_state)
    with trust.own_write(places.knowledge):
        write(places.knowledge, "theirs and ours")
    assert not trust.is_trusted(take_survey(places))


def test_a_write_that_failed_marks_nothing(places: Places) -> None:
    trust = TrustList.load(places.user_state)

    def fail() -> None:
        with trust.own_write(places.knowledge):
            write(places.knowledge, "half")
            raise StorageError("no")

    with pytest.raises(StorageError):
        fail()
    assert not trust.is_trusted(take_survey(places))


@pytest.mark.parametrize("name", ["AGENTS.md", "diligent.jsonc"])
def test_instructions_and_settings_are_never_our_own(places: Places, name: str) -> None:
    trust = TrustList.load(places.user_state)
    with trust.own_write(places.root / name):
        write(places.root / name, "x")
    assert not trust.is_trusted(take_survey(places))


def test_the_list_is_private_under_any_umask(places: Places) -> None:
    write(places.root / "AGENTS.md", "x")
    before = os.umask(0)
    try:
        TrustList.load(places.user_state).trust(take_survey(places))
    finally:
        os.umask(before)
    assert stat.S_IMODE((places.user_state / FILE_NAME).stat().st_mode) == 0o600
    assert stat.S_IMODE(places.user_state.stat().st_mode) == 0o700
    assert [path.name for path in places.user_state.iterdir()] == [FILE_NAME]


DAMAGED = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"{}",
    b'{"version": 1}',
    b'{"version": 2, "trusted": {}, "own": {}}',
    b'{"version": 1, "trusted": [], "own": {}}',
    b"\xff\xfe",
    b"[" * 100_000,
    b"\x00" * 100,
]


@pytest.mark.parametrize("content", DAMAGED)
def test_a_damaged_list_trusts_nothing_says_so_and_is_kept_aside(places: Places, content: bytes) -> None:
    write(places.root / "AGENTS.md", "x")
    places.user_state.mkdir(parents=True)
    (places.user_state / FILE_NAME).write_bytes(content)
    trust = TrustList.load(places.user_state)
    assert not trust.is_trusted(take_survey(places))
    assert trust.problem is not None
    assert "damaged" in trust.problem.message
    (aside,) = places.user_state.iterdir()
    assert aside.read_bytes() == content
    trust.trust(take_survey(places))
    assert TrustList.load(places.user_state).is_trusted(take_survey(places))
    assert aside.read_bytes() == content


def test_digests_of_the_wrong_kind_trust_nothing(places: Places) -> None:
    path = write(places.root / "AGENTS.md", "x")
    content = {"version": 1, "trusted": {str(path): None}, "own": {str(path): True}}
    write(places.user_state / FILE_NAME, json.dumps(content)).chmod(0o600)
    assert not TrustList.load(places.user_state).is_trusted(take_survey(places))


def test_a_list_that_anyone_may_write_trusts_nothing(places: Places) -> None:
    write(places.root / "AGENTS.md", "x")
    TrustList.load(places.user_state).trust(take_survey(places))
    (places.user_state / FILE_NAME).chmod(0o666)
    trust = TrustList.load(places.user_state)
    assert not trust.is_trusted(take_survey(places))
    assert trust.problem is not None


def test_a_list_that_is_no_file_is_said_and_not_waited_for(places: Places) -> None:
    places.user_state.mkdir(parents=True)
    os.mkfifo(places.user_state / FILE_NAME)
    trust = TrustList.load(places.user_state)
    assert trust.problem is not None
    assert "cannot be read" in trust.problem.message


def test_two_processes_add_to_the_same_list(places: Places, tmp_path: Path) -> None:
    other = find_places(write(tmp_path / "other" / "AGENTS.md", "y").parent, {}, home=tmp_path / "home")
    write(places.root / "AGENTS.md", "x")
    first, second = TrustList.load(places.user_state), TrustList.load(places.user_state)
    first.trust(take_survey(places))
    second.trust(take_survey(other))
    latest = TrustList.load(places.user_state)
    assert latest.is_trusted(take_survey(places))
    assert latest.is_trusted(take_survey(other))


def test_a_mark_that_cannot_be_saved_is_told_and_stops_nothing(places: Places) -> None:
    places.user_state.parent.mkdir(parents=True)
    places.user_state.write_text("a file where the folder should be")
    trust = TrustList(places.user_state / FILE_NAME)
    places.data.mkdir()
    trust.mark_own(places.data)
    assert trust.problem is not None
    write(places.root / "AGENTS.md", "x")
    with pytest.raises(StorageError):
        trust.trust(take_survey(places))
