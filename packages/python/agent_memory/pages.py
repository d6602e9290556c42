"""What is answered in pages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, Generic, TypeVar

Page = TypeVar("Page")
Item = TypeVar("Item")


class Pages(Generic[Page, Item]):
    """What is on all pages, one after the other, each asked for when it is read.

    Each time it is iterated, it starts anew.
    """

    def __init__(self, load: Callable[[str | None], Page], items: str) -> None:
        """`load` gets the token of a page; None: that of the first. `items` is their field."""
        self._load = load
        self._items = items

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from getattr(page, self._items)

    def page(self) -> Page:
        """The first page alone, with its `next_page_token`: one call."""
        return self._load(None)

    def pages(self) -> Iterator[Page]:
        """The pages themselves, with what else stands on them."""
        token: str | None = None
        while True:
            page = self._load(token)
            yield page
            token = _next_token_of(page)
            if token is None:
                return


class AsyncPages(Generic[Page, Item]):
    """As `Pages`, for `async for`."""

    def __init__(self, load: Callable[[str | None], Awaitable[Page]], items: str) -> None:
        self._load = load
        self._items = items

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in getattr(page, self._items):
                yield item

    async def page(self) -> Page:
        """The first page alone, with its `next_page_token`: one call."""
        return await self._load(None)

    async def pages(self) -> AsyncIterator[Page]:
        """The pages themselves, with what else stands on them."""
        token: str | None = None
        while True:
            page = await self._load(token)
            yield page
            token = _next_token_of(page)
            if token is None:
                return


def _next_token_of(page: Any) -> str | None:
    token: str = page.next_page_token
    return token if page.HasField("next_page_token") else None
