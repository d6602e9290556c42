"""What a client takes of the machine that it runs on; tests replace it."""

import asyncio
import random as _random
import secrets
import time

_KEY_BYTES = 16


def monotonic() -> float:
    """Seconds of a clock that only goes forward."""
    return time.monotonic()


def random() -> float:
    """At least 0 and less than 1."""
    return _random.random()


def new_key() -> str:
    """A text that nobody else makes."""
    return secrets.token_hex(_KEY_BYTES)


def sleep(seconds: float) -> None:
    time.sleep(seconds)


async def sleep_async(seconds: float) -> None:
    await asyncio.sleep(seconds)
