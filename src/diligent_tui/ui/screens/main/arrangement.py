"""Which panes are to be seen, as a value: what is asked for in, another arrangement out; nothing here paints.

On a wide screen panes stand beside the chat, and what stands there is remembered. On a narrow one a single pane lies
over the chat while one is in it; that is not remembered, and what stood beside the chat comes back with the room.
"""

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from diligent_tui.config.layout import SHARES_PERCENT, Layout

CENTRE = "centre"
LEFT = "tree"
STEP_PERCENT = SHARES_PERCENT[1] - SHARES_PERCENT[0]
CENTRE_COLUMNS = 30
"""What the chat keeps; this and the widths below are those of the style sheet."""
LEAST_COLUMNS = 20


@dataclass(frozen=True, slots=True)
class Arrangement:
    """What the user wants to see; `zoomed` is the pane that has all the room, `overlay` the one over the chat."""

    layout: Layout = field(default_factory=Layout)
    is_narrow: bool = False
    zoomed: str = ""
    overlay: str = ""

    @property
    def shown(self) -> frozenset[str]:
        """The panes in sight, the chat's among them."""
        if self.is_narrow:
            covered = self.overlay and self.zoomed == self.overlay
            return frozenset(filter(None, (self.overlay, "" if covered else CENTRE)))
        if self.zoomed:
            return frozenset({self.zoomed})
        return frozenset(filter(None, (CENTRE, self.layout.left, self.layout.right)))

    @property
    def has_both(self) -> bool:
        """True if the chat stands between two panes."""
        return {CENTRE, self.layout.left, self.layout.right} <= self.shown

    def with_pane(self, pane_id: str) -> "Arrangement":
        """With a pane in sight; of those at the right there is one at a time."""
        if self.is_narrow:
            return replace(self, overlay=pane_id, zoomed=self.zoomed if self.zoomed == pane_id else "")
        layout = replace(self.layout, left=pane_id) if pane_id == LEFT else replace(self.layout, right=pane_id)
        return replace(self, layout=layout, zoomed=self.zoomed if self.zoomed == pane_id else "")

    def without_pane(self, pane_id: str) -> "Arrangement":
        """With a pane out of sight."""
        zoomed = "" if self.zoomed == pane_id else self.zoomed
        if self.is_narrow:
            return replace(self, overlay="" if self.overlay == pane_id else self.overlay, zoomed=zoomed)
        layout = self.layout
        if layout.left == pane_id:
            layout = replace(layout, left="")
        elif layout.right == pane_id:
            layout = replace(layout, right="")
        return replace(self, layout=layout, zoomed=zoomed)

    def with_zoom(self, pane_id: str) -> "Arrangement":
        """With all the room for a pane, or as before."""
        return replace(self, zoomed="" if self.zoomed else pane_id)

    def at_centre(self) -> "Arrangement":
        """With the chat in sight, for one goes there."""
        if self.is_narrow:
            return replace(self, overlay="", zoomed="" if self.zoomed == self.overlay else self.zoomed)
        return self if self.zoomed in ("", CENTRE) else replace(self, zoomed="")

    def on_screen(self, *, is_narrow: bool, at: str) -> "Arrangement":
        """On a screen of another width, while one is in a pane."""
        if is_narrow == self.is_narrow:
            return self
        if is_narrow:
            return replace(self, is_narrow=True, overlay=at if at in self.shown - {CENTRE} else "", zoomed="")
        wide = replace(self, is_narrow=False, overlay="", zoomed="")
        return wide.with_pane(self.overlay) if self.overlay else wide

    def with_share(self, pane_id: str, percent: int) -> "Arrangement":
        """With another width for a pane."""
        nearest = min(SHARES_PERCENT, key=lambda share: abs(share - percent))
        return replace(
            self, layout=replace(self.layout, shares_percent={**self.layout.shares_percent, pane_id: nearest})
        )

    def shares_on(self, columns: int) -> dict[str, int]:
        """The widths to paint: those that the user gave, the widest less if the chat or a pane would find no room."""
        standing = list(filter(None, (self.layout.left, self.layout.right)))
        shares = {pane: share for pane, share in self.layout.shares_percent.items() if pane in standing}
        room = columns - CENTRE_COLUMNS - sum(_usual_columns(pane, columns) for pane in standing if pane not in shares)
        while shares and sum(max(LEAST_COLUMNS, columns * share / 100) for share in shares.values()) > room:
            widest = max(shares, key=lambda pane: shares[pane])
            if shares[widest] == SHARES_PERCENT[0]:
                break
            shares[widest] -= STEP_PERCENT
        return shares

    def of_panes(self, known: Collection[str]) -> "Arrangement":
        """Without what is no pane here, such as one of a later version."""
        left, right = self.layout.left, self.layout.right
        return replace(
            self,
            layout=Layout(
                left if left == LEFT else "",
                right if right in known and right != LEFT else "",
                {name: share for name, share in self.layout.shares_percent.items() if name in known},
            ),
        )


def _usual_columns(pane_id: str, columns: int) -> float:
    """What a pane takes beside another one that the user gave a width."""
    return max(26, columns * 0.22) if pane_id == LEFT else max(40, columns * 0.35)
