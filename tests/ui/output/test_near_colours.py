"""Where there are 256 colours, each is drawn by the one that looks most like it."""

import pytest
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual.color import Color

from diligent_tui.config.look import Theme as ThemeChoice
from diligent_tui.ui.background import has_256_colours
from diligent_tui.ui.output import NearColours
from diligent_tui.ui.output.near_colours import CUBE_BEGIN, MOST_CONTRAST, near_number, readable_number, shown_colours
from diligent_tui.ui.theme import CHOICES, family_of, theme_for
from tests.ui.contrast import contrast


def shown(number: int) -> tuple[int, int, int]:
    return shown_colours()[number - CUBE_BEGIN]


def test_a_colour_that_the_terminal_has_is_drawn_by_itself() -> None:
    assert all(shown(near_number(*colour)) == colour for colour in shown_colours())


@pytest.mark.parametrize("name", [name for name in CHOICES if name != "ansi"])
def test_the_colours_of_a_theme_keep_their_hue_and_lightness(name: ThemeChoice) -> None:
    theme = theme_for(family_of(name), name)
    names = ("dim", "memory", "rule", "cursor")
    for told in (theme.background, theme.surface, theme.foreground, *map(theme.variables.get, names)):
        if told is not None:
            wanted = Color.parse(told)
            drawn = Color(*shown(near_number(wanted.r, wanted.g, wanted.b)))
            assert abs(drawn.brightness - wanted.brightness) < 0.1, f"{told} is drawn as {drawn.hex}"
            # Which of red, green and blue there is most of: a grey has as much of each.
            strongest = max("rgb", key=lambda channel: getattr(wanted, channel))
            assert getattr(drawn, strongest) == max(drawn.rgb), f"{told} is drawn as {drawn.hex}"


@pytest.mark.parametrize("name", [name for name in CHOICES if name != "ansi"])
@pytest.mark.parametrize("text", ["foreground", "dim", "memory"])
def test_what_could_be_read_still_can(name: ThemeChoice, text: str) -> None:
    theme = theme_for(family_of(name), name)
    told = theme.foreground if text == "foreground" else theme.variables[text]
    for ground in (theme.background, theme.surface, theme.variables["cursor"]):
        if told is not None and ground is not None:
            below = Color.parse(ground).rgb
            number = near_number(*below)
            drawn = Color(*shown(readable_number(Color.parse(told).rgb, below, number))).hex
            least = min(contrast(told, ground), MOST_CONTRAST) - 0.01
            assert contrast(drawn, Color(*shown(number)).hex) >= least


def test_a_row_keeps_its_words_and_looks_and_has_no_other_colours() -> None:
    style = Style.parse("bold underline #c8d0e6 on #2e3440") + Style.from_meta({"@click": "open"})
    (drawn, bare) = NearColours().apply([Segment("words", style), Segment("bare")], Color.parse("black"))
    assert drawn.text == "words"
    assert drawn.style is not None
    assert drawn.style.bold
    assert drawn.style.underline
    assert drawn.style.meta == {"@click": "open"}
    as_told, as_256 = (
        drawn.style.render("x", color_system=system) for system in (ColorSystem.TRUECOLOR, ColorSystem.EIGHT_BIT)
    )
    assert as_told == as_256
    assert "48;5;" in as_256
    assert bare == Segment("bare")


@pytest.mark.parametrize(
    ("environ", "has"),
    [
        ({"TERM": "xterm-256color"}, True),
        ({"TERM": "tmux-256color", "COLORTERM": ""}, True),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, False),
        ({"TERM": "xterm"}, False),
        ({"TERM": "linux"}, False),
    ],
)
def test_which_terminals_have_256(environ: dict[str, str], has: bool) -> None:
    assert has_256_colours(environ) is has
