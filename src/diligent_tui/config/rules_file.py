"""Adds a rule to the user's settings file; comments and everything else in it stay as they are."""

import json
from functools import partial
from pathlib import Path

from diligent_tui.config.jsonc import Document, parse
from diligent_tui.config.jsonc_edit import set_value
from diligent_tui.config.settings_file import change_file
from diligent_tui.domain.errors import SettingsError

PLACE = ("permissions", "allow")


def save_rule(settings_file: Path, rule: str) -> None:
    """Let the user's settings allow a rule from now on; SettingsError or StorageError if they cannot be changed."""
    change_file(settings_file, partial(_with, rule))


def with_rule(text: str, rule: str) -> str:
    """The text of a settings file with a rule added behind the others."""
    document = parse(text)
    rules = _rules(document)
    if rule in rules:
        return text
    last = document.places.get((*PLACE, len(rules) - 1)) if rules else None
    if last is None:
        return set_value(text, PLACE, [*rules, rule])
    said = json.dumps(rule, ensure_ascii=False)
    line_start = max(text.rfind("\n", 0, last.start), text.rfind("\r", 0, last.start)) + 1
    indent = text[line_start : last.start]
    end = last.end if last.comma is None else last.comma + 1
    line_end = next((at for at in range(end, len(text)) if text[at] in "\r\n"), len(text))
    behind = text[end:line_end].strip(" \t")
    head = text[:end] + ("," if last.comma is None else "")
    tail = "" if last.comma is None else ","
    # On a line of its own where the last one is alone on its line, but for a comment.
    if line_start and not indent.strip(" \t") and (not behind or behind.startswith("//")):
        return f"{head}{text[end:line_end]}\n{indent}{said}{tail}{text[line_end:]}"
    return f"{head} {said}{tail}{text[end:]}"


def _with(rule: str, text: str) -> str:
    return with_rule(text, rule)


def _rules(document: Document) -> list[str]:
    value = document.value
    for key in PLACE:
        value = value.get(key) if isinstance(value, dict) else None
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        line = document.position(PLACE).line
        raise SettingsError(f"Line {line}: `permissions.allow` is not a list of texts.", "Mend it, then save the rule.")
    return [str(each) for each in value]
