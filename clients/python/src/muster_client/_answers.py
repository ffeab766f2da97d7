"""What httpx receives and how it fails, in the words of this client. Nothing here sends anything."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from ._errors import MusterError, rejection_of
from ._operation import Request
from ._options import Options


def arguments_of(request: Request) -> dict[str, Any]:
    """Return a request as httpx takes it. A redirect would carry the key to another address."""
    return {
        "method": request.method,
        "url": request.url,
        "headers": request.headers,
        "params": request.query,
        "content": request.content,
        "data": request.data,
        "files": request.files,
    }


@contextmanager
def reaching(options: Options) -> Iterator[None]:
    """Turn the failures of a connection into errors that name the service."""
    try:
        yield
    except httpx.TimeoutException as cause:
        message = f"Cannot reach the service at {options.url}: the response took too long"
        raise MusterError(message, code="timeout") from cause
    except httpx.RequestError as cause:
        raise MusterError(f"Cannot reach the service at {options.url}: {cause}", code="network_error") from cause


def checked(response: httpx.Response, options: Options) -> httpx.Response:
    """Return a response that was read. Raises MusterError when it is a rejection."""
    if not response.is_success:
        raise rejection_of(response.status_code, response.headers, response.text)
    warning = response.headers.get("X-Warning")
    if warning is not None and options.on_warning is not None:
        options.on_warning(warning)
    return response


def body_of(response: httpx.Response) -> Any:
    """Return the body, typed by the API's description: the service's tests check its responses against it."""
    if not response.content:
        return None
    try:
        return json.loads(response.content)
    except ValueError as cause:
        raise MusterError(
            f"The response of {response.url} is not JSON.",
            code="invalid_response",
            status=response.status_code,
        ) from cause
