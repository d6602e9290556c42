"""The two clients: what they take, and how they connect and end."""

from __future__ import annotations

from types import TracebackType
from typing import Any

import grpc
import grpc.aio

from agent_memory._attempts import RetryPolicy
from agent_memory._channel import Options, channel_of
from agent_memory._methods import AsyncMethods, Methods


class Client(Methods):
    """A client that waits for each answer. Threads may share it.

    Each RPC is a method; beside the fields of its request it takes `timeout`, in seconds, and
    where an idempotency key makes it safe to repeat, `idempotency_key` (a new one by default).
    Methods raise AgentMemoryError where a call fails, and TypeError or ValueError where an
    argument is wrong before it is sent.

    It connects with the first call. `with Client(...) as client:` closes it at the end.
    """

    def __init__(
        self,
        url: str,
        api_key: str | None = None,
        *,
        timeout: float = 120.0,
        max_attempts: int = 4,
        max_retry_wait: float = 30.0,
        credentials: grpc.ChannelCredentials | None = None,
        channel_options: Options = (),
    ) -> None:
        """Opens nothing yet.

        url: where the service is, as in `https://memory.example.com`. `http` is plain text,
            `https` is TLS with the roots that gRPC brings.
        api_key: `svc_...`; None: calls carry no key, what stands before the service adds it.
        timeout: seconds that a call may take with its retries, unless it brings a `timeout` of
            its own; `math.inf`: any time. Streams and imports have only one of their own.
        max_attempts: how often a call is sent at most where it is safe to repeat; 1: no retries.
        max_retry_wait: seconds that are waited for at most where the service asks to wait; where
            it asks for more, the error is raised.
        credentials: instead of those that `url` stands for, such as roots of your own.
        channel_options: of the gRPC channel, beside those that the client sets.

        Raises ValueError for a URL that is none, or that has a path.
        """
        address, trusted, options = channel_of(url, credentials, channel_options)
        channel = (
            grpc.insecure_channel(address, options)
            if trusted is None
            else grpc.secure_channel(address, trusted, options)
        )
        super().__init__(channel, api_key, RetryPolicy(timeout, max_attempts, max_retry_wait))

    def close(self) -> None:
        """Ends the connection, and calls that still run."""
        self._channel.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class AsyncClient(AsyncMethods):
    """A client for asyncio, of one event loop: that of its first call.

    It connects with the first call. `async with AsyncClient(...) as client:` closes it at the end.
    """

    def __init__(
        self,
        url: str,
        api_key: str | None = None,
        *,
        timeout: float = 120.0,
        max_attempts: int = 4,
        max_retry_wait: float = 30.0,
        credentials: grpc.ChannelCredentials | None = None,
        channel_options: Options = (),
    ) -> None:
        """As that of `Client`."""
        address, trusted, options = channel_of(url, credentials, channel_options)

        def connect() -> Any:
            # A channel belongs to the loop in which it is made.
            if trusted is None:
                return grpc.aio.insecure_channel(address, options)
            return grpc.aio.secure_channel(address, trusted, options)

        super().__init__(connect, api_key, RetryPolicy(timeout, max_attempts, max_retry_wait))

    async def close(self) -> None:
        """Ends the connection, and calls that still run."""
        if self._opened is not None:
            await self._opened.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()
