"""Summaries that were being edited: kept by session, hindered by nothing that lies there."""

from pathlib import Path

import pytest

from diligent_tui.config.drafts import FOLDER_NAME, LARGEST_DRAFT_BYTES
from diligent_tui.config.summary_drafts import SummaryDraft, load_summary_drafts, save_summary_draft
from diligent_tui.domain.errors import StorageError

MINE, OTHER = "20261117010203-abcdef", "20261117010204-abcdef"


def test_each_session_keeps_its_own_and_an_empty_text_leaves_no_file(tmp_path: Path) -> None:
    root = tmp_path / "project"
    save_summary_draft(tmp_path, root, MINE, SummaryDraft("c1", "## Goal\nmine"))
    save_summary_draft(tmp_path, root, OTHER, SummaryDraft("c2", "other \ud800"))
    save_summary_draft(tmp_path, tmp_path / "elsewhere", MINE, SummaryDraft("c3", "not here"))
    assert load_summary_drafts(tmp_path, root) == {
        MINE: SummaryDraft("c1", "## Goal\nmine"),
        OTHER: SummaryDraft("c2", "other \ufffd"),
    }
    save_summary_draft(tmp_path, root, MINE, SummaryDraft("c1", ""))
    assert list(load_summary_drafts(tmp_path, root)) == [OTHER]
    assert len(list((tmp_path / FOLDER_NAME).iterdir())) == 2


@pytest.mark.parametrize("content", [b"", b"\xff", b"[]", b'{"text":1,"compactionId":"c"}', b'{"text":"x"'])
def test_what_is_damaged_is_passed_over(tmp_path: Path, content: bytes) -> None:
    save_summary_draft(tmp_path, tmp_path, MINE, SummaryDraft("c1", "mine"))
    save_summary_draft(tmp_path, tmp_path, OTHER, SummaryDraft("c2", "other"))
    damaged = next((tmp_path / FOLDER_NAME).glob(f"*{MINE}*"))
    damaged.write_bytes(content)
    assert load_summary_drafts(tmp_path, tmp_path) == {OTHER: SummaryDraft("c2", "other")}
    damaged.unlink()
    damaged.mkdir()
    assert list(load_summary_drafts(tmp_path, tmp_path)) == [OTHER]


def test_an_id_that_is_no_name_names_no_file(tmp_path: Path) -> None:
    save_summary_draft(tmp_path / "state", tmp_path, "../../evil", SummaryDraft("c1", "mine"))
    assert list(tmp_path.iterdir()) == []


def test_what_is_too_long_is_refused_and_leaves_the_last_one(tmp_path: Path) -> None:
    save_summary_draft(tmp_path, tmp_path, MINE, SummaryDraft("c1", "mine"))
    with pytest.raises(StorageError, match="too long to be kept"):
        save_summary_draft(tmp_path, tmp_path, MINE, SummaryDraft("c1", "x" * LARGEST_DRAFT_BYTES))
    assert load_summary_drafts(tmp_path, tmp_path) == {MINE: SummaryDraft("c1", "mine")}
