"""Whether a pasted text is the path of a picture, in any of the ways that terminals write one; pure."""

import re
from urllib.parse import unquote, urlsplit

from diligent_tui.agent.attachments import PICTURE_SUFFIXES

LONGEST_PATH_CHARS = 1_000


def path_in(text: str) -> str | None:
    """The path that a text is and nothing else: bare, quoted, with escaped blanks, or as a file URL."""
    said = text.strip()
    if not said or len(said) > LONGEST_PATH_CHARS or "\n" in said or "\r" in said:
        return None
    if said[0] in "'\"" and said[-1] == said[0] and len(said) > 1:
        said = said[1:-1]
    elif said.startswith("file://"):
        said = unquote(urlsplit(said).path)
    elif re.search(r"(?<!\\)\s", said):
        # A file manager copies a path as it is; a sentence does not begin like one.
        if not said.startswith(("/", "~/")):
            return None
    else:
        said = re.sub(r"\\(.)", r"\1", said)
    said = said.removeprefix("@")
    return said if said.lower().endswith(PICTURE_SUFFIXES) and '"' not in said else None
