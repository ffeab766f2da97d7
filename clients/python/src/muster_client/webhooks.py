"""Verifies deliveries of webhooks."""

from __future__ import annotations

import hashlib
import hmac

SIGNATURE = "X-Service-Signature"
"""The header with the signature of a delivery."""


def is_signed(body: bytes, signature: str | None, secret: str) -> bool:
    """Return whether a delivery was sent by the service.

    Args:
        body: The body as it was received: verify it before you parse it.
        signature: The header `X-Service-Signature`; None is never valid.
        secret: The secret of the subscription, which only the response that created it shows.
    """
    expected = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), (signature or "").encode())
