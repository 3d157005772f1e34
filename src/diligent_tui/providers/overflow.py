"""Recognises, by its words, the refusal of a request that is larger than the window; makers have no one code for it."""

import re

from diligent_tui.domain.errors import ContextOverflow
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.providers.wire.values import is_count

OVERFLOW_CODES = frozenset(
    {"context_length_exceeded", "exceed_context_size_error", "context_window_exceeded", "request_too_large"}
)

_N = r"(?P<tokens>\d[\d,_.]*)"
_M = r"(?P<limit>\d[\d,_.]*)"
_GAP = r"[^\n]{0,160}?"
_WITH_FIGURES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # Anthropic
        rf"prompt is too long: {_N} tokens > {_M}",
        rf"exceed context limit: {_N} \+ (?P<more>\d[\d,_.]*) > {_M}",
        # OpenAI, vLLM, OpenRouter, DeepSeek
        rf"maximum context length (?:is|of) {_M}{_GAP}(?:resulted in|requested|contains?|has)(?: about)? {_N}",
        rf"maximum context length (?:is|of) {_M}",
        rf"longer than the maximum model length of {_M}",
        rf"request too large for{_GAP}\blimit:? {_M},?{_GAP}requested:? {_N}",
        # xAI, Gemini, Mistral, llama.cpp, LM Studio, text-generation-inference
        rf"maximum prompt length is {_M}{_GAP}contains {_N}",
        rf"input token count \(?{_N}\)? exceeds{_GAP}\(?{_M}\)?",
        rf"prompt contains {_N} tokens{_GAP}{_M} maximum context",
        rf"request \({_N} tokens\) exceeds the available context size \({_M}",
        rf"first {_N} tokens when context the overflows{_GAP}only {_M}",
        rf"must be <= {_M}\. given: {_N}",
    )
)
_WORDS = re.compile(
    r"context[_ ]length[_ ]exceeded|exceed_context_size|prompt (?:is )?too long|input (?:is )?too long"
    r"|maximum (?:context|prompt|model|input) length|max(?:imum)? context (?:length|size|window)"
    r"|exceeds? (?:the )?(?:available |maximum |model'?s? )*context"
    r"|context (?:window|limit|size|length)\b[^\n]{0,40}exceed"
    r"|exceeds? the (?:model|maximum number of (?:input )?tokens)|larger than the (?:model's )?context"
    r"|too many (?:input )?tokens|reduce the length of the (?:messages|prompt|input)"
    r"|input (?:length|tokens?)[^\n]{0,40}exceeds?|request_too_large",
    re.IGNORECASE,
)
# The same words are said of a rate, which passes by itself, and of the output, which is a setting of ours.
_NOT_THE_WINDOW = re.compile(
    r"per (?:minute|day|hour|second)|please wait|try again (?:in|later)|rate limit|output tokens for|max_tokens: \d",
    re.IGNORECASE,
)
LONGEST_TEXT_CHARS = 20_000


def overflow_in(text: str) -> ContextOverflow | None:
    """The overflow that a server's words tell of, with the figures it names; None if they tell of something else."""
    text = text[:LONGEST_TEXT_CHARS]
    for pattern in _WITH_FIGURES:
        if found := pattern.search(text):
            figures = {name: _number(value) for name, value in found.groupdict().items() if value}
            tokens, limit = figures.get("tokens"), figures.get("limit")
            if tokens is not None:
                tokens += figures.get("more", 0)
            is_for_sure = tokens is not None and limit is not None and tokens > limit
            if is_for_sure or not _NOT_THE_WINDOW.search(text):
                return overflow(tokens, limit)
    return overflow() if _WORDS.search(text) and not _NOT_THE_WINDOW.search(text) else None


def overflow_by_code(error: JsonObject) -> ContextOverflow | None:
    """The overflow that an error object tells of by its code or type, as some servers do."""
    if not any(error.get(key) in OVERFLOW_CODES for key in ("code", "type", "error_code")):
        return None
    message = error.get("message")
    said = overflow_in(message) if isinstance(message, str) else None
    tokens, limit = error.get("n_prompt_tokens"), error.get("n_ctx")
    return said or overflow(tokens if is_count(tokens) else None, limit if is_count(limit) else None)


def overflow(tokens: int | None = None, limit: int | None = None) -> ContextOverflow:
    """The error itself, in our words."""
    figures = f", which is {limit:,} tokens" if limit else ""
    if tokens and limit:
        figures = f": {tokens:,} tokens, and {limit:,} is the most"
    return ContextOverflow(f"The request is larger than the model's window{figures}.", tokens=tokens, limit=limit)


def _number(text: str) -> int:
    return int(re.sub(r"\D", "", text)[:12])
