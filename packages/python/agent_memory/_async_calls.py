"""How calls are sent and awaited. What each part does stands at its like in `_calls`."""

from __future__ import annotations

import asyncio
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Callable,
    Iterable,
    Mapping,
)
from typing import Any, TypeVar

import grpc

from agent_memory import _platform
from agent_memory._attempts import RetryPolicy
from agent_memory._calls import Caller
from agent_memory._requests import request_of
from agent_memory._rpc import Rpc
from agent_memory.errors import error_of
from agent_memory.pages import AsyncPages

Request = TypeVar("Request")
Response = TypeVar("Response")


class AsyncCalls(Caller):
    """Sends calls by a channel, again where that is safe, within their deadline."""

    def __init__(
        self, connect: Callable[[], Any], api_key: str | None, policy: RetryPolicy
    ) -> None:
        super().__init__(api_key, policy)
        self._connect = connect
        self._opened: Any = None

    @property
    def _channel(self) -> Any:
        if self._opened is None:
            self._opened = self._connect()
        return self._opened

    async def _call(
        self,
        rpc: Rpc[Request, Response],
        timeout: float | None,
        idempotency_key: str | None,
        fields: Mapping[str, Any],
    ) -> Response:
        return await self._send(rpc, timeout, idempotency_key, request_of(rpc.request, fields))

    async def _send(
        self,
        rpc: Rpc[Request, Response],
        timeout: float | None,
        idempotency_key: str | None,
        request: Request,
    ) -> Response:
        send, metadata, attempts = self._unary(rpc, timeout, idempotency_key)
        while True:
            try:
                response: Response = await send(
                    request, timeout=attempts.remaining(), metadata=metadata
                )
                return response
            except grpc.RpcError as failure:
                wait = attempts.wait_after(failure)
            await _platform.sleep_async(wait)

    def _pages(
        self,
        rpc: Rpc[Request, Response],
        timeout: float | None,
        fields: Mapping[str, Any],
        items: str,
    ) -> AsyncPages[Response, Any]:
        async def load(token: str | None) -> Response:
            given = fields if token is None else {**fields, "page_token": token}
            return await self._call(rpc, timeout, None, given)

        return AsyncPages(load, items)

    def _stream(
        self, rpc: Rpc[Request, Response], timeout: float | None, fields: Mapping[str, Any]
    ) -> AsyncGenerator[Response, None]:
        return self._read(rpc, timeout, request_of(rpc.request, fields))

    async def _read(
        self, rpc: Rpc[Request, Response], timeout: float | None, request: Request
    ) -> AsyncGenerator[Response, None]:
        send, metadata, attempts = self._reading(rpc, timeout)
        while True:
            call = send(request, timeout=attempts.remaining(), metadata=metadata)
            messages = aiter(call)
            try:
                first = await anext(messages, None)
                break
            except grpc.RpcError as failure:
                wait = attempts.wait_after(failure)
            await _platform.sleep_async(wait)
        try:
            if first is not None:
                yield first
            async for message in messages:
                yield message
        except grpc.RpcError as failure:
            raise error_of(failure, rpc) from failure
        finally:
            call.cancel()

    async def _write(
        self,
        rpc: Rpc[Any, Response],
        timeout: float | None,
        messages: AsyncIterable[Any] | Iterable[Any],
    ) -> Response:
        send, metadata = self._writing(rpc)
        source = AsyncWatched(messages)
        try:
            response: Response = await send(aiter(source), timeout=timeout, metadata=metadata)
            return response
        except grpc.RpcError as failure:
            raise error_of(failure, rpc) from failure
        except asyncio.CancelledError:
            # So gRPC ends a call whose messages break off.
            if source.failure is not None:
                raise source.failure from None
            raise


class AsyncWatched:
    """Messages on their way out."""

    def __init__(self, messages: AsyncIterable[Any] | Iterable[Any]) -> None:
        self._messages = messages
        self.failure: Exception | None = None

    async def __aiter__(self) -> AsyncIterator[Any]:
        try:
            if isinstance(self._messages, AsyncIterable):
                async for message in self._messages:
                    yield message
            else:
                for message in self._messages:
                    yield message
        except Exception as failure:
            self.failure = failure
            raise
