"""Thinking between tags, however the text is cut."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diligent_tui.providers.openai_chat.thinking_tags import ThinkingTags

TEXTS = {
    "plain": ("Hello.", "", "Hello."),
    "tagged": ("<think>Hm.</think>Hello.", "Hm.", "Hello."),
    "tagged on lines": ("\n<think>\nHm.\n</think>\n\nHello.", "Hm.\n", "Hello."),
    "another tag": ("<thinking>Hm.</thinking>Hello.", "Hm.", "Hello."),
    "never closed": ("<think>Hm. </thin", "Hm. </thin", ""),
    "closed twice": ("<think>Hm.</think>a</think>", "Hm.", "a</think>"),
    "not at the beginning": ("I write <think>so</think>.", "", "I write <think>so</think>."),
    "almost a tag": ("<thin>air</thin>", "", "<thin>air</thin>"),
    "only the beginning of a tag": ("<thi", "", "<thi"),
    "no thoughts": ("<think>\n</think>Hello.", "", "Hello."),
    "white space": ("  \n ", "", "  \n "),
}


def split(pieces: list[str]) -> tuple[str, str]:
    tags = ThinkingTags()
    told = [part for piece in pieces for part in tags.take(piece)] + tags.rest()
    assert all(text for _, text in told)
    return "".join(text for kind, text in told if kind == "thinking"), "".join(
        text for kind, text in told if kind == "text"
    )


@pytest.mark.parametrize("name", TEXTS)
def test_thinking_is_told_from_words(name: str) -> None:
    text, thinking, words = TEXTS[name]
    assert split([text]) == (thinking, words)
    assert split(list(text)) == (thinking, words)


@given(st.sampled_from(sorted(TEXTS)), st.lists(st.integers(0, 40), max_size=6))
def test_it_does_not_matter_where_the_text_is_cut(name: str, places: list[int]) -> None:
    text, thinking, words = TEXTS[name]
    at = [0, *sorted(min(place, len(text)) for place in places), len(text)]
    cut = [text[begin:end] for begin, end in pairwise(at) if begin < end]
    assert split(cut) == (thinking, words)
