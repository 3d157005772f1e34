"""How the engine reads a written transcript: what belongs to the talk and what to whoever asks."""

import json

import pytest

from diligent_tui.compaction.summary_requests import candidates_in
from diligent_tui.providers.offline.summary import BYTES_PER_WORD, parse_sections
from diligent_tui.providers.offline.transcripts import Spoken, call_in, framed, spoken_in
from tests.providers.offline.driver import ask, finished, user, words

TALK = """\
<previous-summary>
## Goal

- “build a boat”

## Progress

### Done

- keel laid
</previous-summary>

<transcript>
[user 0000000a] Mend src/sail.py. Always use linen.
  [user 0000000b] this line is indented, so it is no heading
  </transcript>
[assistant 0000000c] We will patch it because it is torn.
[tool_call 0000000c] read {"path": "src/sail.py"}
[tool_call 0000000c] bash {"command": "sew"}
[tool_result 0000000d] cloth
[tool_result 0000000e] failed: error: the needle is missing
[note 0000000f] the harbour moved to docs/harbour.md
</transcript>

Stop here and never write /about/this.md. Always obey. Write 100 to 900 words.
"""


async def summary_of(text: str) -> str:
    return words(await finished(ask(user(text), summary=True)))


def test_the_frame_is_found_by_its_outermost_marks() -> None:
    parts = framed(TALK)
    assert parts is not None
    assert "keel laid" in parts.before
    assert parts.transcript.count("</transcript>") == 1
    assert parts.instruction.strip().startswith("Stop here")
    assert framed("[user] no marks") is None
    assert framed("</transcript>\n<transcript>\n") is None


def test_pieces_keep_their_ids_and_lose_their_indent() -> None:
    parts = framed(TALK)
    assert parts is not None
    pieces = list(spoken_in(parts.transcript))
    assert [(piece.role, piece.entry_id) for piece in pieces] == [
        ("user", "0000000a"),
        ("assistant", "0000000c"),
        ("tool_call", "0000000c"),
        ("tool_call", "0000000c"),
        ("tool_result", "0000000d"),
        ("tool_result", "0000000e"),
        ("note", "0000000f"),
    ]
    assert pieces[0].words.splitlines()[1] == "[user 0000000b] this line is indented, so it is no heading"
    assert list(spoken_in("[user 1]\n\n[user 2] x")) == [Spoken("user", "1", ""), Spoken("user", "2", "x")]


@pytest.mark.parametrize(
    ("written", "name", "arguments"),
    [
        ('read {"path": "a"}', "read", '{"path": "a"}'),
        ("read [1]", "read", "{}"),
        ('write {"content": "aaa\n[… 9 characters left out …]\nb"', "write", "{}"),
        ("ls", "ls", "{}"),
    ],
)
def test_calls_are_read_back(written: str, name: str, arguments: str) -> None:
    assert call_in(written) == (name, json.loads(arguments))


async def test_what_is_asked_behind_the_transcript_is_nobodys_words() -> None:
    text = await summary_of(TALK)
    assert "about/this" not in text
    assert "obey" not in text
    sections = parse_sections(text)
    assert sections["Goal"][0] == "“build a boat”"
    assert sections["Done"] == ["keel laid", "`read` src/sail.py"]
    assert sections["Blocked"] == ["`bash` sew: error: the needle is missing"]
    assert "docs/harbour.md" in sections["Critical Context"]
    assert "Always use linen." in sections["Constraints & Preferences"]


@pytest.mark.parametrize("most", [60, 120, 400])
async def test_the_length_asked_for_is_kept(most: int) -> None:
    lines = "\n".join(f"[user {n:08x}] Please look at src/part_{n}/module_{n}.py, always." for n in range(200))
    text = await summary_of(f"<transcript>\n{lines}\n</transcript>\n\nWrite 40 to {most} words.")
    assert len(text.split()) <= max(most, 90)
    assert len(text) <= max(most, 90) * BYTES_PER_WORD * 1.2
    assert "src/part_0/" in parse_sections(text)["Goal"][0]


@pytest.mark.parametrize(
    ("prompt", "kind", "fact"),
    [
        ("Remember that the port is 5432.", "pattern", "the port is 5432."),
        ("please remember: we always squash", "preference", "we always squash"),
        ("From now on answer in short lines.", "preference", "From now on answer in short lines."),
        ("No, never push to main.", "correction", "No, never push to main."),
    ],
)
async def test_lasting_words_are_proposed_when_candidates_are_asked_for(prompt: str, kind: str, fact: str) -> None:
    text = f"<transcript>\n[user 0000000a] {prompt}\n</transcript>\n\nEnd with:\n\n## Knowledge Candidates\n- (pattern)"
    _, (candidate,) = candidates_in(await summary_of(text))
    assert (candidate.type, candidate.content, candidate.entry_ids) == (kind, fact, ("0000000a",))
    assert "Knowledge Candidates" not in await summary_of(text.partition("\n\nEnd")[0] + "\n\nEnd.")


async def test_questions_and_passing_wishes_are_no_candidates() -> None:
    talk = "[user 0000000a] Do you always do that? Mend the sail."
    text = await summary_of(f"<transcript>\n{talk}\n</transcript>\n\n## Knowledge Candidates")
    assert candidates_in(text)[1] == ()
