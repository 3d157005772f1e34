"""Markdown as the words of one row: what only gives it shape on a page is left out."""

import re

LINE_MARK = re.compile(r"^[ \t]*(?:#{1,6}|[-*+>])[ \t]+", re.MULTILINE)
SPAN_MARK = re.compile(r"`+|\*\*")


def bare_words(text: str) -> str:
    """The text without the signs of headings, lists, quotes, code and weight; its lines stay."""
    return SPAN_MARK.sub("", LINE_MARK.sub("", text))
