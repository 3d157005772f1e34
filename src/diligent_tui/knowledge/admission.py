"""What may be kept as knowledge: a fact in words, short enough to be told, without secrets."""

from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.estimator import utf8_size
from diligent_tui.domain.knowledge import KnowledgeEntry, is_knowledge_id
from diligent_tui.domain.plain_text import clean_line, mend_surrogates
from diligent_tui.domain.secret_text import kind_of_secret

LONGEST_CONTENT_BYTES = 12_000
"""Half of what the model is ever told at once; a longer fact would crowd out all others."""
LONGEST_SHOWN_CHARS = 200


def admit(entry: KnowledgeEntry) -> KnowledgeEntry:
    """The entry ready to be saved; StorageError if it is empty, too long, misnamed, or holds a secret."""
    content = mend_surrogates(entry.content).strip()
    tags = tuple(filter(None, (mend_surrogates(tag).strip() for tag in entry.tags)))
    if not content:
        raise StorageError("This knowledge entry says nothing.", "Say the fact in a sentence.")
    if utf8_size(content) > LONGEST_CONTENT_BYTES:
        raise StorageError(
            f"This is too long for a knowledge entry ({utf8_size(content):,} of {LONGEST_CONTENT_BYTES:,} bytes).",
            "Say it in fewer words, or put it in a file and name the file.",
        )
    if (kind := kind_of_secret("\n".join((content, *tags)))) is not None:
        raise StorageError(
            f"This seems to hold {kind}; secrets are not kept as knowledge.",
            "Leave the secret out: say where it is kept, not what it is.",
        )
    if entry.id and not is_knowledge_id(entry.id):
        raise StorageError(f"{clean_line(entry.id, LONGEST_SHOWN_CHARS)} is no id.", "Leave the id out.")
    return entry.model_copy(update={"content": content, "tags": tags})
