"""The rule that outside text never reaches Textual as markup, where a `[/` in a file name ends the app.

There are no types in a syntax tree, so a value is safe when that can be seen: a literal, something made by a class
such as `Content`, what a `render…` function gives, or a name that the same file annotates as one of these.
"""

import ast
from collections.abc import Iterator

from tests.house.source import Source, Violation, dotted

# Widgets and options whose first argument, or one of these keywords, is read as markup.
WIDGETS = frozenset(
    {
        "Static",
        "Label",
        "Button",
        "Checkbox",
        "RadioButton",
        "Option",
        "Tab",
        "TabPane",
        "Collapsible",
        "Link",
        "Tooltip",
    }
)
METHODS = frozenset({"update", "notify", "add_option", "add_leaf", "from_markup"})
KEYWORDS = frozenset(
    {"content", "renderable", "label", "title", "message", "prompt", "text", "placeholder", "tooltip"}
    | {"border_title", "border_subtitle"}
)
ATTRIBUTES = frozenset({"border_title", "border_subtitle", "tooltip", "placeholder"})
SAFE_TYPES = frozenset({"Content", "Text", "RenderableType", "VisualType", "Visual", "Group", "Table", "Segments"})
ADVICE = "outside text may hold markup: hand over Content(text), or say markup=False"


def outside_text_is_not_markup(source: Source) -> Iterator[Violation]:
    """A string that is not a literal needs `markup=False` or `Content` before a widget shows it."""
    if source.room != "ui":
        return
    names, functions = _annotated(source.tree)
    for node in ast.walk(source.tree):
        match node:
            case ast.Call() if _is_sink(node) and not _is_plain(node):
                shown = node.args[:1] + [word.value for word in node.keywords if word.arg in KEYWORDS]
            case ast.Assign(targets=targets, value=value) if any(_is_shown_attribute(each) for each in targets):
                shown = [value]
            case ast.AnnAssign(target=target, value=ast.expr() as value) if _is_shown_attribute(target):
                shown = [value]
            case _:
                continue
        if not all(_is_safe(value, names, functions) for value in shown):
            yield source.broken(node.lineno, "markup", ADVICE)


def _is_sink(call: ast.Call) -> bool:
    match call.func:
        case ast.Name(id=name):
            return name in WIDGETS or name == "notify"
        case ast.Attribute(attr=attr):
            return attr in METHODS or attr in WIDGETS
        case _:
            return False


def _is_plain(call: ast.Call) -> bool:
    return any(
        word.arg == "markup" and isinstance(word.value, ast.Constant) and word.value.value is False
        for word in call.keywords
    )


def _is_shown_attribute(target: ast.expr) -> bool:
    return isinstance(target, ast.Attribute) and target.attr in ATTRIBUTES


def _is_safe(value: ast.expr, names: frozenset[str], functions: frozenset[str]) -> bool:
    match value:
        case ast.Constant() | ast.Dict() | ast.Set() | ast.List() | ast.Tuple():
            return True
        case ast.DictComp() | ast.SetComp() | ast.ListComp() | ast.GeneratorExp():
            return True
        case ast.JoinedStr(values=parts):
            return all(isinstance(part, ast.Constant) for part in parts)
        case ast.IfExp(body=body, orelse=orelse):
            return _is_safe(body, names, functions) and _is_safe(orelse, names, functions)
        case ast.Name(id=name):
            return name in names
        case ast.Call(func=func):
            first, _, last = dotted(func).rpartition(".")
            made_by_a_class = (first.rpartition(".")[2] or last)[:1].isupper() and last != "from_markup"
            return made_by_a_class or last.startswith("render") or last in functions
        case _:
            return False


def _annotated(tree: ast.Module) -> tuple[frozenset[str], frozenset[str]]:
    """Names that are only ever annotated as renderable in this file, and functions that return a renderable."""
    safe: set[str] = set()
    other: set[str] = set()
    functions: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.arg(arg=name, annotation=annotation):
                (safe if _is_safe_type(annotation) else other).add(name)
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                (safe if _is_safe_type(annotation) else other).add(name)
            case ast.FunctionDef(name=name, returns=returns) | ast.AsyncFunctionDef(name=name, returns=returns):
                if _is_safe_type(returns):
                    functions.add(name)
            case _:
                pass
    return frozenset(safe - other), frozenset(functions)


def _is_safe_type(annotation: ast.expr | None) -> bool:
    match annotation:
        case None:
            return False
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return all(_is_safe_type(side) or dotted(side) == "" for side in (left, right))
        case _:
            return dotted(annotation).rpartition(".")[2] in SAFE_TYPES
