import pytest

from diligent_tui.providers.offline.orders import LONGEST_ORDER_CHARS, MOST_STEPS, parse_order
from diligent_tui.providers.offline.steps import (
    Edit,
    Greet,
    ListFolder,
    Plan,
    Read,
    Recount,
    Remember,
    Run,
    Search,
    Step,
    ThinkAbout,
    Unknown,
    Write,
)

PHRASES: list[tuple[str, Step]] = [
    ("read README.md", Read(("README.md",))),
    ("Read the file src/a.py.", Read(("src/a.py",))),
    ("please read README", Read(("README",))),
    ("could you read notes", Read(("notes",))),
    ("show me src/a.py", Read(("src/a.py",))),
    ("summarise README.md", Read(("README.md",))),
    ("read README.md and tell me what it is about", Read(("README.md",))),
    ("read src/a.py lines 3-9", Read(("src/a.py",), 3, 9)),
    ("read lines 3 to 9 of src/a.py", Read(("src/a.py",), 3, 9)),
    ("read src/a.py:10-20", Read(("src/a.py",), 10, 20)),
    ("read src/a.py line 7", Read(("src/a.py",), 7, 7)),
    ("read src/a.py from line 7", Read(("src/a.py",), 7, None)),
    ("read the first 5 lines of a.txt", Read(("a.txt",), 1, 5)),
    ("read a.py lines 9-3", Read(("a.py",), 9, 9)),
    ("read a.py and b.py", Read(("a.py", "b.py"))),
    ("read a.py, b.py and c.py", Read(("a.py", "b.py", "c.py"))),
    ('read "my notes.txt"', Read(("my notes.txt",))),
    ("READ `x.py`", Read(("x.py",))),
    ("list", ListFolder(".")),
    ("ls", ListFolder(".")),
    ("ls src", ListFolder("src")),
    ("list the files in src/deep", ListFolder("src/deep")),
    ("list .", ListFolder(".")),
    ("list files here", ListFolder(".")),
    ("search TODO in src", Search("TODO", "src")),
    ('search for "def main" in .', Search("def main", ".")),
    ("grep foo", Search("foo", ".")),
    ("find two words in the folder src", Search("two words", "src")),
    ('search "a in b"', Search("a in b", ".")),
    ("search src for needle", Search("needle", "src")),
    ("run ls -la | wc -l", Run("ls -la | wc -l")),
    ("run `pytest -q` and tell me", Run("pytest -q")),
    ("run: make test", Run("make test")),
    ("execute git status --short", Run("git status --short")),
    ("run if true; then ls; fi", Run("if true; then ls; fi")),
    ("run cd x; ls", Run("cd x; ls")),
    ("run echo read a and list b", Run("echo read a and list b")),
    ("write hello world to notes.txt", Write("hello world", "notes.txt")),
    ('write "go to bed" to a/b.md', Write("go to bed", "a/b.md")),
    ("write to notes.md: one line", Write("one line", "notes.md")),
    ("create a.txt with the text hi", Write("hi", "a.txt")),
    ("write to a.py:\n```python\nrun = 1\n```", Write("run = 1\n", "a.py")),
    ("edit foo to bar in a.py", Edit("foo", "bar", "a.py")),
    ('edit "x to y" to "z in w" in a.py', Edit("x to y", "z in w", "a.py")),
    ("replace foo with bar in the file a.py", Edit("foo", "bar", "a.py")),
    ('change `a` to "" in b.py', Edit("a", "", "b.py")),
    ("edit a.py: old -> new", Edit("old", "new", "a.py")),
    ("remember that we use tabs", Remember("we use tabs")),
    ("remember: no force push, then rest", Remember("no force push, then rest")),
    ("plan: dig, plant, water", Plan(("dig", "plant", "water"))),
    ("plan:\n- dig\n- plant", Plan(("dig", "plant"))),
    (
        "plan the release",
        Plan(
            (
                "Look at what is there for: the release",
                "Do it in small steps: the release",
                "Check the result and report",
            )
        ),
    ),
    ("think about the parser", ThinkAbout("the parser")),
    ("think hard about time.", ThinkAbout("time")),
    ("what did I ask?", Recount()),
    ("What did I say so far", Recount()),
    ("what have I asked", Recount()),
    ("what was my first question?", Recount()),
    ("hello", Greet()),
    ("Help!", Greet()),
    ("what can you do?", Greet()),
    ("fix the bug", Unknown("fix the bug")),
    ("write a poem about rain", Unknown("write a poem about rain")),
    ("list three reasons to stay", Unknown("list three reasons to stay")),
    ("read about the sea and the sky", Unknown("read about the sea and the sky")),
    ("run the tests", Unknown("run the tests")),
    ("edit", Unknown("edit")),
    ("reading is fun", Unknown("reading is fun")),
    ("read.me", Unknown("read.me")),
    ("", Unknown("")),
]


@pytest.mark.parametrize(("order", "step"), PHRASES)
def test_one_phrase_is_one_step(order: str, step: Step) -> None:
    assert parse_order(order) == (step,)


ORDERS: list[tuple[str, tuple[Step, ...]]] = [
    ("read a.py then run make", (Read(("a.py",)), Run("make"))),
    ("read a.py, and then list src", (Read(("a.py",)), ListFolder("src"))),
    ("read a.py. Then run make -k; after that ls", (Read(("a.py",)), Run("make -k"), ListFolder("."))),
    ("read a.py and run make", (Read(("a.py",)), Run("make"))),
    ("read a.py; list src", (Read(("a.py",)), ListFolder("src"))),
    ("run `a then run b` then ls", (Run("a then run b"), ListFolder("."))),
    ("1. read a.py\n2. please run make\n3) list src", (Read(("a.py",)), Run("make"), ListFolder("src"))),
    ("Do this:\n- read a.py\n- ls", (Read(("a.py",)), ListFolder("."))),
    ("write a to b.txt then edit a to c in b.txt", (Write("a", "b.txt"), Edit("a", "c", "b.txt"))),
    ("dance a little\nread a.py", (Unknown("dance a little"), Read(("a.py",)))),
    ('remember "x then run y" then what did I ask?', (Remember("x then run y"), Recount())),
]


@pytest.mark.parametrize(("order", "steps"), ORDERS)
def test_joined_phrases_are_steps_in_order(order: str, steps: tuple[Step, ...]) -> None:
    assert parse_order(order) == steps


def test_a_paste_is_no_order() -> None:
    paste = "read a.py\n" * LONGEST_ORDER_CHARS
    assert parse_order(paste) == (Unknown(paste),)


@pytest.mark.parametrize("unit", [" to in", "and then ", "` ", "\n \n", '"', "then run ", "read ", "for "])
@pytest.mark.parametrize("verb", ["edit ", "search ", "write ", "read ", "plan "])
def test_hostile_phrases_come_to_an_end(verb: str, unit: str) -> None:
    order = (verb + unit * LONGEST_ORDER_CHARS)[:LONGEST_ORDER_CHARS]
    assert 1 <= len(parse_order(order)) <= MOST_STEPS
