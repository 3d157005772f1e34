"""What every shell must offer behind some words, and how a shell at a terminal is asked for it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from tests.ui.pty_host import PtyHost
from tests.ui.vt_screen import VtScreen

OFFERED: Mapping[tuple[str, ...], set[str]] = MappingProxyType(
    {
        ("se",): {"sessions"},
        ("sessions", "sh"): {"show"},
        ("config", "set", "compaction.k"): {"compaction.keepRecentTokens"},
        ("config", "set", "theme", "--pro"): {"--project"},
        ("--thinking", "m"): {"medium", "max"},
        ("--thinking=m",): {"medium", "max"},
        ("-p", "hello", "--output-format", "j"): {"json"},
        ("--model", "offline/"): {"offline/rehearsal"},
        ("knowledge", "add", "pre"): {"preference"},
        ("knowledge", "list", "--type", "d"): {"decision", "discovery"},
        ("schema", "s"): {"settings"},
        ("-p", "sessions", "--max-s"): {"--max-steps", "--max-seconds"},
        ("-r", "--max-s"): {"--max-steps", "--max-seconds"},
        ("--max-cost", ""): set(),
        ("nothing", "sho"): set(),
        ("doctor", "--cwd", "a"): {"a folder"},
        ("knowledge", "import", "a"): {"a file.md", "a folder"},
        ("sessions", "export", "--output", "a"): {"a file.md", "a folder"},
    }
)
"""Words behind `diligent`, the last one unfinished, in a folder with `a file.md` and `a folder`."""

SHOW = """
show() { printf '%s\\n' "$@" END >> answers; }
"""
"""A function for a shell that writes down the words behind it."""
_TO_BEGINNING = b"\x01"


def bare(offered: str) -> str:
    """A match without what shells write around it: the flag before it, the slash behind a folder."""
    return offered.rpartition("=")[2].removesuffix("/")


def place_with_files(folder: Path) -> Path:
    """A folder with what is named above."""
    place = folder / "place"
    (place / "a folder").mkdir(parents=True)
    (place / "a file.md").touch()
    return place


def offered_at_terminal(
    argv: Sequence[str], environment: Mapping[str, str], place: Path, insert_all: bytes
) -> dict[tuple[str, ...], set[str]]:
    """Type every line into a shell that knows `show`, press the key that inserts all matches, and read them."""
    answers = place / "answers"

    def is_answered(_: VtScreen) -> bool:
        return answers.exists() and answers.read_text(encoding="utf-8").endswith("END\n")

    found: dict[tuple[str, ...], set[str]] = {}
    with PtyHost(argv, environment, place) as host:
        host.send(b"show\r")
        host.read_until(is_answered)
        for words in OFFERED:
            answers.unlink()
            host.send(" ".join(("diligent", *words)).encode() + insert_all + _TO_BEGINNING + b"show \r")
            host.read_until(is_answered)
            behind = answers.read_text(encoding="utf-8").splitlines()[len(words) : -1]
            # A word that matches nothing stays as it was typed.
            found[words] = set() if behind == [words[-1]] else set(map(bare, behind))
    return found
