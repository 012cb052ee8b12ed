"""Retries below the generated client: one Idempotency-Key for all attempts of a write."""

from __future__ import annotations

import asyncio
import email.utils
import random
import time
import uuid
from typing import Optional

import httpx

from .errors import ApiError, WriteProposed

_WAITING_REQUEST = 30.0
_STATUS = {429, 502, 503, 504}
_LOST = (httpx.TimeoutException, httpx.NetworkError, httpx.RemoteProtocolError)


class Retries:
    """At most `attempts` in all. A service that asks for more than `longest_wait` seconds gets no further attempt."""

    def __init__(self, attempts: int = 5, longest_wait: float = 60.0, first_wait: float = 0.5) -> None:
        self.attempts = attempts
        self.longest_wait = longest_wait
        self.first_wait = first_wait

    def prepare(self, request: httpx.Request) -> None:
        timeout = request.extensions.get("timeout", {})
        if "wait" in request.url.params and timeout.get("read") is not None:
            request.extensions["timeout"] = {**timeout, "read": timeout["read"] + _WAITING_REQUEST}
        if request.method not in ("GET", "HEAD"):
            request.headers.setdefault("Idempotency-Key", str(uuid.uuid4()))

    def wait_after(self, attempt: int, response: Optional[httpx.Response]) -> Optional[float]:
        """Seconds until the next attempt, or None if this was the last."""
        if attempt >= self.attempts or (response is not None and not _may_repeat(response)):
            return None
        asked = _retry_after(response)
        if asked is not None:
            return asked if asked <= self.longest_wait else None
        return random.uniform(0, min(self.first_wait * 2 ** (attempt - 1), 8.0))


def _result_of(response: httpx.Response) -> httpx.Response:
    location = response.headers.get("location", "")
    if response.status_code == 202 and location.startswith("/api/proposals/"):
        raise WriteProposed(location)
    if not response.is_success:
        raise ApiError(response)
    return response


def _may_repeat(response: httpx.Response) -> bool:
    # A 409 with Retry-After: the first attempt, whose response was lost, still runs.
    return response.status_code in _STATUS or (response.status_code >= 400 and "retry-after" in response.headers)


def _retry_after(response: Optional[httpx.Response]) -> Optional[float]:
    value: Optional[str] = response.headers.get("retry-after") if response is not None else None
    if value is None:
        return None
    if value.isdigit():
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


class RetryingTransport(httpx.BaseTransport):
    def __init__(self, transport: httpx.BaseTransport, retries: Retries) -> None:
        self._transport = transport
        self._retries = retries

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self._retries.prepare(request)
        attempt = 1
        while True:
            response = None
            try:
                response = self._transport.handle_request(request)
                response.request = request
                # A connection may be lost in the middle of the body, too.
                response.read()
                response.close()
            except _LOST:
                wait = self._retries.wait_after(attempt, None)
                if wait is None:
                    raise
            else:
                wait = self._retries.wait_after(attempt, response)
                if wait is None:
                    return _result_of(response)
            time.sleep(wait)
            attempt += 1

    def close(self) -> None:
        self._transport.close()


class AsyncRetryingTransport(httpx.AsyncBaseTransport):
    def __init__(self, transport: httpx.AsyncBaseTransport, retries: Retries) -> None:
        self._transport = transport
        self._retries = retries

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self._retries.prepare(request)
        attempt = 1
        while True:
            response = None
            try:
                response = await self._transport.handle_async_request(request)
                response.request = request
                await response.aread()
                await response.aclose()
            except _LOST:
                wait = self._retries.wait_after(attempt, None)
                if wait is None:
                    raise
            else:
                wait = self._retries.wait_after(attempt, response)
                if wait is None:
                    return _result_of(response)
            await asyncio.sleep(wait)
            attempt += 1

    async def aclose(self) -> None:
        await self._transport.aclose()
