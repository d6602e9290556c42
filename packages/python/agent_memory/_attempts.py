"""What is sent again, when, and what never is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import grpc

from agent_memory import _platform
from agent_memory._rpc import Rpc
from agent_memory.errors import AgentMemoryError, error_of

# Nothing was done, whatever the RPC is: the gate refused it.
_REFUSED_AT_THE_GATE = ("rate_limited", "too_many_in_flight", "too_many_refusals")

_FIRST_BACKOFF = 0.2
_MAX_BACKOFF = 5.0


@dataclass(frozen=True)
class RetryPolicy:
    timeout: float
    max_attempts: int
    max_retry_wait: float

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not isinstance(value, (int, float)):
                raise TypeError(f"`{name}` must be a number")


class Attempts:
    """The attempts of one call, within its deadline."""

    def __init__(self, rpc: Rpc[Any, Any], policy: RetryPolicy, timeout: float) -> None:
        self._rpc = rpc
        self._policy = policy
        self._deadline = _platform.monotonic() + timeout
        self._failed = 0

    def remaining(self) -> float | None:
        """Seconds that the next attempt may take; None: any time."""
        left = self._deadline - _platform.monotonic()
        return None if left == math.inf else max(left, 0.0)

    def wait_after(self, failure: Any) -> float:
        """Seconds to wait before the next attempt. Raises where there is to be none."""
        self._failed += 1
        error = error_of(failure, self._rpc)
        wait = retry_wait(error, self._rpc, self._failed, self._policy)
        if wait is None or _platform.monotonic() + wait >= self._deadline:
            raise error from failure
        return wait


def retry_wait(
    error: AgentMemoryError, rpc: Rpc[Any, Any], attempt: int, policy: RetryPolicy
) -> float | None:
    """Seconds before a call is sent again that failed `attempt` times; None: it must not be.

    What the service asks for is waited, and a random part of a backoff that doubles, so that
    clients that failed together do not come back together.
    """
    asked = error.retry_after or 0.0
    if attempt >= policy.max_attempts or asked > policy.max_retry_wait:
        return None
    if error.reason not in _REFUSED_AT_THE_GATE:
        is_repeatable = rpc.is_idempotent or rpc.takes_key
        if not is_repeatable or not _may_pass(error):
            return None
    backoff = min(_FIRST_BACKOFF * float(2 ** (attempt - 1)), _MAX_BACKOFF)
    return asked + _platform.random() * backoff


def _may_pass(error: AgentMemoryError) -> bool:
    return error.code is grpc.StatusCode.UNAVAILABLE or error.reason == "idempotency_key_in_use"
