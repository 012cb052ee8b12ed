from __future__ import annotations

from typing import Optional

import httpx

from . import api


class WriteProposed(Exception):
    """Nothing was changed yet: the write is a proposal, which waits until someone else accepts it. `location` is its path."""

    def __init__(self, location: str) -> None:
        super().__init__(f"Nothing was changed yet: {location} waits until someone else accepts it")
        self.location = location


class ApiError(api.ApiError):
    """The service refused the request. `code` is one of `ErrorCode`, or one of a newer service; `request_id` finds it in its log."""

    def __init__(self, response: httpx.Response) -> None:
        try:
            body = response.json()
        except ValueError:
            body = None
        super().__init__(str(response.url.copy_with(query=None)), response.status_code, response.reason_phrase, body)
        error = body.get("error") if isinstance(body, dict) else None
        error = error if isinstance(error, dict) else {}
        self.code: str = error.get("code") or "UNKNOWN_RESPONSE"
        self.message: str = error.get("message") or f"HTTP status {response.status_code}"
        self.details: Optional[str] = error.get("details")
        self.request_id: Optional[str] = response.headers.get("x-request-id")

    def __str__(self) -> str:
        text = f"{self.code} ({self.status}): {self.message}"
        if self.details:
            text += f": {self.details}"
        return f"{text} [request {self.request_id}]" if self.request_id else text
