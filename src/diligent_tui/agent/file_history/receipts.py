"""What a restore did, file by file."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Receipt:
    """The files by the names people know; `failed` and `left_alone` say why."""

    done: tuple[str, ...] = ()
    left_alone: tuple[tuple[str, str], ...] = ()
    failed: tuple[tuple[str, str], ...] = ()
    is_undo: bool = False

    @property
    def words(self) -> str:
        """One sentence for the user."""
        verb = "Brought back" if self.is_undo else "Restored"
        sentences = [f"{verb} {_files(len(self.done))}." if self.done else "No file was changed."]
        if self.left_alone:
            sentences.append(f"Left {_files(len(self.left_alone))} alone.")
        if self.failed:
            name, why = self.failed[0]
            sentences.append(f"{_files(len(self.failed))} could not be written: {name}: {why}")
        return " ".join(sentences)

    @property
    def note(self) -> str:
        """What the model should know, for its eyes are on the files as it left them; empty if nothing changed."""
        if not self.done:
            return ""
        verb = "undid a restore of" if self.is_undo else "restored"
        return f"The user {verb} files to an earlier state; read them again before you edit: {', '.join(self.done)}."


def _files(number: int) -> str:
    return f"{number:,} {'file' if number == 1 else 'files'}"
