"""Exports show all that was said, and nothing that was said can act on the reader or leave its place."""

import json
import os
import re
import stat
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from diligent_tui.domain.entries import MessageEntry
from diligent_tui.domain.errors import StorageError, UsageError
from diligent_tui.domain.messages import TextBlock, ToolCallBlock, ToolResultMessage
from diligent_tui.session.export import parts as parts_module
from diligent_tui.session.export.exporting import export_session
from diligent_tui.session.export.formats import ExportFormat
from diligent_tui.session.export.markdown_words import fenced, quoted, tamed
from diligent_tui.session.export.masking import Mask, mask_of
from diligent_tui.session.export.outline import outline, tips
from diligent_tui.session.export.saving import save_export
from diligent_tui.session.store import SessionStore
from tests.session.drafts import STAMP, answered, draft, line_of, piece, said
from tests.session.talks import ANSWER, HOSTILE, OUTPUT, replied, talk

KEY = 'sk-ant-"quoted"-0123456789'


def exported(path: Path, form: ExportFormat, mask: Mask | None = None, entry_id: str | None = None) -> bytes:
    store = SessionStore.open(path, for_writing=False)
    return b"".join(export_session(store, form, mask or Mask(), entry_id))


def markdown(path: Path, entry_id: str | None = None) -> str:
    return exported(path, "md", entry_id=entry_id).decode()


def test_markdown_tells_the_path_to_the_leaf(tmp_path: Path) -> None:
    text = markdown(talk(tmp_path))
    for words in (
        "# The \\<loader\\>",
        "Recovered 17 entries: 1 damaged line.",
        "> Why twice?",
        "model offline/rehearsal · thinking high",
        "<summary>Thinking</summary>",
        "**→ read  loader.py**",
        "<summary>✓ read  loader.py",
        "<summary>✗ read · 1 line</summary>",
        "### ⟳ Compacted 142,318 → 28,004 tokens",
        "> - all of it",
        "stopped · what was said so far is kept",
        "$0.42",
    ):
        assert words in text
    assert "pydantic" not in text
    assert "/tmp/project" not in text


def test_markdown_of_a_branch_tells_that_branch(tmp_path: Path) -> None:
    text = markdown(talk(tmp_path), "0000dead")
    assert "In pydantic?" in text
    assert "Summary of a branch that was left" in text
    assert "⚑ **try \\<i\\>it\\</i\\>**" in text
    assert "an entry of unknown type dream" in text
    assert "sheep" in text
    assert "Do it." not in text
    assert "\x1b" not in text
    assert "\u202e" not in text


def raw_html(text: str) -> list[str]:
    """What a reader of Markdown would take for HTML, but for the folds of ours."""
    found = MarkdownIt("commonmark").enable("table").parse(text)
    tokens = found + [inner for token in found for inner in token.children or ()]
    html = [token.content for token in tokens if token.type in ("html_block", "html_inline")]
    ours = re.compile(r"<details><summary>[^<]*</summary>\n?|</details>\n?")
    return [piece for piece in html if not ours.fullmatch(piece)]


def headings(text: str) -> list[str]:
    tokens = MarkdownIt("commonmark").parse(text)
    return [inner.content for token, inner in pairwise(tokens) if token.type == "heading_open" and token.tag == "h2"]


def test_nothing_in_markdown_breaks_out_of_its_place(tmp_path: Path) -> None:
    for entry_id in (None, "0000dead"):
        text = markdown(talk(tmp_path), entry_id)
        assert raw_html(text) == []
        assert all(words.startswith("You · ") for words in headings(text))
        assert not any(
            inner.type == "image" for token in MarkdownIt("commonmark").parse(text) for inner in token.children or ()
        )
    assert len(headings(markdown(talk(tmp_path)))) == 2


MARKS = st.text(alphabet="`~<>!-=#|\\ \n\t[]()ab/&1.*", max_size=60)


@given(MARKS)
def test_no_words_become_html_or_a_heading_of_ours(words: str) -> None:
    text = f"## You\n\n{tamed(words + '<img src=x>')}\n\n## You\n\n{quoted(tamed(words + '<script>'))}\n\n## You\n"
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    tokens += [inner for token in tokens for inner in token.children or ()]
    assert [token.content for token in tokens if token.type in ("html_block", "html_inline", "image")] == []
    assert len([token for token in tokens if token.type == "heading_open" and token.tag == "h2"]) == 3


@given(MARKS)
def test_a_fence_holds_what_is_in_it(words: str) -> None:
    (token,) = MarkdownIt("commonmark").parse(fenced(words))
    assert token.type == "fence"
    assert token.content.rstrip() == words.rstrip().replace("\t", "\t")


def test_code_in_an_answer_stays_as_it_was_said() -> None:
    text = tamed(ANSWER)
    assert "`Layer<int>`" in text
    assert "```python\nclass Layer: ...\n```" in text
    assert "#### You" in text


def test_long_outputs_are_cut_in_the_middle_and_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts_module, "MOST_OUTPUT_CHARS", 100)
    result = MessageEntry(
        id="a1",
        parent_id="a0",
        timestamp=STAMP,
        message=ToolResultMessage(tool_call_id="c", tool_name="read", output="a" * 500 + "b" * 500),
    )
    text = markdown(draft(tmp_path, said("a0", None), result))
    assert "a" * 50 + "\n[… 900 characters left out here …]\n" + "b" * 50 in text
    assert "a" * 51 not in text


def test_jsonl_is_the_file_byte_for_byte(tmp_path: Path) -> None:
    path = talk(tmp_path)
    assert exported(path, "jsonl") == path.read_bytes()
    assert exported(path, "jsonl", mask_of({"SOME_API_KEY": "not-in-there"})) == path.read_bytes()


def test_jsonl_of_a_branch_is_a_session_with_that_path_only(tmp_path: Path) -> None:
    path = draft(tmp_path, said("a0", None), answered("a1", "gone"), said("b0", "a0"), piece("p", "b0", "cut", "half"))
    for entry_id, ids in (("a1", ["a0", "a1"]), ("cut", ["a0", "b0", "cut"])):
        copy = tmp_path / f"{entry_id}.jsonl"
        copy.write_bytes(exported(path, "jsonl", entry_id=entry_id))
        store = SessionStore.open(copy, for_writing=False)
        assert [node.id for node in store.tree.path(store.tree.leaf_id)] == ids
        assert not store.content.damage
    assert path.read_bytes().split(b"\n")[1] in exported(path, "jsonl", entry_id="a1")


@pytest.mark.parametrize("form", ["md", "html", "jsonl"])
@pytest.mark.parametrize("entry_id", [None, "a2"])
def test_our_own_keys_are_in_no_export(form: ExportFormat, entry_id: str | None, tmp_path: Path) -> None:
    call = replied("a1", "a0", TextBlock(text=f"so {KEY} it is"), ToolCallBlock(id="c", name="x", input={"k": KEY}))
    spelled = line_of(said("a2", "a1", KEY)).replace(b"sk-ant", b"\\u0073k-ant")
    path = draft(tmp_path, said("a0", None, "x" * 95 + KEY), call, spelled)
    text = exported(path, form, mask_of({"ANTHROPIC_API_KEY": KEY}), entry_id).decode()
    assert text.count("[ANTHROPIC_API_KEY]") >= 4
    shown = text if form != "jsonl" else json.dumps([json.loads(line) for line in text.splitlines()])
    assert "0123456789" not in shown
    assert "sk-ant" not in shown


@pytest.mark.parametrize("form", ["md", "html"])
def test_what_looks_like_a_key_is_in_no_export_to_be_read(form: ExportFormat, tmp_path: Path) -> None:
    token = f"ghp_{'aB3dE5gH' * 5}"
    call = replied("a1", "a0", ToolCallBlock(id="c", name="bash", input={"command": f"echo {token}"}))
    path = draft(tmp_path, said("a0", None, f"use {token} here"), call)
    text = exported(path, form, mask_of({})).decode()
    assert token not in text
    assert text.count("[access token]") >= 2


@pytest.mark.parametrize(
    ("name", "value", "is_masked"),
    [
        ("OPENAI_API_KEY", "sk-123", True),
        ("OPENAI_API_KEY", "x", False),
        ("GITHUB_TOKEN", "ghp_0123456789ab", True),
        ("DB_PASSWORD", "correct-horse-battery", True),
        ("DILIGENT_COMPACTION__RESERVE_TOKENS", "16384", False),
        ("PWD", "/tmp/some/where/else", False),
        ("SSH_AUTH_SOCK", "/tmp/ssh-0123456789/agent", False),
        ("GIT_AUTHOR_NAME", "somebody-with-a-long-name", False),
        ("PATHS", "nothing-to-hide-here", False),
    ],
)
def test_what_counts_as_a_key(name: str, value: str, is_masked: bool) -> None:
    assert bool(mask_of({name: value}).values) == is_masked


def test_the_longest_key_is_hidden_first() -> None:
    mask = mask_of({"A_API_KEY": "secret-one"}, ["secret-one-and-more"])
    assert mask.text("secret-one-and-more, secret-one") == "[key], [A_API_KEY]"


def test_the_outline_is_indented_only_at_forks(tmp_path: Path) -> None:
    tree = SessionStore.open(talk(tmp_path), for_writing=False).tree
    rows = outline(tree)
    shape = [(row.node.id, row.depth, row.begins_branch) for row in rows]
    assert [each for each in shape if each[2]] == [
        ("b0", 1, True),
        ("w0", 1, True),
        ("f0", 2, True),
        ("g0", 2, True),
    ]
    assert [node_id for node_id, depth, _ in shape if depth == 0] == ["m0", "s0", "a0", "a1", "a2", "a3"]
    assert tips(rows) == 3


@pytest.mark.parametrize("form", ["md", "html"])
def test_an_empty_session_has_an_export(form: ExportFormat, tmp_path: Path) -> None:
    assert b"A session without a prompt" in exported(draft(tmp_path), form)


@pytest.mark.parametrize("form", ["md", "html"])
def test_lost_parents_and_strange_ids_are_told(form: ExportFormat, tmp_path: Path) -> None:
    odd = said('"><script>', None, "odd")
    text = exported(draft(tmp_path, odd, answered("a1", "gone", "still here")), form).decode()
    assert "was lost" in text
    assert "still here" in text
    assert "<script>odd" not in text


def test_outputs_of_tools_are_shown_as_they_came(tmp_path: Path) -> None:
    assert f"`````\n{OUTPUT.rstrip()}\n`````" in markdown(talk(tmp_path))
    assert "\x1b" not in markdown(talk(tmp_path), "d1")
    assert HOSTILE.split()[0] not in raw_html(markdown(talk(tmp_path), "d1"))


def test_a_saved_export_is_private_and_whole(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        assert save_export(tmp_path / "out.md", [b"one ", b"two"]) == 7
    finally:
        os.umask(before)
    assert (tmp_path / "out.md").read_bytes() == b"one two"
    assert stat.S_IMODE((tmp_path / "out.md").stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["out.md"]


def test_a_file_that_is_there_is_replaced_only_when_asked(tmp_path: Path) -> None:
    path = tmp_path / "out.md"
    path.write_text("mine")
    with pytest.raises(StorageError, match="is there already"):
        save_export(path, [b"x"])
    assert path.read_text() == "mine"
    save_export(path, [b"x"], replaces=True)
    assert path.read_text() == "x"


def test_a_name_taken_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "out.md"

    def pieces() -> Iterator[bytes]:
        path.write_text("mine")
        yield b"x"

    with pytest.raises(StorageError, match="is there already"):
        save_export(path, pieces())
    assert path.read_text() == "mine"
    assert [each.name for each in tmp_path.iterdir()] == ["out.md"]


def test_a_failure_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "made up")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(StorageError, match="disk is full"):
        save_export(tmp_path / "out.md", [b"x"])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", [".", "nowhere/out.md"])
def test_a_place_that_cannot_be_is_a_usage_error(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        save_export(tmp_path / name, [b"x"])


@pytest.mark.parametrize("form", ["md", "html", "jsonl"])
def test_an_export_tells_how_many_entries_are_written(tmp_path: Path, form: ExportFormat) -> None:
    store = SessionStore.open(talk(tmp_path), for_writing=False)
    told: list[tuple[int, int]] = []

    def tell(done: int, total: int) -> None:
        told.append((done, total))

    pieces = list(export_session(store, form, Mask(), tell=tell))
    assert pieces
    shares = [done / total for done, total in told]
    assert shares == sorted(shares)
    assert 0 <= shares[0] <= shares[-1] < 1
