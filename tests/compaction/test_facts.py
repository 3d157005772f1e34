"""Files, errors, words and things to do, found in calls and their results."""

import pytest

from diligent_tui.compaction.error_lines import error_lines
from diligent_tui.compaction.facts import ErrorLine, Facts, Words, facts_of, joined
from diligent_tui.compaction.names import names_in
from diligent_tui.compaction.shell_touches import shell_touches
from diligent_tui.compaction.touches import deed_of, touches_of
from diligent_tui.domain.entries import Entry, MessageEntry, SteeringEntry
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import AssistantMessage, TextBlock, ToolCallBlock, ToolResultMessage, UserMessage
from diligent_tui.session.touched_files import touched_files


@pytest.mark.parametrize(
    ("command", "read", "changed"),
    [
        ("cat src/a.py", ("src/a.py",), ()),
        ("nl -ba db/base.py | sed -n '90,110p'", ("db/base.py",), ()),
        ("head -n 30 a/b.ts; tail -5 c.ts", ("a/b.ts", "c.ts"), ()),
        ('grep -n "def x" a/b.py | head -20', ("a/b.py",), ()),
        ("grep -rn pattern src/", (), ()),
        ("cd packages/tui && cat src/x.ts", ("packages/tui/src/x.ts",), ()),
        ("sed -i '71,87d' m/c.py && sed -i '70r other.py' m/c.py", (), ("m/c.py",)),
        ("sed -i '' 's/a/b/g' test/e.test.ts", (), ("test/e.test.ts",)),
        ("cat <<'EOF' > fix.py\nopen('x.py', 'w')\ncat nothing.md\nEOF\npython fix.py", (), ("x.py", "fix.py")),
        ("echo hi > out.txt 2>&1", (), ("out.txt",)),
        ("make 2>/dev/null >> build.log", (), ("build.log",)),
        ("npm test 2>&1 | tee logs/out.log", (), ("logs/out.log",)),
        ("cp a/dark.json ~/.pi/custom.json", ("a/dark.json",), ("~/.pi/custom.json",)),
        ("mv a.py b.py", (), ("a.py", "b.py")),
        ("git checkout db/base.py", (), ("db/base.py",)),
        ("git checkout main", (), ()),
        ("git commit -m \"$(cat <<'EOF'\nfix a.py\nEOF\n)\"", (), ()),
        ("rm one.py two.py", (), ("one.py", "two.py")),
        ("python -c \"print('a.py')\"", (), ()),
        ("python tests/runtests.py admin --parallel 1", ("tests/runtests.py",), ()),
        ("/srv/app/tests/runtests.py admin", ("/srv/app/tests/runtests.py",), ()),
        ("cd web && ./bin/check.sh --fast", ("web/bin/check.sh",), ()),
        ("uv run pytest tests/test_a.py::test_b -q", ("tests/test_a.py",), ()),
        ("mix test test/a_test.exs 2>&1 | tail -20", ("test/a_test.exs",), ()),
        ("mix deps.get", (), ()),
        ("node -e \"require('x.js')\"", (), ()),
        ("curl https://example.org/a.json -o b.json", (), ()),
        ("echo 'never closed > x.txt", (), ()),
        ("", (), ()),
    ],
)
def test_files_of_a_shell_command(command: str, read: tuple[str, ...], changed: tuple[str, ...]) -> None:
    touched = shell_touches(command)
    assert (touched.read, touched.changed) == (read, changed)


@pytest.mark.parametrize(
    ("command", "only_looks"),
    [
        ("cat a.py | grep x", True),
        ("git diff --stat 2>&1", True),
        ("git commit -m x", False),
        ("ls -la && find . -name x", True),
        ("cat a.py > b.py", False),
        ("pytest -q", False),
    ],
)
def test_a_command_that_only_looks_is_known(command: str, only_looks: bool) -> None:
    assert shell_touches(command).only_looks == only_looks


@pytest.mark.parametrize(
    ("name", "arguments", "read", "changed"),
    [
        ("read", {"path": "a"}, ("a",), ()),
        ("Read", {"file_path": "/x/a"}, ("/x/a",), ()),
        ("edit", {"path": "a"}, (), ("a",)),
        ("Write", {"file_path": "a", "content": "x"}, (), ("a",)),
        ("str_replace_editor", {"command": "view", "path": "a"}, ("a",), ()),
        ("str_replace_editor", {"command": "str_replace", "path": "a"}, (), ("a",)),
        ("grep", {"pattern": "x", "path": "src"}, (), ()),
        ("Grep", {"pattern": "x", "path": "assets/main.css"}, ("assets/main.css",), ()),
        ("bash", {"command": "cat a.md"}, ("a.md",), ()),
        ("todo", {"items": []}, (), ()),
        ("read", {"path": 7}, (), ()),
    ],
)
def test_files_of_a_call(name: str, arguments: JsonObject, read: tuple[str, ...], changed: tuple[str, ...]) -> None:
    touched = touches_of(name, arguments)
    assert (touched.read, touched.changed) == (read, changed)


@pytest.mark.parametrize(
    ("output", "is_failure", "lines"),
    [
        ("Traceback (most recent call last):\n  File x\nKeyError: 'a'", True, ("KeyError: 'a'",)),
        ("a.ts(3,4): error TS2345: Argument", False, ("a.ts(3,4): error TS2345: Argument",)),
        ("** (CompileError) lib/a.ex:3: undefined", False, ("** (CompileError) lib/a.ex:3: undefined",)),
        ("FAILED tests/test_a.py::test_b - assert 1 == 2", False, ("FAILED tests/test_a.py::test_b - assert 1 == 2",)),
        ("31 tests, 0 failures", False, ()),
        ("31 tests, 2 failures", False, ("31 tests, 2 failures",)),
        ("   158→    raise ValueError('x')\n  raise TypeError('y')", False, ()),
        ("src/a.py:12: raise ValueError(x)", False, ()),
        ("no errors found", False, ()),
        ("make: *** [Makefile:192: build] Error 2", False, ("make: *** [Makefile:192: build] Error 2",)),
        (
            "rm: cannot remove 'a': No such file or directory",
            True,
            ("rm: cannot remove 'a': No such file or directory",),
        ),
        ("String to replace not found in file.\nsecond", True, ("String to replace not found in file.",)),
        (
            "a.ts(70,52): error TS2353: 'r' does not exist in type '(text: string) => string'.",
            False,
            ("a.ts(70,52): error TS2353: 'r' does not exist in type '(text: string) => string'.",),
        ),
        (
            'Exit code 1\n✘ [ERROR] Could not resolve "app.js"\n\n1 error',
            True,
            ('✘ [ERROR] Could not resolve "app.js"',),
        ),
        ("Command exited with code 1", True, ()),
        ("all fine", False, ()),
        ("", True, ()),
    ],
)
def test_error_lines_are_told_from_code_that_speaks_of_errors(
    output: str, is_failure: bool, lines: tuple[str, ...]
) -> None:
    assert error_lines(output, is_failure=is_failure) == lines


def test_of_many_error_lines_the_first_and_the_last_stay() -> None:
    output = "\n".join(f"a.c:{number}: error: thing {number}" for number in range(9))
    assert [line[-1] for line in error_lines(output, is_failure=True)] == ["0", "1", "8"]


def said(entry_id: str, text: str) -> Entry:
    return MessageEntry(id=entry_id, message=UserMessage(content=text))


def did(
    entry_id: str, name: str, arguments: JsonObject, output: str = "ok", *, is_error: bool = False
) -> tuple[Entry, Entry]:
    call = ToolCallBlock(id=f"call {entry_id}", name=name, input=arguments)
    result = ToolResultMessage(tool_call_id=call.id, tool_name=name, output=output, is_error=is_error)
    return (
        MessageEntry(id=f"a{entry_id}", message=AssistantMessage(content=(call,))),
        MessageEntry(id=entry_id, message=result),
    )


def test_an_error_is_open_until_the_same_deed_succeeds_and_later_entries_settle_it() -> None:
    failed = did("1", "bash", {"command": "pytest -q a"}, "E   assert 1", is_error=True)
    other = did("2", "bash", {"command": "ruff check"}, "E501 error: too long", is_error=True)
    passed = did("3", "bash", {"command": "cd x && pytest -q a"}, "3 passed")
    assert [error.is_open for error in facts_of([*failed, *other]).errors] == [True, True]
    assert [error.is_open for error in facts_of([*failed, *other, *passed]).errors] == [False, True]
    assert [error.is_open for error in facts_of([*failed, *other], passed).errors] == [False, True]


def test_a_failed_edit_touches_nothing_and_a_failed_chain_may_have() -> None:
    facts = facts_of(
        [
            *did("1", "edit", {"path": "a.py"}, "no match", is_error=True),
            *did("2", "bash", {"command": "sed -i s/a/b/ b.py && false"}, "", is_error=True),
            *did("3", "read", {"path": "c.py"}),
            *did("4", "write", {"path": "c.py"}),
        ]
    )
    assert (facts.read, facts.changed) == ((), ("b.py", "c.py"))


def test_what_our_own_tools_touch_is_the_same_as_the_session_says() -> None:
    entries = [
        *did("1", "read", {"path": "a.py"}),
        *did("2", "edit", {"path": "b.py"}),
        *did("3", "read", {"path": "b.py"}),
        *did("4", "read", {"path": "a.py"}),
        *did("5", "write", {"path": "x"}, is_error=True),
    ]
    facts, known = facts_of(entries), touched_files(entries)
    assert (facts.read, facts.changed) == (known.read, known.changed)


def test_names_are_those_the_agent_used_most_and_not_what_it_only_saw() -> None:
    facts = facts_of(
        [
            *did("1", "bash", {"command": "grep -n load_orders src/a_b.py"}, "12: def save_orders(value): pass"),
            *did("2", "edit", {"path": "src/a_b.py", "old": "load_orders()", "new": "OrderLoader().load_orders()"}),
            MessageEntry(
                id="3", message=AssistantMessage(content=(TextBlock(text="`OrderLoader` calls load_orders."),))
            ),
        ]
    )
    assert facts.names == ("OrderLoader", "load_orders")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("the HTTPServer and its max_retries, as in snake_case", ("HTTPServer", "max_retries", "snake_case")),
        ("see lib/user_store.py and http://localhost:4318/v1/", ("http://localhost:4318/v1",)),
        ("plain Words stay out, and so does GitHub's word Hello", ("GitHub",)),
        (r"print('a')\nset_theme(x)\ndone", ("set_theme",)),
        ("_ __ a_b " + "x" * 90 + "_y", ()),
    ],
)
def test_names_are_known_by_their_shape(text: str, names: tuple[str, ...]) -> None:
    assert tuple(names_in(text)) == names


def test_words_said_twice_count_once_and_the_kept_prompt_is_left_out() -> None:
    entries = [said("1", "go on"), said("2", "  fix it\n"), SteeringEntry(id="3", message="go on"), said("4", "last")]
    assert facts_of(entries, kept_ids={"4"}).words == (Words("2", "fix it"), Words("3", "go on"))


def test_the_list_of_things_to_do_is_the_newest_and_not_repeated_if_it_is_kept() -> None:
    old = did("1", "todo", {"items": [{"text": "one", "state": "open"}]})
    new = did("2", "todo", {"items": [{"text": "one", "state": "done"}, {"text": "two  2", "state": "active"}]})
    foreign = did("3", "TodoWrite", {"todos": [{"content": "three", "status": "pending"}, "junk"]})
    assert facts_of([*old, *new]).todo == ("two 2",)
    assert facts_of([*old, *new]).done == ("one",)
    assert facts_of(old, new).todo is None
    assert facts_of(foreign).todo == ("three",)
    assert facts_of([said("1", "x")]).todo is None


def test_joined_facts_keep_the_newest_and_a_changed_file_is_no_read_one() -> None:
    earlier = Facts((Words("1", "a"),), ("x",), ("y", "z"), (ErrorLine("2", "bad"),), ("do",))
    newer = Facts((Words("3", "a"), Words("4", "b")), ("y",), ("w",), (ErrorLine("5", "bad", is_open=False),))
    both = joined(earlier, newer, 200)
    assert both.words == (Words("3", "a"), Words("4", "b"))
    assert (both.changed, both.read) == (("x", "y"), ("z", "w"))
    assert both.errors == (ErrorLine("5", "bad", is_open=False),)
    assert both.todo == ("do",)
    assert joined(earlier, newer, 1).changed == ("y",)


def test_a_deed_has_the_same_name_each_time() -> None:
    commands = ("mix test a.exs 2>&1 | tail -5", "cd x && mix test a.exs", "MIX_ENV=test mix test b.exs")
    assert {deed_of("bash", {"command": command}) for command in commands} == {"bash mix test"}
    assert deed_of("edit", {"path": "a.py", "old": "x"}) == "edit a.py"
