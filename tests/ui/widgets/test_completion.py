"""What the list above the prompt offers: which word is meant, which names fit it, and in which order."""

import os
from pathlib import Path

import pytest

from diligent_tui.ui.commands import COMMANDS
from diligent_tui.ui.screens.prompting.pasted_paths import path_in
from diligent_tui.ui.widgets.completion import file_index
from diligent_tui.ui.widgets.completion.choices import MOST_ROWS, Choice, Choices
from diligent_tui.ui.widgets.completion.file_index import FileIndex
from diligent_tui.ui.widgets.completion.finder import Finder
from diligent_tui.ui.widgets.completion.fuzzy import best, places, rank
from diligent_tui.ui.widgets.completion.mention import Mention, mention_at, written
from diligent_tui.ui.widgets.completion.slash_rows import SlashWords

NAMES_BEST_FIRST = [
    "src/app",
    "src/app.py",
    "src/my_app.py",
    "src/wrapper.py",
    "app/main.py",
    "wrapped/main.py",
    "src/a_plain_path.py",
    "a/plain/path.py",
]


def test_a_whole_name_comes_before_its_parts_and_letters_that_stand_together_before_scattered_ones() -> None:
    ranks = [rank("app", name) for name in NAMES_BEST_FIRST]
    assert ranks == sorted(ranks, reverse=True)
    assert len(set(ranks)) == len(ranks)
    assert rank("app", "src/main.py") == 0


def test_all_names_fit_no_letters() -> None:
    assert best("", ["b", "a"]) == [0, 1]


@pytest.mark.parametrize(
    ("wanted", "name", "shown"),
    [
        ("app", "src/app.py", "app"),
        ("APP", "app/app.py", "app"),
        ("sap", "src/app.py", "sap"),
        ("zz", "src/app.py", ""),
        ("", "src/app.py", ""),
        ("i", "İx/i", ""),
    ],
)
def test_the_letters_that_were_meant_are_set_off(wanted: str, name: str, shown: str) -> None:
    assert "".join(name[place] for place in sorted(places(wanted, name))) == shown


MENTIONS: list[tuple[str, bool, Mention | None]] = [
    ("see @src/a", True, Mention("file", "src/a", 4)),
    ("@", False, Mention("file", "", 0)),
    ('(@"my do', True, Mention("file", "my do", 1)),
    ('@"my doc" ', True, None),
    ("me@home", True, None),
    ("@a b", True, None),
    ("/", True, Mention("command", "", 0)),
    ("/undo-c", True, Mention("command", "undo-c", 0)),
    ("/undo-c", False, None),
    ("//x", True, None),
    ("/usr/bin", True, None),
    ("/model ", True, Mention("argument", "", 7, "model")),
    ("/compact --strategy  pr", True, Mention("argument", "pr", 21, "compact", ("--strategy",))),
    ("hello /mo", True, None),
]


@pytest.mark.parametrize(("line", "is_first", "mention"), MENTIONS)
def test_the_word_under_the_cursor_is_known(line: str, is_first: bool, mention: Mention | None) -> None:
    assert mention_at(line, len(line), is_first_line=is_first) == mention
    assert mention_at(f"{line} and more", len(line), is_first_line=is_first) == mention


@pytest.mark.parametrize(("path", "text"), [("a.py", "@a.py"), ("my doc.md", '@"my doc.md"')])
def test_a_path_with_blanks_is_quoted(path: str, text: str) -> None:
    assert written(path) == text


def test_the_mark_goes_round_and_stays_in_sight() -> None:
    choices = Choices(tuple(Choice(str(number), "") for number in range(20)))
    assert choices.moved(-1).place == 19
    assert choices.moved(-1).moved(1).place == 0
    assert choices.moved_by_page(1).place == MOST_ROWS
    assert choices.moved_by_page(9).place == 19
    for place in range(20):
        assert place in choices.moved(place).window(5)
    assert list(Choices().moved(1).window(5)) == []


def make_project(folder: Path) -> Path:
    root = folder / "project"
    for name in ("src/main.py", "src/deep/main_test.py", "README.md", "build/main.o", "notes/my plan.md", "é.txt"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("")
    (root / ".git").mkdir()
    (root / ".gitignore").write_text("build/\n*.log\n")
    (root / "main.log").write_text("")
    return root


def walked(root: Path, cwd: Path | None = None) -> FileIndex:
    index = FileIndex(root, cwd or root)
    index.walk()
    return index


def test_files_and_folders_are_found_and_ignored_ones_are_not(tmp_path: Path) -> None:
    index = walked(make_project(tmp_path))
    assert index.search("main", {}, 10).paths == ("src/main.py", "src/deep/main_test.py")
    assert index.search("src", {}, 1).paths == ("src/",)
    assert set(index.names.paths) == {
        *("src/", "src/main.py", "src/deep/", "src/deep/main_test.py", "README.md", ".gitignore"),
        *("notes/", "notes/my plan.md", "é.txt"),
    }


def test_letters_may_be_scattered_and_large(tmp_path: Path) -> None:
    assert walked(make_project(tmp_path)).search("RME", {}, 1).paths == ("README.md",)


def test_what_is_in_use_comes_first_among_its_equals(tmp_path: Path) -> None:
    index = walked(make_project(tmp_path))
    assert index.search("", {"src/deep/main_test.py": 1.0}, 1).paths == ("src/deep/main_test.py",)
    assert index.search("main.py", {"src/deep/main_test.py": 9.0}, 1).paths == ("src/main.py",)


def test_in_a_folder_below_files_are_called_as_they_are_there(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    index = walked(root, root / "src" / "deep")
    assert {"main_test.py", "../main.py", "../../README.md", "../../notes/"} <= set(index.names.paths)
    for name in index.names.paths:
        assert (root / "src" / "deep" / name).exists()


def test_names_that_cannot_be_shown_are_left_out(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    for name in (b"bad\xff.py", b"es\x1bc.py", "bidi\u202e.py".encode(), b"new\nline.py"):
        Path(os.fsdecode(os.fsencode(root) + b"/" + name)).write_text("")
    assert all(path.isprintable() for path in walked(root).names.paths)
    assert len(walked(root).names.paths) == 9


def test_there_is_an_end_to_the_walk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_index, "MOST_FILES", 3)
    index = walked(make_project(tmp_path))
    assert len(index.names.paths) <= 4
    assert not index.names.is_whole


def test_a_walk_is_good_for_a_while(tmp_path: Path) -> None:
    now = 100.0
    index = FileIndex(tmp_path, tmp_path, clock=lambda: now)
    assert index.is_stale
    index.walk()
    assert not index.is_stale
    now += file_index.FRESH_SECONDS + 1
    assert index.is_stale


def test_a_folder_that_is_gone_has_no_files(tmp_path: Path) -> None:
    assert walked(tmp_path / "gone").search("a", {}, 5).paths == ()


def test_what_is_in_use_is_weighed_among_very_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_index, "MOST_RANKED", 2)
    index = walked(make_project(tmp_path))
    assert "notes/my plan.md" in index.search("", {"notes/my plan.md": 1.0}, 3).paths


WORDS = SlashWords(lambda: [Choice("a/one", "a/one"), Choice("b/two", "b/two")], lambda: ("auto", "prune"))


def offered(line: str) -> list[str]:
    mention = mention_at(line, len(line), is_first_line=True)
    assert mention is not None
    return [choice.value for choice in WORDS.rows(mention)]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("/mode ", ["plan", "ask", "auto-edit", "full"]),
        ("/mode au", ["auto-edit"]),
        ("/model ", ["a/one", "b/two"]),
        ("/model tw", ["b/two"]),
        ("/compact ", ["--strategy", "--model", "--preview"]),
        ("/compact --strategy ", ["auto", "prune"]),
        ("/compact --preview --m", ["--model"]),
        ("/compact pre", []),
        ("/compact --model on", ["a/one"]),
        ("/name ", []),
        ("/nothing-like-it ", []),
    ],
)
def test_what_may_follow_a_command_is_offered(line: str, words: list[str]) -> None:
    assert offered(line) == words


def test_every_slash_word_is_offered_and_its_beginning_first() -> None:
    assert set(offered("/")) == {command.slash for command in COMMANDS if command.slash}
    assert offered("/mod")[:2] == ["model", "mode"] or offered("/mod")[:2] == ["mode", "model"]
    assert offered("/mode")[0] == "mode"


def make_finder(chosen: list[str]) -> Finder:
    texts = ("fix the loader", "long " * 60 + "needle here", "FIX it all")
    return Finder(
        "history", (), tuple(Choice(text, text) for text in texts), lambda choice: chosen.append(choice.value)
    )


def test_a_search_shows_texts_with_all_its_words() -> None:
    finder = make_finder([])
    assert len(finder.choices.rows) == 3
    for key in "fix a":
        assert finder.take_key("space" if key == " " else key, key)
    assert [row.value for row in finder.choices.rows] == ["fix the loader", "FIX it all"]
    finder.take_key("l", "l")
    assert [row.value for row in finder.choices.rows] == ["FIX it all"]
    finder.take_key("backspace", None)
    assert len(finder.choices.rows) == 2
    finder.take_key("ctrl+u", None)
    assert len(finder.choices.rows) == 3


def test_a_search_says_how_many_were_found_of_how_many() -> None:
    finder = make_finder([])
    assert finder.choices.note == "3 in all"
    finder.type_in("fix")
    assert finder.choices.note == "2 found of 3"
    finder.type_in("swans")
    assert finder.choices.note == "0 found of 3"


def test_what_was_found_far_behind_is_in_sight() -> None:
    finder = make_finder([])
    finder.type_in("needle")
    assert finder.choices.rows[0].label.startswith("…")
    assert finder.choices.rows[0].label.endswith("needle here")


def test_keys_that_mean_nothing_in_a_search_are_left_to_others() -> None:
    assert not make_finder([]).take_key("f1", None)
    assert not make_finder([]).take_key("alt+x", "x")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("/tmp/a.png", "/tmp/a.png"),
        (" '/tmp/my shot.PNG' \n", "/tmp/my shot.PNG"),
        ('"shot.jpg"', "shot.jpg"),
        ("/tmp/my\\ shot.png", "/tmp/my shot.png"),
        ("file:///tmp/my%20shot.webp", "/tmp/my shot.webp"),
        ("/tmp/Screenshot at 10.15.png", "/tmp/Screenshot at 10.15.png"),
        ("~/my shot.png", "~/my shot.png"),
        ("@a.gif", "a.gif"),
        ("see /tmp/a.png", None),
        ("a.png\nb.png", None),
        ("/tmp/a.txt", None),
        ("", None),
        ("'", None),
        ("x" * 2_000 + ".png", None),
    ],
)
def test_a_pasted_path_of_a_picture_is_known(text: str, path: str | None) -> None:
    assert path_in(text) == path
