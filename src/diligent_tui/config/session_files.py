"""The sessions of a house: which of them is meant, and what is hidden in one that is exported."""

from pathlib import Path

from diligent_tui.config.house import House
from diligent_tui.domain.errors import SessionNotFound
from diligent_tui.session.export.masking import Mask, mask_of
from diligent_tui.session.files import newest_session
from diligent_tui.session.shelf import Shelf


def find_session(house: House, wanted: str) -> Path:
    """The newest session whose id begins so, else the newest with all the words; raises SessionNotFound."""
    if not house.sessions_are_known:
        raise SessionNotFound("The sessions found here were not made by you.", "Add --trust to use them in this run.")
    sessions = house.places.sessions
    if found := newest_session(sessions, wanted):
        return found
    if wanted and (fitting := Shelf(sessions).find(wanted)):
        return fitting[0].path
    raise SessionNotFound(f"No session {wanted} here." if wanted else "There is no session here to go on with.")


def mask(house: House) -> Mask:
    """Hides our own keys in what is exported."""
    keys = [each.api_key.get_secret_value() for each in house.settings.provider.values() if each.api_key]
    return mask_of(house.environ, keys)
