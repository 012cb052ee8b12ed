from __future__ import annotations

import asyncio
import time
from typing import Any, AsyncIterator, Iterator, Optional

import httpx

from .api import AsyncClient, Client, Event
from .retries import AsyncRetryingTransport, Retries, RetryingTransport

_USER_AGENT = "namewright-python/0.1.0"
# The service may respond at once without events, if too many wait.
_SHORTEST_TURN = 1.0


class Namewright(Client):
    """One method for each operation of the API, and `follow_events`. Use it as a context manager, or call `close`."""

    def __init__(
        self,
        url: str,
        key: str,
        *,
        timeout: float = 30.0,
        retries: Optional[Retries] = None,
        transport: Optional[httpx.BaseTransport] = None,
    ) -> None:
        retrying = RetryingTransport(transport or httpx.HTTPTransport(), retries or Retries())
        http = httpx.Client(transport=retrying, timeout=timeout, headers={"User-Agent": _USER_AGENT})
        super().__init__(url, auth={"bearer": lambda: key}, timeout=timeout, http_client=http)

    def follow_events(self, *, after: Optional[str] = None, wait: int = 30, **filters: Any) -> "Feed":
        """Yields the events after `after`, then waits for new ones. Store `feed.position` after each, and pass it as `after` next time."""
        return Feed(self, after, wait, filters)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> "Namewright":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


class Feed:
    def __init__(self, client: Namewright, after: Optional[str], wait: int, filters: Any) -> None:
        self.position = after
        self._client, self._wait, self._filters = client, wait, filters

    def __iter__(self) -> Iterator[Event]:
        while True:
            started = time.monotonic()
            page = self._client.list_events_with_headers(
                after=self.position, wait=self._wait, **self._filters
            )
            for event in page.data:
                self.position = event.id
                yield event
            self.position = page.headers.get("events_position", self.position)
            if not page.data:
                time.sleep(max(0.0, min(_SHORTEST_TURN, self._wait) - (time.monotonic() - started)))


class AsyncNamewright(AsyncClient):
    """`Namewright` for asyncio."""

    def __init__(
        self,
        url: str,
        key: str,
        *,
        timeout: float = 30.0,
        retries: Optional[Retries] = None,
        transport: Optional[httpx.AsyncBaseTransport] = None,
    ) -> None:
        retrying = AsyncRetryingTransport(transport or httpx.AsyncHTTPTransport(), retries or Retries())
        http = httpx.AsyncClient(transport=retrying, timeout=timeout, headers={"User-Agent": _USER_AGENT})
        super().__init__(url, auth={"bearer": lambda: key}, timeout=timeout, http_client=http)

    def follow_events(self, *, after: Optional[str] = None, wait: int = 30, **filters: Any) -> "AsyncFeed":
        return AsyncFeed(self, after, wait, filters)

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> "AsyncNamewright":
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()


class AsyncFeed:
    def __init__(self, client: AsyncNamewright, after: Optional[str], wait: int, filters: Any) -> None:
        self.position = after
        self._client, self._wait, self._filters = client, wait, filters

    async def __aiter__(self) -> AsyncIterator[Event]:
        while True:
            started = time.monotonic()
            page = await self._client.list_events_with_headers(
                after=self.position, wait=self._wait, **self._filters
            )
            for event in page.data:
                self.position = event.id
                yield event
            self.position = page.headers.get("events_position", self.position)
            if not page.data:
                await asyncio.sleep(max(0.0, min(_SHORTEST_TURN, self._wait) - (time.monotonic() - started)))


def connect(url: str, key: str, **options: Any) -> Namewright:
    return Namewright(url, key, **options)


def connect_async(url: str, key: str, **options: Any) -> AsyncNamewright:
    return AsyncNamewright(url, key, **options)
