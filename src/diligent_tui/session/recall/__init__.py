"""Search over everything that was said in one session, whatever became of it in the context."""

from diligent_tui.session.recall.hits import Hit, listing
from diligent_tui.session.recall.index import RecallIndex, forget_index
from diligent_tui.session.recall.texts import readable_text
from diligent_tui.session.recall.words import matches_in, query_parts_in, terms_in

__all__ = ["Hit", "RecallIndex", "forget_index", "listing", "matches_in", "query_parts_in", "readable_text", "terms_in"]
