"""How the app looks: the theme it wears, and the gate that fits its rows to what the terminal can show."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.filter import LineFilter, Monochrome
from textual.reactive import Reactive

from diligent_tui.config.look import Theme
from diligent_tui.ui.background import has_256_colours
from diligent_tui.ui.output import (
    Colourless,
    Linkless,
    NearColours,
    PlainSigns,
    SteadyWidths,
    charset_of,
    shows_links,
)
from diligent_tui.ui.routes.base import Routes
from diligent_tui.ui.theme import (
    CHOICES,
    PROGRAMS_ON_DARK,
    PROGRAMS_ON_LIGHT,
    THEMES,
    family_of,
    find_choice,
    theme_for,
)

if TYPE_CHECKING:
    from diligent_tui.ui.opening import Opening, ThemeName

USUAL_ENCODING = "utf-8"


class LookRoutes(Routes):
    """Wears themes; without colours there is but one."""

    ansi_theme_dark = Reactive(PROGRAMS_ON_DARK, init=False)
    ansi_theme_light = Reactive(PROGRAMS_ON_LIGHT, init=False)
    """What the colours are that programs name; Textual's own cannot all be read."""
    family: "ThemeName" = "dark"
    """Which of our own themes the worn one is, or is most like."""
    plain_signs: PlainSigns | None = None
    """The gate for signs, where the terminal has few."""
    _gates: tuple[LineFilter, ...] = ()
    _last_gate: tuple[LineFilter, ...] = ()
    """Behind those of Textual, which make colours of names."""

    def dress(self, opening: "Opening") -> str:
        """Make all ready before anything is drawn; returns the name of the theme to wear."""
        for theme in THEMES.values():
            self.register_theme(theme)
        if opening.reduced_motion:
            self.animation_level = "none"
        written_in = USUAL_ENCODING if sys.__stderr__ is None else sys.__stderr__.encoding
        charset = charset_of(opening.environ, written_in)
        self.plain_signs = None if charset is None else PlainSigns(charset)
        # As the convention has it: set to nothing is not set.
        self.no_color = bool(opening.environ.get("NO_COLOR"))
        linkless = None if shows_links(opening.environ) else Linkless()
        colourless = Colourless() if self.no_color else None
        self._gates = tuple(filter(None, (self.plain_signs or SteadyWidths(), colourless, linkless)))
        if has_256_colours(opening.environ) and not self.no_color:
            self._last_gate = (NearColours(),)
        chosen = None if self.no_color else find_choice(opening.colours)
        return self._known("ansi" if self.no_color else opening.theme, chosen)

    def on_mount(self) -> None:
        """Nothing moves where motion is unwanted, nor while one looks elsewhere."""
        self.watch(self, "app_focus", self._rest)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """What every row passes on its way out; our own way of doing without colours takes the place of Textual's."""
        theirs = (each for each in super().get_line_filters() if not isinstance(each, Monochrome))
        return [*self._gates, *theirs, *self._last_gate]

    def action_next_theme(self) -> None:
        """Dark, light, ansi, high contrast."""
        worn = [theme.name for theme in THEMES.values()]
        place = (worn.index(self.theme) + 1) % len(worn) if self.theme in worn else 0
        self._wear(tuple(THEMES)[place])

    def wear(self, words: str) -> None:
        """The theme of that name; without one, the next."""
        if not words:
            self.action_next_theme()
        elif (name := find_choice(words)) is None:
            self._say(f"There is no theme {words}. There are {', '.join(CHOICES)}.")
        elif self._wear(name):
            self._say(f"This is {name}. To begin with it: diligent config set theme {name}")

    def _wear(self, name: Theme) -> bool:
        if self.no_color:
            self._say("NO_COLOR is set, so all themes look alike. Start without it to have colours.")
            return False
        from diligent_tui.ui.panes.chat import chat_look

        self.theme = self._known("dark", name)
        if self.core is not None:
            # Those that Textual keeps are still the last theme's; it makes new ones when it next paints.
            self.core.chat.wear(chat_look(self.family, self.get_css_variables()))
        return True

    def _rest(self, has_terminal_focus: bool) -> None:
        self.main.is_still = self.animation_level == "none" or not has_terminal_focus

    def _known(self, family: "ThemeName", chosen: Theme | None) -> str:
        """The name under which Textual knows the chosen theme from now on; without one, that of the family."""
        self.family = family if chosen is None else family_of(chosen)
        theme = theme_for(self.family, chosen or "")
        self.register_theme(theme)
        return theme.name
