"""The tool `recall`: originals, to the letter."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from diligent_tui.domain.entries import CompactionEntry, Entry, LabelEntry, MessageEntry
from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import (
    AssistantMessage,
    ImageBlock,
    Message,
    TextBlock,
    ToolCallBlock,
    ToolResultMessage,
    UserMessage,
)
from diligent_tui.session.recall import Hit
from diligent_tui.tools.base import Outcome, Workplace
from diligent_tui.tools.runner import run_call
from diligent_tui.tools.toolbox import recall_tool
from tests.tools.workbench import Bench

PICTURE = ImageBlock(source={"type": "base64", "media_type": "image/png", "data": "AAAA"})


def entry_of(message: Message) -> MessageEntry:
    return MessageEntry(id="ab12", message=message)


async def recalled(bench: Bench, entry: Entry, **arguments: object) -> Outcome:
    tool = recall_tool(lambda wanted: entry if wanted == entry.id else None)
    return await run_call(tool, {"id": entry.id, **arguments}, bench.call())


@pytest.mark.parametrize(
    ("entry", "head", "text"),
    [
        (entry_of(UserMessage(content="do it\n")), "user: 6 characters", "do it\n"),
        (entry_of(ToolResultMessage(tool_call_id="1", tool_name="read", output=" 1\tx")), "result of read: 4", " 1\tx"),
        (
            entry_of(
                AssistantMessage(
                    content=(TextBlock(text="Now."), ToolCallBlock(id="1", name="read", input={"path": "é"}))
                )
            ),
            "assistant",
            'Now.\n[call read] {"path": "é"}',
        ),
        (CompactionEntry(id="ab12", summary="All of it.", first_kept_entry_id="x"), "summary", "All of it."),
    ],
)
async def test_an_entry_comes_back_as_it_was(bench: Bench, entry: Entry, head: str, text: str) -> None:
    first, _, rest = (await recalled(bench, entry)).output.partition("\n")
    assert first.startswith(f"[ab12, {head}")
    assert rest == text


async def test_an_entry_without_words_comes_as_it_is_kept(bench: Bench) -> None:
    output = (await recalled(bench, LabelEntry(id="ab12", target_id="cd34", label="here"))).output
    assert '"targetId":"cd34"' in output


async def test_pictures_come_too(bench: Bench) -> None:
    entry = entry_of(ToolResultMessage(tool_call_id="1", output=(TextBlock(text="[a.png]"), PICTURE)))
    outcome = await recalled(bench, entry)
    assert outcome.images == (PICTURE,)
    assert (await recalled(bench, entry_of(UserMessage(content=(PICTURE,))))).images == (PICTURE,)


async def test_a_longer_output_comes_whole_from_its_file(bench: Bench) -> None:
    bench.workplace.spill_folder.mkdir(parents=True)
    whole = "".join(f"line {number}: é\n" for number in range(5_000))
    (bench.workplace.spill_folder / "ab12.txt").write_text(whole)
    entry = entry_of(ToolResultMessage(tool_call_id="1", tool_name="bash", output="head … tail", spill="ab12.txt"))
    head = (await recalled(bench, entry)).output.partition("\n")[0]
    assert head.endswith("all of the output, as it is in .diligent/sessions/s/ab12.txt]")
    assert "".join(await pages(bench, entry)) == whole


async def test_a_character_cut_by_a_read_is_whole_in_the_page(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("diligent_tui.tools.recall_pages.PIECE_BYTES", 3)
    bench.workplace.spill_folder.mkdir(parents=True)
    (bench.workplace.spill_folder / "ab12.txt").write_text("aé🦢b")
    entry = entry_of(ToolResultMessage(tool_call_id="1", output="a…", spill="ab12.txt"))
    assert (await recalled(bench, entry, offset=2)).output.partition("\n")[2] == "é🦢b"


@pytest.mark.parametrize("name", ["gone.txt", "../secret.txt", "link.txt", ".."])
async def test_what_is_kept_comes_if_the_file_is_gone_or_another(bench: Bench, name: str) -> None:
    folder = bench.workplace.spill_folder
    folder.mkdir(parents=True)
    (folder.parent / "secret.txt").write_text("a secret")
    (folder / "link.txt").symlink_to(folder.parent / "secret.txt")
    entry = entry_of(ToolResultMessage(tool_call_id="1", tool_name="bash", output="head … tail", spill=name))
    head, _, rest = (await recalled(bench, entry)).output.partition("\n")
    assert head.endswith("the file with all of it is gone]")
    assert rest == "head … tail"


async def pages(bench: Bench, entry: Entry) -> list[str]:
    found: list[str] = []
    offset: int | None = 1
    while offset is not None:
        output = (await recalled(bench, entry, offset=offset)).output
        assert len(output.encode()) <= bench.workplace.output_limit_bytes
        head, _, page = output.partition("\n")
        found.append(page)
        more = re.search(r"go on with offset (\d+)", head)
        offset = int(more[1]) if more else None
    return found


@given(text=some.text(some.characters(codec="utf-8"), min_size=1), repeats=some.integers(1, 400))
async def test_all_pages_together_are_the_original(text: str, repeats: int) -> None:
    text *= repeats
    nowhere = Path("/nowhere")
    bench = Bench(Workplace(nowhere, nowhere, 1_500, nowhere))
    entry = entry_of(UserMessage(content=text))
    assert "".join(await pages(bench, entry)) == text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"id": "nope"}, "This session has no entry nope."),
        ({"id": "a\x1b[2J"}, "no entry 'a\\x1b[2J'"),
        ({}, "`id` is missing"),
        ({"query": " "}, "or a `query` to search for"),
        ({"id": "ab12", "query": "x"}, "not both"),
        ({"query": "x", "offset": 2}, "`offset` goes with `id`"),
        ({"query": "x"}, "cannot be searched: give an `id`"),
        ({"id": "ab12", "offset": 99}, "has only 1 characters: `offset` 99 is past its end"),
        ({"id": "ab12", "offset": 0}, "`offset` must be a whole number from 1 up"),
    ],
)
async def test_what_cannot_be_recalled_is_explained(bench: Bench, arguments: JsonObject, words: str) -> None:
    entry = entry_of(UserMessage(content="x"))
    tool = recall_tool(lambda wanted: entry if wanted == "ab12" else None)
    outcome = await run_call(tool, arguments, bench.call())
    assert outcome.is_error
    assert words in outcome.output


async def found(bench: Bench, query: str, *hits: Hit) -> Outcome:
    async def search(words: str) -> tuple[Hit, ...]:
        if words == "broken":
            raise StorageError("The session cannot be searched.", "Use an id.")
        return hits if words == "swan" else ()

    return await run_call(recall_tool(lambda _: None, search), {"query": query}, bench.call())


async def test_a_query_lists_ids_with_what_stands_there(bench: Bench) -> None:
    hit = Hit("ab12", "result of read", "src/a.py", "def swan():", 7, 1.0, ("feed_swan",))
    outcome = await found(bench, " swan ", hit, replace(hit, entry_id="cd34", about="", names=()))
    assert outcome.output == (
        "ab12 · result of read · src/a.py · line 7\ndef swan():\nalso there: feed_swan\n\n"
        "cd34 · result of read · line 7\ndef swan():"
    )


async def test_a_query_that_finds_nothing_says_what_to_try(bench: Bench) -> None:
    outcome = await found(bench, "goose")
    assert outcome.output.startswith("Nothing in this session matches. Try other words")
    assert not outcome.is_error


async def test_a_search_that_fails_is_explained(bench: Bench) -> None:
    outcome = await found(bench, "broken")
    assert outcome.is_error
    assert "The session cannot be searched. Use an id." in outcome.output
