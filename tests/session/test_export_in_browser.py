"""The page as a real browser sees it; collected only where Chromium is installed."""

import base64
import hashlib
import html
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from diligent_tui.domain.entries import Entry
from diligent_tui.session.export.exporting import export_session
from diligent_tui.session.export.masking import Mask
from diligent_tui.session.store import SessionStore
from tests.conftest import BROWSERS
from tests.session.drafts import draft, said
from tests.session.talks import HIDDEN, SHOWN, TALK

QUIET = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-extensions",
    "--virtual-time-budget=3000",
    "--dump-dom",
)
DRIVER = """
const key = (name) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: name, bubbles: true}));
const shown = () => [...document.querySelectorAll("article:not([hidden])")].map((each) => each.id).join(" ");
const told = {};
document.querySelector('a[href="#e-f0"]').click();
told.clicked = shown();
key("ArrowDown");
told.focused = document.activeElement.getAttribute("href");
const search = document.getElementById("search");
search.value = "do it.";
search.dispatchEvent(new Event("input"));
told.found = document.getElementById("found").textContent;
search.focus();
key("Enter");
told.searched = shown();
document.querySelector("[data-filter=prompts]").click();
told.prompts = [...document.querySelectorAll("#tree li")].filter((each) => each.offsetParent).length;
document.title = JSON.stringify(told);
"""


@pytest.fixture
def requests() -> Iterator[tuple[str, list[str]]]:
    """A server that nothing should ask."""
    asked: list[str] = []

    class Server(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.connection.close()

    server = HTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    thread.join()
    server.server_close()


def write(folder: Path, *more: Entry) -> Path:
    store = SessionStore.open(draft(folder, *TALK, *more), for_writing=False)
    page = folder / "page.html"
    page.write_bytes(b"".join(export_session(store, "html", Mask())))
    return page


def dom(page: Path, fragment: str = "") -> str:
    browser = next(path for name in BROWSERS if (path := shutil.which(name)))
    words = [browser, *QUIET, f"--user-data-dir={page.parent / 'profile'}", f"{page.as_uri()}{fragment}"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout


def visible(text: str) -> list[str]:
    found = re.findall(r"<article ([^>]*)>", text)
    return [re.findall(r'id="e-([^"]*)"', each)[0] for each in found if "hidden" not in each]


def test_the_page_opens_on_the_current_path_and_no_words_run(tmp_path: Path, requests: tuple[str, list[str]]) -> None:
    address, asked = requests
    evil = f'<img src="{address}/a"><script>document.title="owned"</script><link rel=icon href={address}/b>'
    text = dom(write(tmp_path, said("h0", "b2", evil)))
    assert visible(text) == [*SHOWN, "h0"]
    assert "<title>The &lt;loader&gt;</title>" in text
    assert "plain" not in re.findall(r"<body([^>]*)>", text)[0]
    assert asked == []


def test_a_link_to_an_entry_of_another_branch_shows_that_branch(tmp_path: Path) -> None:
    text = dom(write(tmp_path), "#e-d0")
    assert visible(text) == [*SHOWN[:6], "w0", "d0", "d1", "g0", "g1", HIDDEN[-1]]
    assert re.search(r'<li class="[^"]*\bhere\b[^"]*"><a href="#e-d0"', text)


def test_the_page_is_driven_by_clicks_keys_and_search(tmp_path: Path) -> None:
    page = write(tmp_path)
    digest = base64.b64encode(hashlib.sha256(DRIVER.encode()).digest()).decode()
    text = page.read_text(encoding="utf-8").replace("script-src ", f"script-src 'sha256-{digest}' ")
    page.write_text(text.replace("</body>", f"<script>{DRIVER}</script></body>"), encoding="utf-8")
    (title,) = re.findall("<title>(.*?)</title>", dom(page))
    told = dict(re.findall(r'"(\w+)":"?([^",}]*)', html.unescape(title)))
    branch = [*SHOWN[:6], "w0", "d0", "d1", "f0"]
    assert told["clicked"].split() == [f"e-{each}" for each in branch]
    assert told["focused"] == "#e-g0"
    assert told["found"] == "1 found"
    assert told["searched"].split() == [f"e-{each}" for each in SHOWN]
    assert told["prompts"] == "5"


def test_a_script_that_is_not_ours_would_not_run(tmp_path: Path) -> None:
    page = write(tmp_path)
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace("</body>", "<script>document.title='owned'</script></body>"), encoding="utf-8")
    assert "<title>owned" not in dom(page)
