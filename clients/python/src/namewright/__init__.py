"""Namewright: domain registration and DNS management.

    import namewright

    client = namewright.connect("https://names.example.com", key)
    for domain in client.list_domains_items(limit=100):
        print(domain.name, domain.status)
"""

from . import api as _api
from .api import *  # noqa: F401,F403: every model of the API
from .connection import AsyncNamewright, Namewright, connect, connect_async
from .errors import ApiError as ApiError, WriteProposed  # type: ignore[assignment]
from .retries import Retries

__all__ = [name for name, value in vars(_api).items() if getattr(value, "__module__", None) == _api.__name__ and name[0].isupper()]
__all__ += ["AsyncNamewright", "Namewright", "Retries", "WriteProposed", "connect", "connect_async"]
