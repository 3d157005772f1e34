"""What a folder would change is told truly, in clean words, and without a look outside."""

import hashlib
import json
import os
from pathlib import Path

import pytest

from diligent_tui.config import trust_view
from diligent_tui.config.house import House, enter
from diligent_tui.config.survey import Survey, take_survey
from diligent_tui.config.trust_view import Change, TrustItem, describe


def house_of(folder: Path, user: str = "", **environ: str) -> House:
    (folder / "project" / ".git").mkdir(parents=True, exist_ok=True)
    settings = folder / "home" / ".config" / "diligent" / "diligent.jsonc"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(user)
    return enter(folder / "project", {"HOME": str(folder / "home"), **environ}, {})


def write(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / "project" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def only(house: House) -> TrustItem:
    (item,) = describe(house)
    return item


def test_a_folder_that_brings_nothing_has_nothing_to_tell(tmp_path: Path) -> None:
    assert describe(house_of(tmp_path)) == ()


def test_each_setting_is_told_with_its_old_and_new_value(tmp_path: Path) -> None:
    write(tmp_path, "diligent.jsonc", '{"theme": "light", "compaction": {"keepRecentTokens": 5, "enabled": true}}')
    item = only(house_of(tmp_path, user='{"theme": "ansi"}'))
    assert item.words == "2 settings would change"
    assert item.changes == (
        Change("change", "theme: ansi → light"),
        Change("change", "compaction.keepRecentTokens: 20000 → 5"),
        Change("same", "compaction.enabled: true, as it is"),
    )


def test_what_the_environment_sets_would_not_change(tmp_path: Path) -> None:
    write(tmp_path, "diligent.jsonc", '{"theme": "light"}')
    item = only(house_of(tmp_path, DILIGENT_THEME="ansi"))
    assert (item.words, item.changes) == ("no setting would change", ())


def test_what_is_refused_anyway_is_told_with_its_line(tmp_path: Path) -> None:
    write(tmp_path, "diligent.jsonc", '{"theme": "light",\n "mode": "full",\n "hooks": {}}')
    item = only(house_of(tmp_path))
    assert item.words == "1 setting would change, 2 refused anyway"
    assert item.brief == "1 change, 2 refused"
    assert [change.words for change in item.changes if change.kind == "refused"] == [
        "line 2: A project may not set `mode`.",
        "line 3: `hooks` is not a setting.",
    ]


def test_the_users_own_mistakes_are_not_the_projects(tmp_path: Path) -> None:
    write(tmp_path, "diligent.jsonc", "{}")
    item = only(house_of(tmp_path, user='{"nonsense": 1}'))
    assert (item.words, item.changes) == ("no setting would change", ())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("one", "1 line, 3 bytes, told to the model in every session"),
        ("one\n", "1 line, 4 bytes, told to the model in every session"),
        ("one\ntwo\n", "2 lines, 8 bytes, told to the model in every session"),
    ],
)
def test_instructions_are_told_with_their_size_and_beginning(tmp_path: Path, text: str, words: str) -> None:
    write(tmp_path, "AGENTS.md", text)
    item = only(house_of(tmp_path))
    assert (item.words, item.content, item.warning) == (words, text.rstrip("\n"), "")


def test_instructions_that_would_not_be_read_are_said_to_be_so(tmp_path: Path) -> None:
    write(tmp_path, "AGENTS.md", "one")
    write(tmp_path, "CLAUDE.md", "two")
    _, second = describe(house_of(tmp_path))
    assert second.words.endswith("not read while AGENTS.md stands beside it")


@pytest.mark.parametrize("hidden", ["\u202e", "\u200b", "\x1b[2J", "\x00", "\U000e0041"])
def test_what_hides_in_a_text_is_spelled_out_and_warned_of(tmp_path: Path, hidden: str) -> None:
    write(tmp_path, "AGENTS.md", f"be{hidden}good")
    item = only(house_of(tmp_path))
    assert "hidden" in item.warning
    assert hidden not in item.content
    assert len(item.content) > len("begood")


@pytest.mark.parametrize("text", ["a\r\nb", "\tindented", "naïve 日本 👩‍👧 ❤️", "\ufeffbegins"])
def test_ordinary_text_is_not_warned_of(tmp_path: Path, text: str) -> None:
    write(tmp_path, "AGENTS.md", text)
    assert only(house_of(tmp_path)).warning == ""


def test_a_long_text_is_cut_and_says_by_how_much(tmp_path: Path) -> None:
    write(tmp_path, "AGENTS.md", "x" * (trust_view.MOST_SHOWN_CHARS + 1_000))
    item = only(house_of(tmp_path))
    assert item.content.endswith("\n… 1,000 more characters")
    assert len(item.content) < trust_view.MOST_SHOWN_CHARS + 100


def test_a_file_too_large_to_be_used_is_not_shown(tmp_path: Path) -> None:
    write(tmp_path, "AGENTS.md", "x" * 300_000)
    item = only(house_of(tmp_path))
    assert item.words == "not usable: it is larger than 256,000 bytes"
    assert item.content == ""


def test_knowledge_is_counted_and_shown(tmp_path: Path) -> None:
    lines = [{"id": f"k{n}", "type": "pattern", "content": f"fact {n}"} for n in range(3)]
    text = "\n".join([*map(json.dumps, lines), "torn", json.dumps(lines[0])])
    write(tmp_path, ".diligent/knowledge/knowledge.jsonl", text)
    item = only(house_of(tmp_path))
    assert item.words == "3 entries, the best told to the model"
    assert item.content == "pattern  fact 0\npattern  fact 1\npattern  fact 2"


def test_knowledge_too_large_to_be_shown_is_said_to_be_so(tmp_path: Path) -> None:
    path = write(tmp_path, ".diligent/knowledge/knowledge.jsonl", "x")
    os.truncate(path, trust_view.MOST_KNOWLEDGE_BYTES + 1)
    assert only(house_of(tmp_path)).words.startswith("not shown: it is larger")


def test_a_pipe_in_the_place_of_knowledge_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "project" / ".diligent" / "knowledge").mkdir(parents=True)
    os.mkfifo(tmp_path / "project" / ".diligent" / "knowledge" / "knowledge.jsonl")
    assert only(house_of(tmp_path)).words == "not usable: it is not a plain file"


def test_sessions_are_counted_and_named(tmp_path: Path) -> None:
    for name in ("b", "a\x1b[2J"):
        write(tmp_path, f".diligent/sessions/{name}.jsonl", "{}")
    item = only(house_of(tmp_path))
    assert item.words == "2 sessions, offered to go on with"
    assert item.content == "a.jsonl\nb.jsonl"


def test_a_link_out_of_the_folder_is_told_by_where_it_leads_and_not_opened(tmp_path: Path) -> None:
    house_of(tmp_path)
    secret = tmp_path / "secret"
    secret.write_text('{"theme": "light"}')
    (tmp_path / "project" / "diligent.jsonc").symlink_to(secret)
    item = only(house_of(tmp_path))
    assert str(secret) in item.warning
    assert (item.content, item.changes) == ("", ())


def test_a_yes_is_to_the_bytes_that_were_shown(tmp_path: Path) -> None:
    path = write(tmp_path, "AGENTS.md", "unkind")
    house = house_of(tmp_path)
    path.write_text("kind")
    item = only(house)
    assert item.content == "kind"
    assert item.finding.digest == hashlib.sha256(b"kind").hexdigest()
    house.trust_list.trust(Survey((item.finding,)))
    assert house.trust_list.is_trusted(take_survey(house.places))
    path.write_text("unkind")
    assert not house.trust_list.is_trusted(take_survey(house.places))


def test_what_is_gone_meanwhile_stops_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, "AGENTS.md", "x")
    house = house_of(tmp_path)
    path.unlink()
    assert only(house).words == "not usable: it cannot be read"
