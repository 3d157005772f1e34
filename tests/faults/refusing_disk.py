"""A disk that refuses what it is told to refuse, under the one place that appends."""

import errno

import pytest

from diligent_tui.storage import appender


class RefusingDisk:
    """Lets writes through, or refuses those that have these bytes in them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.refuses_with: bytes | None = None
        self._write = appender.write_all
        monkeypatch.setattr(appender, "write_all", self._judge)

    def _judge(self, descriptor: int, data: bytes) -> None:
        if self.refuses_with is not None and self.refuses_with in data:
            raise OSError(errno.ENOSPC, "No space left on device")
        self._write(descriptor, data)
