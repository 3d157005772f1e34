"""What the parser makes of a command is what bash makes of it, or nothing."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diligent_tui.tools.shell.parser import parse
from tests.tools.shell.mutations import NOT_RUN, Jail, mutated

Words = list[list[str]]


@pytest.fixture(scope="module")
def jail(tmp_path_factory: pytest.TempPathFactory) -> Jail:
    return Jail.make(tmp_path_factory.mktemp("jail"))


@pytest.mark.parametrize(
    ("command", "words", "operators"),
    [
        ("ls", [["ls"]], ()),
        ("  ls   -l  ", [["ls", "-l"]], ()),
        ("ls 'a b' \"c d\"", [["ls", "a b", "c d"]], ()),
        ("echo '' \"\"", [["echo", "", ""]], ()),
        ("echo a'b'\"c\"d", [["echo", "abcd"]], ()),
        ('grep --include="*.py" x', [["grep", "--include=*.py", "x"]], ()),
        (r'grep "foo\|bar\"$" x', [["grep", r'foo\|bar"$', "x"]], ()),
        (r"find . \( -name x \)", [["find", ".", "(", "-name", "x", ")"]], ()),
        ("echo '$(rm x) `y` \\ !'", [["echo", "$(rm x) `y` \\ !"]], ()),
        ("git show HEAD~1:a HEAD^", [["git", "show", "HEAD~1:a", "HEAD^"]], ()),
        ("a && b || c; d | e", [["a"], ["b"], ["c"], ["d"], ["e"]], ("&&", "||", ";", "|")),
        ("a&&b||c;d|e", [["a"], ["b"], ["c"], ["d"], ["e"]], ("&&", "||", ";", "|")),
        ("a;", [["a"]], ()),
        ("\n\na\n\nb\n", [["a"], ["b"]], (";",)),
        ("a &&\n b |\n c", [["a"], ["b"], ["c"]], ("&&", "|")),
        ("a # b; c\nd", [["a"], ["d"]], (";",)),
        ("a 2>/dev/null", [["a"]], ()),
        ("a >/dev/null 2>&1 && b &> /dev/null", [["a"], ["b"]], ("&&",)),
        ("a 2 >/dev/null", [["a", "2"]], ()),
        ("echo ü 'ü'", None, ()),
        ("echo 'ü'", [["echo", "ü"]], ()),
        ("a;;b", None, ()),
        ("a\n;b", None, ()),
        ("a & b", None, ()),
        ("X=1 a", None, ()),
        ("if a", None, ()),
        ("", None, ()),
        ("# only words", None, ()),
    ],
)
def test_a_command_is_cut_as_the_shell_would(command: str, words: Words | None, operators: tuple[str, ...]) -> None:
    parsed = parse(command)
    if words is None:
        assert parsed is None
    else:
        assert parsed is not None
        assert [[word.text for word in simple.words] for simple in parsed.commands] == words
        assert parsed.operators == operators


def test_a_file_for_the_input_is_told_from_the_words() -> None:
    parsed = parse("wc -l <'a b' x")
    assert parsed is not None
    simple = parsed.commands[0]
    assert ([word.text for word in simple.words], [word.text for word in simple.reads]) == (["wc", "-l", "x"], ["a b"])


def test_a_pattern_in_quotes_is_only_text() -> None:
    parsed = parse("ls '*' * a?b")
    assert parsed is not None
    assert [word.has_glob for word in parsed.commands[0].words] == [False, False, True, True]


@settings(max_examples=60, deadline=None)
@given(rest=st.text("ab-./ '\"\\$*?;|&#=~!\n(){}[]<>ü", max_size=14))
def test_words_are_those_of_bash(jail: Jail, rest: str) -> None:
    command = f"echo {rest}"
    parsed = parse(command)
    if parsed is None or NOT_RUN.search(command):
        return
    if all(not word.has_glob for simple in parsed.commands for word in simple.words):
        understood = [[word.text for word in simple.words] for simple in parsed.commands]
        assert all(words in understood for words in jail.traced(command))
        assert jail.traced(command)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_no_mutation_is_let_through_wrongly(jail: Jail, seed: int) -> None:
    chance = random.Random(seed)
    assert [flaw for flaw in (jail.flaw(mutated(chance)) for _ in range(5)) if flaw] == []


def test_the_witness_sees_what_a_parser_could_miss(jail: Jail, tmp_path: Path) -> None:
    assert jail.traced("echo a; evil 'b c'") == [["echo", "a"], ["evil", "b c"]]
    assert jail.traced("echo $(evil)") != [["echo"]]
    assert jail.flaw("ls") == ""
