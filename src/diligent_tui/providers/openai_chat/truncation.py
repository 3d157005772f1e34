"""Notices that a server read only a part of what it was sent, which some do without a word.

Ollama cuts a prompt down to its window, 4,096 tokens unless told otherwise, and answers as if nothing had happened. Its
count of the prompt's tokens gives it away.
"""

from diligent_tui.domain.errors import ContextOverflow
from diligent_tui.domain.estimator import utf8_size
from diligent_tui.domain.requests import Request, Text, ToolResult
from diligent_tui.domain.usage import Usage

MOST_BYTES_PER_TOKEN = 7.0
"""Code has 4.8 and other texts fewer; with room for unusual ones, what is above was not read."""
USUAL_BYTES_PER_TOKEN = 4
SMALLEST_WINDOW_TOKENS = 1_000
"""No window is smaller: a server that says less does not count at all."""

ADVICE = (
    "Give the server a larger window (Ollama: OLLAMA_CONTEXT_LENGTH, or num_ctx in the model; "
    "LM Studio: context length when loading), or use /compact."
)


def sent_bytes(request: Request) -> int:
    """The size of the words in a request; tools are not counted, for some templates leave them out."""
    size_bytes = utf8_size(request.system)
    for turn in request.messages:
        for part in turn.parts:
            match part:
                case Text():
                    size_bytes += utf8_size(part.text)
                case ToolResult():
                    size_bytes += utf8_size(part.output)
                case _:
                    pass
    return size_bytes


def truncation(size_bytes: int, usage: Usage | None) -> ContextOverflow | None:
    """What to tell if the count shows that part of the prompt was dropped."""
    if usage is None or usage.prompt_tokens < SMALLEST_WINDOW_TOKENS:
        return None
    if size_bytes <= usage.prompt_tokens * MOST_BYTES_PER_TOKEN:
        return None
    sent_tokens = size_bytes // USUAL_BYTES_PER_TOKEN
    return ContextOverflow(
        f"The server read only {usage.prompt_tokens:,} tokens of a prompt of about {sent_tokens:,}: "
        "it dropped the rest without saying so.",
        ADVICE,
        tokens=sent_tokens,
        limit=usage.prompt_tokens,
    )
