"""The rules that import contracts cannot hold; each takes one source and names where it is broken."""

import ast
import io
import re
import tokenize
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import PurePosixPath
from types import MappingProxyType

from tests.house.sinks import outside_text_is_not_markup
from tests.house.source import PACKAGE, Source, Violation, dotted, imports, parse

SDKS = frozenset({"anthropic", "openai"})
SCREEN = frozenset({"textual", "rich"})
# Where an import may wait inside a function, all for start-up time; never to break a cycle (move a type to domain).
LATE_IN_ROOM: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "cli": SCREEN | {"diligent_tui", "asyncio", "pydantic", "pydantic_settings"},
        "providers": SDKS | {"diligent_tui"},
        "ui": frozenset({"diligent_tui"}),
    }
)
LATE_ANYWHERE = frozenset({"platformdirs"})
LATE_IN_TESTS = SDKS | SCREEN

DOORS = frozenset({PACKAGE + "cli/main.py", PACKAGE + "ui/bridge.py"})
BROAD = frozenset({"Exception", "BaseException", "builtins.Exception", "builtins.BaseException"})

MUTABLE_NODES = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
MUTABLE_CALLS = frozenset({"list", "dict", "set", "bytearray", "deque", "defaultdict", "OrderedDict", "Counter"})
# Names that pytest itself looks for at the top of a module.
PYTEST_NAMES = frozenset({"pytestmark", "pytest_plugins"})

SUPPRESSION = re.compile(r"#.*?(\bnoqa\b|\btype:\s*ignore|\bpyright:|\bruff:|\bfmt:\s*(?:off|skip))", re.IGNORECASE)
SKIP_NAMES = frozenset(
    {"skip", "skipif", "skipIf", "skipUnless", "skipTest", "xfail", "importorskip", "expectedFailure"}
)
SKIP_OWNERS = frozenset({"pytest", "mark", "unittest", "self"})

LINES_MAX = 400
# Longer on purpose, each with its reason. A test takes a name off this list when its file has shrunk.
LONG_MODULES: Mapping[str, str] = MappingProxyType(
    {
        PACKAGE + "domain/events.py": "every event and their documented order belong in one view, with one union",
    }
)

# A path of somebody's machine, or the address of a package index.
TRACE = re.compile(r"(?<![\w.~*-])/(?:home|root|work|Users)/[\w<{$.]|\b(?:pypi|pythonhosted)\.org\b")


def sdks_wait_in_providers(source: Source) -> Iterator[Violation]:
    """An SDK costs seconds to import: only a provider's function may, and only when it is chosen."""
    if not source.is_product:
        return
    for found in imports(source):
        if found.package not in SDKS:
            continue
        if source.room != "providers":
            yield source.broken(found.line, "sdk-room", f"only providers may know {found.package}")
        elif found.place == "top":
            yield source.broken(found.line, "sdk-late", f"import {found.package} in a function or under TYPE_CHECKING")


def screen_waits_in_cli(source: Source) -> Iterator[Violation]:
    """`-p`, `--list` and `--version` must not pay for a screen they never show."""
    if source.room != "cli":
        return
    for found in imports(source):
        if found.package in SCREEN and found.place == "top":
            yield source.broken(
                found.line, "screen-late", f"import {found.package} in the function that opens the screen"
            )


def imports_stand_at_the_top(source: Source) -> Iterator[Violation]:
    """A dependency is read at the top of a file; only a slow one may wait, and a package's door may open late."""
    if source.path.endswith("/__init__.py"):
        return
    late = LATE_ANYWHERE | (LATE_IN_ROOM.get(source.room, frozenset()) if source.is_product else LATE_IN_TESTS)
    for found in imports(source):
        if found.place == "function" and found.package not in late | SDKS:
            yield source.broken(found.line, "late-import", f"import {found.module} at the top of the file")


def nothing_is_suppressed(source: Source) -> Iterator[Violation]:
    """A finding is mended, not silenced."""
    for token in tokenize.generate_tokens(io.StringIO(source.text).readline):
        if token.type == tokenize.COMMENT and (found := SUPPRESSION.search(token.string)):
            yield source.broken(token.start[0], "suppression", f"mend what `{found[1]}` hides")


def no_test_is_left_out(source: Source) -> Iterator[Violation]:
    """A test that cannot run or may fail tells nothing."""
    for node in ast.walk(source.tree):
        match node:
            case ast.Attribute(attr=attr, value=value) if attr in SKIP_NAMES:
                if dotted(value).rpartition(".")[2] in SKIP_OWNERS:
                    yield source.broken(node.lineno, "skipped-test", f"make the test run, or take it out ({attr})")
            case ast.ImportFrom(module="pytest" | "unittest", names=names):
                for alias in names:
                    if alias.name in SKIP_NAMES:
                        yield source.broken(
                            node.lineno, "skipped-test", f"make the test run, or take it out ({alias.name})"
                        )
            case _:
                pass


def failures_are_named(source: Source) -> Iterator[Violation]:
    """Catching everything hides a fault; it is right at the two doors only, where it is logged."""
    if source.path in DOORS:
        return
    for node in ast.walk(source.tree):
        match node:
            case ast.ExceptHandler(type=caught):
                if caught is None or any(dotted(each) in BROAD for each in _each(caught)):
                    yield source.broken(node.lineno, "broad-except", "name the errors that can happen here")
            case ast.Call(func=func, args=args) if dotted(func) in {"suppress", "contextlib.suppress"}:
                if any(dotted(each) in BROAD for each in args):
                    yield source.broken(node.lineno, "broad-except", "name the errors to suppress")
            case _:
                pass


def _each(caught: ast.expr) -> list[ast.expr]:
    return caught.elts if isinstance(caught, ast.Tuple) else [caught]


def no_module_state(source: Source) -> Iterator[Violation]:
    """State has an owner that hands it in; a module is not one."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Global):
            yield source.broken(
                node.lineno, "module-state", f"give {', '.join(node.names)} an owner instead of `global`"
            )
    for statement in _module_statements(source.tree.body):
        match statement:
            case ast.Assign(targets=targets, value=value) if _is_mutable(value):
                names = [name for target in targets for name in _names(target)]
            case ast.AnnAssign(target=target, value=ast.expr() as value) if _is_mutable(value):
                names = _names(target)
            case _:
                continue
        for name in names:
            if name != name.upper() and not name.startswith("__") and name not in PYTEST_NAMES:
                yield source.broken(
                    statement.lineno, "module-state", f"{name} can change: make it a constant or hand it in"
                )


def _module_statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """What runs when the module is loaded, blocks opened, classes and functions not."""
    for statement in body:
        yield statement
        match statement:
            case ast.If() | ast.For() | ast.While():
                yield from _module_statements(statement.body + statement.orelse)
            case ast.With():
                yield from _module_statements(statement.body)
            case ast.Try() | ast.TryStar():
                handlers = [inner for handler in statement.handlers for inner in handler.body]
                yield from _module_statements(statement.body + handlers + statement.orelse + statement.finalbody)
            case _:
                pass


def _is_mutable(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        return dotted(value).rpartition(".")[2] in MUTABLE_CALLS
    return isinstance(value, MUTABLE_NODES)


def _names(target: ast.expr) -> list[str]:
    return [node.id for node in ast.walk(target) if isinstance(node, ast.Name)]


def modules_stay_small(source: Source) -> Iterator[Violation]:
    """A module past the limit is asking to be two."""
    lines = len(source.text.splitlines())
    if source.is_product and lines > LINES_MAX and source.path not in LONG_MODULES:
        yield source.broken(LINES_MAX + 1, "long-module", f"{lines} lines: make it two, at most {LINES_MAX} each")


def no_trace_of_a_machine(path: str, text: str) -> Iterator[Violation]:
    """Nothing in the tree, code or not, tells where it was made or fetched from."""
    for number, line in enumerate(text.splitlines(), start=1):
        if found := TRACE.search(line):
            yield Violation(path, number, "machine-trace", f"take out `{found[0]}`")


def packages_are_declared(paths: Collection[str]) -> Iterator[Violation]:
    """A folder of code without `__init__.py` is not seen by the import contracts, so anything could hide there."""
    for folder in sorted({str(PurePosixPath(path).parent) for path in paths if path.endswith(".py")}):
        if f"{folder}/".startswith(PACKAGE) and f"{folder}/__init__.py" not in paths:
            yield Violation(
                f"{folder}/__init__.py", 1, "hidden-package", "add it, so that the contracts see the folder"
            )


RULES: tuple[Callable[[Source], Iterator[Violation]], ...] = (
    sdks_wait_in_providers,
    screen_waits_in_cli,
    imports_stand_at_the_top,
    nothing_is_suppressed,
    no_test_is_left_out,
    failures_are_named,
    no_module_state,
    outside_text_is_not_markup,
    modules_stay_small,
)


def judge(path: str, text: str) -> list[Violation]:
    """Every violation in one file, whatever kind of text it is."""
    found = list(no_trace_of_a_machine(path, text))
    if path.endswith(".py"):
        source = parse(path, text)
        found += [violation for rule in RULES for violation in rule(source)]
    return sorted(found)
