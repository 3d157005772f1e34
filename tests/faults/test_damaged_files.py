"""Any file can be opened: what is intact in it is found, not a byte is lost, and the next prompt works."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.faults.damaged_files import HEAD, LINES, Case, cases
from tests.faults.oracle import check_going_on, check_reading, session_file, whole_lines

CASES = list(cases())


def test_there_are_as_many_cases_as_promised_and_each_is_another() -> None:
    assert len({case.data for case in CASES}) == len(CASES) >= 240


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
async def test_a_damaged_file_opens_and_goes_on(case: Case, tmp_path: Path) -> None:
    path = session_file(tmp_path)
    path.write_bytes(case.data)
    await check_reading(path, case.intact)
    await check_going_on(path)


PLACE = st.integers(0, 4000)
WORDS = [b"\n", b"\x00" * 50, b"\r\n", b"{", b'"', b"\\", LINES[0], HEAD]
EDITS = st.one_of(
    st.tuples(st.just("put"), PLACE, st.binary(max_size=20)),
    st.tuples(st.just("put"), PLACE, st.sampled_from(WORDS)),
    st.tuples(st.just("cut"), PLACE, st.binary(min_size=1, max_size=200)),
    st.tuples(st.just("flip"), PLACE, st.binary(min_size=1, max_size=1)),
    st.tuples(st.just("end"), PLACE, st.just(b"")),
    st.tuples(st.just("turn"), PLACE, st.binary(min_size=2, max_size=2)),
)


def edited(data: bytes, edits: list[tuple[str, int, bytes]]) -> bytes:
    """The bytes after some mishaps."""
    for kind, place, more in edits:
        at = place % (len(data) + 1)
        match kind:
            case "put":
                data = data[:at] + more + data[at:]
            case "cut":
                data = data[:at] + data[at + len(more) :]
            case "flip":
                data = data[:at] + more + data[at + 1 :]
            case "turn":
                lines = data.splitlines(keepends=True) or [b""]
                one, other = (byte % len(lines) for byte in more)
                lines[one], lines[other] = lines[other], lines[one]
                data = b"".join(lines)
            case _:
                data = data[:at]
    return data


def check(folder: Path, edits: list[tuple[str, int, bytes]]) -> None:
    path = session_file(folder)
    data = edited(HEAD + b"".join(LINES), edits)
    path.write_bytes(data)
    asyncio.run(_check(path, data))


async def _check(path: Path, data: bytes) -> None:
    intact = whole_lines(data)
    content = await check_reading(path, [])
    assert {entry.id for entry in intact} <= set(content.tree.nodes)
    if content.header.version in (1, 2):
        await check_going_on(path)


@settings(max_examples=250)
@given(st.lists(EDITS, min_size=1, max_size=6))
def test_whatever_happens_to_a_file_its_whole_lines_are_read(
    tmp_path_factory: pytest.TempPathFactory, edits: list[tuple[str, int, bytes]]
) -> None:
    check(tmp_path_factory.getbasetemp() / "drafts", edits)


@pytest.mark.soak
@settings(max_examples=20_000, derandomize=False)
@given(st.lists(EDITS, min_size=1, max_size=12))
def test_whatever_happens_to_a_file_its_whole_lines_are_read_20000_times(
    tmp_path_factory: pytest.TempPathFactory, edits: list[tuple[str, int, bytes]]
) -> None:
    check(tmp_path_factory.getbasetemp() / "drafts", edits)
