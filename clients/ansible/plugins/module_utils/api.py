"""Requests to the API of Namewright. Needs nothing beyond Ansible."""

import json
import time
import uuid
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode

from ansible.module_utils.basic import env_fallback
from ansible.module_utils.urls import open_url

API_OPTIONS = {
    "url": {"type": "str", "fallback": (env_fallback, ["NAMEWRIGHT_URL"])},
    "api_key": {"type": "str", "no_log": True, "fallback": (env_fallback, ["NAMEWRIGHT_API_KEY"])},
    "validate_certs": {"type": "bool", "default": True},
    "timeout": {"type": "int", "default": 30},
}
_ATTEMPTS = 5
_LONGEST_WAIT = 60.0
_REPEATED = (429, 502, 503, 504)


class ApiError(Exception):
    """An error of the service, or no response."""

    def __init__(self, message, code=None, status=None):
        super().__init__(message)
        self.code = code
        self.status = status


class Response:
    def __init__(self, body, status, headers):
        self.body = body
        self.status = status
        self.etag = headers.get("ETag")


class Api:
    def __init__(self, module):
        self._module = module
        for option in ("url", "api_key"):
            if not module.params[option]:
                module.fail_json(msg="%s is missing: set it, or NAMEWRIGHT_%s" % (option, option.upper()))
        self._url = module.params["url"].rstrip("/")

    def get(self, path, **query):
        return self._send("GET", path, query).body

    def find(self, path):
        """None if the account has nothing there."""
        try:
            return self.get(path)
        except ApiError as error:
            if error.status == 404:
                return None
            raise

    def plan(self, method, path, body):
        """What a write would change."""
        return self._send(method, path, {"dry_run": "true"}, body)

    def write(self, method, path, body=None, etag=None):
        response = self._send(method, path, {}, body, etag)
        if response.status == 202:
            raise ApiError("Someone else has to accept the change: it is the proposal %s" % response.body["id"], "PROPOSED")
        return response.body

    def _send(self, method, path, query, body=None, etag=None):
        url = self._url + path + ("?" + urlencode(query) if query else "")
        data = None if body is None else json.dumps(body)
        headers = {"Authorization": "Bearer " + self._module.params["api_key"], "Content-Type": "application/json"}
        if method != "GET":
            headers["Idempotency-Key"] = str(uuid.uuid4())
        if etag is not None:
            headers["If-Match"] = etag
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                return self._attempt(method, url, data, headers)
            except HTTPError as error:
                wait = _wait_after(error, attempt)
                if attempt == _ATTEMPTS or wait is None:
                    raise _error_of(error) from None
            except (URLError, OSError) as error:
                if attempt == _ATTEMPTS:
                    raise ApiError("%s does not respond: %s" % (self._url, getattr(error, "reason", error))) from None
                wait = _pause(attempt)
            time.sleep(wait)

    def _attempt(self, method, url, data, headers):
        response = open_url(
            url,
            method=method,
            data=data,
            headers=headers,
            http_agent="namewright-ansible/0.1.0",
            timeout=self._module.params["timeout"],
            validate_certs=self._module.params["validate_certs"],
            # A redirect would take the key to another host.
            follow_redirects="no",
        )
        with response:
            return Response(json.loads(response.read()), response.status, response.headers)


def segment(text):
    """Of a path: reverse zones of small networks have a slash in their names."""
    return quote(text, safe="")


def _pause(attempt):
    return 0.25 * 2**attempt


def _wait_after(error, attempt):
    """Seconds until the next attempt; None if there is none."""
    after = error.headers.get("Retry-After")
    if after is not None and after.isdigit():
        return float(after) if float(after) <= _LONGEST_WAIT else None
    return _pause(attempt) if error.code in _REPEATED else None


def _error_of(error):
    try:
        found = json.loads(error.read())["error"]
        text = found["message"]
        details = found.get("details")
        return ApiError("%s: %s" % (text, details) if details else text, found["code"], error.code)
    except (ValueError, KeyError, TypeError):
        return ApiError("The response has the status %s and is not of Namewright" % error.code, None, error.code)
