"""The command line: what a start costs, against an interpreter that does nothing and against pydantic alone."""

import json
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench.frame import Measure, Probe, at_most, cpu_of_command, least
from diligent_tui.config.paths import find_places
from diligent_tui.config.trust import TrustList
from diligent_tui.domain.entries import FIRST_PROMPT_CHARS, MessageEntry, SessionHeader, SessionInfoEntry, encode_entry
from diligent_tui.domain.messages import AssistantMessage, TextBlock, UserMessage
from diligent_tui.domain.records import to_json_object
from diligent_tui.storage.project import make_project_folder

SESSIONS = 2_000
QUICK_SESSIONS = 200
STAMP = "2026-01-02T03:04:05.678Z"


@dataclass(frozen=True, slots=True)
class _Desk:
    """A home, a project with sessions and one without."""

    home: Path
    full: Path
    empty: Path

    @property
    def environ(self) -> dict[str, str]:
        return {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(self.home)}

    def diligent(self, *words: str) -> Probe:
        command = str(Path(sys.executable).with_name("diligent"))
        cwd = self.full if "--list" in words else self.empty
        return lambda: cpu_of_command([command, *words], self.environ, cwd)

    def python(self, code: str) -> Probe:
        return lambda: cpu_of_command([sys.executable, "-c", code], self.environ, self.empty)


def run(quick: bool) -> list[Measure]:
    """Measure each command in turn with what it is held against, so that all see the same machine."""
    count = QUICK_SESSIONS if quick else SESSIONS
    with tempfile.TemporaryDirectory() as folder:
        desk = _make_desk(Path(folder), count)
        probes = {
            "pass": desk.python("pass"),
            # The bare package loads next to nothing until a name of it is looked at.
            "pydantic": desk.python("from pydantic import BaseModel"),
            "settings": desk.python("import pydantic_settings"),
            "--version": desk.diligent("--version"),
            "--help": desk.diligent("--help"),
            "--list": desk.diligent("--list"),
            "knowledge list": desk.diligent("knowledge", "list"),
            "-p": desk.diligent("-p", "hi", "--model", "offline/rehearsal"),
        }
        cost = dict(zip(probes, least(list(probes.values()), rounds=3 if quick else 7), strict=True))
    listing = f"--list of {count:,} sessions"
    return [
        at_most("--version ÷ python -c pass", cost["--version"] / cost["pass"], "×", 6),
        at_most("--help ÷ python -c pass", cost["--help"] / cost["pass"], "×", 12),
        at_most(f"{listing} ÷ python -c pass", cost["--list"] / cost["pass"], "×", 100),
        at_most(f"{listing} ÷ import pydantic", cost["--list"] / cost["pydantic"], "×", 10),
        at_most("knowledge list ÷ import pydantic", cost["knowledge list"] / cost["pydantic"], "×", 6),
        at_most("-p offline ÷ python -c pass", cost["-p"] / cost["pass"], "×", 60),
        at_most("-p offline ÷ import pydantic", cost["-p"] / cost["pydantic"], "×", 6),
        at_most("-p offline ÷ import pydantic_settings", cost["-p"] / cost["settings"], "×", 2.5),
    ]


def _make_desk(folder: Path, count: int) -> _Desk:
    desk = _Desk(folder / "home", folder / "full", folder / "empty")
    for each in (desk.home, desk.full / ".git", desk.empty / ".git"):
        each.mkdir(parents=True)
    places = find_places(desk.full, desk.environ)
    make_project_folder(places.sessions.parent)
    TrustList.load(places.user_state).mark_own(places.sessions.parent)
    places.sessions.mkdir(mode=0o700)
    for number in range(count):
        _write_session(places.sessions, number)
    return desk


def _write_session(folder: Path, number: int) -> None:
    session_id = f"{20_260_101_000_000 + number}-{number:06x}"
    prompt = f"Please look at part {number}, and say what is wrong with it."
    entries = (
        MessageEntry(id="00000001", timestamp=STAMP, message=UserMessage(content=prompt)),
        MessageEntry(
            id="00000002",
            parent_id="00000001",
            timestamp=STAMP,
            message=AssistantMessage(content=(TextBlock(text="Nothing, as far as I can see. " * 40),)),
        ),
        SessionInfoEntry(
            id="00000003",
            parent_id="00000002",
            timestamp=STAMP,
            compactions=0,
            tokens=1_234,
            cost=0.01,
            first_prompt=prompt[:FIRST_PROMPT_CHARS],
        ),
    )
    header = to_json_object(SessionHeader(id=session_id, timestamp=STAMP))
    lines = [json.dumps(each) for each in (header, *map(encode_entry, entries))]
    (folder / f"{session_id}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
