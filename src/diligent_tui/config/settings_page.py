"""The page about settings, made from the fields themselves; `docs/settings.md` is this text."""

import json
from collections.abc import Iterator

from pydantic import BaseModel

from diligent_tui.config.outline import NameOf, Setting, is_tree, settings_in
from diligent_tui.config.settings import Settings

HEAD = """\
# Settings

<!-- Made from the settings themselves by `python -m diligent_tui.cli.documents docs`; a test holds it current. -->

`diligent.jsonc` in your config folder, and for a trusted project at its root: JSON with comments and trailing commas.

```sh
diligent config show                    # every setting, its value, and the file and line that said so
diligent config show compaction         # those of a section
diligent config set theme light         # in your own file; comments stay
diligent config set theme light --project
diligent config unset theme
diligent config check                   # what cannot be used, and what would be right
diligent config path                    # where your file is
diligent schema settings                # the JSON Schema, for editors
```

**Layers**, each over the one before: built-in, user, project, variables, flags. A variable is the name in capitals with
`__` for the dots, as `DILIGENT_COMPACTION__RESERVE_TOKENS=9000`; lists and objects are JSON.

**What is wrong** is named with file, line and what would be right, and the start goes on with the rest.

**A project** may set only what is marked so below, and only once you trust it: how diligent looks and remembers, never
keys, addresses, commands or permissions.

**Keys** are best kept in the environment (`ANTHROPIC_API_KEY`, `OPENAI_API_KEY`, `OPENROUTER_API_KEY`), or fetched by
`provider.NAME.apiKeyCommand`, which runs only from your own file, and only when a request needs the key. They are never
shown, not by `config show` either, and never handed to a command that the model runs.

**Editors**: save the schema beside the file and name it in its first line.

```sh
diligent schema settings > diligent.schema.json
```

```jsonc
{
  "$schema": "./diligent.schema.json",
  "theme": "light", // dark, light, ansi or contrast
}
```

"""


def settings_page() -> str:
    """The whole page."""
    values = [(name, setting) for name, setting in settings_in(Settings).items() if setting.section is None]
    lines = [HEAD, "## At the top\n\n", *_table(values, Settings, (), is_open=False)]
    for name, setting in settings_in(Settings).items():
        if setting.section is not None:
            lines += _section((name,), setting, setting.section, is_open=setting.project_may_set)
    return "".join(lines).rstrip("\n") + "\n"


def _section(path: NameOf, setting: Setting, section: type[BaseModel], *, is_open: bool) -> Iterator[str]:
    path = (*path, "NAME") if setting.kind == "sections" else path
    yield f"\n## `{'.'.join(path)}`\n\n{setting.description}\n\n"
    inner = settings_in(section)
    yield from _table(
        [(name, each) for name, each in inner.items() if each.section is None], section, path, is_open=is_open
    )
    for name, each in inner.items():
        if each.section is not None:
            yield from _section((*path, name), each, each.section, is_open=is_open and not each.user_only)


def _table(rows: list[tuple[str, Setting]], section: type[BaseModel], above: NameOf, *, is_open: bool) -> Iterator[str]:
    if not rows:
        return
    defaults: object = section().model_dump(mode="json", by_alias=True)
    yield "| name | value | built in | project | |\n|---|---|---|---|---|\n"
    for name, setting in rows:
        value = defaults.get(name) if is_tree(defaults) else None
        may = (is_open and not setting.user_only) or setting.project_may_set
        cells = (
            f"`{'.'.join((*above, name))}`",
            _cell(setting.right),
            f"`{json.dumps(value, ensure_ascii=False)}`",
            "yes" if may else "no",
            _cell(setting.description),
        )
        yield f"| {' | '.join(cells)} |\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
