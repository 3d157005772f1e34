"""Markdown of an answer as HTML, made of a few tags of ours around escaped words."""

import re
from collections.abc import Iterator
from html import escape
from itertools import groupby

FENCE = re.compile(r"^\s*(`{3,}|~{3,})\s*([\w+#.-]{0,30})[^`]*$")
HEADING = re.compile(r"^ {0,3}(#{1,6})\s+(.*)$")
ITEM = re.compile(r"^(\s*)(?:([-*+])|(\d{1,9})[.)])\s+(.*)$")
QUOTE = re.compile(r"^ {0,3}> ?")
RULE = re.compile(r"^ {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$")
TABLE_RULE = re.compile(r"^\s*\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*$")
INLINE = re.compile(r"`([^`\n]+)`|\*\*([^*\n]+)\*\*|(?<![\w*])\*([^*\s][^*\n]*)\*(?![\w*])")
TOP_HEADING = 3
"""Headings in an answer begin below those of the page."""
MOST_QUOTES = 8


def words_to_html(markdown: str, depth: int = 0) -> str:
    """Headings, lists, quotations, tables, rules and code; everything else is paragraphs."""
    return "".join(_blocks(markdown.split("\n"), depth))


def code_to_html(text: str) -> str:
    """Text as it stands, line by line; a browser drops the first newline behind the tag, so it is given one."""
    return f"<pre>\n{escape(text.rstrip())}</pre>"


def _blocks(lines: list[str], depth: int) -> Iterator[str]:
    at = 0
    while at < len(lines):
        line = lines[at]
        if not line.strip():
            at += 1
        elif fence := FENCE.match(line):
            end = _end_of_code(lines, at, fence[1])
            yield code_to_html("\n".join(lines[at + 1 : end]))
            at = end + 1
        elif heading := HEADING.match(line):
            level = min(6, len(heading[1]) + TOP_HEADING - 1)
            yield f"<h{level}>{_inline(heading[2].rstrip(' #'))}</h{level}>"
            at += 1
        elif RULE.match(line):
            yield "<hr>"
            at += 1
        elif QUOTE.match(line) and depth < MOST_QUOTES:
            end = _run(lines, at, QUOTE)
            yield f"<blockquote>{words_to_html(_unquoted(lines[at:end]), depth + 1)}</blockquote>"
            at = end
        elif "|" in line and at + 1 < len(lines) and TABLE_RULE.match(lines[at + 1]):
            end = next((each for each in range(at, len(lines)) if "|" not in lines[each]), len(lines))
            yield _table(lines[at:end])
            at = end
        elif ITEM.match(line):
            end = next((each for each in range(at, len(lines)) if not _is_in_list(lines[each])), len(lines))
            yield _list(lines[at:end])
            at = end
        else:
            end = next((each for each in range(at + 1, len(lines)) if _begins_block(lines[each])), len(lines))
            yield f"<p>{'<br>'.join(map(_inline, lines[at:end]))}</p>"
            at = end


def _end_of_code(lines: list[str], start: int, fence: str) -> int:
    for at in range(start + 1, len(lines)):
        mark = lines[at].strip()
        if len(mark) >= len(fence) and not mark.strip(fence[0]):
            return at
    return len(lines)


def _run(lines: list[str], start: int, pattern: re.Pattern[str]) -> int:
    return next((at for at in range(start, len(lines)) if not pattern.match(lines[at])), len(lines))


def _unquoted(lines: list[str]) -> str:
    return "\n".join(QUOTE.sub("", line) for line in lines)


def _begins_block(line: str) -> bool:
    return not line.strip() or any(pattern.match(line) for pattern in (FENCE, HEADING, ITEM, QUOTE, RULE))


def _is_in_list(line: str) -> bool:
    return bool(ITEM.match(line)) or (line.startswith("  ") and bool(line.strip()) and not FENCE.match(line))


def _list(lines: list[str]) -> str:
    """Items at most two deep, as the margin says; lines that go on belong to the item above."""
    items: list[tuple[int, str, str]] = []
    margin = 0
    for line in lines:
        if found := ITEM.match(line):
            indent = len(found[1].expandtabs(4))
            margin = indent if not items else min(margin, indent)
            items.append((indent, found[3] or "", found[4]))
        else:
            indent, number, words = items[-1]
            items[-1] = (indent, number, f"{words}\n{line.strip()}")
    parts: list[str] = []
    for is_nested, group in groupby(items, lambda item: item[0] > margin + 1):
        inner = "".join(_item(number, words) for _, number, words in group)
        parts.append(f"<li class=deeper><ul>{inner}</ul></li>" if is_nested else inner)
    return f"<ul>{''.join(parts)}</ul>"


def _item(number: str, words: str) -> str:
    said = "<br>".join(map(_inline, words.split("\n")))
    return f'<li data-mark="{number}.">{said}</li>' if number else f"<li>{said}</li>"


def _table(lines: list[str]) -> str:
    head, _, *body = [[_inline(cell.strip()) for cell in line.strip().strip("|").split("|")] for line in lines]
    rows = ["".join(f"<th>{cell}</th>" for cell in head)]
    rows += ["".join(f"<td>{cell}</td>" for cell in row[: len(head)]) for row in body]
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def _inline(text: str) -> str:
    parts: list[str] = []
    position = 0
    for found in INLINE.finditer(text):
        parts.append(escape(text[position : found.start()]))
        code, strong, weak = found.groups()
        if code is not None:
            parts.append(f"<code>{escape(code)}</code>")
        else:
            parts.append(f"<b>{_inline(strong)}</b>" if strong is not None else f"<i>{_inline(weak)}</i>")
        position = found.end()
    return "".join([*parts, escape(text[position:])])
