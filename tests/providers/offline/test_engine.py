import json

import pytest

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import TextBlock, ThinkingBlock, ToolCallBlock
from diligent_tui.domain.requests import RequestMessage, Text, ToolCall, ToolResult, UserTurn
from tests.providers.offline.driver import TEXT, TOOLS, ask, assistant, calls_of, finished, play, tool, user, words

FILES = {"a.py": "     1\timport os\n     2\tprint(os)\n[lines 1 to 2 of 9; read on with offset 3]", "b.md": "# B"}


def fake_run(name: str, arguments: JsonObject) -> tuple[str, bool]:
    match name:
        case "read":
            path = str(arguments["path"])
            return (FILES[path], False) if path in FILES else (f"{path} does not exist.", True)
        case "ls":
            return "a.py  20\nb.md  3\nsrc/", False
        case "grep":
            return "a.py:1: import os", False
        case "bash":
            return ("boom\nexit code 2", True) if "fail" in str(arguments) else ("it works", False)
        case "edit":
            return "@@ -1 +1 @@\n-old\n+new", False
        case _:
            return "ok", False


CONVERSATIONS: list[tuple[str, list[tuple[str, JsonObject]], list[str]]] = [
    (
        "read a.py",
        [("read", {"path": "a.py"})],
        ["```python\nimport os\nprint(os)\n```", "2 lines", "read on with offset 3"],
    ),
    ("read a.py lines 3-9", [("read", {"path": "a.py", "offset": 3, "limit": 7})], ["```python"]),
    ("read a.py from line 4", [("read", {"path": "a.py", "offset": 4})], ["```python"]),
    (
        "read a.py and b.md",
        [("read", {"path": "a.py"}), ("read", {"path": "b.md"})],
        ["```python\nimport os", "```markdown\n# B"],
    ),
    ("read gone.py", [("read", {"path": "gone.py"})], ["did not work", "gone.py does not exist."]),
    ("list src", [("ls", {"path": "src"})], ["3 lines came back", "src/"]),
    ("search import in .", [("grep", {"pattern": "import", "path": "."})], ["1 line came back", "a.py:1: import os"]),
    ("run make", [("bash", {"command": "make"})], ["`make` ran without an error", "it works"]),
    ("run make fail", [("bash", {"command": "make fail"})], ["exit code 2", "boom"]),
    ("write hi to c.txt", [("write", {"path": "c.txt", "content": "hi"})], ["`c.txt` is changed", "ok"]),
    (
        "edit old to new in a.py",
        [("edit", {"path": "a.py", "edits": [{"old": "old", "new": "new"}]})],
        ["```diff\n@@ -1 +1 @@\n-old\n+new\n```"],
    ),
    (
        "remember that I prefer tabs",
        [("add_knowledge", {"type": "preference", "content": "I prefer tabs"})],
        ["I prefer tabs", "ok"],
    ),
    (
        "plan: dig, plant",
        [("todo", {"items": [{"text": "dig", "state": "active"}, {"text": "plant", "state": "open"}]})],
        ["- [ ] dig\n- [ ] plant"],
    ),
    (
        "read a.py, then run make fail, and then list",
        [("read", {"path": "a.py"}), ("bash", {"command": "make fail"}), ("ls", {"path": "."})],
        ["### 1. Read `a.py`", "### 2. Run", "exit code 2", "### 3. List `.`"],
    ),
    (
        "run make then read b.md then run make",
        [("bash", {"command": "make"}), ("read", {"path": "b.md"}), ("bash", {"command": "make"})],
        ["### 3. Run `make`"],
    ),
    ("juggle\nread b.md", [("read", {"path": "b.md"})], ["I did not understand `juggle`", "# B"]),
]


@pytest.mark.parametrize(("order", "calls", "told"), CONVERSATIONS)
async def test_an_order_is_carried_out_step_by_step_and_reported(
    order: str, calls: list[tuple[str, JsonObject]], told: list[str]
) -> None:
    played = await play(order, fake_run)
    assert [(call.name, call.input) for call in played.calls] == calls
    for words_told in told:
        assert words_told in played.final
    assert len({call.id for call in played.calls}) == len(calls)


async def test_two_files_of_one_step_are_read_by_one_answer() -> None:
    answer = await finished(ask(user("read a.py and b.md then ls")))
    assert [call.input for call in calls_of(answer)] == [{"path": "a.py"}, {"path": "b.md"}]
    assert answer.stop_reason == "tool_use"


@pytest.mark.parametrize(
    ("order", "told"),
    [
        ("hello", "rehearsal engine"),
        ("fix my parser", "no language model"),
        ("fix my parser", "/model"),
        ("think about rain", "`rain`"),
        ("what did I ask?", "You asked nothing before this."),
    ],
)
async def test_words_are_answered_with_words(order: str, told: str) -> None:
    answer = await finished(ask(user(order)))
    assert told in words(answer)
    assert answer.stop_reason == "end_turn"
    assert not calls_of(answer)


@pytest.mark.parametrize(
    ("order", "told"),
    [
        ("read a.py", "no `read` tool"),
        ("run make", "no `bash` tool"),
        ("remember x", "no `add_knowledge` tool"),
        ("plan: dig, plant", "- [ ] dig\n- [ ] plant"),
    ],
)
async def test_a_step_without_its_tool_is_answered_in_words(order: str, told: str) -> None:
    answer = await finished(ask(user(order), tools=()))
    assert told in words(answer)
    assert not calls_of(answer)


async def test_a_step_whose_tool_is_missing_does_not_stop_the_others() -> None:
    only_ls = [spec for spec in TOOLS if spec.name == "ls"]
    played = await play("read a.py then list", fake_run, tools=only_ls)
    assert [call.name for call in played.calls] == ["ls"]
    assert "no `read` tool" in played.final
    assert "3 lines came back" in played.final


async def test_thinking_comes_first_and_only_when_it_is_switched_on() -> None:
    loud = await finished(ask(user("read a.py"), thinking="low"))
    assert [type(block) for block in loud.blocks] == [ThinkingBlock, TextBlock, ToolCallBlock]
    quiet = await finished(ask(user("read a.py")))
    assert [type(block) for block in quiet.blocks] == [TextBlock, ToolCallBlock]


SPELLINGS: list[tuple[str, str, JsonObject, JsonObject]] = [
    (
        "read a.py lines 2-3",
        "read",
        {"file_path": TEXT, "start_line": TEXT, "lines": TEXT},
        {"file_path": "a.py", "start_line": 2, "lines": 2},
    ),
    ("run make", "bash", {"cmd": TEXT}, {"cmd": "make"}),
    (
        "edit a to b in c.py",
        "edit",
        {"path": TEXT, "old_string": TEXT, "new_string": TEXT},
        {"path": "c.py", "old_string": "a", "new_string": "b"},
    ),
    (
        "edit a to b in c.py",
        "edit",
        {"path": TEXT, "edits": {"type": "array", "items": {"properties": {"old_text": TEXT, "new_text": TEXT}}}},
        {"path": "c.py", "edits": [{"old_text": "a", "new_text": "b"}]},
    ),
    (
        "plan: x, y",
        "todo",
        {"todos": {"items": {"properties": {"content": TEXT, "status": {"enum": ["pending", "in_progress"]}}}}},
        {"todos": [{"content": "x", "status": "in_progress"}, {"content": "y", "status": "pending"}]},
    ),
    (
        "remember it rains",
        "add_knowledge",
        {"type": {"enum": ["fact"]}, "content": TEXT},
        {"type": "fact", "content": "it rains"},
    ),
]


@pytest.mark.parametrize(("order", "name", "properties", "arguments"), SPELLINGS)
async def test_arguments_follow_the_schema_that_is_offered(
    order: str, name: str, properties: JsonObject, arguments: JsonObject
) -> None:
    spec = tool(name)
    spec.input_schema["properties"] = properties
    (call,) = calls_of(await finished(ask(user(order), tools=[spec])))
    assert call.input == arguments


@pytest.mark.parametrize("why", ["Not allowed: the user said no.", "Refused by a rule."])
async def test_a_refusal_ends_the_order_and_is_said(why: str) -> None:
    played = await play("run make then read a.py", lambda _name, _arguments: (why, True))
    assert [call.name for call in played.calls] == ["bash"]
    assert why in played.final
    assert "I did not read `a.py`" in played.final


@pytest.mark.parametrize("again", ["go on", "Continue, please.", "Your answer was cut off."])
async def test_go_on_takes_up_the_order_after_a_refusal(again: str) -> None:
    stopped = await play("run make then read a.py", lambda _name, _arguments: ("Not allowed: no.", True))
    resumed = await play(again, fake_run, before=stopped.messages)
    assert [call.name for call in resumed.calls] == ["read"]
    assert "import os" in resumed.final


@pytest.mark.parametrize(
    "output", ["cat: x: Permission denied", "connection refused by host", "request denied\nexit code 1", "odd"]
)
async def test_a_plain_error_does_not_end_the_order(output: str) -> None:
    def run(name: str, arguments: JsonObject) -> tuple[str, bool]:
        return (output, True) if name == "bash" else fake_run(name, arguments)

    played = await play("run make then read a.py", run)
    assert [call.name for call in played.calls] == ["bash", "read"]
    assert output.splitlines()[0] in played.final


async def test_an_interrupted_call_is_said() -> None:
    played = await play("run make", lambda _name, _arguments: ("Interrupted by the user.", True))
    assert "was interrupted" in played.final


def _after_one_call(*texts: str) -> tuple[RequestMessage, ...]:
    call = ToolCall("c1", "read", {"path": "a.py"})
    result = ToolResult("c1", "read", "import os", is_error=False)
    return user("read a.py then run make"), assistant("Reading.", call), user(*texts, results=[result])


async def test_words_after_results_are_a_new_order() -> None:
    answer = await finished(ask(*_after_one_call("list src instead")))
    assert words(answer).startswith("Now I list `src`")
    (call,) = calls_of(await finished(ask(*_after_one_call("list src"))))
    assert call.name == "ls"


@pytest.mark.parametrize(
    "note",
    [
        "[the answer was interrupted]",
        "[date changed]\nIt is Tuesday. read c.py",
        "<knowledge>run nothing</knowledge>",
        "What you have done on this so far, from your notes:\n\nnothing much",
    ],
)
async def test_notes_told_by_the_program_are_no_order(note: str) -> None:
    (call,) = calls_of(await finished(ask(*_after_one_call(note))))
    assert (call.name, call.input) == ("bash", {"command": "make"})


async def test_only_the_newest_of_several_prompts_in_one_turn_counts() -> None:
    (call,) = calls_of(await finished(ask(user("read a.py", "list src"))))
    assert call.name == "ls"


async def test_steps_told_by_a_summary_of_the_turns_beginning_are_not_done_again() -> None:
    prefix = "What you have done on this so far, from your notes:\n\n## Goal\n\n## Progress\n\n- `read` a.py\n"
    request = ask(user("old"), assistant("## Goal\n## Progress"), user("read a.py then run make", prefix))
    (call,) = calls_of(await finished(request))
    assert call.name == "bash"


async def test_what_was_asked_is_told_from_talk_and_summary() -> None:
    summary = "## Goal\n\n- “mend the roof”\n\n## Progress\n\n- tiles\n\n## The user's own words\n\n- use slate\n"
    before = (user("What has happened?"), assistant(summary), user("read a.py"), assistant("done"))
    answer = words(await finished(ask(*before, user("what did I ask?"))))
    for asked in ("mend the roof", "use slate", "1. read a.py"):
        assert asked in answer
    assert "What has happened?" not in answer
    assert "tiles" not in answer


async def test_call_ids_are_new_in_the_whole_conversation() -> None:
    first = await play("ls then ls", fake_run)
    second = await play("ls then ls", fake_run, before=first.messages)
    alone = await play("ls", fake_run, before=(user("a summary"), assistant("words")))
    ids = [call.id for played in (first, second, alone) for call in played.calls]
    assert len(set(ids)) == 5


async def test_a_fence_in_a_file_cannot_close_ours() -> None:
    played = await play("read b.md", lambda _name, _arguments: ("text\n````\ncode\n````", False))
    assert "`````markdown\ntext\n````\ncode\n````\n`````" in played.final


async def test_a_long_output_is_shown_in_part_and_says_so() -> None:
    played = await play("run seq", lambda _name, _arguments: ("\n".join(map(str, range(100))), False))
    assert "85 earlier lines" in played.final
    assert "\n99\n" in played.final
    assert "\n84\n" not in played.final


async def test_an_empty_talk_is_greeted() -> None:
    answer = await finished(ask(UserTurn((Text("[a note]"),))))
    assert "rehearsal engine" in words(answer)


async def test_arguments_are_plain_json() -> None:
    for order in ("plan: x, y", "edit a to b in c.py"):
        (call,) = calls_of(await finished(ask(user(order))))
        assert json.loads(json.dumps(call.input)) == call.input
