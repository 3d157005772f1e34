"""Links of the terminal: from our own markup only, to plain web and mail addresses, and never to where nobody reads."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diligent_tui.domain.plain_text import clean
from diligent_tui.ui.markdown import LiveMarkdown, MarkdownLook, render
from diligent_tui.ui.markdown.targets import MOST_TARGET_CHARS, Target, target_of

LOOK = MarkdownLook()
PIECES = (
    *("[", "](", ")", "https://", "x.org", "/", "<", ">", "mailto:", "@", "javascript:", "а", "a"),
    *("\x1b]8;;", "\x07", "\\", "&#27;", "\u202e", " ", "\n", "`", "\x9d"),
)
# What a terminal reads up to the end of the sequence: printable ASCII without a blank.
FIT = re.compile(r"(?:https?://|mailto:)[!-~]+")


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("https://example.org/a?b=c#d", "https://example.org/a?b=c#d"),
        ("HTTP://Example.ORG:8080/A", "http://example.org:8080/A"),
        ("http://127.0.0.1:80/", "http://127.0.0.1:80/"),
        ("http://localhost", "http://localhost"),
        ("https://x.org/ü", "https://x.org/%C3%BC"),
        ("https://x.org/\u202egnp.exe", "https://x.org/%E2%80%AEgnp.exe"),
        ('https://x.org/"<>', "https://x.org/%22%3C%3E"),
        ("https://xn--pple-43d.com", "https://xn--pple-43d.com"),
        ("mailto:a.b+c@d.org", "mailto:a.b+c@d.org"),
    ],
)
def test_a_plain_address_is_a_target_in_printable_ascii(address: str, url: str) -> None:
    assert target_of(address) == Target(url)


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("https://аpple.com/x", "https://xn--pple-43d.com/x"),
        ("http://ｇoogle.com", "http://google.com"),
        ("https://exa\u00admple.org", "https://example.org"),
    ],
)
def test_a_host_that_reads_otherwise_is_spelled_out(address: str, url: str) -> None:
    assert target_of(address) == Target(url, is_odd=True)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "src/app.py",
        "//x.org",
        "ftp://x.org",
        "data:text/html,x",
        "https://bank.org@evil.org",
        "https://bank.org\\@evil.org",
        "https:///x",
        "https://a..b",
        "https://x.org:99999",
        "https://x.org:eighty",
        "http://[::1",
        "http://℀.com",
        "https://" + "a" * 64 + ".com",
        "https://x.org/\x1b]8;;",
        "https://x.org\n/y",
        "https://x.org/a b",
        "https://x.org/\x9c",
        "https://x.org/\ud800",
        "mailto:a@b.org?body=x",
        "mailto:two words@b.org",
        "https://x.org/" + "a" * MOST_TARGET_CHARS,
        "https://x.org/" + "ü" * (MOST_TARGET_CHARS // 2),
    ],
)
def test_anything_else_is_none(address: str) -> None:
    assert target_of(address) is None


def linked(source: str) -> list[tuple[str, str]]:
    """Each run of words that leads somewhere, and where to."""
    found: list[tuple[str, str]] = []
    for row in render(source, 200, LOOK):
        found += [(text, style.link) for text, style, _ in row if style and style.link]
    return found


def shown(source: str) -> str:
    return "\n".join("".join(segment.text for segment in row) for row in render(source, 200, LOOK))


@pytest.mark.parametrize(
    ("source", "links"),
    [
        ("[the docs](https://x.org/a)", [("the docs", "https://x.org/a"), ("https://x.org/a", "https://x.org/a")]),
        ("see https://x.org.", [("https://x.org", "https://x.org")]),
        ("<https://x.org>", [("https://x.org", "https://x.org")]),
        ("<a@x.org>", [("a@x.org", "mailto:a@x.org")]),
        ("![shot](https://x.org/a.png)", [("https://x.org/a.png", "https://x.org/a.png")]),
        ("# [T](https://x.org)", [("T", "https://x.org"), ("https://x.org", "https://x.org")]),
        ("|a|\n|-|\n|https://x.org|", [("https://x.org", "https://x.org")]),
        ("[x](javascript:alert(1)) [y](file:///etc/passwd) [z](a.py)", []),
        ("`https://x.org`", []),
        ("    https://x.org", []),
        ("```\nhttps://x.org\n```", []),
        ("<a href='https://x.org'>x</a>", []),
        ("[x](&#27;]8;;https://x.org)", []),
    ],
)
def test_only_markup_and_bare_addresses_lead_anywhere(source: str, links: list[tuple[str, str]]) -> None:
    assert linked(source) == links


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("[https://bank.org](https://evil.org)", "https://bank.org (https://evil.org)"),
        ("[bank](https://bank.org@evil.org)", "bank (https://bank.org@evil.org)"),
        ("https://аpple.com/x", "https://аpple.com/x (https://xn--pple-43d.com/x)"),
        ("[apple](https://аpple.com)", "apple (https://xn--pple-43d.com)"),
        ("https://x.org/ü", "https://x.org/ü"),
    ],
)
def test_where_a_link_leads_is_read_beside_it(source: str, words: str) -> None:
    assert shown(source) == words


@given(st.lists(st.sampled_from(PIECES), max_size=30))
def test_no_text_makes_a_link_that_is_not_plain(pieces: list[str]) -> None:
    source = clean("".join(pieces))
    live = LiveMarkdown(LOOK)
    for piece in source:
        live.append(piece)
    live.finish()
    rows = [*render(source, 40, LOOK), *live.lines(40).rows]
    for text, style, _ in (segment for row in rows for segment in row):
        assert "\x1b" not in text
        assert style is None or style.link is None or FIT.fullmatch(style.link)
