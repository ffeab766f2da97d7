"""Operations of the API, and the requests that they become. Nothing here sends anything."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, Union
from urllib.parse import parse_qsl, quote

from ._options import Options

T = TypeVar("T")
Upload = Union[tuple[str, bytes], tuple[str, bytes, str]]
"""A file of a form: its name, its content, and its media type if the name does not say it."""
Scalar = Union[str, int, float, bool]
Params = Mapping[str, Union[Scalar, Sequence[Scalar], None]]
"""Parameters of path and query; a list is sent as several parameters."""


@dataclass(frozen=True)
class Operation(Generic[T]):
    """An operation of the API with its result, or with the items of its pages."""

    method: str
    path: str
    repeatable: bool = False
    """Whether it takes an `Idempotency-Key`."""
    form: bool = False
    """Whether its body is a form, with files."""


@dataclass(frozen=True)
class Request:
    """A request, ready to be sent as often as necessary: an `Idempotency-Key` is the same in all tries."""

    method: str
    url: str
    headers: dict[str, str]
    query: list[tuple[str, str]] = field(default_factory=list)
    content: bytes | None = None
    data: dict[str, Any] | None = None
    files: dict[str, Upload] | None = None
    may_repeat: bool = False
    """Whether it may be executed twice without harm."""


def request_of(
    operation: Operation[T],
    options: Options,
    params: Params | None = None,
    body: object = None,
    idempotency_key: str | None = None,
) -> Request:
    """Return the request of an operation."""
    path, query = _placed(operation.path, params or {})
    headers = {"Accept": "application/json", **credentials(path, options.key)}
    if operation.repeatable:
        headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
    is_json = body is not None and not operation.form
    if is_json:
        headers["Content-Type"] = "application/json"
    data, files = _form(body) if operation.form and isinstance(body, dict) else (None, None)
    return Request(
        operation.method,
        options.url + path,
        headers,
        query,
        json.dumps(body, allow_nan=False).encode() if is_json else None,
        data,
        files,
        operation.repeatable or operation.method in ("GET", "PUT"),
    )


def credentials(path: str, key: str) -> dict[str, str]:
    """Return the headers that carry the key: other protocols than the API have theirs."""
    if path.startswith("/ag-ui/"):
        return {"Authorization": f"Bearer {key}"}
    if path.startswith("/rest/v1/"):
        return {"Authorization": f"Bearer {key}", "apikey": key}
    return {"X-API-Key": key}


def _placed(template: str, params: Params) -> tuple[str, list[tuple[str, str]]]:
    """Return the path with its parameters, and the others."""
    in_path = set(re.findall(r"\{(\w+)\}", template))
    path, _, fixed = template.partition("?")
    for name in in_path:
        path = path.replace("{" + name + "}", quote(_written(params[name]), safe=""))
    query = parse_qsl(fixed) + [
        (name, _written(each))
        for name, value in params.items()
        if name not in in_path and value is not None
        for each in (value if isinstance(value, (list, tuple)) else [value])
    ]
    return path, query


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _form(body: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Upload]]:
    fields = {name: value for name, value in body.items() if not isinstance(value, tuple)}
    return fields, {name: value for name, value in body.items() if isinstance(value, tuple)}
