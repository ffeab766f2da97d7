"""A typed client for Muster: every operation of its API, and streams that resume."""

from . import models, webhooks
from ._client import AsyncMuster, Muster
from ._errors import FieldIssue, MusterError
from ._following import StreamedEvent
from ._page import AsyncPage, Page

__all__ = ["AsyncMuster", "AsyncPage", "FieldIssue", "Muster", "MusterError", "Page", "StreamedEvent", "models", "webhooks"]
