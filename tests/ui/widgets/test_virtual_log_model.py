"""The log's model against a naive one that measures everything and sums by walking."""

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from diligent_tui.ui.widgets.virtual_log.blocks import BlockList
from diligent_tui.ui.widgets.virtual_log.extent import TextExtent
from diligent_tui.ui.widgets.virtual_log.heights import Heights
from diligent_tui.ui.widgets.virtual_log.model import LogModel
from diligent_tui.ui.widgets.virtual_log.render_cache import RenderCache
from diligent_tui.ui.widgets.virtual_log.search import LogSearch, Standing
from diligent_tui.ui.widgets.virtual_log.selection import Position, Stretch, TextSelection, step_columns, step_lines


@dataclass(frozen=True, slots=True)
class Piece:
    """A block of so many cells, or of the given text."""

    id: str
    version: int = 0
    cells: int = 0
    guess: int = 1
    text: str = ""


def true_rows(piece: Piece, width: int, folded: bool) -> int:
    return min(1, piece.cells) if folded else -(-piece.cells // width)


def guessed_rows(piece: Piece, width: int, folded: bool) -> int:
    return piece.guess


def never_folded(piece: Piece) -> bool:
    return False


def new_model(width: int = 10, height: int = 5) -> LogModel[Piece]:
    model = LogModel[Piece](guessed_rows, true_rows, never_folded)
    model.resize(width, height)
    return model


def pieces(*cells: int, guess: int = 1) -> list[Piece]:
    return [Piece(f"b{i}", 0, count, guess) for i, count in enumerate(cells)]


def first_row(model: LogModel[Piece]) -> tuple[str, int]:
    """The block and line at the top of the screen."""
    index, line = next(model.rows())
    return model.blocks[index].id, line


class Naive:
    """The oracle: true heights in a list, sums by walking, an anchor by id."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.folded: set[str] = set()
        self.width = 10
        self.height = 5
        self.held: tuple[str, int] | None = None

    def rows(self, piece: Piece) -> int:
        return true_rows(piece, self.width, piece.id in self.folded)

    @property
    def total(self) -> int:
        return sum(self.rows(piece) for piece in self.pieces)

    def start(self, block_id: str) -> int:
        rows = 0
        for piece in self.pieces:
            if piece.id == block_id:
                break
            rows += self.rows(piece)
        return rows

    def find(self, block_id: str) -> Piece:
        return next(piece for piece in self.pieces if piece.id == block_id)

    @property
    def top(self) -> int:
        end = max(0, self.total - self.height)
        if self.held is None:
            return end
        block_id, line = self.held
        line = max(0, min(line, self.rows(self.find(block_id)) - 1))
        return min(self.start(block_id) + line, end)

    def stand_at(self, row: int) -> None:
        row = max(0, row)
        self.held = None
        if row >= self.total - self.height:
            return
        for piece in self.pieces:
            if row < self.rows(piece):
                self.held = (piece.id, row)
                return
            row -= self.rows(piece)

    def show(self, piece: Piece) -> None:
        """As little as needed, and the head of what is too tall."""
        start, rows = self.start(piece.id), self.rows(piece)
        if start < self.top or rows >= self.height:
            if start != self.top:
                self.stand_at(start)
        elif start + rows > self.top + self.height:
            self.stand_at(start + rows - self.height)


sizes = st.integers(min_value=0, max_value=90)
guesses = st.integers(min_value=0, max_value=12)


class LogAgainstNaive(RuleBasedStateMachine):
    """Whatever happens, the screen stands where a log that measures everything would stand."""

    def __init__(self) -> None:
        super().__init__()
        self.model = new_model()
        self.naive = Naive()
        self.made = 0
        self.version = 0

    def make(self, sizes_and_guesses: Sequence[tuple[int, int]]) -> list[Piece]:
        made = [Piece(f"p{self.made + i}", 0, cells, guess) for i, (cells, guess) in enumerate(sizes_and_guesses)]
        self.made += len(made)
        return made

    def pick(self, data: st.DataObject) -> Piece:
        return data.draw(st.sampled_from(self.naive.pieces))

    @initialize(new=st.lists(st.tuples(sizes, guesses), max_size=12))
    def open(self, new: list[tuple[int, int]]) -> None:
        self.append(new)

    @rule(new=st.lists(st.tuples(sizes, guesses), min_size=1, max_size=4))
    def append(self, new: list[tuple[int, int]]) -> None:
        made = self.make(new)
        self.model.extend(made)
        self.naive.pieces.extend(made)

    @rule(new=st.lists(st.tuples(sizes, guesses), min_size=1, max_size=4), data=st.data())
    def insert(self, new: list[tuple[int, int]], data: st.DataObject) -> None:
        index = data.draw(st.integers(min_value=0, max_value=len(self.naive.pieces)))
        made = self.make(new)
        self.model.insert(index, made)
        self.naive.pieces[index:index] = made

    @precondition(lambda self: self.naive.pieces)
    @rule(cells=sizes, guess=guesses, data=st.data())
    def replace(self, cells: int, guess: int, data: st.DataObject) -> None:
        old = self.pick(data)
        self.version += 1
        new = Piece(old.id, self.version, cells, guess)
        self.model.extend([new])
        self.naive.pieces = [new if piece.id == old.id else piece for piece in self.naive.pieces]

    @precondition(lambda self: self.naive.pieces)
    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        gone = self.pick(data)
        held = self.naive.held
        if held is not None and held[0] == gone.id:
            index = self.naive.pieces.index(gone)
            after, before = self.naive.pieces[index + 1 :], self.naive.pieces[:index]
            neighbour = after[0] if after else before[-1] if before else None
            self.naive.held = None if neighbour is None else (neighbour.id, 0)
        self.model.remove({gone.id, "unknown"})
        self.naive.pieces.remove(gone)
        self.naive.folded.discard(gone.id)

    @precondition(lambda self: self.naive.pieces)
    @rule(folded=st.booleans(), data=st.data())
    def fold(self, folded: bool, data: st.DataObject) -> None:
        piece = self.pick(data)
        changed = (piece.id in self.naive.folded) != folded
        assert self.model.set_folded(piece.id, folded) == changed
        (self.naive.folded.add if folded else self.naive.folded.discard)(piece.id)

    @precondition(lambda self: self.naive.pieces)
    @rule(folded=st.booleans(), data=st.data())
    def fold_in_place(self, folded: bool, data: st.DataObject) -> None:
        naive, piece = self.naive, self.pick(data)
        top, start, rows = naive.top, naive.start(piece.id), naive.rows(piece)
        changed = (piece.id in naive.folded) != folded
        assert self.model.fold_in_place(piece.id, folded) == changed
        (naive.folded.add if folded else naive.folded.discard)(piece.id)
        if changed and start < top + naive.height and start + rows > top:
            naive.stand_at(naive.start(piece.id) - max(0, start - top))
        if changed and not folded:
            naive.show(piece)

    @rule(rows=st.integers(min_value=-25, max_value=25))
    def scroll(self, rows: int) -> None:
        self.model.scroll_by(rows)
        if self.naive.pieces:
            self.naive.stand_at(self.naive.top + rows)

    @rule(data=st.data())
    def jump(self, data: st.DataObject) -> None:
        self.model.scroll_to(data.draw(st.integers(min_value=0, max_value=self.model.total_rows)))
        self.take_over_position()

    @rule()
    def go_to_end(self) -> None:
        self.model.follow()
        self.naive.held = None

    @rule(height=st.integers(min_value=1, max_value=12))
    def change_height(self, height: int) -> None:
        self.model.resize(self.naive.width, height)
        self.naive.height = height

    @rule(width=st.integers(min_value=1, max_value=30))
    def change_width(self, width: int) -> None:
        """The held block stays; which line of it, the test of re-wrapping says."""
        held = self.naive.held
        self.model.resize(width, self.naive.height)
        self.naive.width = width
        self.model.settle()
        if held is not None and not self.model.is_at_end and self.naive.rows(self.naive.find(held[0])):
            assert first_row(self.model)[0] == held[0]
        self.model.scroll_by(0)
        self.take_over_position()

    @precondition(lambda self: self.naive.pieces)
    @rule(data=st.data())
    def reveal(self, data: st.DataObject) -> None:
        piece = self.pick(data)
        before = next(self.model.rows(), None)
        self.model.reveal(piece.id)
        start, end = self.naive.start(piece.id), self.naive.start(piece.id) + self.naive.rows(piece)
        if next(self.model.rows(), None) != before:
            self.take_over_position()
        top = self.naive.top
        assert top <= start or self.naive.held is None
        assert end <= top + self.naive.height or start == top

    def take_over_position(self) -> None:
        """Where the model's choice depends on guesses, the oracle only follows it."""
        if self.model.is_following:
            self.naive.held = None
        elif self.naive.total:
            self.naive.held = first_row(self.model)

    @invariant()
    def stands_at_the_same_row(self) -> None:
        model, naive = self.model, self.naive
        model.settle()
        shown = [(model.blocks[index].id, line) for index, line in model.rows()]
        every = [(piece.id, line) for piece in naive.pieces for line in range(naive.rows(piece))]
        assert shown == every[naive.top : naive.top + naive.height]
        assert model.is_following == (naive.held is None)

    @invariant()
    def sums_are_right(self) -> None:
        blocks = self.model.blocks
        heights = [blocks.height(i) for i in range(len(blocks))]
        assert [block.id for block in blocks.blocks] == [piece.id for piece in self.naive.pieces]
        assert blocks.total_rows == sum(heights)
        for index, block in enumerate(blocks.blocks):
            assert blocks.index_of(block.id) == index
            assert blocks.index_of_slot(blocks.slot(index)) == index
            assert blocks.start(index) == sum(heights[:index])
            if blocks.is_measured(index):
                assert heights[index] == self.naive.rows(block)


TestLogAgainstNaive = LogAgainstNaive.TestCase
TestLogAgainstNaive.settings = settings(max_examples=150, stateful_step_count=25, deadline=None, derandomize=True)


@settings(max_examples=100, deadline=None)
@given(
    values=st.lists(st.integers(min_value=0, max_value=9), max_size=40),
    changes=st.lists(st.tuples(st.integers(min_value=0), st.integers(min_value=0, max_value=9)), max_size=10),
    more=st.lists(st.integers(min_value=0, max_value=9), max_size=10),
    pops=st.integers(min_value=0, max_value=5),
)
def test_heights_sum_and_find_like_a_walk(
    values: list[int], changes: list[tuple[int, int]], more: list[int], pops: int
) -> None:
    heights = Heights(values)
    for index, rows in changes:
        if values:
            values[index % len(values)] = rows
            heights.change(index % len(values), rows)
    heights.extend(more)
    values += more
    for _ in range(min(pops, len(values))):
        heights.pop()
        values.pop()
    heights.append(3)
    values.append(3)
    assert heights.total == sum(values)
    assert [heights.start(i) for i in range(len(values))] == [sum(values[:i]) for i in range(len(values))]
    walked = [(index, offset) for index, rows in enumerate(values) for offset in range(rows)]
    assert [heights.find(row) for row in range(heights.total)] == walked


def test_opening_many_blocks_measures_only_those_in_sight() -> None:
    measured: list[str] = []

    def measure(piece: Piece, width: int, folded: bool) -> int:
        measured.append(piece.id)
        return true_rows(piece, width, folded)

    model = LogModel[Piece](guessed_rows, measure, never_folded)
    model.extend(pieces(*([30] * 5_000)))
    model.resize(10, 6)
    model.settle()
    assert measured == ["b4999", "b4998"]


def test_the_held_row_stays_through_streaming_below_and_growth_above() -> None:
    model = new_model()
    model.extend(pieces(*([30] * 20)))
    model.scroll_by(-20)
    held = first_row(model)
    for version in range(1, 200):
        model.extend([Piece("b19", version, 30 + version)])
        model.extend([Piece("b2", version, 10 * version)])
        model.settle()
        assert first_row(model) == held


def test_history_prepended_later_does_not_move_the_screen() -> None:
    model = new_model()
    model.extend(pieces(*([30] * 10)))
    model.scroll_by(-5)
    held = first_row(model)
    model.insert(0, [Piece(f"old{i}", 0, 45, guess=9) for i in range(50)])
    model.settle()
    assert first_row(model) == held
    assert model.new_below == 0


def test_wrapping_anew_keeps_the_same_part_of_the_text_and_comes_back_exactly() -> None:
    model = new_model(width=10, height=5)
    model.extend(pieces(200, 200, 200))
    model.scroll_by(-28)
    assert first_row(model) == ("b1", 7)
    for width in (5, 1, 20, 3, 7):
        model.resize(width, 5)
        model.settle()
        block_id, line = first_row(model)
        assert block_id == "b1"
        assert line == 7 * true_rows(Piece("b1", cells=200), width, False) // 20
    model.resize(10, 5)
    model.settle()
    assert first_row(model) == ("b1", 7)


def test_text_streaming_into_the_held_block_after_a_wrap_does_not_move_it() -> None:
    model = new_model(width=10, height=5)
    model.extend(pieces(100, 200))
    model.settle()
    model.scroll_by(-10)
    model.resize(5, 5)
    model.settle()
    held = first_row(model)
    for version in range(1, 50):
        model.extend([Piece("b1", version, 200 + 7 * version)])
        model.settle()
        assert first_row(model) == held


def test_new_blocks_are_counted_until_they_are_seen() -> None:
    model = new_model()
    model.extend(pieces(*([30] * 10)))
    model.settle()
    assert model.new_below == 0
    model.scroll_by(-9)
    model.extend([Piece("n0", 0, 30), Piece("n1", 0, 30)])
    model.extend([Piece("b9", 1, 60)])
    model.extend([Piece("b0", 1, 60)])
    model.settle()
    assert model.new_below == 3
    model.scroll_by(12)
    assert not model.is_following
    model.settle()
    assert model.new_below == 2
    model.follow()
    model.settle()
    assert model.new_below == 0


def test_scrolling_down_to_the_end_follows_it_again() -> None:
    model = new_model()
    model.extend(pieces(*([30] * 10)))
    model.scroll_by(-4)
    assert not model.is_following
    model.scroll_by(3)
    assert not model.is_following
    model.scroll_by(1)
    assert model.is_following


def test_a_block_guessed_to_have_no_rows_is_not_taken_for_the_end() -> None:
    model = new_model(height=1)
    model.extend(pieces(10, 10, guess=0))
    model.settle()
    model.scroll_by(-1)
    model.extend([Piece("late", 0, 10, guess=0)])
    model.scroll_by(1)
    assert first_row(model) == ("b1", 0)
    assert not model.is_following


def test_the_cursor_goes_from_block_to_block_and_skips_what_is_not_wanted() -> None:
    model = new_model()
    model.extend(pieces(30, 0, 10, 30, 50, guess=3))
    model.settle()
    assert model.move_cursor(-1) == "b4"
    assert model.move_cursor(1) is None
    assert model.cursor_id == "b4"
    assert [model.move_cursor(-1) for _ in range(4)] == ["b3", "b2", "b0", None]
    assert model.move_cursor(1, lambda piece: piece.cells == 50) == "b4"
    assert model.move_cursor(-1, lambda piece: piece.cells == 10) == "b2"
    model.remove({"b2", "b3"})
    assert model.cursor_id == "b4"
    model.remove({"b4"})
    assert model.cursor_id == "b1"
    model.clear()
    assert model.cursor_id is None
    assert model.move_cursor(1) is None


def test_moving_the_cursor_brings_its_block_into_sight() -> None:
    model = new_model()
    model.extend(pieces(*([20] * 30), guess=7))
    model.put_cursor("b3")
    assert first_row(model) == ("b3", 0)
    model.put_cursor("b9")
    assert [(place.block_index, place.line) for place in model.rows()][-2:] == [(9, 0), (9, 1)]


def text_list(*texts: str) -> BlockList[Piece]:
    def rows(piece: Piece, width: int, folded: bool) -> int:
        return piece.text.count("\n") + 1

    blocks = BlockList[Piece](rows, rows, never_folded)
    blocks.rewrap(80)
    blocks.insert(0, [Piece(f"t{i}", text=text) for i, text in enumerate(texts)])
    return blocks


@pytest.mark.parametrize(
    ("anchor", "head", "text"),
    [
        (Position("t0", 0, 1), Position("t0", 0, 3), "ne"),
        (Position("t0", 0, 3), Position("t0", 0, 1), "ne"),
        (Position("t0", 1, 1), Position("t1", 0, 2), "wo\nth"),
        (Position("t1", 0, 2), Position("t0", 1, 1), "wo\nth"),
        (Position("t0", 0, 0), Position("t2", 9, 99), "one\ntwo\nthree\nfour"),
        (Position("t0", 0, 99), Position("t1", 0, 0), "\ntwo\n"),
        (Position("t0", 0, 1), Position("t0", 0, 1), None),
        (Position("t0", 0, 1), Position("gone", 0, 1), None),
    ],
)
def test_a_selection_gives_the_text_between_its_ends(anchor: Position, head: Position, text: str | None) -> None:
    blocks = text_list("one\ntwo", "three", "four")
    stretch = TextSelection(anchor, head).stretch(blocks)
    assert (None if stretch is None else stretch.text(lambda index: blocks[index].text.split("\n"))) == text


def test_a_selection_marks_whole_lines_between_its_ends() -> None:
    stretch = TextSelection(Position("t0", 0, 2), Position("t1", 0, 4)).stretch(text_list("one\ntwo", "three", "four"))
    assert isinstance(stretch, Stretch)
    assert [stretch.span(0, 0), stretch.span(0, 1), stretch.span(1, 0)] == [(2, None), (0, None), (0, 4)]
    assert stretch.span(2, 0) is None


def test_positions_step_over_lines_and_blocks() -> None:
    blocks = text_list("one\ntwo", "three", "four")

    def length(position: Position) -> int:
        index = blocks.index_of(position.block_id) or 0
        return len(blocks[index].text.split("\n")[position.line])

    assert step_lines(blocks, Position("t0", 1, 2), 1) == Position("t1", 0, 2)
    assert step_lines(blocks, Position("t2", 0, 2), -2) == Position("t0", 1, 2)
    assert step_lines(blocks, Position("t2", 0, 2), 9) == Position("t2", 0, 2)
    assert step_lines(blocks, Position("t1", 0, 2), -9) == Position("t0", 0, 2)
    assert step_columns(blocks, Position("t0", 1, 3), 1, length) == Position("t1", 0, 0)
    assert step_columns(blocks, Position("t1", 0, 0), -1, length) == Position("t0", 1, 3)
    assert step_columns(blocks, Position("t0", 0, 0), -1, length) == Position("t0", 0, 0)
    assert step_columns(blocks, Position("t2", 0, 4), 1, length) == Position("t2", 0, 4)


def found(search: LogSearch[Piece]) -> tuple[str, int] | None:
    return None if search.match is None else (search.match.block_id, search.match.start)


def test_a_search_goes_round_in_both_directions() -> None:
    search = LogSearch(text_list("an apple", "Another", "nothing", "ban an"), lambda piece, _: (piece.text,))
    search.find("an")
    visited = [found(search)]
    for _ in range(4):
        search.step(1)
        visited.append(found(search))
    assert visited == [("t0", 0), ("t1", 0), ("t3", 1), ("t3", 4), ("t0", 0)]
    search.step(-1)
    assert found(search) == ("t3", 4)
    assert search.match is not None
    assert search.match.ordinal == 1


def test_a_search_narrows_where_it_stands_while_the_words_are_typed() -> None:
    search = LogSearch(text_list("cat", "car", "cart", "Cart"), lambda piece, _: (piece.text,))
    visited = [(words, search.find(words) and found(search)) for words in ("c", "ca", "car", "cart", "carts", "cart")]
    assert visited == [
        ("c", ("t0", 0)),
        ("ca", ("t0", 0)),
        ("car", ("t1", 0)),
        ("cart", ("t2", 0)),
        ("carts", None),
        ("cart", ("t2", 0)),
    ]
    search.find("")
    assert search.match is None
    search.find("Cart", from_id="t1")
    assert found(search) == ("t3", 0)


def test_a_search_knows_its_place_among_all_matches_and_when_it_went_round() -> None:
    blocks = text_list("an apple", "Another", "nothing", "ban an")
    search = LogSearch(blocks, lambda piece, _: (piece.text,))
    search.find("an")
    places = [search.standing(9)]
    for step in (1, 1, 1, 1, -1, -1):
        search.step(step)
        places.append(search.standing(9))
    assert [(place.number, place.went_round) for place in places] == [
        *((1, False), (2, False), (3, False), (4, False)),
        *((1, True), (4, True), (3, False)),
    ]
    assert {place.count for place in places} == {4}
    search.find("nothing")
    search.step(1)
    assert search.standing(9) == Standing(1, 1, went_round=True)
    search.find("nowhere")
    assert search.standing(9) == Standing()


def test_the_matches_of_a_long_log_are_counted_a_few_blocks_at_a_time() -> None:
    read: list[str] = []

    def texts(piece: Piece, _: str) -> tuple[str]:
        read.append(piece.id)
        return (piece.text,)

    blocks = text_list("an an", "an", "an", "an")
    search = LogSearch(blocks, texts)
    search.find("an")
    read.clear()
    assert search.standing(3) == Standing(1, 4, is_counted=False)
    assert search.standing(3) == Standing(1, 5)
    assert search.standing(3) == Standing(1, 5)
    assert read == ["t0", "t1", "t2", "t3"]
    blocks.insert(4, [replace(blocks[1], version=1, text="none"), replace(blocks[0], id="t4", text="an")])
    assert search.standing(3) == Standing(1, 5)
    assert read == ["t0", "t1", "t2", "t3", "t1", "t4"]


@pytest.mark.parametrize("words", ["[/", "\\", "(", "a.b", "é"])
def test_a_search_takes_its_words_literally(words: str) -> None:
    search = LogSearch(text_list("axb", f"x{words}y"), lambda piece, _: (piece.text,))
    search.find(words)
    assert found(search) == ("t1", 1)


def test_rendered_rows_are_bounded_except_for_those_of_one_screen() -> None:
    cache = RenderCache[int](10)
    for number in range(50):
        cache.begin_pass()
        cache.put(f"b{number}", 0, [1, 2, 3])
        assert cache.rows <= 10
    assert cache.get("b49", 0) == [1, 2, 3]
    assert cache.get("b49", 1) is None
    assert cache.get("b0", 0) is None
    cache.begin_pass()
    cache.put("long", 0, list(range(100)))
    cache.put("longer", 0, list(range(200)))
    assert cache.get("long", 0) is not None
    assert len(cache) == 2
    cache.put("long", 1, [1])
    assert cache.rows == 201


@pytest.mark.parametrize(
    ("text", "width", "rows"),
    [("", 10, 1), ("short", 10, 1), ("a\nb\nc", 10, 3), ("x" * 100, 10, 11), ("x" * 100, 0, 101)],
)
def test_an_extent_guesses_rows_by_arithmetic(text: str, width: int, rows: int) -> None:
    assert TextExtent.of(text).rows(width) == rows


def test_the_model_needs_no_textual() -> None:
    names = ("heights", "blocks", "viewport", "model", "selection", "search", "extent", "render_cache")
    script = f"""
import importlib.util, sys, types
from pathlib import Path
package = Path(importlib.util.find_spec("diligent_tui.ui").origin).parent / "widgets" / "virtual_log"
for name in ("diligent_tui.ui.widgets", "diligent_tui.ui.widgets.virtual_log"):
    module = sys.modules[name] = types.ModuleType(name)
    module.__path__ = [str(package if name.endswith("log") else package.parent)]
for name in {names!r}:
    importlib.import_module("diligent_tui.ui.widgets.virtual_log." + name)
assert not {{"textual", "rich"}} & set(sys.modules), "Textual was imported"
"""
    subprocess.run([sys.executable, "-c", "import importlib\n" + script], check=True)


def test_the_first_text_of_a_block_that_has_the_words_counts_and_their_core_is_told() -> None:
    cores: list[str] = []

    def texts(piece: Piece, core: str) -> tuple[str, str]:
        cores.append(core)
        return piece.text.replace("*", ""), piece.text

    search = LogSearch(text_list("a **bold** word", "2 * 3"), texts)
    search.find("Bold word")
    assert found(search) is None
    search.find("a bold word")
    assert found(search) == ("t0", 0)
    search.find("2 * 3")
    assert found(search) == ("t1", 0)
    assert {"bold", "2"} <= set(cores)
