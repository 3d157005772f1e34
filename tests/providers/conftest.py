"""A loopback server for the providers that speak over a wire, and the providers themselves."""

import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from diligent_tui.providers.base import Provider
from diligent_tui.providers.registry import ProviderOptions
from tests.providers.lineup import KEY, Contender
from tests.wire.server import WireServer


@pytest.fixture(scope="module")
def running_server() -> Iterator[WireServer]:
    with WireServer() as server:
        yield server


@pytest.fixture
def server(running_server: WireServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[WireServer]:
    """The server with nothing planned, where nobody is signed in anywhere."""
    for name in [name for name in os.environ if name.startswith(("ANTHROPIC_", "OPENAI_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    yield running_server
    running_server.reset()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def provider(running_server: WireServer, contender: Contender) -> AsyncIterator[Provider]:
    """The contender, connected to the server; one for all tests of a module, for making a client is slow."""
    options = ProviderOptions(api_key=KEY, base_url=running_server.url + contender.base_path, stall_seconds=30)
    made = contender.make(options)
    yield made
    await made.aclose()
