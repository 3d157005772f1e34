"""Texts as sets of words that can be compared: case, endings and punctuation do not matter, in any script."""

import re
import unicodedata
from collections import Counter

_WORD = re.compile(r"\w+(?:[-.+#]+\w+)*[+#]*")
_NAME = re.compile(r"\w+(?:[./:]+\w+)*[+#]*")
_PART = re.compile(r"[^\W_]+[+#]*")
# Scripts that put no spaces between words, or join them to long ones: Thai to Khmer, then all of CJK.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_ENDINGS = ("ation", "ment", "ing", "ied", "ion", "ed", "er", "e")
SHORTEST_STEM_CHARS = 3
_STOP_WORD = re.compile(
    r"""
    a | an | the | this | that | these | those | there | here | it | its | is | are | was | were | be | been |
    being | am | do | does | did | done | has | have | had | having | will | would | shall | should | can |
    could | may | might | must | of | in | on | at | to | from | for | with | without | by | as | into | onto |
    over | under | per | via | and | or | but | so | if | then | than | when | while | where | which | who |
    whom | whose | what | how | i | we | you | he | she | they | them | us | our | your | my | their | his | her
    | one | some | any | each | every | all | both | no | not | nor | very | just | also | only | too | more |
    most | less | about | out | up | down | off | again
    """,
    re.VERBOSE,
)
"""Words that stand in every sentence and tell nothing."""


def normalised(text: str) -> str:
    """The words of a text and nothing else, so that two that differ in case or punctuation alone are equal."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    words = _WORD.findall(folded)
    return " ".join(words) if words else " ".join(folded.split())


def terms_of(text: str) -> Counter[str]:
    """The words of a text as they are counted in a search: stems, parts of names, pairs of letters without gaps."""
    # A name such as UserService is found by its parts and as a whole.
    return _counted(_PART, _split_humps(text)) | _counted(_PART, text)


def matters_of(text: str) -> frozenset[str]:
    """What a text speaks of: its words as stems, but each path, version and name as one."""
    return frozenset(_counted(_NAME, text))


def _counted(pattern: re.Pattern[str], text: str) -> Counter[str]:
    terms: Counter[str] = Counter()
    for word in pattern.findall(unicodedata.normalize("NFKC", text).casefold()):
        if _UNSPACED.search(word):
            terms.update(word[at : at + 2] for at in range(max(1, len(word) - 1)))
        elif not _STOP_WORD.fullmatch(word):
            terms[stem(word)] += 1
    return terms


def stem(word: str) -> str:
    """A word without its common English endings, so that linter, linting and lints are one; with digits it stays."""
    if not word.isalpha():
        return word
    if word.endswith("ies") and len(word) > SHORTEST_STEM_CHARS + 1:
        word = word[:-3]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > SHORTEST_STEM_CHARS:
        word = word[:-1]
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM_CHARS:
            word = word.removesuffix(ending)
            break
    # reply and replied, but not deploy.
    if word[-1] == "y" and len(word) > SHORTEST_STEM_CHARS and word[-2] not in "aeiou":
        word = word[:-1]
    # running and run.
    is_doubled = len(word) > SHORTEST_STEM_CHARS and word[-1] == word[-2]
    return word[:-1] if is_doubled else word


def _split_humps(text: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
