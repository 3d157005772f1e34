"""Links as a real terminal gets them: those of our own Markdown, and no others."""

import json
import os
import re
import sys
from pathlib import Path

import pytest

from tests.ui.escape_grammar import foreign_sequences
from tests.ui.pty_host import PtyHost

LINK = re.compile(rb"\x1b\]8;id=[0-9-]+;([^\x1b]*)\x1b\\(.*?)\x1b\]8;;\x1b\\", re.DOTALL)
SGR = re.compile(rb"\x1b\[[0-9;]*m")
OPENING = b"\x1b]8;id="
"""The end of a link is also sent when the terminal is put back, whatever was open."""
STOLEN = "\x1b]8;;https://evil.org\x1b\\click\x1b]8;;\x1b\\ \x9d8;;https://evil.org\x9cclick"
ANSWER = (
    f"See [the docs](https://docs.example.org/a) or https://bare.example.org.\n\n"
    f"[bank](https://bank.org@evil.org) [js](javascript:alert) [file](file:///etc/passwd) {STOLEN} "
    f"[x](https://x.org/{STOLEN}) `https://code.org`\n\nTHE END"
)
TOOL_SAYS = f"https://tool.org [tool](https://tool.org) {STOLEN}"


def session_in(project: Path) -> None:
    """A session whose answer has links, and whose prompt and tool would like to have some."""
    sessions = project / ".diligent" / "sessions"
    sessions.mkdir(parents=True)
    call = {"type": "tool_call", "id": "c", "name": "bash", "input": {"command": TOOL_SAYS}}
    messages: list[dict[str, object]] = [
        {"role": "user", "content": f"[prompt](https://prompt.org) {STOLEN}"},
        {"role": "assistant", "content": [call]},
        {"role": "tool_result", "toolCallId": "c", "toolName": "bash", "output": TOOL_SAYS},
        {"role": "assistant", "content": [{"type": "text", "text": ANSWER}]},
    ]
    lines: list[dict[str, object]] = [{"type": "session", "version": 2, "id": "x", "timestamp": "t"}]
    for number, message in enumerate(messages):
        parent = None if number == 0 else f"{number - 1:08x}"
        lines.append(
            {"type": "message", "id": f"{number:08x}", "parentId": parent, "timestamp": "t", "message": message}
        )
    (sessions / "20260101000000-abcdef.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def written(folder: Path, **environ: str) -> bytes:
    """All that is written to a terminal that shows the session, its card opened."""
    project = folder / "project"
    (project / ".git").mkdir(parents=True)
    session_in(project)
    environment = {"HOME": str(folder / "home"), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", **environ}
    words = [sys.executable, "-m", "diligent_tui.cli.main", "--model", "offline/rehearsal", "-c", "--trust"]
    with PtyHost(words, environment, project, (120, 40)) as host:
        host.read_until("THE END")
        host.read_until("ctx ")
        host.send(b"\t")
        host.read_until("y copy")
        host.send(b"z")
        host.read_until(lambda screen: screen.text.count("tool.org") > 2)
        host.send(b"\x11")
        host.wait()
        return host.output


@pytest.mark.parametrize("environ", [{}, {"NO_COLOR": "1"}], ids=["coloured", "no colour"])
def test_only_the_links_of_the_answer_reach_the_terminal(tmp_path: Path, environ: dict[str, str]) -> None:
    output = written(tmp_path, **environ)
    links = {(url.decode(), SGR.sub(b"", words).decode()) for url, words in LINK.findall(output)}
    assert links == {
        ("https://docs.example.org/a", "the docs"),
        ("https://docs.example.org/a", "https://docs.example.org/a"),
        ("https://bare.example.org", "https://bare.example.org"),
    }
    assert output.count(OPENING) == len(LINK.findall(output))
    assert foreign_sequences(output) == []


@pytest.mark.parametrize("terminal", ["linux", "vt220"])
def test_a_terminal_that_knows_no_links_gets_none(tmp_path: Path, terminal: str) -> None:
    output = written(tmp_path, TERM=terminal)
    assert output.count(OPENING) == 0
    assert foreign_sequences(output) == []
