"""What the user said yes to, and what diligent wrote itself, remembered in one private file.

Trust is given to contents, not to folders: what changes is asked about again, and moving to a subfolder asks only
about what it adds. Read with plain json, for it is needed before the first frame and pydantic comes after that.
"""

import contextlib
import json
import secrets
import stat
from collections.abc import Generator, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from diligent_tui.config.reading import read_plain
from diligent_tui.config.survey import Finding, Survey, digest_of
from diligent_tui.domain.errors import Problem, StorageError
from diligent_tui.domain.json_objects import is_object
from diligent_tui.storage.private import write_private

FILE_NAME = "trust.json"
VERSION = 1
LARGEST_TRUST_BYTES = 16_000_000

Digests = dict[str, str]
NOTHING: Mapping[str, str] = MappingProxyType({})


class TrustList:
    """The list; `problem` says what kept it from being read or a mark from being saved."""

    def __init__(self, path: Path) -> None:
        """An empty list that will be saved at this path."""
        self._path = path
        self._trusted: Digests = {}
        self._own: Digests = {}
        self._refused: Digests = {}
        self._for_now: frozenset[tuple[Path, str]] = frozenset()
        self.problem: Problem | None = None

    @classmethod
    def load(cls, state_folder: Path) -> "TrustList":
        """The list of a user; a damaged one is kept aside and trusts nothing."""
        trust = cls(state_folder / FILE_NAME)
        try:
            trust._read()
        except OSError as error:
            trust.problem = Problem(
                "trust", f"The trust list cannot be read: {error.strerror or error}.", "Folders are asked about again."
            )
        except (ValueError, RecursionError):
            trust._keep_aside()
        return trust

    def strangers(self, survey: Survey) -> tuple[Finding, ...]:
        """The findings that are neither trusted as they are now nor diligent's own."""
        return tuple(finding for finding in survey.findings if not self._knows(finding))

    def is_trusted(self, survey: Survey) -> bool:
        """Whether all that the folder brings may be used; a folder that brings nothing needs no trust."""
        return not self.strangers(survey)

    def trust(self, survey: Survey) -> None:
        """Remember the user's yes to exactly what the survey saw; raises StorageError if it cannot be saved."""
        self._save(trusted=_by_path(survey.findings))

    def trust_for_now(self, findings: Iterable[Finding]) -> None:
        """Let exactly these be used in this run; nothing is saved."""
        self._for_now |= {(finding.path, finding.digest) for finding in findings}

    def refuse(self, findings: Iterable[Finding]) -> None:
        """Remember the user's no, so that the same is not asked again; raises StorageError if it cannot be saved."""
        self._save(refused=_by_path(findings))

    def is_refused(self, findings: Iterable[Finding]) -> bool:
        """Whether the user has said no to each of these as it is now."""
        return all(self._refused.get(str(finding.path)) == finding.digest for finding in findings)

    def mark_own(self, folder: Path) -> None:
        """Remember a `.diligent` folder that diligent has just made: the sessions in it are its own."""
        if not folder.is_symlink() and folder.is_dir():
            self._mark(folder)

    @contextlib.contextmanager
    def own_write(self, path: Path) -> Generator[None]:
        """While diligent itself writes a file: afterwards it is known, unless strange content was there before."""
        # Another diligent may have marked its own write meanwhile; and an empty file brings nothing.
        with contextlib.suppress(OSError, ValueError, RecursionError):
            self._read()
        is_empty = not path.exists() or (path.is_file() and path.stat().st_size == 0)
        was_known = is_empty or digest_of(path) in self._digests(path)
        yield
        if was_known:
            self._mark(path)

    def _knows(self, finding: Finding) -> bool:
        if (finding.path, finding.digest) in self._for_now:
            return True
        # Instructions are for people to write: diligent never owns one, whatever its list says.
        if finding.kind in ("settings", "instructions"):
            return self._trusted.get(str(finding.path)) == finding.digest
        return finding.digest in self._digests(finding.path)

    def _digests(self, path: Path) -> tuple[str, ...]:
        known = (self._trusted.get(str(path)), self._own.get(str(path)))
        return tuple(digest for digest in known if digest is not None)

    def _mark(self, path: Path) -> None:
        digest = digest_of(path)
        if digest is None or self._own.get(str(path)) == digest:
            return
        try:
            self._save(own={str(path): digest})
        except StorageError as error:
            # The write itself went well; at worst the user is asked once more.
            self.problem = error.problem

    def _save(
        self,
        *,
        trusted: Mapping[str, str] = NOTHING,
        own: Mapping[str, str] = NOTHING,
        refused: Mapping[str, str] = NOTHING,
    ) -> None:
        """Another process may have added to the file since it was read."""
        with contextlib.suppress(OSError, ValueError, RecursionError):
            self._read()
        self._trusted |= trusted
        self._own |= own
        self._refused |= refused
        for path in trusted:
            self._refused.pop(path, None)
        content = {"version": VERSION, "trusted": self._trusted, "own": self._own, "refused": self._refused}
        write_private(self._path, json.dumps(content, indent=1, sort_keys=True).encode())

    def _read(self) -> None:
        try:
            if self._path.lstat().st_mode & stat.S_IWOTH:
                raise ValueError("anyone could have written this list")
            content: object = json.loads(read_plain(self._path, LARGEST_TRUST_BYTES))
        except FileNotFoundError:
            return
        if not is_object(content) or content.get("version") != VERSION:
            raise ValueError("not a trust list")
        trusted, own, refused = (_digests_in(content, name) for name in ("trusted", "own", "refused"))
        self._trusted, self._own, self._refused = trusted, own, refused

    def _keep_aside(self) -> None:
        aside = self._path.with_name(f"trust.damaged-{secrets.token_hex(4)}.json")
        kept = f"It is kept as {aside.name}."
        try:
            self._path.rename(aside)
        except OSError:
            kept = "It will be replaced when you next trust a folder."
        self.problem = Problem("trust", f"The trust list is damaged, so nothing is trusted. {kept}", "Trust again.")


def _by_path(findings: Iterable[Finding]) -> Digests:
    return {str(finding.path): finding.digest for finding in findings}


def _digests_in(content: dict[str, object], name: str) -> Digests:
    # The noes came later than the first lists.
    digests = content.get(name, {} if name == "refused" else None)
    if not is_object(digests):
        raise ValueError(f"no {name} files in the trust list")
    return {path: digest for path, digest in digests.items() if isinstance(digest, str)}
