"""How calls are sent and wait for their answers."""

from __future__ import annotations

import math
import re
from collections.abc import Generator, Iterable, Iterator, Mapping
from typing import Any, TypeVar

import grpc

from agent_memory import _platform
from agent_memory._attempts import Attempts, RetryPolicy
from agent_memory._requests import request_of
from agent_memory._rpc import Rpc
from agent_memory.errors import error_of
from agent_memory.pages import Pages

Request = TypeVar("Request")
Response = TypeVar("Response")

Metadata = tuple[tuple[str, str], ...]


def metadata_of(rpc: Rpc[Any, Any], api_key: str | None, idempotency_key: str | None) -> Metadata:
    """What a call carries; all its attempts have the same idempotency key."""
    metadata: Metadata = () if api_key is None else (("authorization", f"Bearer {api_key}"),)
    if not rpc.takes_key:
        return metadata
    key = _platform.new_key() if idempotency_key is None else idempotency_key
    return (*metadata, ("idempotency-key", _visible("idempotency_key", key)))


def _visible(name: str, value: str) -> str:
    """What a header can carry. gRPC itself would name no argument."""
    if not re.fullmatch(r"[!-~]{1,255}", value):
        raise ValueError(f"`{name}` must be 1 to 255 visible ASCII characters")
    return value


def serialize(message: Any) -> bytes:
    """A message as it is sent; what an export answered has the form that an import takes."""
    binary: bytes = message.SerializeToString()
    return binary


class Caller:
    """What waiting and awaiting clients share: the channel, and what a call carries."""

    def __init__(self, api_key: str | None, policy: RetryPolicy) -> None:
        self._api_key = None if api_key is None else _visible("api_key", api_key)
        self._policy = policy

    @property
    def _channel(self) -> Any:
        raise NotImplementedError

    def _unary(
        self, rpc: Rpc[Any, Any], timeout: float | None, idempotency_key: str | None
    ) -> tuple[Any, Metadata, Attempts]:
        """What sends one message for another, what the call carries, and its attempts."""
        send = self._channel.unary_unary(rpc.path, serialize, rpc.parse)
        whole = self._policy.timeout if timeout is None else timeout
        metadata = metadata_of(rpc, self._api_key, idempotency_key)
        return send, metadata, Attempts(rpc, self._policy, whole)

    def _reading(
        self, rpc: Rpc[Any, Any], timeout: float | None
    ) -> tuple[Any, Metadata, Attempts]:
        """The same for a stream of answers, which has only a timeout of its own."""
        send = self._channel.unary_stream(rpc.path, serialize, rpc.parse)
        attempts = Attempts(rpc, self._policy, math.inf if timeout is None else timeout)
        return send, metadata_of(rpc, self._api_key, None), attempts

    def _writing(self, rpc: Rpc[Any, Any]) -> tuple[Any, Metadata]:
        """The same for a stream of messages, which is sent once."""
        send = self._channel.stream_unary(rpc.path, serialize, rpc.parse)
        return send, metadata_of(rpc, self._api_key, None)


class Calls(Caller):
    """Sends calls by a channel, again where that is safe, within their deadline."""

    def __init__(self, channel: grpc.Channel, api_key: str | None, policy: RetryPolicy) -> None:
        super().__init__(api_key, policy)
        self._opened = channel

    @property
    def _channel(self) -> Any:
        return self._opened

    def _call(
        self,
        rpc: Rpc[Request, Response],
        timeout: float | None,
        idempotency_key: str | None,
        fields: Mapping[str, Any],
    ) -> Response:
        return self._send(rpc, timeout, idempotency_key, request_of(rpc.request, fields))

    def _send(
        self,
        rpc: Rpc[Request, Response],
        timeout: float | None,
        idempotency_key: str | None,
        request: Request,
    ) -> Response:
        send, metadata, attempts = self._unary(rpc, timeout, idempotency_key)
        while True:
            try:
                response: Response = send(request, attempts.remaining(), metadata)
                return response
            except grpc.RpcError as failure:
                _platform.sleep(attempts.wait_after(failure))

    def _pages(
        self,
        rpc: Rpc[Request, Response],
        timeout: float | None,
        fields: Mapping[str, Any],
        items: str,
    ) -> Pages[Response, Any]:
        def load(token: str | None) -> Response:
            given = fields if token is None else {**fields, "page_token": token}
            return self._call(rpc, timeout, None, given)

        return Pages(load, items)

    def _stream(
        self, rpc: Rpc[Request, Response], timeout: float | None, fields: Mapping[str, Any]
    ) -> Generator[Response, None, None]:
        return self._read(rpc, timeout, request_of(rpc.request, fields))

    def _read(
        self, rpc: Rpc[Request, Response], timeout: float | None, request: Request
    ) -> Generator[Response, None, None]:
        """Begins again only before the first message. Leaving the iteration ends the call."""
        send, metadata, attempts = self._reading(rpc, timeout)
        while True:
            call = send(request, attempts.remaining(), metadata)
            try:
                first = next(call, None)
                break
            except grpc.RpcError as failure:
                _platform.sleep(attempts.wait_after(failure))
        try:
            if first is not None:
                yield first
            yield from call
        except grpc.RpcError as failure:
            raise error_of(failure, rpc) from failure
        finally:
            call.cancel()

    def _write(
        self, rpc: Rpc[Any, Response], timeout: float | None, messages: Iterable[Any]
    ) -> Response:
        """Sends all messages, once."""
        send, metadata = self._writing(rpc)
        source = Watched(messages)
        try:
            response: Response = send(iter(source), timeout, metadata)
            return response
        except grpc.RpcError as failure:
            raise source.failure or error_of(failure, rpc) from failure


class Watched:
    """Messages on their way out. Where they break off, gRPC would say only that they did."""

    def __init__(self, messages: Iterable[Any]) -> None:
        self._messages = messages
        self.failure: Exception | None = None

    def __iter__(self) -> Iterator[Any]:
        try:
            yield from self._messages
        except Exception as failure:
            self.failure = failure
            raise
