"""The screen: how soon it is there, what streaming costs, and how quickly it answers a key, whatever it holds."""

import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.frame import CommandFailed, Measure, Probe, at_most, least
from bench.tui_probe.sessions import LAST_WORD
from bench.tui_probe.stage import MIDDLING_MESSAGES, Stage
from bench.tui_probe.terminal import Terminal

ROOT = Path(__file__).parent.parent
# The cursor stands on the first letter of the hint.
HINT = "sk, or / for commands"
READY = "ctx "
SHAPES = ("prose", "fence", "table")
PACE_TOKENS_PER_SECOND = 200
ANSWER_TOKENS = 20_000
"""Some 80 KB."""
KEYS = "".join(map(chr, range(0x0430, 0x0450)))
"""Letters that no answer holds, each typed once in a block: seen, it must be the echo."""
KEY_GAP_SECONDS = 0.02
CLEAR = "\x15"
LEAVE = "\x11"
TOOLS = "\x1bOR"
TO_PROMPT = "\t"
SUMMARY = "\x1b[15~"
CONFIG, SETTINGS_NAME = Path(".config/diligent"), "diligent.jsonc"
FLOOD = "yes the quick brown fox jumps over the lazy dog"
SLOW_ORDER = "[[t=9 r=0.001 id=slow]]"
"""An answer whose first word comes after everything is measured."""
SETTLED_SHARE = 0.02
"""A least that was met twice, so close together, needs no further rounds."""
Opener = Callable[[], Terminal]


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is done for a run."""

    messages: int
    start_rounds: int
    stream_kilobytes: int
    stream_rounds: int
    key_blocks: int
    paced_seconds: float
    idle_seconds: float


FULL = Effort(
    messages=20_000,
    start_rounds=7,
    stream_kilobytes=80,
    stream_rounds=3,
    key_blocks=8,
    paced_seconds=5,
    idle_seconds=10,
)
QUICK = Effort(
    messages=4_000,
    start_rounds=3,
    stream_kilobytes=40,
    stream_rounds=1,
    key_blocks=3,
    paced_seconds=3,
    idle_seconds=3,
)


def run(quick: bool) -> list[Measure]:
    """Measure the start, streaming, keys, memory and rest."""
    effort = QUICK if quick else FULL
    with tempfile.TemporaryDirectory() as folder:
        stage = Stage.set_up(Path(folder), effort.messages)
        return [
            *_starts(stage, effort),
            *_streams(stage, effort),
            *_paced(stage, effort),
            *_slices(stage, effort),
            *_summary_slices(stage, effort),
            *_keys(stage, effort),
            *_keys_in_a_flood(stage, effort),
            *_large_things(stage),
            *_memory(stage),
            *_at_rest(stage, effort),
        ]


def _starts(stage: Stage, effort: Effort) -> list[Measure]:
    nothing_s, frame_s, short_s, long_s = least(
        [
            _cost_until(HINT, stage.empty_app),
            _cost_until(HINT, lambda: stage.diligent(stage.empty)),
            _cost_until(LAST_WORD, lambda: stage.going_on(stage.short)),
            _cost_until(LAST_WORD, lambda: stage.going_on(stage.long)),
        ],
        effort.start_rounds,
        settled_share=SETTLED_SHARE,
    )
    size = f"{stage.messages:,} messages"
    return [
        at_most("first frame ÷ empty app", frame_s / nothing_s, "×", 1.5),
        at_most(f"last screen of {size} ÷ empty app", long_s / nothing_s, "×", 2.2),
        at_most(f"last screen of {size} ÷ of 20", long_s / short_s, "×", 3),
    ]


def _cost_until(words: str, open_terminal: Opener) -> Probe:
    """The CPU time of a program until the words are on its screen."""

    def cost() -> float:
        with open_terminal() as terminal:
            terminal.read_until(words)
            return terminal.kill()

    return cost


def _streams(stage: Stage, effort: Effort) -> list[Measure]:
    size = effort.stream_kilobytes
    measures: list[Measure] = []
    widgets = 0.0
    for shape in SHAPES:
        command = _probe("stream_cost", shape, str(size), str(effort.stream_rounds))
        told = subprocess.run(command, env=stage.environ, cwd=ROOT, capture_output=True, text=True, check=False)
        if told.returncode:
            raise CommandFailed(told.stderr)
        found: dict[str, float] = json.loads(told.stdout)
        widgets = max(widgets, found["widgets"])
        measures += [
            at_most(f"{shape} of {size} KB, streamed ÷ rendered once", found["small"] / found["render"], "×", 4),
            at_most(f"{shape}, {2 * size} KB ÷ {size} KB streamed", found["large"] / found["small"], "×", 2.3),
        ]
    return [*measures, at_most("widgets", widgets, "", 100)]


def _paced(stage: Stage, effort: Effort) -> list[Measure]:
    def share() -> float:
        with stage.diligent(stage.empty) as terminal:
            _begin_paced(terminal)
            return _share_of_core(terminal, effort.paced_seconds)

    value = least([share], effort.stream_rounds, settled_share=SETTLED_SHARE)[0]
    return [at_most(f"CPU at {PACE_TOKENS_PER_SECOND} tokens/s", value, "% of a core", 25)]


def _slices(stage: Stage, effort: Effort) -> list[Measure]:
    measures: list[Measure] = []
    tokens_paced = round(effort.paced_seconds * PACE_TOKENS_PER_SECOND)
    for name, tokens, rate in (("paced", tokens_paced, PACE_TOKENS_PER_SECOND), ("unpaced", ANSWER_TOKENS, 0)):
        rounds = [_passes(stage, tokens, rate) for _ in range(effort.stream_rounds)]
        measures += [
            at_most(f"longest pass of the loop, {name}, p99", min(_share_99(passes) for passes in rounds), "ms", 25),
            at_most(f"longest pass of the loop, {name}", min(max(passes) for passes in rounds), "ms", 50),
        ]
    return measures


def _summary_slices(stage: Stage, effort: Effort) -> list[Measure]:
    """The loop while a nearly full session is compacted by hand, with the summary growing in its pane."""
    rounds = [_summary_passes(stage, number) for number in range(effort.stream_rounds)]
    name = "longest pass of the loop, a summary in its pane"
    return [
        at_most(f"{name}, p99", min(_share_99(passes) for passes in rounds), "ms", 25),
        at_most(name, min(max(passes) for passes in rounds), "ms", 50),
    ]


def _passes(stage: Stage, tokens: int, rate: int) -> list[float]:
    """The CPU milliseconds of each pass of the loop while an answer streams."""
    path = stage.home / "passes.json"
    with _timed(stage, path, stage.empty) as terminal:
        terminal.read_until(READY)
        terminal.rest()
        began_s = time.monotonic()
        terminal.type(f"[[t={tokens} r={rate} id=slice]]\r")
        terminal.read_until("Qslice9")
        return _passes_since(began_s, terminal, path)


def _summary_passes(stage: Stage, number: int) -> list[float]:
    """The same while a summary is written, in a copy of the session, for each can be compacted but once."""
    path = stage.home / "passes.json"
    project = stage.home / f"full-{number}"
    shutil.copytree(stage.full, project)
    (stage.home / CONFIG).mkdir(parents=True, exist_ok=True)
    paced = stage.home / CONFIG / SETTINGS_NAME
    paced.write_text(json.dumps({"offline": {"pace": PACE_TOKENS_PER_SECOND}}), encoding="ascii")
    try:
        with _timed(stage, path, project, "--trust", "-c") as terminal:
            terminal.read_until(LAST_WORD)
            terminal.rest()
            terminal.type(SUMMARY)
            terminal.read_until("/compact makes one now")
            terminal.type(TO_PROMPT)
            terminal.rest()
            began_s = time.monotonic()
            terminal.type("/compact\r")
            terminal.read_until("compacted")
            return _passes_since(began_s, terminal, path)
    finally:
        paced.unlink()


def _timed(stage: Stage, path: Path, project: Path, *words: str) -> Terminal:
    """The program on a loop that notes its passes in a file."""
    command = _probe("timed_app", str(path), "--model", "offline/rehearsal", "--cwd", str(project), *words)
    return Terminal(command, stage.environ, ROOT)


def _passes_since(began_s: float, terminal: Terminal, path: Path) -> list[float]:
    ended_s = time.monotonic()
    terminal.rest()
    terminal.type(LEAVE)
    terminal.wait()
    passes: list[tuple[float, float]] = json.loads(path.read_text(encoding="ascii"))
    return [1_000 * cpu_s for when_s, cpu_s in passes if began_s <= when_s <= ended_s]


def _share_99(values: Sequence[float]) -> float:
    """Of a hundred values, at most one is above this."""
    return sorted(values)[len(values) * 99 // 100]


def _keys(stage: Stage, effort: Effort) -> list[Measure]:
    with stage.empty_app("--field") as nothing, stage.diligent(stage.empty) as streaming:
        nothing.read_until(HINT)
        nothing.rest()
        _begin_paced(streaming)
        while_streaming = _echo_ratio(streaming, nothing, effort.key_blocks)
    with stage.going_on(stage.short) as short, stage.going_on(stage.long) as long:
        for terminal in (short, long):
            terminal.read_until(LAST_WORD)
            terminal.rest()
        when_long = _echo_ratio(long, short, effort.key_blocks)
    return [
        at_most("key echo while streaming ÷ empty app", while_streaming, "×", 3),
        at_most(f"key echo at {stage.messages:,} messages ÷ at 20", when_long, "×", 1.5),
    ]


def _keys_in_a_flood(stage: Stage, effort: Effort) -> list[Measure]:
    """Keys while a command says more than anybody can read, in the chat alone and with its output open beside it."""
    with stage.empty_app("--field") as nothing, stage.diligent(stage.empty, "--mode", "full") as flooded:
        nothing.read_until(HINT)
        nothing.rest()
        flooded.read_until(READY)
        flooded.rest()
        flooded.type(f"run {FLOOD}\r")
        flooded.read_until("at most")
        time.sleep(1)
        in_the_chat = _echo_ratio(flooded, nothing, effort.key_blocks)
        flooded.type(TOOLS)
        flooded.read_until("details")
        flooded.type("\r")
        flooded.read_until("J K scroll")
        flooded.type(TO_PROMPT)
        in_the_pane = _echo_ratio(flooded, nothing, effort.key_blocks)
    return [
        at_most("key echo in a flood of output ÷ empty app", in_the_chat, "×", 3),
        at_most("key echo with the flood open beside ÷ empty app", in_the_pane, "×", 3),
    ]


def _echo_ratio(measured: Terminal, baseline: Terminal, blocks: int) -> float:
    """The mean wait for a letter's echo, best block against best block, taken in turns."""
    probes = [lambda: _echo_seconds(measured), lambda: _echo_seconds(baseline)]
    measured_s, baseline_s = least(probes, blocks, settled_share=SETTLED_SHARE)
    return measured_s / baseline_s


def _echo_seconds(terminal: Terminal) -> float:
    waits: list[float] = []
    for key in KEYS:
        time.sleep(KEY_GAP_SECONDS)
        terminal.forget()
        began_s = time.monotonic()
        terminal.type(key)
        terminal.read_until(key)
        waits.append(time.monotonic() - began_s)
    terminal.type(CLEAR)
    time.sleep(10 * KEY_GAP_SECONDS)
    return statistics.fmean(waits)


def _large_things(stage: Stage) -> list[Measure]:
    """Keys in the whole of a huge output, and in the question on a huge change."""
    told = subprocess.run(_probe("large"), env=stage.environ, cwd=ROOT, capture_output=True, text=True, check=False)
    if told.returncode:
        raise CommandFailed(told.stderr)
    found: dict[str, float] = json.loads(told.stdout)
    return [
        at_most("key in an output of 200 MB ÷ of 1 MB", found["large output"] / found["small output"], "×", 1.5),
        at_most("key in a diff of 5,000 lines ÷ of 500", found["large diff"] / found["small diff"], "×", 2),
        at_most(
            "question on a diff of 5,000 lines ÷ of 500, shown",
            found["large diff shown"] / found["small diff shown"],
            "×",
            2,
        ),
    ]


def _memory(stage: Stage) -> list[Measure]:
    with stage.diligent(stage.empty) as terminal:
        terminal.read_until(READY)
        terminal.type(f"[[t={ANSWER_TOKENS} r=0 id=rest]]\r")
        terminal.read_until("Qrest9")
        terminal.rest()
        return [at_most("memory after an answer of 80 KB", terminal.rss_megabytes, "MB", 120)]


def _at_rest(stage: Stage, effort: Effort) -> list[Measure]:
    """What it costs to be looked at: with a session on screen, and with one that waits for its answer."""
    with stage.going_on(stage.middling) as terminal:
        terminal.read_until(LAST_WORD)
        terminal.rest()
        before_bytes = terminal.bytes_written
        idle = _share_of_core(terminal, effort.idle_seconds)
        bytes_per_second = (terminal.bytes_written - before_bytes) / effort.idle_seconds
    with stage.going_on(stage.short) as terminal:
        terminal.read_until(LAST_WORD)
        terminal.rest()
        terminal.type(f"{SLOW_ORDER}\r")
        terminal.read_until("waiting for")
        time.sleep(1)
        waiting = _share_of_core(terminal, effort.idle_seconds)
    size = f"{MIDDLING_MESSAGES:,} messages"
    return [
        at_most(f"CPU at rest with {size}", idle, "% of a core", 0.5),
        at_most(f"written at rest with {size}", bytes_per_second, "B/s", 200),
        at_most("CPU while an answer is waited for", waiting, "% of a core", 2),
    ]


def _share_of_core(terminal: Terminal, seconds: float) -> float:
    """Per cent of a core that the program uses for so long from now."""
    before_s, began_s = terminal.cpu_seconds, time.monotonic()
    time.sleep(seconds)
    return 100 * (terminal.cpu_seconds - before_s) / (time.monotonic() - began_s)


def _begin_paced(terminal: Terminal) -> None:
    """Start an answer that streams for longer than anybody measures."""
    terminal.read_until(READY)
    terminal.rest()
    terminal.type(f"[[t={ANSWER_TOKENS} r={PACE_TOKENS_PER_SECOND} id=paced]]\r")
    terminal.read_until("answering")
    time.sleep(1)


def _probe(module: str, *words: str) -> list[str]:
    return [sys.executable, "-m", f"bench.tui_probe.{module}", *words]
