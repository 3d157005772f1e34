"""A conversation to be compacted in memory, and a screen over which its preview opens."""

from collections.abc import Collection

from textual.app import App, ComposeResult
from textual.widgets import Static

from diligent_tui.compaction.cut_points import CutPoint
from diligent_tui.compaction.fitting import Refusal
from diligent_tui.compaction.views import BlockFate, CompactionWish, Preview, PreviewBlock
from diligent_tui.ui.opening import ThemeName
from diligent_tui.ui.screens.preview import Choice, PreviewScreen
from diligent_tui.ui.stylesheets import style_paths
from diligent_tui.ui.theme import THEMES

TALK = (
    ("user", "why does the loader read the file twice?", 40),
    ("assistant", "Let me look at it.", 90),
    ("result of read", "src/config/loader.py\n140 lines", 4_100),
    ("assistant", "Because `merge()` opens it again for the positions. Two changes would do: keep the text.", 800),
    ("you", "answer in short sentences, and never touch legacy/", 30),
    ("edit", "src/config/loader.py +14 −9", 1_200),
    ("bash", "make test\n3 failed", 12_000),
    ("assistant", "Three tests fail for an old reason.", 300),
    ("you", "and now the schema", 20),
    ("read", "src/config/schema.py", 6_000),
    ("assistant", "The schema needs one more field. [/bold] \x1b[31m\u202e", 700),
    ("you", "go on", 10),
)
OVERHEAD_TOKENS = 9_000
LIMIT_TOKENS = 32_000
MOST_KEPT_TOKENS = 9_000
MOST_PINNED_TOKENS = 5_000


class Talk:
    """Answers like a session's memory would, and notes what it was asked."""

    def __init__(self, *, pinned: Collection[int] = (), turns: int = 1) -> None:
        self.said = TALK * turns
        self._pinned = {self.id_of(place) for place in pinned}
        self.asked: list[tuple[CompactionWish, tuple[str, ...]]] = []

    def id_of(self, place: int) -> str:
        return f"e{place:04}"

    @property
    def cuts(self) -> tuple[CutPoint, ...]:
        """A cut at every turn but the first."""
        places = [place for place, (who, _, _) in enumerate(self.said) if place and who in ("you", "user")]
        sizes = [tokens for _, _, tokens in self.said]
        return tuple(
            CutPoint(place, self.id_of(place), None, sum(sizes[:place]), sum(sizes[place:]), place) for place in places
        )

    def preview(self, wish: CompactionWish, pins: Collection[str] = ()) -> Preview | Refusal:
        """What a compaction would do."""
        self.asked.append((wish, tuple(pins)))
        cut = wish.cut or self.cuts[-2]
        pinned = self._pinned | set(pins)
        blocks = [self._block(place, cut, wish, pinned) for place in range(len(self.said))]
        quoted = sum(block.tokens for block in blocks if block.fate == "pinned")
        if cut.kept_tokens > MOST_KEPT_TOKENS:
            over = cut.kept_tokens - MOST_KEPT_TOKENS
            told = f"What must stay is {over:,} tokens over the {cut.kept_tokens - over:,} that may stay."
            return Refusal("tail_too_large", told, "Move the cut down.", over)
        if quoted > MOST_PINNED_TOKENS:
            return Refusal("pins_too_large", f"The pinned entries take {quoted:,} tokens.", "Unpin some of them.")
        before = OVERHEAD_TOKENS + cut.covered_tokens + cut.kept_tokens
        after = OVERHEAD_TOKENS + 2_000 + quoted + cut.kept_tokens
        return Preview(tuple(blocks), self.cuts, cut, OVERHEAD_TOKENS, before, after, LIMIT_TOKENS, has_summary=True)

    def _block(self, place: int, cut: CutPoint, wish: CompactionWish, pinned: Collection[str]) -> PreviewBlock:
        who, words, tokens = self.said[place]
        fate: BlockFate = "kept"
        if self.id_of(place) in pinned:
            fate = "pinned"
        elif place < cut.position:
            is_left_out = self.id_of(place) in wish.excluded or self._call_of(place) in wish.excluded
            fate = "excluded" if is_left_out else "summarised"
        elif who == "read":
            fate = "pruned"
        return PreviewBlock(self.id_of(place), who, words, tokens, fate, place, self._call_of(place))

    def _call_of(self, place: int) -> str:
        """The block before a result holds its call."""
        return self.id_of(place - 1) if self.said[place][0].startswith("result of ") else ""


class NothingToCompact:
    """A talk that is too short."""

    def preview(self, wish: CompactionWish, pins: Collection[str] = ()) -> Refusal:
        """Why not."""
        return Refusal("nothing_to_compact", "There is nothing before the cut.", "Go on; there will be more later.")


class PreviewApp(App[None]):
    """A screen with a preview over it, keeping what was chosen."""

    CSS_PATH = style_paths()

    def __init__(
        self,
        talk: Talk | NothingToCompact | None = None,
        wish: CompactionWish | None = None,
        theme: ThemeName = "dark",
    ) -> None:
        super().__init__()
        for known in THEMES.values():
            self.register_theme(known)
        self.theme = THEMES[theme].name
        self.talk = talk or Talk()
        self.preview_screen = PreviewScreen(self.talk.preview, wish or CompactionWish(), "auto")
        self.chosen: list[Choice | None] = []

    def compose(self) -> ComposeResult:
        yield Static("The chat stands here. " * 200, markup=False)

    def on_mount(self) -> None:
        self.push_screen(self.preview_screen, self.chosen.append)


def rows(app: PreviewApp) -> list[str]:
    """The rows on screen as text."""
    view = app.preview_screen.rows
    return [text for y in range(view.size.height) if (text := view.render_line(y).text.rstrip())]


def part(app: PreviewApp, name: str) -> str:
    """Title, sizes, focus, totals or what is said, as text."""
    return str(app.preview_screen.query_one(f"#preview-{name}", Static).render())
