"""Makes Markdown of an exact length, with every kind of block, for benchmarks and for trying the screen."""

from itertools import count

from diligent_tui.providers.offline.answers import TOKEN_CHARS

_SOURCE = '''\
## Part {n}: how a letter finds its door
%%
Every letter carries a **street**, a *house* and a name. The sorter `route_{n}` looks at the street alone; the carrier \
looks at the rest. A letter without a street waits in `box/{n}/unsorted` until somebody reads it aloud.
%%
- empty the sack on the long table
- put aside what is **heavy**
  - parcels go to the left
  - books go to the right
- count what is left, and write the number `{n}` on the board
%%
```python
def route_{n}(letters: list[str]) -> dict[str, list[str]]:
    """Letters by street."""
    streets: dict[str, list[str]] = {}
    for letter in letters:
        street, _, rest = letter.partition(",")
        streets.setdefault(street, []).append(rest.strip())
    return streets  # {n} at most
```
%%
| street | letters | carrier |
| :--- | ---: | :---: |
| Mill Lane | {n} | Ada |
| Harbour Row | 27 | Bo |
| Long Acre | 104 | Ada |
%%
### Rain, and what to do

When it rains the sack is closed, the cart is covered and the round begins at the far end, so that the wettest street \
is the shortest one. Nobody has ever complained of round {n}.
%%
1. Knock once.
2. Wait while you count to {n}.
3. Leave the letter, and note the [door](https://example.org/{n}).
%%
> A letter that comes late is still a letter; one that is lost was never written, said the oldest carrier of round {n}.
%%
```sh
$ sort --key=2 street_{n}.txt | uniq --count
     12 Mill Lane
      3 Long Acre
```

---
'''
_BLOCKS = tuple(f"{block.strip()}\n\n" for block in _SOURCE.split("\n%%\n"))
_PROSE = "and the carrier walks on from door to door with a lighter sack than before "
_BREAK = "\n\n"


def markdown(tokens: int, last_word: str) -> str:
    """Text of exactly so many tokens, whole blocks only, whose last line is the given word; never less than that."""
    left_chars = tokens * TOKEN_CHARS - len(last_word) - len(_BREAK)
    if left_chars <= 0:
        return last_word
    blocks: list[str] = []
    for number in count(1):
        block = _BLOCKS[(number - 1) % len(_BLOCKS)].replace("{n}", str(number))
        if len(block) > left_chars:
            break
        blocks.append(block)
        left_chars -= len(block)
    filler = (_PROSE * (left_chars // len(_PROSE) + 1))[:left_chars]
    return "".join(blocks) + filler + _BREAK + last_word
