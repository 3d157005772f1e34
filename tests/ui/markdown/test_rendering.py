"""What small Markdown texts look like, as plain text and as styles."""

import pytest
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from diligent_tui.ui.markdown import MarkdownLook, render

LOOK = MarkdownLook()


def plain(source: str, width: int = 40) -> list[str]:
    return ["".join(segment.text for segment in row).rstrip() for row in render(source, width, LOOK)]


def segment_with(source: str, text: str, width: int = 40) -> Segment:
    return next(segment for row in render(source, width, LOOK) for segment in row if segment.text.strip() == text)


@pytest.mark.parametrize(
    ("source", "rows"),
    [
        ("", []),
        ("\n\n", []),
        ("one\ntwo", ["one two"]),
        ("one  \ntwo\\\nthree", ["one", "two", "three"]),
        ("one\n\n\n\ntwo", ["one", "", "two"]),
        ("one\r\n\r\ntwo\rthree", ["one", "", "two three"]),
        ("# Title #\ntext", ["Title", "text"]),
        ("text\n## C# and #tag", ["text", "", "C# and #tag"]),
        ("Title\n=====", ["Title"]),
        ("#hash", ["#hash"]),
        ("a\n\n---\n\nb", ["a", "", "─" * 40, "", "b"]),
        ("*a* **b** ~~c~~ `d e` snake_case 5 * 3", ["a b c d e snake_case 5 * 3"]),
        ("**never closed", ["**never closed"]),
        ("[text](https://x.org)", ["text (https://x.org)"]),
        ("<https://x.org> https://y.org/a_b_c.", ["https://x.org https://y.org/a_b_c."]),
        ("[a](javascript:alert(1))", ["[a](javascript:alert(1))"]),
        ("![a cat](cat.png)", ["[image: a cat] (cat.png)"]),
        ("note[^1] and [ref][1]\n\n[1]: https://x.org", ["note[^1] and [ref][1]", "", "[1]: https://x.org"]),
        ("[/b] [bold] [/", ["[/b] [bold] [/"]),
        ("a <b>c</b> &lt;d&gt; \\*e\\*", ["a <b>c</b> <d> *e*"]),
        ("<details>\n<summary>*x*</summary>\n\ntext", ["<details>", "<summary>*x*</summary>", "", "text"]),
        ("<thinking>\n  *x*\n</thinking>", ["<thinking>", "  *x*", "</thinking>"]),
        ("<!-- a\n\nb -->\nc", ["<!-- a", "", "b -->", "c"]),
    ],
)
def test_text_reads_as_its_author_meant(source: str, rows: list[str]) -> None:
    assert plain(source) == rows


@pytest.mark.parametrize(
    ("source", "rows"),
    [
        ("- a\n- b", [" • a", " • b"]),
        ("Two:\n- a\n\n- b\nlazy", ["Two:", " • a", "", " • b lazy"]),
        ("- a\n  - b\n    - c\n- d", [" • a", "    ◦ b", "       ▪ c", " • d"]),
        ("1. a\n1. b", [" 1. a", " 2. b"]),
        ("9) a\n10) b", [" 9) a", "10) b"]),
        ("text\n2. not a list", ["text 2. not a list"]),
        ("- [ ] todo\n- [x] done", [" ☐ todo", " ☑ done"]),
        ("- a\n\n  b", [" • a", "", "   b"]),
        ("-\n- b", [" •", " • b"]),
        ("- aaaa bbbb cccc", [" • aaaa", "   bbbb", "   cccc"]),
        ("> a\n> b\n\nc", ["▌ a b", "", "c"]),
        ("> a\n>\n> b", ["▌ a", "▌", "▌ b"]),
        ("> - a\n>   - b", ["▌  • a", "▌     ◦ b"]),
        ("- - a", [" •  ◦ a"]),
        ("- a\n\n      code", [" • a", "", "    code"]),
    ],
)
def test_containers_indent_all_that_stands_in_them(source: str, rows: list[str]) -> None:
    assert plain(source, 40 if "aaaa" not in source else 10) == rows


@pytest.mark.parametrize(
    ("source", "rows"),
    [
        ("```\na\n\n b\n```\nc", [" a", "", "  b", "c"]),
        ("```py title=x\na\n```", [" py", " a"]),
        ("~~~\n```\n~~~", [" ```"]),
        ("```\nnever closed", [" never closed"]),
        ("```\n```", [""]),
        ("    a\n\n    b", [" a", "", " b"]),
        ("a\n    b", ["a b"]),
        ("1. a\n   ```\n   b\n   ```", [" 1. a", "     b"]),
        ("```\n\tif\n```", ["     if"]),
        ("```\n0123456789abcdefgh\n```", [" 0123456789", " ↳ abcdefgh"]),
        ("``` a`b", ["``` a`b"]),
    ],
)
def test_code_keeps_every_character(source: str, rows: list[str]) -> None:
    assert plain(source, 40 if "0123" not in source else 12) == rows


@pytest.mark.parametrize(
    ("source", "width", "rows"),
    [
        ("|a|b|\n|-|-|", 40, ["a  b", "─  ─"]),
        ("|a|bbb|\n|-|--:|\n|ccc|1|", 40, ["a    bbb", "───  ───", "ccc    1"]),
        ("|a|b|\n|:-:|-|\n|ccc|*d*|\n|e|", 40, [" a   b", "───  ─", "ccc  d", " e"]),
        ("a|b\n-|-\nx \\| y|`z`", 40, ["a      b", "─────  ─", "x | y  z"]),
        ("|a|b|\n|-|-|\n|1|2|3|", 40, ["a  b", "─  ─────", "1  2 | 3"]),
        ("text\n|a|\n|-|\n|b|\n\nc", 40, ["text", "a", "─", "b", "", "c"]),
        ("|a|b|\n|-|-|\n|x|one two three|", 12, ["a  b", "─  ─────────", "x  one two", "   three"]),
        ("|a|b|\n|-|-|", 6, ["a", "b"]),
        ("|a|b|\n|-|-|\n|c|d|\n|e||", 6, ["a: c", "b: d", "─" * 6, "a: e", "b:"]),
        ("|a||\n|-|-|\n|c|d|", 6, ["a: c", "d"]),
        ("- |a|b|\n  |-|-|\n  |c|d|", 9, [" • a: c", "   b: d"]),
        ("|a|b|\n|-|\n", 40, ["|a|b| |-|"]),
        ("|你好|b|\n|-|-|\n|c|d|", 40, ["你好  b", "────  ─", "c     d"]),
    ],
)
def test_tables_are_set_in_columns_that_fit(source: str, width: int, rows: list[str]) -> None:
    assert plain(source, width) == rows


@pytest.mark.parametrize(
    ("source", "width", "rows"),
    [
        ("one two three", 7, ["one two", "three"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("a abcdefgh", 4, ["a", "abcd", "efgh"]),
        ("你好世界", 5, ["你好", "世界"]),
        ("你好，世界", 4, ["你", "好，", "世界"]),
        ("ab👩\u200d👩\u200d👧cd", 4, ["ab👩\u200d👩\u200d👧", "cd"]),
        ("e\u0301e\u0301e\u0301", 2, ["e\u0301e\u0301", "e\u0301"]),
        ("漢", 1, ["…"]),
        ("> > - deep text", 3, ["dee", "p", "tex", "t"]),
        ("> > - deep text", 9, ["▌ ▌ deep", "▌ ▌ text"]),
    ],
)
def test_rows_are_broken_by_cells_at_words_where_possible(source: str, width: int, rows: list[str]) -> None:
    assert plain(source, width) == rows


@pytest.mark.parametrize(
    ("source", "text", "style"),
    [
        ("# T", "T", LOOK.heading_1),
        ("###### T", "T", LOOK.heading_4),
        ("a **b** c", "b", LOOK.strong),
        ("a *b* c", "b", LOOK.emphasis),
        ("a ***b*** c", "b", LOOK.emphasis + LOOK.strong),
        ("a ~~b~~ c", "b", LOOK.strike),
        ("a `b` c", "b", LOOK.inline_code),
        ("# a `b`", "b", LOOK.heading_1 + LOOK.inline_code),
        ("[b](c)", "b", LOOK.link),
        ("[b](c)", "(c)", LOOK.link_address),
        ("see https://x.org.", "https://x.org", LOOK.link + Style(link="https://x.org")),
        ("> b", "b", LOOK.quote),
        ("> b", "▌", LOOK.quote_bar),
        ("- b", "•", LOOK.list_marker),
        ("|b|\n|-|", "b", LOOK.table_header),
        ("```py\nx\n```", "py", LOOK.code_block + LOOK.code_label),
    ],
)
def test_each_role_has_its_style(source: str, text: str, style: Style) -> None:
    assert segment_with(source, text).style == style


def test_code_stands_on_a_background_as_wide_as_the_text() -> None:
    rows = render("- a\n\n  ```\n  x\n  ```", 30, LOOK)
    assert [sum(cell_len(segment.text) for segment in row) for row in rows[2:]] == [30]
    assert rows[2][-1].style == LOOK.code_block


@pytest.mark.parametrize("entity", ["&#27;", "&#x9b;", "&#10;", "&#x202e;", "&rlm;", "&#x200d;"])
def test_entities_cannot_smuggle_control_or_bidi_characters(entity: str) -> None:
    assert plain(f"a{entity}b") == ["a\N{REPLACEMENT CHARACTER}b"]
    assert plain(f"[a](x{entity}b)")[0].isprintable()
