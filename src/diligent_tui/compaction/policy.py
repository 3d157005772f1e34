"""Every figure that compaction goes by, as data; settings become this, and nobody else knows a number."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CompactionPolicy:
    """When to prune and to compact, what stays, and what a summary must be; shares are parts of the window.

    The room is what the window has left once the fixed overhead (system prompt, tools, knowledge) is taken off.
    """

    is_automatic: bool = True
    prunes: bool = True
    strategy: str = "auto"
    model_id: str | None = None
    """Who writes the summary; None is the conversation's own model, on its cached prefix."""
    always_preview: bool = False

    warning_share: float = 0.80
    critical_share: float = 0.95

    prune_share: float = 0.80
    least_freed_share: float = 0.10
    """A smaller batch is not worth the cache that it breaks."""
    freed_worth: float = 3.0
    """A token freed is worth so many that are sent anew for it: it is spared in some thirty requests, at a tenth."""
    protected_share: float = 0.20
    protected_results: int = 2
    trim_over_chars: int = 4_000
    trim_head_chars: int = 1_500
    trim_tail_chars: int = 1_500
    trimmed_results: int = 6
    """So many of the newest outputs that may be pruned are trimmed; older ones become digests."""
    least_saved_tokens: int = 30
    """An output is left alone if its digest would save less: the detail is worth more than that."""

    own_reserve_tokens: int | None = None
    """The user's own figure, which then takes the place of the next two."""
    most_reserve_tokens: int = 16_384
    reserve_share: float = 0.125
    most_kept_tokens: int = 20_000
    kept_share_of_room: float = 0.25
    least_kept_share_of_room: float = 0.125
    wished_share_of_room: float = 0.40
    """What a compaction aims at, so that the next one is far: in a small window the tail gives way, to its least."""
    result_share_of_room: float = 0.60
    """After a compaction no more of the room than this is filled, whatever must stay."""

    summary_output_tokens: int = 4_096
    """Thinking comes on top of it."""
    summary_share_of_room: float = 0.125
    fewest_summary_words: int = 800
    most_summary_words: int = 1_200
    most_prefix_tokens: int = 1_600
    prefix_share_of_room: float = 0.05
    ledger_share: float = 0.08
    ledger_share_of_room: float = 0.125
    """Binds only where the overhead takes more than a third of the window."""
    pins_share_of_room: float = 0.20
    """More pinned text than this is refused, for it would be quoted in every request."""
    most_details: int = 200

    least_covered_tokens: int = 300
    """Less than this is no shorter as a summary."""
    least_summary_chars: int = 200
    least_shrink_share: float = 0.10

    ineffective_to_latch: int = 2
    cooldown_seconds: float = 60.0
    most_without_step: int = 2

    def reserve_tokens(self, window_tokens: int, output_tokens: int) -> int:
        """What stays free for the next answer."""
        if self.own_reserve_tokens is not None:
            return max(self.own_reserve_tokens, output_tokens)
        return max(min(self.most_reserve_tokens, int(window_tokens * self.reserve_share)), output_tokens)

    def compact_over(self, window_tokens: int, output_tokens: int) -> int:
        """A context larger than this is compacted before the next request."""
        return max(0, window_tokens - self.reserve_tokens(window_tokens, output_tokens))

    def prune_at(self, window_tokens: int) -> int:
        """From this size on old outputs are pruned."""
        return int(window_tokens * self.prune_share)

    def least_freed_tokens(self, window_tokens: int) -> int:
        """What a batch of pruning must free."""
        return int(window_tokens * self.least_freed_share)

    def protected_tokens(self, window_tokens: int) -> int:
        """So much of the newest talk is never pruned."""
        return int(window_tokens * self.protected_share)

    def keep_tokens(self, window_tokens: int, overhead_tokens: int) -> int:
        """How much of the newest talk a compaction leaves as it is."""
        room = max(0, window_tokens - overhead_tokens)
        return min(self.most_kept_tokens, int(room * self.kept_share_of_room))

    def pins_tokens(self, window_tokens: int, overhead_tokens: int) -> int:
        """How much may be pinned."""
        return int(max(0, window_tokens - overhead_tokens) * self.pins_share_of_room)


@dataclass(frozen=True, slots=True)
class Budgets:
    """What each part of a compacted context may take, in tokens; together they never pass `result_tokens`."""

    result_tokens: int
    """Everything but the overhead."""
    keep_tokens: int
    """The wished-for tail."""
    most_keep_tokens: int
    """The longest tail that still fits; negative if there is no room at all."""
    summary_tokens: int
    prefix_tokens: int
    ledger_tokens: int


def budgets(policy: CompactionPolicy, window_tokens: int, overhead_tokens: int, pins_tokens: int = 0) -> Budgets:
    """How the room is shared out; `pins_tokens` is what is quoted anyway, the frame of the summary included."""
    room = max(0, window_tokens - overhead_tokens)
    result = int(room * policy.result_share_of_room)
    summary = min(policy.summary_output_tokens, int(room * policy.summary_share_of_room))
    prefix = min(policy.most_prefix_tokens, int(room * policy.prefix_share_of_room))
    ledger = min(int(window_tokens * policy.ledger_share), int(room * policy.ledger_share_of_room))
    most_keep = result - summary - prefix - ledger - pins_tokens
    wished = int(room * policy.wished_share_of_room) - (result - most_keep)
    wished = max(wished, int(room * policy.least_kept_share_of_room))
    keep = min(policy.keep_tokens(window_tokens, overhead_tokens), wished, most_keep)
    return Budgets(result, keep, most_keep, summary, prefix, ledger)


def summary_words(policy: CompactionPolicy, summary_tokens: int) -> tuple[int, int]:
    """From how many to how many words a summary may have; fewer where the window is small."""
    # Text full of paths has close to two tokens a word; a third of the cap is left for ids and headings.
    most = min(policy.most_summary_words, max(60, summary_tokens // 3))
    return most * policy.fewest_summary_words // policy.most_summary_words, most
