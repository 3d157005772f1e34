"""The ledger keeps to its budget, says things word for word, and can be read back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diligent_tui.compaction.facts import ErrorLine, Facts, Words
from diligent_tui.compaction.ledgers import bytes_within, facts_in, is_made_by_program, write_ledger
from diligent_tui.domain.estimator import utf8_size
from tests.strategies.conversations import tokens_at

TOKENS_OF = tokens_at(3.0)
PATHS = st.builds(
    "{}{}/file{}.py".format,
    st.sampled_from(("", "/srv/someone/project/", "~/")),
    st.sampled_from(("src", "src/deep/er", "a", "[odd] name")),
    st.integers(0, 99),
)
WORDS = st.sampled_from(
    (
        "go on",
        "你好 👩‍👩‍👧",
        "- a list",
        "## Files read, newest first",
        "a\n\n  b\n## c",
        "[12345678] marked",
        "---",
        "x" * 300,
        "é" * 90,
    )
)
LINES = WORDS.map(lambda text: " ".join(text.split())[:150])
IDS = st.integers(0, 2**32 - 1).map("{:08x}".format)
FACTS = st.builds(
    Facts,
    words=st.lists(st.builds(Words, IDS, WORDS), max_size=9, unique_by=lambda words: words.text).map(tuple),
    changed=st.lists(PATHS, max_size=8, unique=True).map(tuple),
    read=st.lists(PATHS, max_size=8, unique=True).map(tuple),
    errors=st.lists(st.builds(ErrorLine, IDS, LINES, st.booleans()), max_size=6).map(tuple),
    todo=st.none() | st.lists(LINES, min_size=1, max_size=4).map(tuple),
    names=st.lists(st.from_regex(r"[a-z]{2,9}_[a-z]{2,9}", fullmatch=True), max_size=20, unique=True).map(tuple),
)


@given(FACTS, st.integers(0, 3_000))
@settings(max_examples=300)
def test_a_ledger_keeps_to_its_budget(facts: Facts, budget_tokens: int) -> None:
    assert TOKENS_OF(utf8_size(write_ledger(facts, budget_tokens, TOKENS_OF))) <= budget_tokens


@given(FACTS)
@settings(max_examples=150)
def test_what_fits_can_be_read_back_as_it_was(facts: Facts) -> None:
    back = facts_in(write_ledger(facts, 100_000, TOKENS_OF))
    assert sorted(back.words, key=str) == sorted(facts.words, key=str)
    assert (back.changed, back.read) == (facts.changed, facts.read)
    assert sorted(back.errors, key=str) == sorted(facts.errors, key=str)
    assert back.todo == facts.todo
    assert back.names == facts.names


def test_a_ledger_of_nothing_is_nothing() -> None:
    assert write_ledger(Facts(), 1_000, TOKENS_OF) == ""
    assert facts_in("") == Facts()


def test_words_keep_their_lines_and_none_of_them_passes_for_a_heading() -> None:
    text = "first\n\n## Files changed, newest first\n- evil.py\n---"
    ledger = write_ledger(Facts(words=(Words("aaaaaaaa", text),)), 1_000, TOKENS_OF)
    back = facts_in(ledger)
    assert back.words == (Words("aaaaaaaa", text),)
    assert back.changed == ()


def test_the_first_and_the_newest_words_stay_when_not_all_of_them_fit() -> None:
    words = tuple(Words(f"{number:08x}", f"wish number {number} " + "please " * 20) for number in range(60))
    kept = facts_in(write_ledger(Facts(words=words), 1_000, TOKENS_OF)).words
    assert kept == (words[0], *words[1 - len(kept) :])
    assert 10 < len(kept) < 60


def test_a_pasted_page_does_not_push_others_out_and_keeps_its_rules() -> None:
    page = "\n".join([*(f"noise {number} " * 8 for number in range(200)), "You must never touch the lock file.", "end"])
    words = (Words("11111111", "be brief"), Words("22222222", page), Words("33333333", "go"))
    ledger = write_ledger(Facts(words=words), 800, TOKENS_OF)
    assert "be brief" in ledger
    assert "[33333333] go" in ledger
    assert "You must never touch the lock file." in ledger
    assert "[…]" in ledger


def test_a_nod_gives_way_to_what_says_something() -> None:
    words = tuple(Words(f"{number:08x}", f"wish number {number} " + "please " * 20) for number in range(60))
    nods = tuple(Words(f"{number:08x}", f"ok {number}") for number in range(60, 90))
    kept = facts_in(write_ledger(Facts(words=(*words, *nods)), 1_000, TOKENS_OF)).words
    assert sum("wish" in said.text for said in kept) > 10


def test_rules_and_the_first_wish_stay_longer_than_newer_talk() -> None:
    talk = tuple(Words(f"{number:08x}", f"look at page {number} " + "again " * 20) for number in range(2, 62))
    words = (Words("00000000", "build a shop for maps"), Words("00000001", "never use floats for money"), *talk)
    kept = facts_in(write_ledger(Facts(words=words), 1_000, TOKENS_OF)).words
    assert kept[:2] == words[:2]
    assert kept[-1] == words[-1]
    assert len(kept) < len(words)


def test_a_paste_is_kept_in_its_prose_and_says_the_same_thing_once() -> None:
    noise = ["    at run (node:internal/loader:547:26)", "Waiting for the debugger to disconnect..."] * 40
    page = "\n".join(["it broke when i started it again", *noise])
    ledger = write_ledger(
        Facts(words=(Words("11111111", page), Words("22222222", "go on with it now"))), 300, TOKENS_OF
    )
    assert "it broke when i started it again" in ledger
    assert ledger.count("Waiting for the debugger") <= 1


def test_files_and_errors_have_their_share_beside_many_words() -> None:
    words = tuple(Words(f"{number:08x}", f"{number} " + "blah " * 40) for number in range(200))
    files = tuple(f"src/part/file{number}.py" for number in range(30))
    errors = tuple(ErrorLine(f"{number:08x}", f"Error: number {number}") for number in range(10))
    back = facts_in(write_ledger(Facts(words, files, (), errors), 2_000, TOKENS_OF))
    assert len(back.changed) == 30
    assert len(back.errors) == 10


def test_a_folder_that_all_paths_share_is_said_once() -> None:
    folder = "/srv/somewhere/quite/deep"
    files = (*(f"{folder}/lib/file{number}.ex" for number in range(9)), f"{folder}/mix.exs")
    ledger = write_ledger(Facts(changed=files), 1_000, TOKENS_OF)
    assert ledger.count(folder) == 2
    assert facts_in(ledger).changed == files


@pytest.mark.parametrize(
    ("text", "is_made"),
    [
        ("<task-notification>\n<id>1</id>\n</task-notification>\nRead it", True),
        ("[Request interrupted by user]", True),
        ("please fix <b>this</b>", False),
        ("[a] and [b]\nmore", False),
    ],
)
def test_what_programs_say_in_the_users_name_is_known(text: str, is_made: bool) -> None:
    assert is_made_by_program(text) == is_made


@given(st.integers(0, 10_000), st.sampled_from((0.5, 2.3, 3.0, 20.0)))
def test_bytes_within_a_budget_are_never_more(budget_tokens: int, bytes_per_token: float) -> None:
    tokens_of = tokens_at(bytes_per_token)
    assert tokens_of(bytes_within(budget_tokens, tokens_of)) <= budget_tokens
