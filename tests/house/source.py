"""One Python file as the rules see it: where it stands, its text, its syntax tree and its imports."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

Place = Literal["top", "function", "typing"]
PACKAGE = "src/diligent_tui/"


@dataclass(frozen=True, slots=True, order=True)
class Violation:
    """A rule is broken: where, and what to do about it."""

    path: str
    line: int
    rule: str
    advice: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.rule}: {self.advice}"


@dataclass(frozen=True, slots=True)
class Source:
    """A Python file by its path from the root of the project, always with forward slashes."""

    path: str
    text: str
    tree: ast.Module

    @property
    def is_product(self) -> bool:
        """Whether it ships."""
        return self.path.startswith(PACKAGE)

    @property
    def room(self) -> str:
        """The room it stands in, or nothing for what is outside of the package or on its doorstep."""
        parts = PurePosixPath(self.path.removeprefix(PACKAGE)).parts
        return parts[0] if self.is_product and len(parts) > 1 else ""

    def broken(self, line: int, rule: str, advice: str) -> Violation:
        """A violation in this file."""
        return Violation(self.path, line, rule, advice)


@dataclass(frozen=True, slots=True)
class Import:
    """One module named by an import statement, or by a call that imports a literal name."""

    module: str
    line: int
    place: Place

    @property
    def package(self) -> str:
        """The outermost package."""
        return self.module.partition(".")[0]


def parse(path: str, text: str) -> Source:
    """Read a file's text; a file that does not parse is an error of its own, not a violation."""
    return Source(path, text, ast.parse(text, filename=path))


def dotted(node: ast.expr) -> str:
    """`a.b.c` as written, or what of it is names; a call in the chain counts by its callee."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attr):
            return f"{dotted(value)}.{attr}"
        case ast.Call(func=func):
            return dotted(func)
        case _:
            return ""


def imports(source: Source) -> Iterator[Import]:
    """Every import of a file with the place it is made at."""
    yield from _imports(source.tree, "top")


def _imports(node: ast.AST, place: Place) -> Iterator[Import]:
    match node:
        case ast.Import(names=names):
            yield from (Import(alias.name, node.lineno, place) for alias in names)
        case ast.ImportFrom(module=module):
            yield Import(module or "", node.lineno, place)
        case ast.Call(func=func, args=[ast.Constant(value=str(name)), *_]) if _is_importer(func):
            yield Import(name, node.lineno, place)
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
            place = "function" if place == "top" else place
        case ast.If(test=test, body=body, orelse=orelse) if dotted(test) in {"TYPE_CHECKING", "typing.TYPE_CHECKING"}:
            for child in body:
                yield from _imports(child, "typing")
            for child in orelse:
                yield from _imports(child, place)
            return
        case _:
            pass
    for child in ast.iter_child_nodes(node):
        yield from _imports(child, place)


def _is_importer(func: ast.expr) -> bool:
    return dotted(func) in {"__import__", "import_module", "importlib.import_module"}
