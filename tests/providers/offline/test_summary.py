import pytest

from diligent_tui.domain.requests import RequestMessage, ToolCall, ToolResult
from diligent_tui.providers.offline.summary import MOST_WORDS, parse_sections
from tests.providers.offline.driver import ask, assistant, finished, pieces, user, words

HEADINGS = [
    "## Goal",
    "## Constraints & Preferences",
    "## Progress",
    "### Done",
    "### In Progress",
    "### Blocked",
    "## Key Decisions",
    "## Next Steps",
    "## Critical Context",
]
INSTRUCTION = "Write a summary with the headings ## Goal and so on."


def called(
    number: int, name: str, output: str, is_error: bool = False, **arguments: object
) -> tuple[RequestMessage, ...]:
    call = ToolCall(f"c{number}", name, dict(arguments))
    return assistant("Now.", call), user(results=[ToolResult(call.id, name, output, is_error)])


HISTORY: tuple[RequestMessage, ...] = (
    user("Mend the login in src/auth/login.py. Never touch the `legacy_token` table."),
    *called(1, "read", "def login(): ...", path="src/auth/login.py"),
    *called(2, "bash", "collected 3\nE  ValueError: bad salt\nexit code 1", is_error=True, command="pytest tests/auth"),
    *called(3, "edit", "ok", path="src/auth/login.py"),
)
TAIL: tuple[RequestMessage, ...] = (
    assistant("I decided to hash with scrypt because salts were short."),
    user("See https://example.org/issue/7 as well."),
    assistant("I will."),
    user(INSTRUCTION),
)


async def summary_of(*messages: RequestMessage) -> str:
    return words(await finished(ask(*messages, summary=True)))


async def test_a_summary_has_all_headings_in_order() -> None:
    text = await summary_of(*HISTORY, *TAIL)
    places = [text.index(f"{heading}\n") for heading in HEADINGS]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("section", "line"),
    [
        ("Goal", "Mend the login in src/auth/login.py."),
        ("Goal", "See https://example.org/issue/7 as well."),
        ("Constraints & Preferences", "Never touch the `legacy_token` table."),
        ("Done", "`read` src/auth/login.py"),
        ("Done", "`edit` src/auth/login.py"),
        ("Blocked", "`bash` pytest tests/auth: E ValueError: bad salt"),
        ("Key Decisions", "I decided to hash with scrypt"),
        ("Next Steps", "Mend `bash` pytest tests/auth"),
        ("Critical Context", "src/auth/login.py"),
        ("Critical Context", "tests/auth"),
        ("Critical Context", "https://example.org/issue/7"),
        ("Critical Context", "`legacy_token`"),
        ("Critical Context", "Error: E ValueError: bad salt"),
    ],
)
async def test_what_matters_survives_under_its_heading(section: str, line: str) -> None:
    sections = parse_sections(await summary_of(*HISTORY, *TAIL))
    assert any(line in kept for kept in sections[section]), sections


async def test_the_summarisers_own_instructions_are_no_part_of_the_summary() -> None:
    assert "Write a summary" not in await summary_of(*HISTORY, *TAIL)


async def test_an_error_that_was_overcome_is_done_and_not_blocked() -> None:
    again = called(4, "bash", "3 passed", command="pytest tests/auth")
    sections = parse_sections(await summary_of(*HISTORY, *again, *TAIL))
    assert sections["Blocked"] == []
    assert "`bash` pytest tests/auth" in sections["Done"]


async def test_a_call_without_its_result_is_in_progress() -> None:
    running = assistant("Now.", ToolCall("c9", "bash", {"command": "make deploy"}))
    sections = parse_sections(await summary_of(*HISTORY, running, user(INSTRUCTION)))
    assert "`bash` make deploy" in sections["In Progress"]
    assert "Finish `bash` make deploy" in sections["Next Steps"]


PREVIOUS = """\
## Goal

- “build a boat”

## Constraints & Preferences

- no nails

## Progress

### Done

- keel laid

### In Progress

- `bash` plank

### Blocked

- `bash` glue: error: too cold
- `bash` tar: error: no tar

## Key Decisions

- oak, because it lasts

## Next Steps

- old plan

## Critical Context

- yard/boat.md

## Files

- ledger/only.txt
"""


async def test_an_earlier_summary_is_carried_on() -> None:
    new = called(1, "bash", "warm now", command="glue")
    pair = (user("What has happened?"), assistant(PREVIOUS))
    text = await summary_of(*pair, user("paint it blue, in yard/paint.md"), *new, assistant("done"), user(INSTRUCTION))
    sections = parse_sections(text)
    assert sections["Goal"] == ["“build a boat”", "“paint it blue, in yard/paint.md”"]
    assert sections["Constraints & Preferences"] == ["no nails"]
    assert sections["Done"][:2] == ["keel laid", "`bash` plank"]
    assert "`bash` glue" in sections["Done"]
    assert sections["In Progress"] == []
    assert sections["Blocked"] == ["`bash` tar: error: no tar"]
    assert sections["Key Decisions"] == ["oak, because it lasts"]
    assert "old plan" not in text
    assert {"yard/boat.md", "yard/paint.md"} <= set(sections["Critical Context"])
    assert "ledger/only.txt" not in text
    assert "What has happened?" not in text


TRANSCRIPT = """\
Summarise the following talk under the headings ## Goal and so on.

<previous-summary>
## Goal

- “build a boat”

## Progress

### Done

- keel laid
</previous-summary>

[user] Mend src/sail.py. Always use linen.
[assistant] We will patch it because it is torn.
[tool_call read] {"path": "src/sail.py"}
[tool_result] error: the cloth is missing
[user] Then ask the maker.
"""


@pytest.mark.parametrize(
    ("section", "line"),
    [
        ("Goal", "build a boat"),
        ("Goal", "Mend src/sail.py. Always use linen."),
        ("Goal", "Then ask the maker."),
        ("Constraints & Preferences", "Always use linen."),
        ("Done", "keel laid"),
        ("Done", "src/sail.py"),
        ("Key Decisions", "because it is torn"),
        ("Critical Context", "Error: error: the cloth is missing"),
        ("Critical Context", "src/sail.py"),
    ],
)
async def test_a_written_transcript_is_summarised_too(section: str, line: str) -> None:
    sections = parse_sections(await summary_of(user(TRANSCRIPT)))
    assert any(line in kept for kept in sections[section]), sections


def long_history(prompts: int) -> list[RequestMessage]:
    history: list[RequestMessage] = []
    for number in range(prompts):
        history.append(user(f"Please mend src/part_{number}/module_{number}.py and always keep the tests of it green."))
        history += called(number, "read", "word " * 60, path=f"src/part_{number}/module_{number}.py")
        history.append(assistant(f"I decided on way {number} because it is short."))
    return history


@pytest.mark.parametrize("prompts", [1, 5, 40, 150])
async def test_a_summary_stays_within_its_length_and_below_its_source(prompts: int) -> None:
    text = await summary_of(*long_history(prompts), user(INSTRUCTION))
    assert len(text) >= 200
    assert len(text.split()) <= MOST_WORDS
    if prompts >= 5:
        source = prompts * 90
        assert len(text.split()) < source * 0.9
    sections = parse_sections(text)
    assert "src/part_0/" in sections["Goal"][0]
    assert f"src/part_{prompts - 1}/" in sections["Goal"][-1]


async def test_shortened_lines_hold_no_broken_paths() -> None:
    long_words = " ".join(f"dir_{number}/file_{number}.py" for number in range(100))
    text = await summary_of(user(long_words), assistant("yes"), user(INSTRUCTION))
    known = set(long_words.split())
    named = {word.strip("“”-") for word in text.split() if "/" in word}
    assert named
    assert named <= known


async def test_a_summary_makes_no_calls_and_is_the_same_each_time() -> None:
    request = ask(*HISTORY, *TAIL, summary=True, thinking="high")
    assert await pieces(request) == await pieces(request)
    answer = await finished(request)
    assert answer.stop_reason == "end_turn"
    assert [block.type for block in answer.blocks] == ["thinking", "text"]


async def test_nothing_said_still_makes_a_summary() -> None:
    sections = parse_sections(await summary_of(user("Summarise.")))
    assert sections["Next Steps"] == ["Wait for what the user wants next"]
