"""kill -9 in the middle of an answer: the prompt and the words so far are there, and the next prompt works."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from diligent_tui.agent.session import AgentSession
from diligent_tui.domain.entries import MessageEntry
from diligent_tui.domain.messages import AssistantMessage, UserMessage
from diligent_tui.session.store import SessionStore
from tests.faults.busy import surroundings

PROMPT = "[[t=3000 r=400 id=kill]]"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    home = tmp_path / "home"
    home.mkdir()
    return {"PATH": os.environ["PATH"], "HOME": str(home)}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    return folder


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "diligent_tui.cli.main", *words, "--model", "offline/rehearsal"]


def kill_while_it_speaks(project: Path, environment: dict[str, str]) -> tuple[Path, str]:
    """Kill an answer once some of it is saved; returns the session and what was shown of it."""
    shown = b""
    with subprocess.Popen(command("-p", PROMPT), cwd=project, env=environment, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        path: Path | None = None
        while path is None or b'"type":"partial"' not in path.read_bytes():
            heard = os.read(process.stdout.fileno(), 4096)
            assert heard, "the answer ended before a word of it was saved"
            shown += heard
            path = next(iter((project / ".diligent" / "sessions").glob("*.jsonl")), None)
        os.kill(process.pid, signal.SIGKILL)
        shown += process.stdout.read()
    assert process.returncode == -signal.SIGKILL
    return path, shown.decode()


def messages_in(path: Path) -> list[UserMessage | AssistantMessage]:
    store = SessionStore.open(path, for_writing=False)
    entries = [store.entry(node.id) for node in store.tree.path(store.tree.leaf_id)]
    messages = [entry.message for entry in entries if isinstance(entry, MessageEntry)]
    return [message for message in messages if isinstance(message, UserMessage | AssistantMessage)]


async def test_an_answer_that_was_killed_is_kept_and_the_session_goes_on(
    project: Path, environment: dict[str, str]
) -> None:
    path, shown = kill_while_it_speaks(project, environment)
    prompt, answer = messages_in(path)
    assert isinstance(prompt, UserMessage)
    assert prompt.content == PROMPT
    assert isinstance(answer, AssistantMessage)
    assert answer.stop_reason == "interrupted"
    assert answer.text
    assert shown.startswith(answer.text.rstrip()) or answer.text.startswith(shown.rstrip())

    again = subprocess.run(
        command("-c", "-p", "what did I ask?"),
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert again.returncode == 0, again.stderr
    assert "kill" in again.stdout
    assert [len(list(path.parent.glob("*.jsonl"))), again.stderr] == [1, ""]
    kept, interrupted, asked, last = messages_in(path)
    assert (kept, interrupted) == (prompt, answer)
    assert isinstance(asked, UserMessage)
    assert asked.content == "what did I ask?"
    assert isinstance(last, AssistantMessage)
    assert last.stop_reason == "end_turn"


async def test_the_results_of_calls_that_ran_together_all_come_back(tmp_path: Path) -> None:
    """Calls that end at the same moment must not hang on the same entry: only one of them would be on the path."""
    given = surroundings(tmp_path)
    session = AgentSession.begin(tmp_path / ".diligent" / "sessions", given)
    await session.prompt("read a.txt and b.txt and a.txt lines 1-2")
    await session.wait_idle()
    path = [node.id for node in session.conversation.path]
    await session.close()
    again = await AgentSession.resume(session.store.path, given)
    assert [node.id for node in again.conversation.path] == path
    await again.close()
