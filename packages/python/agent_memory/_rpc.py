"""What a client knows of an RPC."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

Request = TypeVar("Request")
Response = TypeVar("Response")


@dataclass(frozen=True)
class Rpc(Generic[Request, Response]):
    """An RPC, as the protos have it."""

    path: str
    request: type[Request]
    response: type[Response]
    is_idempotent: bool
    """It can be repeated without a key."""
    takes_key: bool
    """An `idempotency-key` makes it safe to repeat."""

    def parse(self, binary: bytes) -> Response:
        """An answer as it was received."""
        kind: Any = self.response
        message: Response = kind.FromString(binary)
        return message
