"""A terminal small enough to read: keeps what is visible and which modes are on, for what Textual writes."""

import codecs
import re

from rich.cells import cell_len

from tests.ui.escape_grammar import UNFINISHED, split

_CSI = re.compile(r"\x1b\[([<=>?]?)([0-9;]*)\$?([@-~])")
_ON_AT_START = frozenset({7, 25})
_ALTERNATE = 1049

Cells = list[list[str]]


class VtScreen:
    """Feed it bytes; read rows, modes and what was left switched on."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns = columns
        self.row_count = rows
        self.modes = set(_ON_AT_START)
        self.keyboard_depth = {False: 0, True: 0}
        self.column = self.row = 0
        self.has_colours = False
        self._saved = (0, 0)
        self._cells: dict[bool, Cells] = {False: _blank(columns, rows), True: _blank(columns, rows)}
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._held = ""

    @property
    def is_alternate(self) -> bool:
        return _ALTERNATE in self.modes

    @property
    def rows(self) -> list[str]:
        """What is visible, a string per row, blanks at its end cut off."""
        return ["".join(row).rstrip() for row in self._cells[self.is_alternate]]

    @property
    def text(self) -> str:
        return "\n".join(self.rows)

    @property
    def left_on(self) -> list[str]:
        """Everything that is not as a terminal is when a shell runs in it."""
        modes = [f"mode {mode}" for mode in sorted(self.modes ^ _ON_AT_START)]
        keys = [f"{'alternate' if alternate else 'main'} keys" for alternate, n in self.keyboard_depth.items() if n]
        return modes + keys + (["colours"] if self.has_colours else [])

    def resize(self, columns: int, rows: int) -> None:
        self.columns, self.row_count = columns, rows
        for alternate, cells in self._cells.items():
            kept = [(row + [" "] * columns)[:columns] for row in cells[:rows]]
            self._cells[alternate] = kept + _blank(columns, rows - len(kept))
        self._move(self.column, self.row)

    def feed(self, output: bytes) -> None:
        text = self._held + self._decoder.decode(output)
        self._held = ""
        if cut := UNFINISHED.search(text):
            text, self._held = text[: cut.start()], cut[0]
        for is_sequence, piece in split(text):
            if is_sequence:
                self._obey(piece)
            else:
                self._print(piece)

    def _print(self, text: str) -> None:
        cells = self._cells[self.is_alternate]
        for character in text:
            width = cell_len(character)
            if not width:
                cells[self.row][max(0, self.column - 1)] += character
                continue
            if self.column + width > self.columns:
                if 7 in self.modes:
                    self._feed_line()
                    self.column = 0
                else:
                    self.column = max(0, self.columns - width)
            cells[self.row][self.column] = character
            for beyond in range(self.column + 1, min(self.column + width, self.columns)):
                cells[self.row][beyond] = ""
            self.column += width

    def _obey(self, sequence: str) -> None:
        match sequence:
            case "\r":
                self.column = 0
            case "\n":
                self._feed_line()
            case "\x1b7":
                self._saved = (self.column, self.row)
            case _:
                if found := _CSI.fullmatch(sequence):
                    self._obey_csi(found[1] + found[3], [int(number or 0) for number in found[2].split(";")])

    def _obey_csi(self, kind: str, numbers: list[int]) -> None:
        first = numbers[0]
        match kind:
            case "H":
                self._move((numbers[1] if len(numbers) > 1 else 1) - 1, first - 1)
            case "A" | "B":
                self._move(self.column, self.row + max(first, 1) * (1 if kind == "B" else -1))
            case "C" | "D":
                self._move(self.column + max(first, 1) * (1 if kind == "C" else -1), self.row)
            case "G":
                self._move(first - 1, self.row)
            case "K":
                self._erase(self.row, self.column if first == 0 else 0, self.column + 1 if first == 1 else self.columns)
            case "J":
                self._erase_rows(first)
            case "m":
                self.has_colours = numbers[-1] != 0
            case ">u":
                self.keyboard_depth[self.is_alternate] += 1
            case "<u":
                self.keyboard_depth[self.is_alternate] = max(0, self.keyboard_depth[self.is_alternate] - 1)
            case "?h" | "?l":
                for mode in numbers:
                    self._switch(mode, is_on=kind == "?h")
            case _:
                pass

    def _switch(self, mode: int, *, is_on: bool) -> None:
        if mode == _ALTERNATE:
            if is_on:
                self._saved = (self.column, self.row)
                self._cells[True] = _blank(self.columns, self.row_count)
            else:
                self._move(*self._saved)
        if is_on:
            self.modes.add(mode)
        else:
            self.modes.discard(mode)

    def _move(self, column: int, row: int) -> None:
        self.column = min(max(column, 0), self.columns - 1)
        self.row = min(max(row, 0), self.row_count - 1)

    def _feed_line(self) -> None:
        if self.row + 1 < self.row_count:
            self.row += 1
            return
        cells = self._cells[self.is_alternate]
        del cells[0]
        cells += _blank(self.columns, 1)

    def _erase(self, row: int, start: int, end: int) -> None:
        for column in range(start, min(end, self.columns)):
            self._cells[self.is_alternate][row][column] = " "

    def _erase_rows(self, which: int) -> None:
        if which == 0:
            self._erase(self.row, self.column, self.columns)
        first, last = {0: (self.row + 1, self.row_count), 1: (0, self.row)}.get(which, (0, self.row_count))
        for row in range(first, last):
            self._erase(row, 0, self.columns)


def _blank(columns: int, rows: int) -> Cells:
    return [[" "] * columns for _ in range(rows)]
