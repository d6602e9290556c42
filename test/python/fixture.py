"""A running service, as the test that starts these has made it."""

import json
import os
from typing import Any
from unittest import mock
from urllib.request import Request, urlopen

from agent_memory import AsyncClient, Client, _platform

URL = os.environ["URL"]
# The same service by TLS, and what is to be trusted for it.
TLS_URL = os.environ["TLS_URL"]
TLS_CA = os.environ["TLS_CA"].encode()


def _ask(path: str, body: Any) -> Any:
    request = Request(os.environ["CONTROL_URL"] + path, json.dumps(body).encode())
    with urlopen(request) as answer:
        return json.load(answer)


class Account:
    """A fresh account, on the plan that the test is about."""

    def __init__(self, **plan: float) -> None:
        self.key: str = _ask("/accounts", plan)["key"]

    def client(self, url: str = URL, **options: Any) -> Client:
        return Client(url, self.key, **options)

    def async_client(self, url: str = URL, **options: Any) -> AsyncClient:
        return AsyncClient(url, self.key, **options)


class Waits:
    """Waits of clients pass at once, on the clock that the service refills by."""

    def __enter__(self) -> list[float]:
        waits: list[float] = []

        def sleep(seconds: float) -> None:
            waits.append(seconds)
            _ask("/advance", {"seconds": seconds})

        async def sleep_async(seconds: float) -> None:
            sleep(seconds)

        self._patch = mock.patch.multiple(
            _platform, sleep=sleep, sleep_async=sleep_async, random=lambda: 0.5
        )
        self._patch.start()
        return waits

    def __exit__(self, *_: object) -> None:
        self._patch.stop()
