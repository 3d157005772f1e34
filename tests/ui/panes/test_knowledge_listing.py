"""What is listed under each filter, where the budget's line stands, and how a row reads at a width."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from rich.style import Style

from diligent_tui.domain.knowledge import KnowledgeChange, KnowledgeEntry
from diligent_tui.domain.times import to_stamp
from diligent_tui.knowledge.overview import overview_of
from diligent_tui.knowledge.state import fold
from diligent_tui.knowledge.views import Damage, KnownEntry
from diligent_tui.ui.panes.knowledge import words as say
from diligent_tui.ui.panes.knowledge.drawing import Painting, draw_columns, draw_row
from diligent_tui.ui.panes.knowledge.listing import Book, BudgetRow, EntryRow, Sieve, View
from diligent_tui.ui.panes.knowledge.look import KnowledgeLook
from tests.ui.panes.knowledge_stage import FEW, NOW, POLICY, fact, many

PLAIN = KnowledgeLook(*[Style()] * 13)
WIDE_TEXT = "数据库在每次部署之前都要迁移，否则测试会失败 [/bold] \x1b[31mred"


def book_of(*entries: KnowledgeEntry, retracts: Sequence[str] = (), budget_tokens: int = 8_192) -> Book:
    lines = [KnowledgeChange(op="retract", id=f"r{id_}", target_id=id_, timestamp=to_stamp(NOW)) for id_ in retracts]
    project = fold([*(entry for entry in entries if entry.scope == "project"), *lines])
    user = fold(entry for entry in entries if entry.scope == "user")
    policy = replace(POLICY, budget_tokens=budget_tokens)
    return Book.of(overview_of([project, user], policy, 200_000), ())


FEW_BOOK = book_of(*FEW, retracts=("k-gone",))


def ids(book: Book, sieve: Sieve) -> list[str]:
    return [row.known.entry.id if isinstance(row, EntryRow) else "—" for row in book.rows(sieve)]


@pytest.mark.parametrize(
    ("sieve", "expected"),
    [
        (Sieve(), ["k-short", "k-test", "k-jsonc", "k-store", "k-cores", "—"]),
        (Sieve(view="past"), ["k-pytest", "k-gone"]),
        (Sieve(view="below"), []),
        (Sieve(view="left branch"), []),
        (Sieve(type="decision"), ["k-jsonc", "—"]),
        (Sieve(scope="user"), ["k-short", "—"]),
        (Sieve(tag="tests"), ["k-cores", "—"]),
        (Sieve(words="APPEND line"), ["k-store", "—"]),
        (Sieve(words="#ci"), ["k-cores", "—"]),
        (Sieve(words="k-jsonc"), ["k-jsonc", "—"]),
        (Sieve(words="nothing of the kind"), []),
        (Sieve(type="discovery", view="past"), ["k-gone"]),
    ],
)
def test_a_sieve_lets_through_what_it_says(sieve: Sieve, expected: list[str]) -> None:
    assert ids(FEW_BOOK, sieve) == expected


def test_the_line_stands_between_what_is_told_and_what_found_no_room() -> None:
    book = book_of(*many(60), budget_tokens=800)
    rows = book.rows(Sieve())
    (line,) = [place for place, row in enumerate(rows) if isinstance(row, BudgetRow)]
    assert all(isinstance(row, EntryRow) and row.known.is_told for row in rows[:line])
    assert all(isinstance(row, EntryRow) and not row.known.is_told for row in rows[line + 1 :])
    assert (book.told_count, book.live_count) == (line, 60)
    assert 0 < line < 60
    assert [type(row) for row in book.rows(Sieve(view="in"))].count(EntryRow) == line
    assert [type(row) for row in book.rows(Sieve(view="below"))].count(EntryRow) == 60 - line


def test_one_key_goes_through_the_views_types_scopes_and_tags_and_around() -> None:
    sieve, views = Sieve(), list[View]()
    for _ in range(5):
        sieve = sieve.next_view()
        views.append(sieve.view)
    assert views == ["in", "below", "left branch", "past", "now"]
    for _ in range(6):
        sieve = sieve.next_type()
    assert sieve == Sieve()
    assert [Sieve().next_scope().scope, Sieve().next_scope().next_scope().next_scope().scope] == ["project", None]
    assert FEW_BOOK.tags == ("ci", "format", "settings", "storage", "tests")
    assert Sieve(tag="tests").next_tag(FEW_BOOK.tags).tag == ""
    assert Sieve(tag="gone").next_tag(FEW_BOOK.tags).tag == ""


@pytest.mark.parametrize("width", [20, 30, 36, 44, 48, 60, 90])
def test_every_row_is_exactly_as_wide_as_asked(width: int) -> None:
    book = book_of(*FEW, fact("k-wide", WIDE_TEXT))
    paint = Painting(width, PLAIN, NOW, None, frozenset({"k-test"}), ("test",))
    for row in [*book.rows(Sieve()), *book.rows(Sieve(view="past"))]:
        strip = draw_row(row, paint)
        assert strip.cell_length == width
        assert "\x1b" not in strip.text
    assert draw_columns(width, PLAIN).cell_length == width


@pytest.mark.parametrize(
    ("entry_id", "width", "expected"),
    [
        ("k-short", 48, " ◆~ pre answer in short sentenc…   4d  .80  1.01"),
        ("k-test", 48, " +  cor tests run with make test  14m  .80  1.20"),
        ("k-test", 40, "▎+  cor tests run with make…"),
        ("k-cores", 30, "    dis CI has two cores   .10"),
    ],
)
def test_a_row_tells_marks_type_content_and_figures(entry_id: str, width: int, expected: str) -> None:
    row = next(row for row in FEW_BOOK.rows(Sieve()) if isinstance(row, EntryRow) and row.known.entry.id == entry_id)
    paint = Painting(width, PLAIN, NOW, row.key if width == 40 else None, frozenset({"k-test"}))
    assert draw_row(row, paint).text.startswith(expected)


@pytest.mark.parametrize(("tokens", "heavy"), [(0, 0), (4_096, 13), (8_192, 24)])
def test_the_budgets_line_is_its_own_bar(tokens: int, heavy: int) -> None:
    text = draw_row(BudgetRow(tokens, 8_192), Painting(48, PLAIN, NOW, None)).text
    assert text.startswith(" ─ budget 8,192 ")
    assert abs(text.count("━") - heavy) <= 1


@pytest.mark.parametrize(
    ("seconds", "expected"), [(0, "now"), (-9, "now"), (300, "5m"), (7_200, "2h"), (86_400 * 12, "12d"), (1e9, "old")]
)
def test_ages_are_short(seconds: float, expected: str) -> None:
    assert say.short_age(NOW - timedelta(seconds=seconds), NOW) == expected


@pytest.mark.parametrize(
    ("damage", "expected"),
    [
        (Damage(), ""),
        (Damage(project=1), "⚠ 1 damaged line kept in the project's file"),
        (Damage(2, 0, 1), "⚠ 3 damaged lines kept: 2 in the project's file, 1 in the inbox"),
    ],
)
def test_damage_is_told_with_its_place(damage: Damage, expected: str) -> None:
    assert say.damage_said(damage) == expected


def test_where_an_entry_stands_is_said_in_words() -> None:
    known = {each.entry.id: each for each in FEW_BOOK.overview.entries}
    assert say.standing(known["k-test"]) == "told to the model"
    assert say.standing(known["k-pytest"]) == "superseded by k-test; no longer told"
    assert say.standing(known["k-gone"]) == "retracted; no longer told"
    assert "search" in say.standing(KnownEntry(FEW[0], "live"))


@pytest.mark.parametrize(
    ("similarity", "said"), [(1.0, "much the same"), (0.94, "much the same"), (0.82, "82 % alike")]
)
def test_what_is_nearly_the_same_is_said_without_a_figure(similarity: float, said: str) -> None:
    assert say.alikeness(similarity) == said
