"""A proxy for gRPC that loses answers, and sees what is sent and who leaves."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc

from fixture import URL


class Proxy(grpc.GenericRpcHandler):
    """`with Proxy(lost=2) as proxy:` the service does its work, the first two answers are lost.

    With `holds` a caller gets the first message of an answer, and waits for others until it leaves.
    """

    def __init__(self, lost: int = 0, holds: bool = False) -> None:
        self._lost = lost
        self._holds = holds
        self.sent: list[tuple[str, str | None]] = []
        """The RPC of each attempt, and its idempotency key."""
        self.reached = threading.Event()
        """A call has come."""
        self.left = threading.Event()
        """A caller has ended its call."""

    def __enter__(self) -> "Proxy":
        self._channel = grpc.insecure_channel(URL.removeprefix("http://"))
        self._server = grpc.server(ThreadPoolExecutor(8), handlers=[self])
        port = self._server.add_insecure_port("127.0.0.1:0")
        self._server.start()
        self.url = f"http://127.0.0.1:{port}"
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop(None).wait()
        self._channel.close()

    def service(self, details: Any) -> grpc.RpcMethodHandler:
        # On the wire all kinds of calls are the same.
        return grpc.stream_stream_rpc_method_handler(
            lambda requests, context: self._forward(details.method, requests, context)
        )

    def _forward(self, method: str, requests: Any, context: Any) -> Any:
        metadata = dict(context.invocation_metadata())
        self.sent.append((method.rpartition("/")[2], metadata.get("idempotency-key")))
        is_lost = len(self.sent) <= self._lost
        forwarded = [
            (name, metadata[name])
            for name in ("authorization", "idempotency-key")
            if name in metadata
        ]
        call = self._channel.stream_stream(method)(requests, metadata=forwarded)
        if self._holds and not context.add_callback(self.left.set):
            # It has left already.
            self.left.set()
        self.reached.set()
        try:
            for answer in call:
                if not is_lost:
                    yield answer
                if self._holds:
                    self.left.wait()
                    call.cancel()
                    return
        except grpc.RpcError as error:
            context.set_trailing_metadata(error.trailing_metadata() or ())
            context.abort(error.code(), error.details())
        if is_lost:
            context.abort(grpc.StatusCode.UNAVAILABLE, "the connection was lost")
