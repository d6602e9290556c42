"""How a call fails."""

from __future__ import annotations

import re
from functools import partial as partial_of
from typing import Any

import grpc

from agent_memory._rpc import Rpc
from agent_memory.messages import (
    BatchCreateMemoriesResponse,
    CreateMemoriesResponse,
    ImportMemoriesResponse,
)
from agent_memory.v1.error_details_pb2 import ErrorInfo, RequestInfo, RetryInfo
from agent_memory.v1.status_pb2 import Status

PartialResult = CreateMemoriesResponse | BatchCreateMemoriesResponse | ImportMemoriesResponse


class AgentMemoryError(Exception):
    """A call that failed. The message is for people."""

    code: grpc.StatusCode
    """Of gRPC."""
    reason: str | None
    """A stable word for programs; None: the service did not answer, or something in front of it
    did."""
    field: str | None
    """The field at fault, as in `messages[2].content`; None: none is."""
    retry_after: float | None
    """Seconds to wait before another try; None: the service did not say."""
    request_id: str | None
    """By which the operator finds the call in the log; None: the service did not say."""
    partial: PartialResult | None
    """What was stored all the same, where a write or an import ended on the way; None: nothing."""

    def __init__(
        self,
        message: str,
        *,
        code: grpc.StatusCode,
        reason: str | None = None,
        field: str | None = None,
        retry_after: float | None = None,
        request_id: str | None = None,
        partial: PartialResult | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.field = field
        self.retry_after = retry_after
        self.request_id = request_id
        self.partial = partial

    def __reduce__(self) -> Any:
        # A pool of processes pickles it; the base class would leave out `code`.
        return partial_of(type(self), code=self.code), self.args, vars(self)


def error_of(failure: Any, rpc: Rpc[Any, Any]) -> AgentMemoryError:
    """The error of a call, from what gRPC raised, sync or async."""
    trailers = {name: value for name, value in failure.trailing_metadata() or ()}
    details = Status.FromString(trailers.get("grpc-status-details-bin", b"")).details
    by_name = {detail.type_url.rpartition("/")[2]: detail.value for detail in details}
    code = failure.code()
    info = ErrorInfo.FromString(by_name.get("google.rpc.ErrorInfo", b""))
    unanswered = "deadline_exceeded" if code is grpc.StatusCode.DEADLINE_EXCEEDED else None
    request = RequestInfo.FromString(by_name.get("google.rpc.RequestInfo", b""))
    retry = by_name.get("google.rpc.RetryInfo")
    partial = by_name.get(rpc.response.DESCRIPTOR.full_name)
    message = failure.details() or code.name
    if not details:
        code, message = _explained(code, message)
    return AgentMemoryError(
        message,
        code=code,
        reason=info.reason or unanswered,
        field=info.metadata.get("field"),
        retry_after=None if retry is None else _seconds_of(RetryInfo.FromString(retry)),
        request_id=request.request_id or trailers.get("x-request-id"),
        partial=None if partial is None else rpc.parse(partial),
    )


# How gRPC tells of an answer that is none of the service.
_HTTP_STATUS = re.compile(r"http2 header with status: (\d{3})")


def _explained(code: grpc.StatusCode, message: str) -> tuple[grpc.StatusCode, str]:
    """An error without a word of the service, in words for its users."""
    found = _HTTP_STATUS.search(message)
    if found is None:
        return code, message
    answered = f"HTTP {found[1]} came from something in front of the service"
    if found[1].startswith("3"):
        advice = "a redirect: use the address of the service itself"
        return grpc.StatusCode.FAILED_PRECONDITION, f"{answered}, {advice}"
    if found[1] == "413":
        return grpc.StatusCode.RESOURCE_EXHAUSTED, f"{answered}: the request is too large for it"
    if found[1] == "429":
        return code, f"{answered}: too many requests"
    return code, f"{answered}: check the address, and that the service runs"


def _seconds_of(retry: RetryInfo) -> float:
    return float(retry.retry_delay.seconds + retry.retry_delay.nanos / 1e9)
