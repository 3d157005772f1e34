import random
import re
import unicodedata
from itertools import pairwise
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diligent_tui.domain.plain_text import (
    PLAIN,
    StreamCleaner,
    Style,
    StyledText,
    clean,
    clean_line,
    clean_name,
    mend_surrogates,
    reveal,
    styled,
)
from tests.domain.hostile_text import AFTER, BEFORE, Payload, payloads, survivors

CORPUS = payloads()
NASTY = [
    *("\x1b", "\x1b[", "\x1b]", "\x1bP", "\x1b_", "\x1b\\", "\x1b(", "\x1bc", "\x07", "\x9b", "\x9c", "\x9d", "\x90"),
    *("0", "1;", "31m", "?25l", "52;c;", "A", "q", " ", "\\", "B", "Done", "\r", "\n", "\r\n", "\t", "\x00", "\x7f"),
    *("\x1b[31m", "\x1b[0m", "\x1b]0;t\x07", "\x85", "\u2028", "\u202e", "\u2066", "\u200b", "\u200c", "\u200d"),
    *(
        "\ufe0f",
        "\ufe0e",
        "\u20e3",
        "\u0301",
        "\u0301" * 7,
        "\u064b",
        "\u094d",
        "\u09cd",
        "\ufeff",
        "\u3164",
        "\U000e0041",
    ),
    *(
        "\U000e0100",
        "\U0001e000",
        "\ud83d",
        "\ude00",
        "😀",
        "❤",
        "👩",
        "🏽",
        "🇩",
        "©",
        "é",
        "中",
        "م",
        "क",
        "র",
        "ש",
        "\ue0b0",
    ),
]
ORDINARY = {
    "English": "The quick brown fox – “jumps” over it…\n\nNew paragraph.",
    "German": "Füße, Größe, Übermut: „Zitat“ § 5 €",
    "French, decomposed": unicodedata.normalize("NFD", "déjà vu à Noël"),
    "Vietnamese, decomposed": unicodedata.normalize("NFD", "Tiếng Việt rất đẹp"),
    "Chinese": "人工智能正在改变世界，这是一个句子。",
    "Japanese": "日本語のテキスト、カタカナ。パイプ｜",
    "Korean": "한국어 텍스트입니다.",
    "Arabic": "السَّلَامُ عَلَيْكُمْ، كيف الحال؟",
    "Persian": "می‌خواهم کتاب‌ها را بخوانم",
    "Hebrew": "שָׁלוֹם עֲלֵיכֶם",
    "Hindi": "नमस्ते दुनिया, क्‍षमा, द्‌वार।",
    "Bengali": "র‍্যাম এবং বাংলা",
    "Sinhala": "ශ්‍රී ලංකා",
    "Thai": "ภาษาไทยที่นี่",
    "Russian": "Съешь ещё этих мягких булок",
    "families": "👩‍👩‍👧 👨‍👩‍👧‍👦 👩🏽‍💻 🏳️‍🌈 ❤️‍🔥 🧑‍🤝‍🧑",
    "emoji": "☎️ ™️ ▶️ ✅ 🚀 👍🏿 ⚠️ 1️⃣ #️⃣",
    "many emoji": "🚀" * 40,
    "flags": "🇩🇪 🇫🇷 🇯🇵",
    "box drawing": "┌─┬─┐\n│ ║ ╬ ▓ ░\n└─┴─┘ ⣾⣽⣻ ▁▂▃▄▅▆▇█",
    "private use": "\ue0b0 main \ue0b2 \uf09b \U000f02a2",
    "mathematics": "∀x∈ℝ: ∂²f/∂x² ≠ 𝔸 ∖ {∅} · 10⁻³",
    "spaces": "no\u00a0break\u2009thin\u3000wide",
    "code": "def f(x: int) -> str:\n    return f'{x!r} [/red] [@click=quit] \\\\x1b[0m'\n",
    "already cleaned": "␛[31m ␉ � ␤",
}


@pytest.mark.parametrize("payload", CORPUS, ids=lambda payload: f"{payload.kind} {payload.name!a}"[:60])
def test_nothing_hostile_survives_and_the_words_around_it_do(payload: Payload) -> None:
    shown = clean(payload.embedded)
    assert survivors(shown) == []
    assert shown.startswith(BEFORE)
    assert shown.endswith(AFTER)
    assert clean(shown) == shown
    assert "".join(piece.text for piece in styled(payload.embedded)) == shown
    assert survivors(reveal(payload.embedded)) == []
    assert "\n" not in clean_line(payload.embedded)
    assert survivors(clean_line(payload.embedded, 12)) == []


def test_the_corpus_is_as_large_as_promised() -> None:
    assert len({payload.text for payload in CORPUS}) >= 400


def test_the_oracle_sees_every_hostile_payload_but_plain_markup_and_newlines() -> None:
    unseen = [payload for payload in CORPUS if not survivors(payload.embedded)]
    assert {payload.kind for payload in unseen} <= {"markup", "C0"}
    assert [payload.text for payload in unseen if payload.kind == "C0"] == ["\n"]


def test_100_000_fuzzed_strings_leave_no_survivors_and_clean_once_for_all() -> None:
    dice = random.Random(20)
    shown = [clean("".join(dice.choices(NASTY, k=dice.randint(1, 12)))) for _ in range(100_000)]
    assert survivors("\n".join(shown)) == []
    assert [text for text in shown if clean(text) != text] == []


@pytest.mark.parametrize("language", ORDINARY)
def test_ordinary_text_stays_exactly_as_it_is(language: str) -> None:
    text = ORDINARY[language]
    assert clean(text) == text
    assert clean(f"\x1b[1m{text}\x1b[0m\x00") == f"{text}␀"
    assert styled(text) == [StyledText(text)]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\r\nb\r\r\nc", "a\nb\nc"),
        ("10%\r20%\rdone\n", "10%\n20%\ndone\n"),
        ("a\r\x1b[K\nb", "a\nb"),
        ("a\tb\n\tc", "a    b\n    c"),
        ("a\x00b\x7fc\x08d\x0b\x0c", "a␀b␡c␈d␋␌"),
        ("a\x85b\u2028c\u2029d", "a␤b␤c␤d"),
        ("Ä\x9bcko \x80", "Ä�cko �"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]0;never ended\nnext", "␛]0;never ended\nnext"),
        ("\x1b]0;two\nlines\x07", "␛]0;two\nlines␇"),
        ("\x1b]0;" + "x" * 4094 + "\x07.", "."),
        ("\x1b]0;" + "x" * 4095 + "\x07.", "␛]0;" + "x" * 4095 + "␇."),
        ("é\x9d0;title\x9c.\x9déàü\x9c", "é.�éàü�"),
        ("\x1bDone \x1bc.", "␛Done ."),
        ("\x1b\x1b[0m[31m", "␛[31m"),
        ("user\u202eadmin\u200e", "user�admin"),
        ("\ufeffsoft\u00adhyphen\u200b", "softhyphen"),
        ("葛\U000e0100城", "葛城"),
        ("\ud83d\ude00 \ud83d \ude00", "😀 � �"),
        ("a\u200db 😀\u200d x\ufe0f 1\ufe0f", "ab 😀 x 1"),
        ("😀\u200d\u200d😀", "😀\u200d😀"),
        ("😀\u200c😀", "😀😀"),
        ("e" + "\u0301" * 9, "e" + "\u0301" * 8),
    ],
)
def test_each_rule_of_cleaning_does_what_it_says(text: str, shown: str) -> None:
    assert clean(text) == shown


def test_only_newlines_divide_lines_once_text_is_clean() -> None:
    shown = clean("".join(f"{chr(code)}x" for code in (*range(0x3000),) if not 0xD800 <= code < 0xE000))
    assert shown.splitlines() == shown.split("\n")


def test_no_mark_of_unicode_can_be_piled_up() -> None:
    marks = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) in ("Mn", "Me")]
    assert survivors(clean("".join(f"a{mark * 20}" for mark in marks))) == []


def test_no_character_of_unicode_survives_that_acts_or_hides() -> None:
    everything_but_ideographs = (*range(0x3400), *range(0xA000, 0x20000), *range(0xE0000, 0xE2000))
    assert survivors(clean(" ".join(map(chr, everything_but_ideographs)))) == []


@pytest.mark.parametrize(
    ("text", "limit_chars", "line"),
    [
        ("one\n\n  two\r\nthree\n", None, "one ⏎ two ⏎ three"),
        ("\x1b]0;x\x07 title ", None, "title"),
        ("abcdef", 6, "abcdef"),
        ("abcdef", 5, "abcd…"),
        ("abc\ndef", 5, "abc…"),
        ("abcdef", 1, "…"),
        ("abcdef", 0, ""),
        ("", 0, ""),
        ("ab👩\u200d👩", 5, "ab👩\u200d👩"),
        ("ab👩\u200d👩x", 5, "ab👩…"),
        ("\x1b[31m" * 5000 + "far behind", 40, "far behind"),
        ("word " * 100_000, 10, "word word…"),
    ],
)
def test_a_line_has_no_breaks_and_keeps_to_its_limit(text: str, limit_chars: int | None, line: str) -> None:
    assert clean_line(text, limit_chars) == line


@given(st.lists(st.sampled_from(NASTY), max_size=30).map("".join), st.integers(0, 20))
def test_a_line_is_clean_at_any_limit(text: str, limit_chars: int) -> None:
    line = clean_line(text, limit_chars)
    assert len(line) <= limit_chars
    assert clean(line) == line


def test_revealed_text_shows_every_character_that_cleaning_would_take_out() -> None:
    command = "rm\u200b -rf \x1b[8m/\x1b[0m \u202etmp\t\r\n#" + "\u0301" * 9
    assert reveal(command) == "rm⟨U+200B⟩ -rf ␛[8m/␛[0m ⟨U+202E⟩tmp␉␍\n#" + "\u0301" * 8 + "⟨U+0301⟩"


@given(st.lists(st.sampled_from(NASTY), max_size=30).map("".join))
def test_revealed_text_is_clean_and_no_shorter(text: str) -> None:
    shown = reveal(text)
    assert survivors(shown) == []
    assert clean(shown) == shown
    assert len(shown) >= len(mend_surrogates(text))


def stream(text: str, cuts: list[int]) -> str:
    cleaner = StreamCleaner()
    borders = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    return "".join([*(cleaner.feed(text[start:end]) for start, end in pairwise(borders)), cleaner.finish()])


@pytest.mark.parametrize("kind", sorted({payload.kind for payload in CORPUS}))
def test_a_stream_cut_at_any_border_gives_what_the_whole_gives(kind: str) -> None:
    for payload in CORPUS:
        if payload.kind == kind:
            text = payload.embedded
            borders = range(len(text) + 1) if len(text) < 300 else [*range(6, 12), len(text) - 6]
            assert [cut for cut in borders if stream(text, [cut]) != clean(text)] == [], payload.name


@given(st.lists(st.sampled_from(NASTY), max_size=40).map("".join), st.lists(st.integers(0, 120), max_size=12))
def test_a_stream_cut_anywhere_gives_what_the_whole_gives(text: str, cuts: list[int]) -> None:
    assert stream(text, cuts) == clean(text)


@given(st.lists(st.sampled_from(NASTY), max_size=40).map("".join))
def test_a_stream_of_single_characters_gives_what_the_whole_gives(text: str) -> None:
    assert stream(text, list(range(len(text)))) == clean(text)


@pytest.mark.parametrize("chunk", ["Hello", "中", "👩", "line\n", "a\r", "[31m", "é"])
def test_plain_text_is_not_held_back(chunk: str) -> None:
    assert StreamCleaner().feed(chunk) == clean(chunk)


@pytest.mark.parametrize("endless", ["\x1b]0;" + "x" * 9000, "\x1b[" + "1" * 9000, "\x9f" + "x" * 9000, "é" * 9000])
def test_what_a_stream_holds_back_is_bounded(endless: str) -> None:
    cleaner = StreamCleaner()
    given_out = sum(len(cleaner.feed(endless[start : start + 50])) for start in range(0, len(endless), 50))
    assert given_out == len(endless)


def test_an_endless_pile_of_marks_is_cut_while_it_streams() -> None:
    cleaner = StreamCleaner()
    assert cleaner.feed("e") == "e"
    assert {cleaner.feed("\u0301" * 1000) for _ in range(10)} == {""}
    assert cleaner.feed("x") == "\u0301" * 8 + "x"


@pytest.mark.parametrize(
    ("codes", "style"),
    [
        ("31", Style(fg="ansi_red")),
        ("97;100", Style(fg="ansi_bright_white", bg="ansi_bright_black")),
        ("1;2;3;4;7;9", Style(bold=True, dim=True, italic=True, underline=True, reverse=True, strike=True)),
        ("1;2;3;4;7;9;22;23;24;27;29", PLAIN),
        ("31;42;39;49", PLAIN),
        ("01;031", Style(fg="ansi_red", bold=True)),
        ("31;0", PLAIN),
        ("31;", PLAIN),
        ("", PLAIN),
        ("38;5;9", Style(fg="ansi_bright_red")),
        ("38;5;196;1", Style(fg="#ff0000", bold=True)),
        ("48;5;244", Style(bg="#808080")),
        ("38;2;1;2;255", Style(fg="#0102ff")),
        ("38:2::1:2:255", Style(fg="#0102ff")),
        ("38:2:1:2:255", Style(fg="#0102ff")),
        ("48:5:16", Style(bg="#000000")),
        ("38;2;999;0;99999999999999", Style(fg="#ff00ff")),
        ("58;5;1;3", Style(italic=True)),
        ("58:2::1:2:3;3", Style(italic=True)),
        ("4:3", Style(underline=True)),
        ("4;4:0", PLAIN),
        ("21", Style(underline=True)),
        ("38", PLAIN),
        ("38;2;1", PLAIN),
        ("38;5", PLAIN),
        ("38;7;1", Style(bold=True)),
        ("5;8;10;73;9999999999", PLAIN),
        (":;::", PLAIN),
        ("31;41", PLAIN),
    ],
)
def test_colour_codes_become_styles(codes: str, style: Style) -> None:
    assert styled(f"\x1b[{codes}mx") == [StyledText("x", style)]
    assert styled(f"é\x9b{codes}mx")[-1].style == (style if codes else PLAIN)


def test_styled_text_goes_on_where_only_unknown_sequences_stand_between() -> None:
    red = Style(fg="ansi_red")
    assert styled("a\x1b[31mb\x1b[K\x1b]0;t\x07c\x1b[31md\x1b[me") == [
        StyledText("a"),
        StyledText("bcd", red),
        StyledText("e"),
    ]


def test_a_mark_keeps_the_style_of_its_letter() -> None:
    assert styled("\x1b[31me\x1b[32m\u0301x") == [
        StyledText("e\u0301", Style(fg="ansi_red")),
        StyledText("x", Style(fg="ansi_green")),
    ]


def test_an_empty_text_has_no_styled_pieces() -> None:
    assert styled("") == styled("\x1b[31m") == []


@given(st.lists(st.sampled_from([*NASTY, "\x1b[1;32m", "\x1b[38;5;8m"]), max_size=40).map("".join))
def test_styled_pieces_joined_are_the_cleaned_text(text: str) -> None:
    pieces = styled(text)
    assert "".join(piece.text for piece in pieces) == clean(text)
    assert all(piece.text for piece in pieces)


@given(st.from_regex(re.compile(r"[0-9:;]*"), fullmatch=True))
def test_no_colour_code_can_break_styling(codes: str) -> None:
    assert "".join(piece.text for piece in styled(f"a\x1b[{codes[:64]}mb")) == "ab"


def test_surrogates_are_mended_wherever_they_lie() -> None:
    broken = {"\ud800": ["\ud83d\ude00", ("x\udfff", 1, None)], "kept": {"n": 1.5, "t": True}, "tuple": (("\ud800",),)}
    assert mend_surrogates(broken) == {
        "\ufffd": ["😀", ("x\ufffd", 1, None)],
        "kept": {"n": 1.5, "t": True},
        "tuple": (("\ufffd",),),
    }
    assert mend_surrogates("\ud83d\ude00") == "😀"
    assert mend_surrogates(7) == 7


def test_mending_leaves_its_argument_alone() -> None:
    broken = {"a": ["\ud800"]}
    mend_surrogates(broken)
    assert broken == {"a": ["\ud800"]}


Nested: TypeAlias = "list[Nested] | str"


def test_mending_follows_nesting_to_any_depth() -> None:
    deep: Nested = "\ud800"
    for _ in range(50_000):
        deep = [deep]
    found: Nested = mend_surrogates(deep)
    for _ in range(50_000):
        assert isinstance(found, list)
        [found] = found
    assert found == "\ufffd"


@pytest.mark.parametrize(
    ("text", "limit", "name"),
    [
        ("ba\nsh", None, "ba sh"),
        ("  ba \r\n\t sh ", None, "ba sh"),
        ("b\x1b[31mash", None, "bash"),
        ("\n", None, ""),
        ("long\nname of a tool", 8, "long na…"),
    ],
)
def test_a_name_is_one_line_without_a_sign_for_its_breaks(text: str, limit: int | None, name: str) -> None:
    assert clean_name(text, limit) == name
