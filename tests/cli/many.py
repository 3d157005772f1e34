"""Runs many commands in one process of its own, for each start costs more than most commands do.

Run as a program it reads the commands from standard input and prints what each did.
"""

import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from pydantic import TypeAdapter

from diligent_tui.cli.main import main
from diligent_tui.config.paths import find_places
from diligent_tui.config.survey import take_survey
from diligent_tui.config.trust import TrustList

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Wish:
    """A command, what is piped into it, and variables for it."""

    words: Sequence[str]
    piped: str = ""
    variables: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Done:
    """What a command did."""

    code: int
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class Order:
    """All commands; each begins with a copy of `pattern` in place of `place`, if there is one."""

    wishes: Sequence[Wish]
    place: str = ""
    pattern: str = ""


ORDER, ANSWER = TypeAdapter(Order), TypeAdapter(list[Done])


def run_many(
    project: Path, environment: Mapping[str, str], wishes: Sequence[Wish | Sequence[str]], pattern: Path | None = None
) -> list[Done]:
    """Run the commands in a project one after the other; with a pattern each finds the folder above it as that is."""
    named = [wish if isinstance(wish, Wish) else Wish(list(wish)) for wish in wishes]
    order = Order(named, str(project.parent) if pattern else "", str(pattern or ""))
    done = subprocess.run(
        [sys.executable, "-W", "error", str(Path(__file__))],
        cwd=project,
        env={**environment, "PYTHONPATH": str(ROOT)},
        input=ORDER.dump_json(order),
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr.decode()
    return ANSWER.validate_json(done.stdout)


def run_one(wish: Wish) -> Done:
    """Run a command in this process, with streams of its own."""
    with tempfile.TemporaryFile() as piped:
        piped.write(wish.piped.encode())
        piped.seek(0)
        os.dup2(piped.fileno(), 0)
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    fed = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), encoding="utf-8")
    sys.stdin, sys.stdout, sys.stderr = fed, out, err
    os.environ.update(wish.variables)
    try:
        code = main(list(wish.words))
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else 1
    finally:
        for name in wish.variables:
            os.environ.pop(name, None)
    out.flush()
    err.flush()
    return Done(code, _text(out), _text(err))


def _text(stream: io.TextIOWrapper) -> str:
    raw = stream.buffer
    return raw.getvalue().decode() if isinstance(raw, io.BytesIO) else ""


def trust_all(project: Path, environ: Mapping[str, str]) -> None:
    """Say yes to all that is in a project, whose folders are new."""
    places = find_places(project, environ)
    TrustList.load(places.user_state).trust(take_survey(places))


def carry_out(order: Order) -> list[Done]:
    """Run all of it."""
    answers: list[Done] = []
    here = Path.cwd()
    for wish in order.wishes:
        if order.pattern:
            os.chdir("/")
            shutil.rmtree(order.place)
            shutil.copytree(order.pattern, order.place, symlinks=True)
            os.chdir(here)
            trust_all(here, os.environ)
        answers.append(run_one(wish))
    return answers


if __name__ == "__main__":
    real_output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    answers = carry_out(ORDER.validate_json(sys.stdin.buffer.read()))
    real_output.write(json.dumps([asdict(each) for each in answers]))
    real_output.close()
