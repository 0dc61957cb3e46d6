"""Which pages of keys and values belong to which request, and which hold a prefix shared with another request.

A page that is full and will not change is identified by all tokens up to its end. It stays cached when its last user
leaves, until its room is needed; a request with the same prefix uses it as it is.
"""

from __future__ import annotations

import collections
import hashlib
from typing import Sequence


def chain(parent: bytes, tokens: Sequence[int]) -> bytes:
    """The name of a page: the name of the page before, and its tokens."""
    return hashlib.sha256(parent + b"".join(token.to_bytes(4, "little") for token in tokens)).digest()


class Pool:
    """Pages 1 to count - 1; page 0 is unowned."""

    def __init__(self, count: int, page: int):
        self.page, self._count = page, count
        self.clear()

    def clear(self) -> None:
        """Everything is free, and nothing is cached."""
        self._free = list(range(self._count - 1, 0, -1))
        self._users: collections.Counter[int] = collections.Counter()
        self._known: dict[bytes, int] = {}
        self._names: dict[int, bytes] = {}
        self._idle: collections.OrderedDict[int, None] = collections.OrderedDict()  # cached and unused, oldest first

    @property
    def room(self) -> int:
        """Available pages."""
        return len(self._free) + len(self._idle)

    def known(self, tokens: Sequence[int]) -> list[int]:
        """The pages that hold the prefix of these tokens; at least one token is left."""
        found, name = [], b""
        for begin in range(0, len(tokens) - self.page, self.page):
            name = chain(name, tokens[begin:begin + self.page])
            if (page := self._known.get(name)) is None:
                break
            found.append(page)
        return found

    def take(self, shared: Sequence[int], count: int) -> list[int] | None:
        """The shared pages with `count` new ones after them; None if there is no room."""
        if len(self._free) + sum(1 for page in self._idle if page not in shared) < count:
            return None
        for page in shared:
            self._idle.pop(page, None)
        pages = [*shared, *(self._fresh() for _ in range(count))]
        self._users.update(pages)
        return pages

    def _fresh(self) -> int:
        if self._free:
            return self._free.pop()
        page, _ = self._idle.popitem(last=False)
        del self._known[self._names.pop(page)]
        return page

    def full(self, page: int, name: bytes) -> None:
        """The page has the contents that `name` identifies, and keeps them. If another page has them already, nothing
        happens."""
        if name not in self._known and page not in self._names:
            self._known[name], self._names[page] = page, name

    def give_back(self, pages: Sequence[int]) -> None:
        """The last ones first, so that a prefix outlives its continuations."""
        for page in reversed(pages):
            self._users[page] -= 1
            if self._users[page] > 0:
                continue
            del self._users[page]
            if page in self._names:
                self._idle[page] = None
            else:
                self._free.append(page)
