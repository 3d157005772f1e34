"""The HTML page stands alone: everything is in it, nothing is fetched, and no words of a session are markup."""

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from diligent_tui.session.export.exporting import export_session
from diligent_tui.session.export.html_page import anchor
from diligent_tui.session.export.html_words import words_to_html
from diligent_tui.session.export.masking import Mask
from diligent_tui.session.store import SessionStore
from tests.session.drafts import conversation, draft
from tests.session.talks import ANSWER, HIDDEN, HOSTILE, SHOWN, talk

VOID = {"meta", "br", "hr", "input"}
TAGS = re.findall(
    r"\S+",
    "html head meta title style body nav div input output button ol li a span mark main header h1 dl dt dd article p "
    "time details summary small pre code b i ul table tr th td blockquote h2 h3 h4 h5 h6 hr br section script",
)
ATTRIBUTES = re.findall(
    r"\S+",
    "lang charset http-equiv content name class id type placeholder aria-label autocomplete spellcheck role tabindex "
    "data-filter data-parent data-mark href hidden",
)


class Page(HTMLParser):
    """The tags of a page, its texts, and what it refers to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: dict[str, str] = {}
        self.articles: dict[str, str] = {}
        self._article = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "article":
            self._article = dict(attrs)["id"] or ""

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "article" in self.open:
            self.articles[self._article] = self.articles.get(self._article, "") + data
        elif self.open:
            self.texts[self.open[-1]] = self.texts.get(self.open[-1], "") + data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def html(path: Path, entry_id: str | None = None) -> str:
    store = SessionStore.open(path, for_writing=False)
    return b"".join(export_session(store, "html", Mask(), entry_id)).decode()


def test_every_entry_is_in_the_tree_and_in_the_page(tmp_path: Path) -> None:
    page = Page(html(talk(tmp_path)))
    expected = {anchor(entry_id) for entry_id in SHOWN + HIDDEN}
    assert {row["href"] for row in page.all("a")} == {f"#{name}" for name in expected}
    articles = page.all("article")
    assert {article["id"] for article in articles} == expected
    assert len(articles) == len(expected)
    assert page.open == []


@pytest.mark.parametrize(("entry_id", "shown"), [(None, SHOWN), ("d0", (*SHOWN[:6], "w0", "d0"))])
def test_without_a_script_the_page_shows_one_path(entry_id: str | None, shown: tuple[str, ...], tmp_path: Path) -> None:
    page = Page(html(talk(tmp_path), entry_id))
    visible = [article["id"] for article in page.all("article") if "hidden" not in article]
    assert visible == [anchor(each) for each in shown]
    on = [row for row in page.all("li") if " on" in (row.get("class") or "")]
    assert len(on) == len(shown)


def test_what_was_said_is_text_and_nothing_else(tmp_path: Path) -> None:
    text = html(talk(tmp_path))
    page = Page(text)
    assert {tag for tag, _ in page.tags} <= set(TAGS)
    assert {name for _, attributes in page.tags for name in attributes} <= set(ATTRIBUTES)
    assert len(page.all("script")) == len(page.all("style")) == 1
    said = page.articles[anchor("d0")]
    assert "<img src=x onerror=\"document.title='owned'\"> </script><script>document.title='owned'</script>" in said
    assert page.texts["title"] == "The <loader>"
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u2028]", text)


def test_nothing_is_fetched_from_anywhere(tmp_path: Path) -> None:
    page = Page(html(talk(tmp_path)))
    assert all((link["href"] or "").startswith("#") for link in page.all("a"))
    loading = {"src", "srcset", "action", "background", "poster", "data", "style"}
    assert not [name for _, attributes in page.tags for name in attributes if name in loading]
    assert not [tag for tag, _ in page.tags if tag in ("link", "img", "iframe", "object", "base", "form")]
    assert not re.search(r"url\(|@import|https?:", page.texts["style"])
    assert not re.search(r"fetch|import|XMLHttp|innerHTML|eval|https?:", page.texts["script"])


def test_a_browser_is_told_to_run_only_what_is_ours(tmp_path: Path) -> None:
    page = Page(html(talk(tmp_path)))
    (policy,) = [meta["content"] or "" for meta in page.all("meta") if meta.get("http-equiv")]
    rules = {name: value for name, _, value in (rule.strip().partition(" ") for rule in policy.split(";"))}
    assert rules["default-src"] == "'none'"
    for tag, rule in (("style", "style-src"), ("script", "script-src")):
        digest = base64.b64encode(hashlib.sha256(page.texts[tag].encode()).digest()).decode()
        assert rules[rule] == f"'sha256-{digest}'"
    assert page.tags.index(("meta", {"charset": "utf-8"})) < 4


def test_the_page_tells_what_the_session_is(tmp_path: Path) -> None:
    page = Page(html(talk(tmp_path)))
    assert "The <loader>" in page.texts["h1"]
    assert "182,000" in page.texts["dd"]
    assert "1 damaged line" in page.texts["p"]
    assert "/tmp/project" not in html(talk(tmp_path))
    assert "try <i>it</i>" in page.texts["mark"]
    assert "Compacted 142,318 → 28,004 tokens" in page.articles[anchor("k0")]
    assert "sheep" in page.articles[anchor("0000dead")]


def test_a_strange_id_has_an_anchor_of_its_own() -> None:
    names = [anchor(entry_id) for entry_id in ('"><b>', "a b", "a\u0000b", "a" * 100, "plain", "")]
    assert all(re.fullmatch(r"[ex]-[\w-]{1,64}", name) for name in names)
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("one\ntwo", "<p>one<br>two</p>"),
        ("a **b** *c* `<d>`", "<p>a <b>b</b> <i>c</i> <code>&lt;d&gt;</code></p>"),
        ("2 * 3 * 4", "<p>2 * 3 * 4</p>"),
        ("## head ##", "<h4>head</h4>"),
        ("- a\n- b", "<ul><li>a</li><li>b</li></ul>"),
        ("1. a\n   more", '<ul><li data-mark="1.">a<br>more</li></ul>'),
        ("- a\n  - b", "<ul><li>a</li><li class=deeper><ul><li>b</li></ul></li></ul>"),
        ("> q", "<blockquote><p>q</p></blockquote>"),
        ("---", "<hr>"),
        ("```py\n<x>\n```\nafter", "<pre>\n&lt;x&gt;</pre><p>after</p>"),
        ("```\nopen", "<pre>\nopen</pre>"),
        (
            "|a|b|\n|-|-|\n|1|<2>|3|",
            "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>&lt;2&gt;</td></tr></table>",
        ),
        ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"),
        ("", ""),
    ],
)
def test_markdown_becomes_a_few_tags(words: str, expected: str) -> None:
    assert words_to_html(words) == expected


@pytest.mark.parametrize(
    "words", [">" * 5000, "# " * 50_000, "`" * 50_000, "*a" * 50_000, "- " * 50_000, "|-" * 50_000, ANSWER, HOSTILE]
)
def test_hostile_markdown_is_written_with_balanced_tags(words: str) -> None:
    assert Page(f"<article id=x>{words_to_html(words)}</article>").open == []


def test_a_page_comes_in_pieces(tmp_path: Path) -> None:
    store = SessionStore.open(draft(tmp_path, *conversation(50)), for_writing=False)
    sizes = [len(piece) for piece in export_session(store, "html", Mask())]
    assert len(sizes) > 400
    assert max(sizes) < 16_000
