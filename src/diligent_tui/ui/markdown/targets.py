"""Which addresses in a text may become links of the terminal, and to where; all others stay plain words."""

import re
from typing import NamedTuple
from urllib.parse import quote, urlsplit

MOST_TARGET_CHARS = 2_000
"""Some terminals refuse a link that is longer than 2,083 bytes."""
WEB_SCHEMES = ("http", "https")
SAFE = "!#$&'()*+,/:;=?@[]~%-._"
"""What stands in an address as it is; anything else is written as its bytes, so that none can end the sequence."""
HOST = re.compile(r"(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.?")
UNFIT = re.compile(r"[\x00-\x20\x7f-\xa0\\\ud800-\udfff]")
MAIL = re.compile(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+")


class Target(NamedTuple):
    """Where a link leads, in printable ASCII; an odd one has a host that reads otherwise than it is."""

    url: str
    is_odd: bool = False


def target_of(address: str) -> Target | None:
    """The target of an address; None for what is no plain web or mail address, such as one with a name before its host.

    Files are no targets: a text could name one anywhere, and over ssh the terminal would open another machine's.
    """
    if len(address) > MOST_TARGET_CHARS or UNFIT.search(address):
        return None
    try:
        parts = urlsplit(address)
        scheme, host, port = parts.scheme, parts.hostname or "", parts.port
    except ValueError:
        return None
    if scheme == "mailto":
        return Target(address) if MAIL.fullmatch(parts.path) and not (parts.query or parts.fragment) else None
    if scheme not in WEB_SCHEMES or "@" in parts.netloc:
        return None
    known = _ascii_host(host)
    if known is None:
        return None
    place = known if port is None else f"{known}:{port}"
    rest = "".join((parts.path, f"?{parts.query}" * bool(parts.query), f"#{parts.fragment}" * bool(parts.fragment)))
    url = f"{scheme}://{place}{quote(rest, safe=SAFE)}"
    return Target(url, known != host) if len(url) <= MOST_TARGET_CHARS else None


def _ascii_host(host: str) -> str | None:
    """The host as it is asked for; letters of other scripts are spelled out."""
    try:
        spelled = host if host.isascii() else host.encode("idna").decode("ascii").lower()
    except UnicodeError:
        return None
    return spelled if HOST.fullmatch(spelled) else None
