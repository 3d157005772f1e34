"""What changes when another model goes on with a session, said before it is done."""

from dataclasses import dataclass

from diligent_tui.domain.models import Model
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.domain.requests import Image, Request, Thinking, ToolResult
from diligent_tui.domain.thinking import THINKING_LEVELS, ThinkingLevel
from diligent_tui.providers.registry import assumed_window

USUAL_LEVEL: ThinkingLevel = "medium"
MOST_RESERVE_TOKENS = 16_384
WORTH_SAYING_TOKENS = 1_000
NAME_CHARS = 40


@dataclass(frozen=True, slots=True)
class Losses:
    """What a switch costs; `sentences` say it, `compacts_first` that the context does not fit."""

    sentences: tuple[str, ...] = ()
    compacts_first: bool = False


def fitting_level(model: Model, wanted: ThinkingLevel) -> ThinkingLevel:
    """The model's level nearest to the one wanted, rather less than more; off where none is known."""
    levels = model.thinking_levels
    if not levels or wanted in levels:
        return wanted if levels else "off"
    if wanted == "off" and USUAL_LEVEL in levels:
        return USUAL_LEVEL
    rank_of = THINKING_LEVELS.index
    rank = rank_of(wanted)
    return min(levels, key=lambda level: (rank_of(level) > rank, abs(rank_of(level) - rank)))


def switching_losses(now: Request, then: Request, tokens: int) -> Losses:
    """What `then`, the same talk for another model, leaves out of `now`; `tokens` is how large the context is."""
    if now.model.id == then.model.id:
        return Losses()
    old, new = clean_line(now.model.name, NAME_CHARS), clean_line(then.model.name, NAME_CHARS)
    sentences: list[str] = []
    window, is_assumed = assumed_window(then.model)
    reserve = max(min(MOST_RESERVE_TOKENS, window // 8), min(then.max_output_tokens, window // 2))
    does_not_fit = tokens > window - reserve
    if does_not_fit:
        about = "≈" if is_assumed else ""
        sentences.append(f"{_short(tokens)} of context do not fit in {about}{_short(window)}: compacts first.")
    if _count_thinking(now) > _count_thinking(then):
        sentences.append(f"Thinking of {old} is not sent to {new}; it stays in the session.")
    if (unseen := _count_images(now) - _count_images(then)) > 0:
        sentences.append(f"{unseen} {'image is' if unseen == 1 else 'images are'} not seen by {new}.")
    if tokens >= WORTH_SAYING_TOKENS and not does_not_fit:
        sentences.append(f"The cache begins anew: ≈{_short(tokens)} are sent at the full price once.")
    return Losses(tuple(sentences), does_not_fit)


def _count_thinking(request: Request) -> int:
    return sum(isinstance(part, Thinking) for turn in request.messages for part in turn.parts)


def _count_images(request: Request) -> int:
    parts = [part for turn in request.messages for part in turn.parts]
    in_results = sum(len(part.images) for part in parts if isinstance(part, ToolResult))
    return in_results + sum(isinstance(part, Image) for part in parts)


def _short(tokens: int) -> str:
    return f"{tokens / 1_000_000:.1f}M" if tokens >= 1_000_000 else f"{round(tokens / 1_000)}k"
