"""The trace pane as one works in it, alone and in the app."""

import json
import re
from pathlib import Path

import pytest

from diligent_tui.compaction.views import CompactionWish
from diligent_tui.domain import events as ev
from diligent_tui.domain.progress import tell_nobody
from diligent_tui.domain.usage import Usage
from diligent_tui.ui.commands.trace import TRACE_COMMANDS
from diligent_tui.ui.panes.trace import TracePane
from diligent_tui.ui.screens.charts.reading import begin_reading
from tests.ui.panes.trace_stage import Timed, TraceApp, answer, listed, rows, story, told
from tests.ui.stage import ask, make_app, ready, settled

SEVERAL_BLANKS = re.compile(" {2,}")
KEY = "sk-a-key-of-nobody-at-all"


def modes(first: int, count: int) -> list[Timed]:
    return [(80.0 + number, ev.ModeChanged(f"mode {number}")) for number in range(first, first + count)]


async def test_rows_tell_time_state_subject_and_duration() -> None:
    async with TraceApp().run_test(size=(160, 50)) as pilot:
        pane = await listed(pilot)
        shown = rows(pane)
        words = ["0:42.5", "✓ request", "75 kB", "sonnet-5-5", "cache broke: compaction", "4.3 s"]
        assert words in [SEVERAL_BLANKS.split(row.strip(" ▎")) for row in shown]
        assert shown[-1].strip(" ▎").startswith("1:10.0  ◐ request")
        assert "2 problems · cache broke 2×" in told(pane, "totals")


async def test_columns_stand_below_each_other_with_room_between_them() -> None:
    async with TraceApp().run_test(size=(120, 40)) as pilot:
        pane = await listed(pilot)
        shown = [row[1:] for row in rows(pane) if row.split()[-1] in ("s", "ms") and "retry" not in row]
        assert {row[5:8].replace("✓", "◐").replace("✗", "◐") for row in shown} == {"  ◐"}
        assert all(row[8] == " " and row[19:21] == "  " and row[21] != " " for row in shown)
        assert {row[-8:-6] for row in shown} == {"  "}


async def test_the_cursor_is_on_the_newest_row_from_the_start_while_one_is_there() -> None:
    async with TraceApp().run_test(size=(120, 40)) as pilot:
        pane = await listed(pilot)
        *others, last = rows(pane)
        assert last.startswith("▎")
        assert not any(row.startswith("▎") for row in others)
        await pilot.press("k")
        assert rows(pane)[-2].startswith("▎")
        pane.screen.set_focus(None)
        await pilot.pause()
        assert not any(row.startswith("▎") for row in rows(pane))


async def test_an_empty_trace_teaches_and_its_foot_has_the_keys_that_do_something() -> None:
    app = TraceApp([])
    async with app.run_test(size=(120, 40)) as pilot:
        pane = await listed(pilot)
        assert told(pane, "empty").count("\n") == 1
        assert told(pane, "foot") == "tab prompt  F7 hide"
        app.tell(modes(0, 1))
        await pilot.pause()
        assert "⏎ open" in told(pane, "foot")
        assert "! problems" in told(pane, "foot")
        await pilot.press("!")
        assert told(pane, "foot") == "esc show all  f filter  / find"


async def test_it_follows_the_newest_unless_one_reads_further_up() -> None:
    app = TraceApp()
    async with app.run_test(size=(80, 24)) as pilot:
        pane = await listed(pilot)
        app.tell(modes(0, 5))
        await pilot.pause()
        assert "mode 4" in rows(pane)[-1]
        await pilot.press("home")
        before = rows(pane)
        app.tell(modes(5, 5))
        await pilot.pause()
        assert rows(pane) == before
        assert told(pane, "foot").startswith("5 new ↓  ⏎ open  G newest")
        await pilot.press("G")
        assert "mode 9" in rows(pane)[-1]
        assert "new ↓" not in told(pane, "foot")


async def test_what_only_grew_below_is_not_new() -> None:
    app = TraceApp()
    async with app.run_test(size=(80, 24)) as pilot:
        pane = await listed(pilot)
        await pilot.press("home")
        app.tell([(80.0, ev.TextDelta("m6", "words")), (81.0, ev.MessageSaved("m6", "assistant", "words", "end_turn"))])
        await pilot.pause()
        assert "1 new ↓" in told(pane, "foot")
        await pilot.press("G", "home")
        app.tell([(82.0, ev.UsageRecorded("m6", "openai/gpt-6", Usage(input_tokens=1), 0.1))])
        await pilot.pause()
        assert "new ↓" not in told(pane, "foot")


async def test_while_more_comes_the_way_back_to_all_is_still_told() -> None:
    app = TraceApp()
    async with app.run_test(size=(80, 24)) as pilot:
        pane = await listed(pilot)
        app.tell(modes(0, 40))
        await pilot.press("f", "f", "f", "f", "home")
        app.tell(modes(40, 3))
        await pilot.pause()
        assert told(pane, "foot").startswith("3 new ↓")
        assert "esc show all" in told(pane, "foot")


async def test_an_effect_without_room_is_left_out_whole() -> None:
    name, command = "a_tool_with_a_long_name", "some words that take all the room there is"
    events: list[Timed] = [
        (0, ev.ToolStarted("c", name, {"command": command})),
        (1, ev.ToolFinished("c", name, "o" * 67, False, 1.0)),
    ]
    async with TraceApp(events).run_test(size=(160, 24)) as pilot:
        pane = await listed(pilot)
        assert "67 chars" in rows(pane)[-1]
        await pilot.resize_terminal(110, 24)
        await pilot.pause()
        assert "67" not in rows(pane)[-1]


async def test_lines_of_a_subject_stand_beside_each_other() -> None:
    async with TraceApp([(0, ev.TurnStarted("p", "one\n\ntwo"))]).run_test(size=(120, 24)) as pilot:
        assert "one · two" in rows(await listed(pilot))[-1]


async def test_the_cursors_row_is_turned_over_without_colours_and_its_details_are_not() -> None:
    async with TraceApp(theme="ansi").run_test(size=(120, 40)) as pilot:
        log = (await listed(pilot)).log_view

        def turned() -> int:
            strips = log.render_lines(log.size.region)
            return sum(any(piece.style and piece.style.reverse for piece in strip) for strip in strips)

        await pilot.press("k")
        assert turned() == 1
        await pilot.press("enter")
        assert turned() == 0


async def test_a_cursor_on_the_newest_goes_along_with_it() -> None:
    app = TraceApp()
    async with app.run_test(size=(80, 24)) as pilot:
        pane = await listed(pilot)
        await pilot.press("G")
        app.tell(modes(0, 3))
        await pilot.pause()
        assert pane.thing is not None
        assert pane.thing.first == ev.ModeChanged("mode 2")


async def test_nothing_is_listed_while_nobody_looks_and_all_of_it_when_one_does() -> None:
    app = TraceApp([])
    async with app.run_test(size=(80, 24)) as pilot:
        pane = await listed(pilot)
        pane.display = False
        await pilot.pause()
        app.tell(story())
        await pilot.pause()
        assert not pane.book.things
        pane.display = True
        await pilot.pause()
        await pilot.pause()
        assert len(pane.book.things) == 21


async def test_kinds_problems_and_words_narrow_the_list_and_escape_widens_it() -> None:
    app = TraceApp()
    async with app.run_test(size=(120, 40)) as pilot:
        pane = await listed(pilot)
        everything = rows(pane)
        await pilot.press("f")
        shown = rows(pane)
        assert {row[1:].split()[2] for row in shown} == {"request", "answer", "retry"}
        assert f"requests and answers · {len(shown)} rows" in told(pane, "head")
        await pilot.press("!")
        assert [row[1:].split()[2] for row in rows(pane)] == ["retry"]
        assert "requests and answers · problems · 1 row" in told(pane, "head")
        await pilot.press("escape")
        assert rows(pane) == everything
        await pilot.press("/", *"make test", "enter")
        assert len(rows(pane)) == 3
        assert pane.has_focus
        await pilot.press("escape")
        assert rows(pane) == everything


async def test_what_begins_to_fit_later_comes_in_at_its_place() -> None:
    app = TraceApp([(0, ev.ToolStarted("a", "bash", {})), (1, ev.ToolStarted("b", "bash", {}))])
    async with app.run_test(size=(80, 24)) as pilot:
        pane = await listed(pilot)
        await pilot.press("!")
        app.tell([(2, ev.ToolFinished("b", "late", "", True, 1.0)), (3, ev.ToolFinished("a", "early", "", True, 1.0))])
        await pilot.pause()
        assert [thing.records[0].number for thing in pane.log_view.model.blocks.blocks] == [0, 1]


async def test_a_row_opens_to_its_details_and_can_be_copied() -> None:
    app = TraceApp(story()[1:])
    async with app.run_test(size=(120, 40)) as pilot:
        pane = await listed(pilot)
        await pilot.press("home", "j", "enter")
        shown = "\n".join(rows(pane))
        assert "75 kB: tools 10 kB, system 4.2 kB" in shown
        assert "nothing is cached yet" in shown
        await pilot.press("enter")
        assert "system 4.2 kB" not in "\n".join(rows(pane))
        assert pane.thing is not None
        assert "request 1 of this turn went to anthropic/sonnet-5-5" in pane.log_view.renderer.source(pane.thing)


async def test_many_more_events_than_are_kept_are_counted_and_memory_is_bounded() -> None:
    app = TraceApp([])
    async with app.run_test(size=(80, 24)) as pilot:
        pane = await listed(pilot)
        for start in range(0, 12_000, 1_000):
            app.tell(modes(start, 1_000))
        await pilot.pause()
        assert len(pane.log_view.model.blocks) == len(pane.recorder.records) == 5_000
        assert "oldest 7,000 dropped" in told(pane, "totals")
        assert "mode 11999" in rows(pane)[-1]


async def test_a_row_goes_to_the_chat_if_it_stands_there() -> None:
    app = TraceApp(answer(0, "m1", 0, 5_000))
    async with app.run_test(size=(80, 24)) as pilot:
        await listed(pilot)
        await pilot.press("c")
        await pilot.pause()
        (wish,) = app.wishes
        assert isinstance(wish, TracePane.ToChat)
        assert wish.entry_id == "m1"


async def test_every_command_of_the_trace_does_something_there() -> None:
    app = TraceApp()
    async with app.run_test(size=(80, 24)) as pilot:
        pane = await listed(pilot)
        assert {command.id for command in TRACE_COMMANDS} == set(pane.deeds)


@pytest.mark.parametrize("size", [(1, 1), (20, 6), (60, 20)])
async def test_any_screen_will_do(size: tuple[int, int]) -> None:
    async with TraceApp().run_test(size=size) as pilot:
        pane = await listed(pilot)
        await pilot.press("j", "enter", "f", "G")
        await pilot.pause()
        assert len(pane.book.things) == 21


async def test_in_the_app_it_tells_a_real_compaction_with_what_it_kept_and_exports_without_keys(tmp_path: Path) -> None:
    environ = {"HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin", "ANTHROPIC_API_KEY": KEY}
    app = make_app(tmp_path, environ=environ)
    async with app.run_test(size=(120, 40)) as pilot:
        core = await ready(pilot)
        for number in range(6):
            (app.opening.cwd / f"notes{number}.md").write_text(f"words of file {number}, and some more\n" * 320)
            await ask(pilot, f"read notes{number}.md")
        assert core.session is not None
        assert await core.session.memory.compact(CompactionWish())
        await ask(pilot, f"my key is {KEY}")
        await pilot.press("f7")
        await settled(pilot)
        pane = app.screen.query_one(TracePane)
        found = next(thing for thing in pane.book.things.values() if thing.kind == "compaction")
        source = pane.log_view.renderer.source(found)
        assert " cut, – kept" not in source
        assert " cut, " in source
        assert "and the next request was" in source
        await pilot.press("e")
        path = app.opening.cwd / f"trace-{core.session.id}.jsonl"
        while not path.exists():
            await pilot.pause(0.01)
        text = path.read_text()
        assert KEY not in text
        assert "my key is [ANTHROPIC_API_KEY]" in text
        assert json.loads(text.splitlines()[0])["sessionId"] == core.session.id


async def test_in_the_app_pruning_says_what_it_took_and_the_cached_share_is_that_of_the_charts(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        core = await ready(pilot)
        session = core.session
        assert session is not None
        for number in range(5):
            (app.opening.cwd / f"notes{number}.md").write_text(f"words of file {number}, and some more\n" * 570)
        await ask(pilot, " then ".join(f"read notes{number}.md" for number in range(5)))
        assert session.store.tree.counts["prune"] == 1
        assert await session.memory.compact(CompactionWish())
        await pilot.press("f7")
        await settled(pilot)
        pane = app.screen.query_one(TracePane)
        assert any("✓ pruned" in row and "output" in row and "−" in row for row in rows(pane))
        usage = begin_reading(session, None)(tell_nobody).path.usage
        share = 100 * usage.cache_read_tokens / usage.prompt_tokens
        assert f"{share:.0f} % cached" in told(pane, "totals")


async def test_exports_asked_for_at_once_are_two_files_and_hide_what_looks_like_a_key(tmp_path: Path) -> None:
    token = f"ghp_{'aB3dE5gH' * 5}"
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        core = await ready(pilot)
        await ask(pilot, f"run echo {token}")
        await pilot.press("f7")
        await settled(pilot)
        pane = app.screen.query_one(TracePane)
        assert token[:12] not in "\n".join(rows(pane))
        assert core.session is not None
        await pilot.press("e", "e")
        paths = [app.opening.cwd / f"trace-{core.session.id}{end}.jsonl" for end in ("", "-2")]
        while not all(path.exists() for path in paths):
            await pilot.pause(0.01)
        assert all(token not in path.read_text() for path in paths)
        assert all("[access token]" in path.read_text() for path in paths)


async def test_a_request_after_a_move_says_so_and_not_that_it_was_compacted(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        core = await ready(pilot)
        await ask(pilot, "hello")
        await ask(pilot, "and on")
        assert core.session is not None
        first = core.session.conversation.path[0].id
        await core.session.move_to(first)
        await ask(pilot, "another way")
        await pilot.press("f7")
        await settled(pilot)
        pane = app.screen.query_one(TracePane)
        asked = [thing for thing in pane.book.things.values() if thing.kind == "request"]
        assert "moved to another place" in pane.log_view.renderer.source(asked[-1])
        assert any("broke: moved" in row for row in rows(pane))


async def test_another_session_has_a_trace_of_its_own(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        core = await ready(pilot)
        await ask(pilot, "hello")
        await pilot.press("f7")
        await settled(pilot)
        pane = app.screen.query_one(TracePane)
        assert pane.book.totals.requests == 1
        await core.switch_to(None)
        await settled(pilot)
        assert pane.book.totals.requests == 0
        assert "Nothing was asked" in str(pane.query_one("#trace-empty").render())


async def test_a_stream_alone_paints_nothing_until_the_second_is_over() -> None:
    app = TraceApp(answer(0, "m1", 0, 5_000)[:3])
    async with app.run_test(size=(80, 24)) as pilot:
        pane = await listed(pilot)
        before = [thing.version for thing in pane.book.things.values()]
        app.tell([(2.0 + number, ev.TextDelta("m1", "words ")) for number in range(50)])
        assert [thing.version for thing in pane.book.things.values()] == before
        app.tell([(60.0, ev.MessageSaved("m1", "assistant", "Done.", "end_turn"))])
        await pilot.pause()
        assert "322 chars" in rows(pane)[-1]
