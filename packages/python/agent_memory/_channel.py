"""Where a channel leads, and how it is set."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import grpc

# Pages of a list hold 4 MiB of text, and what stands around it.
_MAX_RECEIVE_BYTES = 16 * 1024 * 1024

Options = tuple[tuple[str, Any], ...]

_OPTIONS: Options = (
    ("grpc.max_receive_message_length", _MAX_RECEIVE_BYTES),
    # The client repeats calls itself: it knows the reasons of errors and has idempotency keys.
    ("grpc.enable_retries", 0),
)

_PORTS = {"http": 80, "https": 443}


def channel_of(
    url: str, credentials: grpc.ChannelCredentials | None, options: Options
) -> tuple[str, grpc.ChannelCredentials | None, Options]:
    """Of a channel its address, its credentials (None: plain text) and its options."""
    address, is_tls = _address_of(url)
    if credentials is None and is_tls:
        credentials = grpc.ssl_channel_credentials()
    return address, credentials, (*_OPTIONS, *options)


def _address_of(url: str) -> tuple[str, bool]:
    """The address that gRPC calls, and whether it is called by TLS."""
    parts = urlsplit(url)
    if parts.scheme not in _PORTS or not parts.hostname:
        raise ValueError("`url` must be like https://memory.example.com")
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ValueError("`url` must have no path: gRPC has paths of its own")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{host}:{parts.port or _PORTS[parts.scheme]}", parts.scheme == "https"
