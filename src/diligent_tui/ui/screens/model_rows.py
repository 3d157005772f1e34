"""How models are written in the picker: a row in the list, and all that is known of one below it."""

from collections.abc import Sequence

from textual.content import Content

from diligent_tui.config.model_list import Offer
from diligent_tui.domain.models import Model, Prices
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.domain.thinking import ThinkingLevel
from diligent_tui.providers.model_table import LONG_PROMPTS
from diligent_tui.providers.registry import assumed_window
from diligent_tui.ui import format as fmt

MARK_COLUMNS = 3
NAME_COLUMNS = 28
COLUMNS_OF = {"window": 7, "price": 13, "images": 8, "alias": 9, "levels": 11}
"""The figures of a row with their widths, the most needed first; a narrow list leaves out the last."""
TO_THE_RIGHT = frozenset({"window", "price"})
ALIASES_SHOWN = 3


def figures_for(columns: int) -> list[str]:
    """The figures that a list of this width has room for."""
    free = columns - MARK_COLUMNS - NAME_COLUMNS
    shown: list[str] = []
    for name, width in COLUMNS_OF.items():
        free -= width
        if free < 0:
            break
        shown.append(name)
    return shown


def render_row(offer: Offer, columns: int, *, is_current: bool, is_under_cursor: bool) -> Content:
    """One line for a model; those without a key are dim."""
    model = offer.model
    cells = {
        "window": window_words(model),
        "price": short_price(model.prices),
        "images": "images" if model.sees_images else "",
        "alias": clean_line(model.aliases[0], COLUMNS_OF["alias"]) if model.aliases else "",
        "levels": level_span(model.thinking_levels),
    }
    name = fit(clean_line(model.name, 4 * NAME_COLUMNS), NAME_COLUMNS)
    figures = "".join(_figure(cells[one], one) for one in figures_for(columns))
    mark = f"{'▸' if is_under_cursor else ' '}{'●' if is_current else ' '} "
    if is_under_cursor:
        return Content(f"{mark}{name}{figures}").stylize("bold", len(mark), len(mark) + len(name))
    # Pictures of the screen lose the spaces that a style begins with.
    name += " " * (len(figures) - len(figures.lstrip()))
    name_style = "" if offer.key.is_there else "$dim"
    return Content.assemble((mark, "$accent"), (name, name_style), (figures.lstrip(), "$dim"))


def render_heading(offer: Offer, *, is_first: bool) -> Content:
    """The line above the models of one provider, set off from those before."""
    style = "$dim" if offer.key.is_there else "$memory"
    words = offer.key.words if offer.key.is_there else f"no key: {offer.key.words}"
    provider = (clean_line(offer.model.provider, NAME_COLUMNS), "bold")
    return Content.assemble("" if is_first else "\n", provider, "  ", (clean_line(words), style))


def render_details(offer: Offer, level: ThinkingLevel) -> Content:
    """All that is known of a model, and the thinking level chosen for it."""
    model = offer.model
    window, is_assumed = assumed_window(model)
    known = "window not known, taken as ≈" if is_assumed else "window "
    title: list[Content | tuple[str, str]] = [(clean_line(model.id, 4 * NAME_COLUMNS), "bold")]
    if model.aliases:
        also = ", ".join(clean_line(alias, NAME_COLUMNS) for alias in model.aliases[:ALIASES_SHOWN])
        title.append((f"  also {also}", "$dim"))
    sees = "sees images" if model.sees_images else "sees no images"
    answer = "" if model.max_output_tokens is None else f" · answers up to {fmt.tokens(model.max_output_tokens)}"
    lines = [
        Content.assemble(*title),
        Content(f"{known}{fmt.tokens(window)}{answer} · {sees}"),
        Content(_price_words(model)),
        _levels(model.thinking_levels, level),
    ]
    return Content("\n").join(lines)


def window_words(model: Model) -> str:
    """The window, with ≈ if it is only assumed."""
    window, is_assumed = assumed_window(model)
    return f"≈{fmt.tokens(window)}" if is_assumed else fmt.tokens(window)


def short_price(prices: Prices | None) -> str:
    """Input and output for a million tokens."""
    if prices is None:
        return "–"
    return "free" if prices.input == prices.output == 0 else f"${prices.input:g} / ${prices.output:g}"


def level_span(levels: Sequence[ThinkingLevel]) -> str:
    """The lowest and the highest level."""
    return f"{levels[0]}–{levels[-1]}" if levels else "–"


def fit(text: str, columns: int) -> str:
    """The text in exactly so many columns, whatever the width of its letters."""
    content = Content(text)
    if content.cell_length > columns - 1:
        content = content.truncate(columns - 1, ellipsis=True)
    return content.plain + " " * (columns - content.cell_length)


def _figure(words: str, name: str) -> str:
    width = COLUMNS_OF[name]
    return words.rjust(width) if name in TO_THE_RIGHT else f"  {words}".ljust(width)


def _price_words(model: Model) -> str:
    prices = model.prices
    if prices is None:
        return "prices not known"
    if prices.input == prices.output == 0:
        return "costs nothing"
    cached = [("cache read", prices.cache_read), ("cache write", prices.cache_write)]
    parts = [f"${prices.input:g} in", f"${prices.output:g} out"]
    parts += [f"${price:g} {name}" for name, price in cached if price is not None]
    long_prompt = LONG_PROMPTS.get(model.id)
    dearer = f", more above {fmt.tokens(long_prompt.above_tokens)}" if long_prompt else ""
    return f"{' · '.join(parts)} a million{dearer}"


def _levels(levels: Sequence[ThinkingLevel], chosen: ThinkingLevel) -> Content:
    if not levels:
        return Content.styled("thinking  no levels known", "$dim")
    shown = [(f"[{level}]", "bold $accent") if level == chosen else (f" {level} ", "$dim") for level in levels]
    return Content.assemble("thinking  ", *shown)
