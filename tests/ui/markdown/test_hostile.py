"""No text, however strange, breaks the drawing of Markdown or the width it is drawn in."""

import pytest
from rich.cells import cell_len

from diligent_tui.ui.markdown import LiveMarkdown, MarkdownLook, render

LOOK = MarkdownLook()
HOSTILE = {
    "a line of 1 MB": "x" * 1_000_000,
    "1 MB of words": "word " * 200_000,
    "brackets": "[" * 100_000,
    "stars": "*" * 100_000,
    "open emphasis": "*a " * 5_000,
    "backticks": "`" * 100_000,
    "quotes": ">" * 100_000,
    "nested quotes": (">" * 1_000 + " deep\n") * 20,
    "nested lists": "\n".join("  " * depth + "- x" for depth in range(1_000)),
    "nested links": "[a](" * 20_000,
    "nested brackets": "[" * 1_000 + "x" + "]" * 1_000,
    "nested emphasis": "*" * 1_000 + "x" + "*" * 1_000,
    "a table of 10,000 columns": "|" + "a|" * 10_000 + "\n|" + "-|" * 10_000 + "\n|" + "b|" * 10_000,
    "a table of 300 columns": "|" + "a|" * 300 + "\n|" + "-|" * 300 + "\n|" + "b|" * 300,
    "a row of 1 MB": "|a|b|\n|-|-|\n|" + "x " * 500_000 + "|y|",
    "a line of code of 1 MB": "```py\n" + "x = 1; " * 140_000,
    "indentation": " " * 1_000_000 + "x",
    "tabs": "\t" * 1_000_000 + "x",
    "marks without width": "e" + "\u0301" * 100_000,
    "joiners": "\u200d" * 1_000 + "a\u200db\u200d\u200d👩\u200d",
    "controls": "".join(map(chr, range(32))) + "\x7f\x9b\ud800" + "\x1b]52;c;AAAA\x07",
    "closing markup": "[/] [/b] [[/",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_drawn_within_its_width(name: str) -> None:
    rows = render(HOSTILE[name], 80, LOOK)
    assert rows
    for row in rows:
        assert sum(cell_len(segment.text) for segment in row) <= 80
        assert not any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or 0xD800 <= ord(c) < 0xE000 for s in row for c in s.text)


@pytest.mark.parametrize("name", ["brackets", "nested quotes", "open emphasis", "a table of 300 columns", "joiners"])
@pytest.mark.parametrize("width", [1, 2, 3, 200])
def test_hostile_text_can_be_streamed_at_any_width(name: str, width: int) -> None:
    source = HOSTILE[name][:10_000]
    live = LiveMarkdown(LOOK)
    for at in range(0, len(source), 500):
        live.append(source[at : at + 500])
        live.lines(width)
    live.finish()
    assert list(live.lines(width).rows) == render(source, width, LOOK)


def test_no_letter_of_a_long_word_is_lost() -> None:
    word = "".join(chr(97 + at % 26) for at in range(5_000))
    rows = render(word, 33, LOOK)
    assert "".join(segment.text for row in rows for segment in row) == word


@pytest.mark.parametrize("width", range(1, 41))
def test_every_width_holds_every_kind_of_block(width: int) -> None:
    source = "# T\n> - 1. text 你好\n>\n>   ```py\n>   x = 1\n>   ```\n\n|a|b|c|\n|-|-|-|\n|1|2|3|\n\n---\n<b>\n"
    rows = render(source, width, LOOK)
    assert all(sum(cell_len(segment.text) for segment in row) <= width for row in rows)
