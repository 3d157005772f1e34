"""Sessions made up from a seed: an agent at work on a made-up project, long enough to be compacted several times.

They are for trying the benchmark where there is no data, and for tests. What they say of a policy is a hint at best:
their agent has habits that somebody wrote down.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from bench.survival.transcripts import Transcript, made_regular
from diligent_tui.domain.json_objects import JsonObject

NOUNS = ("order", "ledger", "session", "invoice", "parser", "cache", "report", "tenant", "widget", "router", "schema")
VERBS = ("load", "merge", "render", "validate", "flush", "resolve", "encode", "split", "rank", "migrate", "compare")
FOLDERS = ("core", "web/live", "services", "storage", "cli/commands")
RULES = (
    "Never touch the migrations of {noun}s without asking me first.",
    "All amounts must stay in cents, do not use floats for {noun}s.",
    "Please keep the public names of the {noun} module as they are.",
    "Only use the standard library here, no new packages for the {noun} part.",
    "Make sure every {noun} test runs without network.",
)
WISHES = (
    "The {noun} page shows stale data after {verb}. Find out why and fix it.",
    "Add a {verb} step to the {noun} service, with tests.",
    "Clean up how we {verb} a {noun}; it is in three places now.",
)
FAULTS = (
    "TypeError: {verb}_{noun}() missing 1 required positional argument: '{other}_id'",
    "AssertionError: expected {count} {noun}s, got {less}",
    "KeyError: '{noun}_{other}'",
    "error: could not {verb} {noun}: the {other} is locked",
)
LONGEST_RESULT_LINES = 160


@dataclass(slots=True)
class _Project:
    """Files with the names that stand in them; grows as the agent writes."""

    chance: random.Random
    files: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def new_file(self) -> str:
        noun, folder = self.chance.choice(NOUNS), self.chance.choice(FOLDERS)
        path = f"src/{folder}/{noun}_{self.chance.choice(VERBS)}_{self.chance.randrange(100)}.py"
        self.files[path] = [self.new_name() for _ in range(self.chance.randrange(4, 14))]
        return path

    def new_name(self) -> str:
        verb, noun, number = self.chance.choice(VERBS), self.chance.choice(NOUNS), self.chance.randrange(40)
        return self.chance.choice((f"{verb}_{noun}_{number}", f"{noun.title()}{verb.title()}{number}"))

    def any_file(self) -> str:
        # What was opened lately is opened again; now and then something from the beginning is.
        known = list(self.files)
        return self.chance.choice(known[-6:] if self.chance.random() < 0.7 else known)

    def text_of(self, path: str) -> str:
        lines: list[str] = []
        for name in self.files[path]:
            lines += [f"def {name}(value, *, limit={self.chance.randrange(9)}):", f'    """{self.sentence()}"""']
            body = self.chance.randrange(3, 12)
            lines += [f"    {self.chance.choice(NOUNS)} = value.{self.chance.choice(VERBS)}()" for _ in range(body)]
        return "\n".join(lines[:LONGEST_RESULT_LINES])

    def sentence(self) -> str:
        words = [self.chance.choice((*NOUNS, *VERBS, "the", "of", "with", "when", "each")) for _ in range(9)]
        return f"{' '.join(words).capitalize()}."

    def filled(self, pattern: str) -> str:
        count = self.chance.randrange(3, 90)
        return pattern.format(
            noun=self.chance.choice(NOUNS),
            verb=self.chance.choice(VERBS),
            other=self.chance.choice(NOUNS),
            count=count,
            less=count - 2,
        )


def synthetic_session(seed: int, exchanges: int) -> Transcript:
    """One session of so many requests."""
    chance = random.Random(seed)
    project = _Project(chance)
    for _ in range(12):
        project.new_file()
    return made_regular(f"synthetic-{seed}", f"made-up-{seed % 2}", "synthetic", _events(project, exchanges))


def synthetic_sessions(*, quick: bool = False) -> tuple[Transcript, ...]:
    """The set that ships with the benchmark."""
    lengths = (90, 120) if quick else (140, 220, 320)
    return tuple(synthetic_session(seed, length) for seed, length in enumerate(lengths, start=1))


def _events(project: _Project, exchanges: int) -> Iterator[JsonObject]:
    chance = project.chance
    for number in range(exchanges):
        if number % 24 == 0:
            rule = project.filled(chance.choice(RULES))
            wish = project.filled(chance.choice(WISHES))
            yield {"role": "user", "text": f"{wish}\n\n{rule}"}
        name, arguments, output, is_error = _step(project)
        thought = f"I look at `{chance.choice(project.files[project.any_file()])}` next. {project.sentence()}"
        call = {"id": f"call_{number}", "name": name, "args": arguments}
        yield {"role": "assistant", "text": thought, "calls": [call]}
        yield {"role": "tool", "call_id": f"call_{number}", "output": output, "is_error": is_error}
    yield {"role": "assistant", "text": "Done."}


def _step(project: _Project) -> tuple[str, JsonObject, str, bool]:
    chance = project.chance
    path = project.any_file()
    name = chance.choice(project.files[path])
    match chance.choices(("read", "edit", "write", "test", "search"), (6, 5, 1, 3, 2))[0]:
        case "read":
            return "read", {"path": path}, project.text_of(path), False
        case "edit":
            new = project.new_name()
            project.files[path].append(new)
            old_text, new_text = f"def {name}(value)", f"def {name}(value):\n    return {new}(value)"
            return "edit", {"path": path, "old": old_text, "new": new_text}, f"Changed {path}.", False
        case "write":
            path = project.new_file()
            return "write", {"path": path, "content": project.text_of(path)}, f"Wrote {path}.", False
        case "test":
            is_error = chance.random() < 0.6
            fault = project.filled(chance.choice(FAULTS))
            output = f"collected {chance.randrange(20, 90)} items\n{fault}\n1 failed" if is_error else "All passed."
            return "bash", {"command": f"python -m pytest {path}"}, output, is_error
        case _:
            lines = [
                f"{place}:{chance.randrange(1, 200)}: {chance.choice(project.files[place])}" for place in project.files
            ]
            return "bash", {"command": f"grep -rn {name} src"}, "\n".join(lines), False
