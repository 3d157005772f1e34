"""Going about in the chat by its landmarks."""

from pathlib import Path

from diligent_tui.ui.transcript import ChatBlock, MemoryNote
from tests.ui.stage import ask, blocks, make_app, ready, settled


async def test_keys_jump_to_prompts_errors_and_compactions_and_fold_all(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await ask(pilot, "read missing.txt")
        core = await ready(pilot)
        chat = core.chat
        chat.take([ChatBlock("note", "memory", text="a summary", memory=MemoryNote("compacted"))])
        await ask(pilot, "hello")
        chat.focus()
        await pilot.pause()
        assert chat.cursor_block is not None

        async def at(key: str) -> tuple[str, str]:
            await pilot.press(key)
            assert chat.cursor_block is not None
            return chat.cursor_block.kind, chat.cursor_block.state

        assert (await at("C"))[0] == "memory"
        assert await at("X") == ("tool", "failed")
        assert (await at("K"))[0] == "prompt"
        assert (await at("c"))[0] == "memory"
        assert (await at("J"))[0] == "prompt"
        foldable = [block.id for block in blocks(chat) if block.kind in ("tool", "memory")]
        assert len(foldable) == 2
        await pilot.press("z")
        await settled(pilot)
        assert not any(chat.model.blocks.is_folded(block_id) for block_id in foldable)
        await pilot.press("z")
        await settled(pilot)
        assert all(chat.model.blocks.is_folded(block_id) for block_id in foldable)
