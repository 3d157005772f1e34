"""`diligent models`: every model that can be named, with what is known of it and whether there is a key."""

import argparse
import json
import shutil
import sys
from collections.abc import Mapping, Sequence

from diligent_tui.cli.arguments import Parser
from diligent_tui.cli.headless import Complain, enter_house
from diligent_tui.cli.paging import show_paged
from diligent_tui.config.house import House
from diligent_tui.config.model_list import Offer, is_meant, offers
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.models import Prices
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.providers.model_table import LONG_PROMPTS
from diligent_tui.providers.registry import assumed_window
from diligent_tui.ui import format as fmt

EXAMPLES = """\
examples:
  diligent models sonnet
  diligent models --json | jq -r '.[].id'

A price is in dollars for a million tokens; what is not known is –. Others are named provider/model, as ollama/qwen3.
"""
TITLES: tuple[str, ...] = (
    "model",
    "aliases",
    "window",
    "answer",
    "$ in/out",
    "$ cache r/w",
    "thinking",
    "images",
    "key",
)
TO_THE_RIGHT = frozenset({"window", "answer", "$ in/out", "$ cache r/w"})
LESS_NEEDED = ("$ cache r/w", "thinking", "answer", "images", "aliases")
"""What a narrow terminal does without, first first."""
BETWEEN = "  "
NAME_CHARS = 60
UNKNOWN = "–"


class ModelsArguments(argparse.Namespace):
    """The words behind `models`, understood."""

    words: list[str]
    json: bool
    cwd: str | None
    trust: bool


def make_models_parser() -> Parser:
    """The words behind `models`."""
    parser = Parser.telling(
        "diligent models",
        "Every model that can be named, with its window, its prices and whether there is a key for it.",
        EXAMPLES,
    )
    parser.add_argument("words", nargs="*", metavar="WORDS", help="only those with all of these in their name")
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.add_argument("--cwd", metavar="FOLDER", help="with the settings of that project")
    parser.add_argument("--trust", action="store_true", help="for this run, use the settings that came with the folder")
    return parser


def run_models(words: list[str], complain: Complain) -> int:
    """Understand the words behind `models` and list what fits; returns the exit code."""
    arguments = make_models_parser().parse_args(words, ModelsArguments())
    house = enter_house(arguments.cwd, {}, trust=arguments.trust, complain=complain)
    return show_paged(lambda: print_models(house, arguments.words, as_json=arguments.json))


def print_models(house: House, words: Sequence[str] = (), *, as_json: bool = False) -> None:
    """The models whose names hold all of the words; prices are dollars for a million tokens."""
    found = [offer for offer in offers(house.settings, house.environ) if is_meant(offer, words)]
    if as_json:
        sys.stdout.write(json.dumps([_object(offer) for offer in found], ensure_ascii=True, indent=2) + "\n")
    elif found:
        columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
        sys.stdout.writelines(f"{line}\n" for line in table([_row(offer) for offer in found], columns))
    else:
        said = clean_line(" ".join(words), NAME_CHARS)
        sys.stdout.write(f"No model has {said!r} in its name. `diligent models` lists them all.\n")


def table(rows: Sequence[Mapping[str, str]], columns: int | None) -> list[str]:
    """The rows under their titles, in no more than so many columns as far as that can be done."""
    widths = {title: max(len(title), *(len(row[title]) for row in rows)) for title in TITLES}
    shown = list(TITLES)
    for title in LESS_NEEDED:
        if columns is None or sum(widths[one] + len(BETWEEN) for one in shown) - len(BETWEEN) <= columns:
            break
        shown.remove(title)
    titles = {title: title for title in TITLES}
    return [
        BETWEEN.join(_cell(row[title], title, widths[title]) for title in shown).rstrip() for row in (titles, *rows)
    ]


def _cell(words: str, title: str, width: int) -> str:
    return words.rjust(width) if title in TO_THE_RIGHT else words.ljust(width)


def _row(offer: Offer) -> dict[str, str]:
    model, prices = offer.model, offer.model.prices
    window, is_assumed = assumed_window(model)
    return {
        "model": clean_line(model.id, NAME_CHARS),
        "aliases": clean_line(" ".join(model.aliases), NAME_CHARS),
        "window": f"≈{fmt.tokens(window)}" if is_assumed else fmt.tokens(window),
        "answer": fmt.tokens(model.max_output_tokens),
        "$ in/out": f"{prices.input:g}/{prices.output:g}" if prices else UNKNOWN,
        "$ cache r/w": f"{_figure(prices.cache_read)}/{_figure(prices.cache_write)}" if prices else UNKNOWN,
        "thinking": " ".join(model.thinking_levels) or UNKNOWN,
        "images": "yes" if model.sees_images else "no",
        "key": clean_line(offer.key.words),
    }


def _object(offer: Offer) -> JsonObject:
    model = offer.model
    window, is_assumed = assumed_window(model)
    long_prompt = LONG_PROMPTS.get(model.id)
    return {
        "id": model.id,
        "provider": model.provider,
        "name": model.name,
        "aliases": list(model.aliases),
        "windowTokens": model.window_tokens,
        "assumedWindowTokens": window if is_assumed else None,
        "maxOutputTokens": model.max_output_tokens,
        "pricesPerMillion": _prices(model.prices),
        "longPrompt": long_prompt
        and {"aboveTokens": long_prompt.above_tokens, "pricesPerMillion": _prices(long_prompt.prices)},
        "thinkingLevels": list(model.thinking_levels),
        "seesImages": model.sees_images,
        "key": {"place": offer.key.place, "variable": offer.key.variable or None},
    }


def _prices(prices: Prices | None) -> JsonObject | None:
    if prices is None:
        return None
    return {
        "input": prices.input,
        "output": prices.output,
        "cacheRead": prices.cache_read,
        "cacheWrite": prices.cache_write,
    }


def _figure(price: float | None) -> str:
    return UNKNOWN if price is None else f"{price:g}"
