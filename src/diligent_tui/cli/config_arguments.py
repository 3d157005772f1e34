"""The words behind `diligent config`, as one parser."""

import argparse
from typing import Literal

from diligent_tui.cli.arguments import Parser
from diligent_tui.cli.verbs import Verbs

Verb = Literal["show", "check", "path", "edit", "set", "unset"]

EXAMPLES = """\
examples:
  diligent config                         the same as: diligent config show
  diligent config show compaction         what holds now, and the file and line that said so
  diligent config set theme light
  diligent config set permissions.allow '["bash(make *)"]'
  diligent config check                   what cannot be used, and what would be right

Layers, each over the one before: built-in, user, project (if trusted), DILIGENT_* variables, flags.
exit codes: 0 done, 1 failed or something cannot be used, 2 usage
"""
SHOW = """\
example:
  diligent config show --changed
  diligent config show limits.maxCost
  diligent config show --json | jq -r '.[] | select(.layer == "user") | .key'

Keys, their commands and headers are never shown, only that they are there.
"""
CHECK = """\
example:
  diligent config check
  diligent config check --json | jq -r '.problems[].message'

Every problem is told with file, line and what would be right; the exit code is 1 if there is one.
"""
PATH = "example:\n  diligent config path\n  diligent config path --project --json"
EDIT = """\
example:
  diligent config edit

Opens $VISUAL or $EDITOR, and checks the file afterwards.
"""
SET = """\
example:
  diligent config set model offline/rehearsal
  diligent config set ui.bell false
  diligent config set limits.maxCost 2.5 --json
  pass show openai | diligent config set provider.openai.apiKey -

VALUE is JSON where that fits, else plain text; - reads it from standard input, so that a key is in no history.
Comments in the file stay. A project may set only what changes looks and memory, never a key or a command.
"""
UNSET = "example:\n  diligent config unset limits.maxCost"


class ConfigArguments(argparse.Namespace):
    """The words, understood; each verb has its own."""

    verb: Verb
    words: list[str]
    key: str
    value: str
    changed: bool
    project: bool
    json: bool
    cwd: str | None
    trust: bool


def parse_config(words: list[str]) -> ConfigArguments:
    """Understand the words, or raise UsageError."""
    return make_config_parser().parse_args(words or ["show"], ConfigArguments())


def make_config_parser() -> Parser:
    """The words behind `config`."""
    parser = Parser.telling(
        "diligent config", "See, check and change settings, each with where it came from.", EXAMPLES
    )
    verbs = Verbs[Verb](parser, "show|check|path|edit|set|unset", "settings")
    showing = verbs.add("show", "show every setting, its value and its origin", SHOW)
    showing.add_argument("words", nargs="*", metavar="KEY", help="only those whose names begin so")
    showing.add_argument("--changed", action="store_true", help="only what is not built in")
    verbs.add("check", "name everything in the settings that cannot be used", CHECK)
    finding = verbs.add("path", "print where the settings file is", PATH)
    editing = verbs.add("edit", "open the settings file in an editor", EDIT)
    setting = verbs.add("set", "set a value in the settings file", SET)
    setting.add_argument("key", metavar="KEY", help="the name of a setting, with dots")
    setting.add_argument("value", metavar="VALUE", help="JSON or plain text; - for standard input")
    unsetting = verbs.add("unset", "take a value out of the settings file", UNSET)
    unsetting.add_argument("key", metavar="KEY", help="the name of a setting, with dots")
    for each in (finding, editing, setting, unsetting):
        each.add_argument("--project", action="store_true", help="the project's file instead of your own")
    return parser
