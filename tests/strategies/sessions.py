"""Random sessions: every kind of entry, honest and broken, on any number of branches."""

from dataclasses import dataclass, field

from hypothesis import strategies as st

from diligent_tui.domain.entries import (
    CONTENT_TYPES,
    BranchSummaryEntry,
    CompactionEntry,
    CompactionRevertEntry,
    Entry,
    KnowledgeNoteEntry,
    MessageEntry,
    ModelChangeEntry,
    OtherEntry,
    PinEntry,
    PruneEntry,
    PruneItem,
    SteeringEntry,
    SystemPromptEntry,
    TurnPrefix,
    UnpinEntry,
)
from diligent_tui.domain.messages import (
    AssistantMessage,
    Block,
    ImageBlock,
    OtherBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultMessage,
    UserMessage,
)
from diligent_tui.session.tree import Node, Tree, node_of

MAKERS = (("anthropic", "claude-a"), ("anthropic", "claude-b"), ("openai", "gpt-a"), ("local", "llama"), (None, None))
TEXTS = ("do it", "", "  \n", "naïve 你好 👩‍👩‍👧", "[/bold] \x1b[2J", "x" * 300)
CALL_IDS = ("call_1", "call_1", "toolu_01", "weird id/…", "", "y" * 100)
CALL_NAMES = ("read", "bash", "not a name!", "")
OUTPUTS = ("fine", "", "error: it broke\nsecond line")

ACTS = (
    "prompt",
    "prompt",
    "answer",
    "answer",
    "answer",
    "result",
    "result",
    "result",
    "stray_result",
    "compact",
    "compact",
    "mid_turn_compact",
    "version",
    "revert",
    "revert",
    "prune",
    "pin",
    "unpin",
    "branch",
    "to_root",
    "branch_summary",
    "note",
    "steering",
    "system_prompt",
    "model_change",
    "other",
    "broken_compact",
)

Step = tuple[int, int, int]
STEPS: st.SearchStrategy[list[Step]] = st.lists(
    st.tuples(st.integers(0, len(ACTS) - 1), st.integers(0, 999), st.integers(0, 999)), max_size=45
)


@dataclass(slots=True)
class RandomSession:
    """A session in memory, grown act by act."""

    entries: dict[str, Entry] = field(default_factory=dict[str, Entry])
    tree: Tree = field(default_factory=Tree)

    def lookup(self, entry_id: str) -> Entry:
        return self.entries[entry_id]

    @property
    def path(self) -> list[Node]:
        return self.tree.path(self.tree.leaf_id)

    def play(self, step: Step) -> Entry | None:
        """Do one act; returns the entry it appended to the path, if any."""
        act, first, second = ACTS[step[0]], step[1], step[2]
        if act in ("branch", "to_root"):
            ids = [None, *self.tree.nodes]
            self.tree.move_to(None if act == "to_root" else ids[first % len(ids)])
            return None
        entry = self._make(act, first, second)
        return self.append(entry) if entry else None

    def prompt(self, text: str = "the newest prompt") -> MessageEntry:
        entry = MessageEntry(message=UserMessage(content=text))
        self.append(entry)
        return entry

    def append(self, entry: Entry) -> Entry:
        entry = entry.model_copy(
            update={
                "id": f"{len(self.entries):08x}",
                "parent_id": self.tree.leaf_id,
                "timestamp": "2026-01-01T00:00:00Z",
            }
        )
        self.entries[entry.id] = entry
        self.tree.add(node_of(entry))
        return entry

    def _make(self, act: str, first: int, second: int) -> Entry | None:
        path = self.path
        ids = [node.id for node in path]
        content = [node.id for node in path if node.type in CONTENT_TYPES]
        prompts = [node.id for node in path if node.is_prompt]
        lenses = [node.id for node in path if node.type in ("compaction", "compaction_revert")]
        compactions = [node.id for node in path if node.type == "compaction"]
        results = [node.id for node in path if node.role == "tool_result"]
        match act:
            case "prompt":
                return MessageEntry(message=UserMessage(content=_user_content(first, second)))
            case "answer":
                return MessageEntry(message=_answer(first, second))
            case "result":
                return MessageEntry(message=self._result(path, first, second))
            case "stray_result":
                call_id = CALL_IDS[first % len(CALL_IDS)]
                return MessageEntry(message=ToolResultMessage(tool_call_id=call_id, tool_name="bash", output="stray"))
            case "compact" if prompts:
                return _compaction(prompts[first % len(prompts)], content, second)
            case "mid_turn_compact" if content and prompts:
                kept = content[first % len(content)]
                before = [prompt for prompt in prompts if ids.index(prompt) < ids.index(kept)]
                prefix = TurnPrefix(prompt_id=before[-1], summary="the turn so far") if before and second % 2 else None
                return _compaction(kept, content, second).model_copy(update={"turn_prefix": prefix})
            case "broken_compact":
                return _compaction("nowhere0", content, second)
            case "version" if compactions:
                old = self.entries[compactions[first % len(compactions)]]
                return old.model_copy(update={"summary": f"edited {second}", "supersedes": old.id})
            case "revert" if lenses:
                return CompactionRevertEntry(target_id=lenses[first % len(lenses)])
            case "prune" if results:
                chosen = results[first % len(results) :][:3]
                return PruneEntry(items=tuple(PruneItem(target_id=target, digest=f"[{target}]") for target in chosen))
            case "pin" if content:
                return PinEntry(target_id=content[first % len(content)])
            case "unpin" if content:
                return UnpinEntry(target_id=content[first % len(content)])
            case "branch_summary":
                return BranchSummaryEntry(from_id=ids[-1] if ids else "00000000", summary=TEXTS[first % len(TEXTS)])
            case "note":
                return KnowledgeNoteEntry(text=TEXTS[first % len(TEXTS)])
            case "steering":
                return SteeringEntry(message=TEXTS[first % len(TEXTS)])
            case "system_prompt":
                return SystemPromptEntry(text=f"system {first}")
            case "model_change":
                return ModelChangeEntry(provider="anthropic", model_id=f"claude-{'ab'[first % 2]}")
            case "other":
                return OtherEntry(type="from_the_future")
            case _:
                return None

    def _result(self, path: list[Node], first: int, second: int) -> ToolResultMessage:
        for node in reversed(path):
            entry = self.entries[node.id]
            if isinstance(entry, MessageEntry) and isinstance(entry.message, AssistantMessage):
                calls = entry.message.tool_calls
                if calls:
                    call = calls[first % len(calls)]
                    output = OUTPUTS[second % len(OUTPUTS)]
                    return ToolResultMessage(
                        tool_call_id=call.id, tool_name=call.name, output=output, is_error=second % 5 == 0
                    )
        return ToolResultMessage(tool_call_id="nobody", tool_name="read", output="orphan")


def _user_content(first: int, second: int) -> str | tuple[Block, ...]:
    text = TEXTS[first % len(TEXTS)]
    if second % 4:
        return text
    image = ImageBlock(source={"type": "base64", "media_type": "image/png", "data": "aGk="})
    return (TextBlock(text=text), image, OtherBlock(type="hologram"))


def _answer(first: int, second: int) -> AssistantMessage:
    provider, model = MAKERS[first % len(MAKERS)]
    blocks: list[Block] = []
    if second % 3 == 0:
        blocks.append(ThinkingBlock(thinking="hm", signature="signed" if second % 2 else None))
    if second % 5 != 0:
        blocks.append(TextBlock(text=TEXTS[(first + second) % len(TEXTS)]))
    for number in range(second % 4):
        name, call_id = CALL_NAMES[(first + number) % len(CALL_NAMES)], CALL_IDS[(second + number) % len(CALL_IDS)]
        blocks.append(ToolCallBlock(id=call_id, name=name, input={"path": f"file{first}", "n": None}))
    if second % 7 == 0:
        blocks.append(OtherBlock(type="unfinished_call"))
    stop = ("end_turn", "tool_use", "interrupted", "max_tokens", "error")[first % 5]
    return AssistantMessage(content=tuple(blocks), provider=provider, model=model, stop_reason=stop)


def _compaction(kept: str, content: list[str], second: int) -> CompactionEntry:
    excluded = tuple(content[: second % 3])
    return CompactionEntry(
        summary=TEXTS[second % len(TEXTS)] or "summary",
        ledger="files: a.py",
        first_kept_entry_id=kept,
        excluded=excluded,
    )
