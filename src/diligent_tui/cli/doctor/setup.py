"""What the user set up: settings, trust, the model to begin with, keys, strategies, and servers on this machine."""

import asyncio
from collections.abc import Iterator

from diligent_tui.cli.doctor.findings import Finding, broken, doubtful, well
from diligent_tui.compaction.strategies.registry import broken_strategies
from diligent_tui.config.doubts import doubts_about
from diligent_tui.config.house import House
from diligent_tui.config.model_list import key_of, own_models
from diligent_tui.config.survey import names_of
from diligent_tui.domain.errors import DiligentError
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.providers.openai_chat.local_servers import LocalServer, find_local_servers
from diligent_tui.providers.registry import KEY_VARIABLES, choose_default, find
from diligent_tui.providers.servers import SERVERS
from diligent_tui.ui.format import count

NAME_CHARS = 80


def about_settings(house: House) -> Iterator[Finding]:
    """What cannot be used, each with what would be right."""
    problems = (*house.loaded.problems, *doubts_about(house.loaded))
    for problem in problems:
        yield doubtful(
            "settings", "problem", f"{problem.origin.place}: {problem.message}", problem.remedy or "Mend it."
        )
    if not problems:
        yield well("settings", "files", "All settings can be used.")
    if house.strangers:
        found = names_of(house.strangers)
        yield doubtful(
            "settings",
            "trust",
            f"This folder is not trusted, so these are not used: {found}.",
            "Look at them, then open diligent here and say yes, or add --trust for one run.",
        )
    if house.trust_list.problem:
        yield doubtful("settings", "trust list", house.trust_list.problem.message, house.trust_list.problem.advice)
    for sentence in broken_strategies():
        yield doubtful("settings", "strategy", clean_line(sentence), "Mend or remove the package that offers it.")


def about_keys(house: House) -> Iterator[Finding]:
    """The model a session would begin with, and which providers have a key; none is read, shown or used."""
    settings, environ = house.settings, house.environ
    own = own_models(settings)
    name = choose_default(None, settings.model, environ)
    try:
        model = find(name, own, settings.provider.keys())
    except DiligentError as error:
        yield broken("keys", "model", error.message, error.advice)
    else:
        key, shown = key_of(model.provider, settings, environ), clean_line(model.id, NAME_CHARS)
        if key.is_there:
            yield well("keys", "model", f"A session begins with {shown}: {clean_line(key.words)}.")
        else:
            yield broken("keys", "model", f"A session would begin with {shown}, but there is no key.", _how(key.words))
    known = [variable_of.partition("/")[0] for _, variable_of in KEY_VARIABLES]
    known += [name for name, server in SERVERS.items() if server.key_variable]
    for provider in dict.fromkeys([*known, *settings.provider]):
        key = key_of(provider, settings, environ)
        shown = clean_line(provider, NAME_CHARS)
        if key.is_there:
            yield well("keys", shown, f"{shown}: {clean_line(key.words)}.")
        else:
            yield doubtful("keys", shown, f"{shown}: no key.", _how(key.words))


def about_servers() -> Iterator[Finding]:
    """Model servers that answer on this machine."""
    servers: tuple[LocalServer, ...] = asyncio.run(find_local_servers())
    for server in servers:
        example = f", such as {server.models[0]}" if server.models else ""
        yield well(
            "servers", server.provider, f"{server.base_url} answers with {count(len(server.models), 'model')}{example}."
        )
    if not servers:
        yield well("servers", "local", "No model server answers on this machine; none is needed.")


def _how(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]} in your environment to use it; other models need no such key."
