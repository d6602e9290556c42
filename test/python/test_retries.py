"""What the client sends again, when, and what it never does."""

import socket
import threading
import unittest

import grpc
from agent_memory import AgentMemoryError, Client

from fixture import Account, Waits
from proxy import Proxy


class AnAnswerThatIsLost(unittest.TestCase):
    def test_is_asked_for_again_with_the_same_key_and_the_fact_is_stored_once(self) -> None:
        with Waits(), Proxy(lost=2) as proxy, Account().client(proxy.url) as client:
            client.create_memories(content="Alice lives in Berlin")
            self.assertEqual(len(proxy.sent), 3)
            ((_, key),) = set(proxy.sent)
            self.assertRegex(key or "", "^[0-9a-f]{32}$")
            self.assertEqual(client.get_plan_status().writes_used, 1)

    def test_two_writes_have_two_keys_and_one_of_the_callers_own_is_kept(self) -> None:
        with Proxy() as proxy, Account().client(proxy.url) as client:
            client.create_memories(content="A")
            client.create_memories(content="A")
            client.create_memories(content="A", idempotency_key="mine")
            self.assertEqual(len({key for _, key in proxy.sent}), 3)
            self.assertEqual(proxy.sent[2][1], "mine")

    def test_a_batch_and_a_supersession_have_keys_too(self) -> None:
        with Proxy() as proxy, Account().client(proxy.url) as client:
            one, other = client.batch_create_memories(
                memories=[{"content": "A"}, {"content": "B"}]
            ).memory_ids
            client.supersede_memory(memory_id=one, superseded_by=other)
            self.assertNotIn(None, [key for _, key in proxy.sent])

    def test_of_a_read_is_asked_for_again(self) -> None:
        for read in (
            lambda client: client.list_memories().page(),
            lambda client: client.search_memories(question="Where?"),
            lambda client: client.query_memories(question="Where?"),
            lambda client: list(client.stream_query_memories(question="Where?")),
        ):
            with Waits(), Proxy(lost=1) as proxy, Account().client(proxy.url) as client:
                read(client)
                self.assertEqual(len(proxy.sent), 2)

    def test_of_an_erasure_is_not_as_what_was_written_since_would_go_too(self) -> None:
        with Proxy(lost=1) as proxy, Account().client(proxy.url) as client:
            with self.assertRaises(AgentMemoryError) as failed:
                client.delete_memories()
            self.assertIs(failed.exception.code, grpc.StatusCode.UNAVAILABLE)
            self.assertEqual(len(proxy.sent), 1)

    def test_is_asked_for_so_often_and_no_more(self) -> None:
        with Waits() as waits, Proxy(lost=9) as proxy:
            with Account().client(proxy.url, max_attempts=3) as client:
                with self.assertRaises(AgentMemoryError):
                    client.get_plan_status()
            self.assertEqual(len(proxy.sent), 3)
            # Half of a backoff that doubles.
            self.assertEqual(waits, [0.1, 0.2])


class AServiceThatAsksToWait(unittest.TestCase):
    def test_is_asked_again_after_that_whatever_the_call_is(self) -> None:
        with Waits() as waits, Account(rate=1, burst=1).client() as client:
            client.get_plan_status()
            client.delete_memories()
        self.assertEqual(len(waits), 1)
        self.assertGreaterEqual(waits[0], 1)

    def test_is_not_waited_for_beyond_the_cap_and_the_error_says_for_how_long(self) -> None:
        with Waits() as waits, Account(rate=1, burst=1).client(max_retry_wait=0.5) as client:
            client.get_plan_status()
            with self.assertRaises(AgentMemoryError) as failed:
                client.get_plan_status()
        self.assertEqual(failed.exception.reason, "rate_limited")
        self.assertGreaterEqual(failed.exception.retry_after, 1)
        self.assertEqual(waits, [])

    def test_nor_beyond_the_deadline(self) -> None:
        # As slow as that nobody's machine is while it answers.
        with Waits() as waits, Account(rate=0.01, burst=1).client(max_retry_wait=1_000) as client:
            client.get_plan_status()
            with self.assertRaises(AgentMemoryError) as failed:
                client.get_plan_status(timeout=60)
        self.assertEqual(failed.exception.reason, "rate_limited")
        self.assertEqual(waits, [])


class WhatCannotPass(unittest.TestCase):
    def test_is_told_at_once(self) -> None:
        for reason, call in {
            "invalid_field": lambda client: client.list_memories(limit=0).page(),
            "body_too_large": lambda client: client.create_memories(content="x" * 2 * 1024 * 1024),
        }.items():
            with self.subTest(reason), Proxy() as proxy:
                with Account().client(proxy.url) as client:
                    with self.assertRaises(AgentMemoryError) as failed:
                        call(client)
                self.assertEqual(failed.exception.reason, reason)
                self.assertEqual(len(proxy.sent), 1)


class AProxyThatAnswersItself(unittest.TestCase):
    def test_is_told_in_words(self) -> None:
        for status, code, words in (
            ("308", grpc.StatusCode.FAILED_PRECONDITION, "a redirect: use the address"),
            ("413", grpc.StatusCode.RESOURCE_EXHAUSTED, "too large for it"),
            ("429", grpc.StatusCode.UNAVAILABLE, "too many requests"),
            ("502", grpc.StatusCode.UNAVAILABLE, "check the address"),
        ):
            with socket.create_server(("127.0.0.1", 0)) as server:
                threading.Thread(target=answer_http2, args=(server, status), daemon=True).start()
                url = f"http://127.0.0.1:{server.getsockname()[1]}"
                with Client(url, api_key="svc_unknown", max_attempts=1) as client:
                    with self.assertRaises(AgentMemoryError) as failed:
                        client.create_memories(content="A")
            self.assertIs(failed.exception.code, code)
            self.assertRegex(str(failed.exception), f"^HTTP {status} .* in front .*{words}")


def answer_http2(server: socket.socket, status: str) -> None:
    """Answers the first stream of one connection with a status, and nothing else."""
    connection, _ = server.accept()
    empty_settings = b"\0\0\0\4\0\0\0\0\0"
    connection.sendall(empty_settings)
    received = b""
    while b"create" not in received.lower() and len(received) < 400:
        received += connection.recv(65536)
    status_field = b"\x08\x03" + status.encode()
    connection.sendall(b"\0\0\5\1\5\0\0\0\1" + status_field)
    connection.recv(65536)
