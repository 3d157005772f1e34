"""Tells thinking from words where a server leaves both in one text, between tags at its beginning."""

from typing import Literal

Kind = Literal["text", "thinking"]

_TAGS = (("<think>", "</think>"), ("<thinking>", "</thinking>"), ("<|begin_of_thought|>", "<|end_of_thought|>"))


class ThinkingTags:
    """Splits a text that arrives in pieces; tags count only where the text begins with one."""

    def __init__(self) -> None:
        """Begin before the first letter."""
        self.are_over = False
        """Whether all that follows is text."""
        self._place: Literal["before", "opened", "thinking", "closed"] = "before"
        self._held = ""
        self._closing = ""

    def take(self, text: str) -> list[tuple[Kind, str]]:
        """What a piece brings; the little that could still be part of a tag is held back."""
        if self.are_over:
            return [("text", text)]
        self._held += text
        if self._place == "before":
            self._look_for_a_tag()
        told: list[tuple[Kind, str]] = []
        if self._place == "opened" and self._begins():
            self._place = "thinking"
        if self._place == "thinking" and (thoughts := self._thoughts()):
            told.append(("thinking", thoughts))
        if self._place == "closed" and self._begins():
            self.are_over = True
        if self.are_over:
            told.append(("text", self._held))
            self._held = ""
        return told

    def rest(self) -> list[tuple[Kind, str]]:
        """What was held back, once the text is over."""
        held, self._held = self._held, ""
        return [("text" if self._place == "before" else "thinking", held)] if held else []

    def _look_for_a_tag(self) -> None:
        begun = self._held.lstrip()
        for opening, closing in _TAGS:
            if begun.startswith(opening):
                self._place, self._closing, self._held = "opened", closing, begun[len(opening) :]
                return
        self.are_over = not any(opening.startswith(begun) for opening, _ in _TAGS)

    def _begins(self) -> bool:
        """Whether there is more than the empty lines that stand after a tag; those say nothing."""
        self._held = self._held.lstrip("\n")
        return bool(self._held)

    def _thoughts(self) -> str:
        thoughts, closing, after = self._held.partition(self._closing)
        if closing:
            self._place, self._held = "closed", after
            return thoughts
        kept = _overlap(self._held, self._closing)
        told, self._held = self._held[: len(self._held) - kept], self._held[len(self._held) - kept :]
        return told


def _overlap(text: str, tag: str) -> int:
    """How many letters at the end of a text could be the beginning of a tag."""
    longest = min(len(text), len(tag) - 1)
    return next((size for size in range(longest, 0, -1) if text.endswith(tag[:size])), 0)
