"""Calls of the client, and what they fail with."""

import pickle
import unittest
from datetime import datetime, timedelta, timezone

import grpc
from agent_memory import (
    AgentMemoryError,
    BatchCreateMemoriesResponse,
    ChatMessage,
    Client,
    NewMemory,
    datetime_of,
    timestamp_of,
)

from fixture import TLS_CA, TLS_URL, URL, Account
from proxy import Proxy

MARCH = datetime(2024, 3, 1, tzinfo=timezone.utc)


class EveryRpc(unittest.TestCase):
    def test_is_a_method_with_the_fields_of_its_request(self) -> None:
        with Account().client() as client:
            first = client.create_memories(
                content="Alice lives in Berlin", valid_from=MARCH, metadata={"project": "apollo"}
            ).content.memory_id
            told = client.create_memories(
                messages=[
                    {"role": "user", "content": "My name is Bob and I am allergic to peanuts."},
                    ChatMessage(role="assistant", content="Nice to meet you, Bob!"),
                    {
                        "role": "user",
                        "content_parts": [{"type": "text", "text": "I live in Rome."}],
                    },
                ],
                session_id="chat-7",
            )
            self.assertGreaterEqual(told.messages.saved_count, 2)
            batch = client.batch_create_memories(
                memories=[NewMemory(content="Alice lives in Munich"), {"content": "Cats purr"}]
            )
            second, _ = batch.memory_ids
            answer = client.query_memories(question="What is Bob allergic to?", limit=5)
            self.assertIn("peanuts", answer.answer)
            self.assertTrue(answer.citations)
            found = client.search_memories(question="Where does Alice live?", min_relevance=0.1)
            self.assertIn(first, [each.memory.id for each in found.memories])
            client.supersede_memory(memory_id=first, superseded_by=second)
            memory = client.get_memory(memory_id=first).memory
            self.assertEqual(memory.superseded_by, second)
            self.assertEqual(memory.metadata, {"project": "apollo"})
            self.assertEqual(datetime_of(memory, "valid_from"), MARCH)
            self.assertIsNone(datetime_of(client.get_memory(memory_id=second).memory, "valid_to"))
            timeline = client.get_memory_timeline(memory_id=first)
            self.assertEqual(timeline.page().chain_length, 2)
            self.assertEqual([each.id for each in timeline], [first, second])
            events = [event.event for event in client.get_memory_audit(memory_id=first)]
            self.assertIn("superseded", events)
            settings = client.update_settings(
                settings={"min_confidence": 0.9},
                update_mask=["min_confidence", "excluded_categories"],
            ).settings
            self.assertEqual(
                (settings.min_confidence, list(settings.excluded_categories)), (0.9, [])
            )
            self.assertEqual(client.get_settings().settings, settings)
            self.assertEqual(client.update_settings(settings={}).settings, settings)
            self.assertEqual(client.get_plan_status().plan_tier, "starter")
            with self.assertRaises(AgentMemoryError) as failed:
                client.restore_memory(memory_id=first)
            self.assertEqual(failed.exception.reason, "not_restorable")
            client.create_memories(
                content="Carol lives in Oslo", tenant_id="t-1", topic="Home", metadata={"a&b": "c"}
            )
            tenants = ["t-1", "t-2"]
            answer = client.query_memories(question="Where does Carol live?", tenant_ids=tenants)
            self.assertEqual((answer.answer_kind, answer.grounded), ("stated", True))
            [citation] = answer.citations
            self.assertEqual((citation.tenant_id, citation.span.end), ("t-1", 19))
            marker = answer.answer_with_citations.index("[mem-1]")
            self.assertEqual(list(citation.answer_offsets), [marker])
            turns = [{"role": "user", "content": "Where does Carol live?"}]
            context = client.get_context(messages=turns, tenant_ids=tenants, max_tokens=200)
            self.assertIn("of t-1", context.stable.text)
            self.assertIn("Oslo", client.get_profile(tenant_id="t-1").text)
            with self.assertRaises(AgentMemoryError) as failed:
                client.delete_memories(topic="Home")
            self.assertEqual(failed.exception.field, "topic")
            scope = {"tenant_id": "t-1", "topic": "Home", "metadata": {"a&b": "c"}}
            self.assertEqual(
                client.delete_memories(**scope, created_before=MARCH).deleted_count, 0
            )
            self.assertEqual(client.delete_memories(**scope).deleted_count, 1)
            self.assertGreater(client.delete_memories().deleted_count, 3)

    def test_answers_with_pages_that_are_read_when_they_are_needed(self) -> None:
        with Proxy() as proxy, Account().client(proxy.url) as client:
            client.batch_create_memories(memories=[{"content": f"Fact {n}"} for n in range(5)])
            proxy.sent.clear()
            memories = client.list_memories(limit=2)
            self.assertEqual(proxy.sent, [])
            self.assertEqual(next(iter(memories)).decision, "Fact 4")
            self.assertEqual(len(proxy.sent), 1)
            self.assertEqual(
                [memory.decision for memory in memories], [f"Fact {n}" for n in (4, 3, 2, 1, 0)]
            )
            self.assertEqual([page.count for page in memories.pages()], [2, 2, 1])
            second = client.list_memories(limit=2, page_token=memories.page().next_page_token)
            self.assertEqual(second.page().memories[0].decision, "Fact 2")

    def test_streams_an_answer_as_it_comes(self) -> None:
        with Account().client() as client:
            client.create_memories(content="Alice lives in Berlin")
            events = list(client.stream_query_memories(question="Where does Alice live?"))
        kinds = [event.WhichOneof("event") for event in events]
        self.assertEqual((kinds[0], kinds[-1]), ("memories", "answer"))
        text = "".join(event.text.text for event in events[1:-1])
        self.assertEqual(text, events[-1].answer.answer_with_citations)

    def test_ends_a_stream_that_is_left(self) -> None:
        with Proxy(holds=True) as proxy, Account().client(proxy.url) as client:
            for _ in client.export_memories():
                break
            self.assertTrue(proxy.left.wait(60))

    def test_imports_what_was_exported(self) -> None:
        with Account().client() as client:
            client.batch_create_memories(memories=[{"content": f"Fact {n}"} for n in range(3)])
            there = client.import_memories(client.export_memories(whole_account=True))
            self.assertEqual((there.imported_count, there.skipped_count), (0, 3))
            lines = list(client.export_memories())
            client.delete_memories()
            again = client.import_memories(lines)
            self.assertEqual((again.imported_count, again.skipped_count), (3, 0))

    def test_says_why_an_import_broke_off(self) -> None:
        with Account().client() as client:

            def broken():
                yield from client.export_memories()
                raise OSError("the disk is gone")

            with self.assertLogs("grpc", "ERROR"), self.assertRaisesRegex(OSError, "the disk"):
                client.import_memories(broken())

    def test_goes_by_tls_with_roots_of_its_own(self) -> None:
        credentials = grpc.ssl_channel_credentials(TLS_CA)
        with Account().client(TLS_URL, credentials=credentials) as client:
            self.assertEqual(client.get_plan_status().writes_used, 0)
        with Account().client(TLS_URL, max_attempts=1) as client:
            with self.assertRaises(AgentMemoryError) as failed:
                client.get_plan_status()
            self.assertIs(failed.exception.code, grpc.StatusCode.UNAVAILABLE)


class AnErrorOfTheService(unittest.TestCase):
    def test_names_reason_field_and_request(self) -> None:
        with Account().client() as client, self.assertRaises(AgentMemoryError) as failed:
            client.batch_create_memories(memories=[{"content": "A"}, {"content": " "}])
        error = failed.exception
        self.assertIs(error.code, grpc.StatusCode.INVALID_ARGUMENT)
        self.assertEqual((error.reason, error.field), ("invalid_field", "memories[1].content"))
        self.assertIn("memories[1].content", str(error))
        self.assertIsNone(error.retry_after)
        self.assertTrue(error.request_id)

    def test_has_what_was_stored_before_a_quota_ended(self) -> None:
        with (
            Account(writesLimit=1).client() as client,
            self.assertRaises(AgentMemoryError) as failed,
        ):
            client.batch_create_memories(memories=[{"content": "A"}, {"content": "B"}])
        error = failed.exception
        self.assertEqual(error.reason, "write_quota_exceeded")
        self.assertIsInstance(error.partial, BatchCreateMemoriesResponse)
        self.assertEqual(error.partial.saved_count, 1)
        self.assertGreater(error.retry_after, 0)
        # As a pool of processes hands it over.
        copy = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(copy), vars(copy)), (str(error), vars(error)))

    def test_tells_of_a_key_that_is_none_or_missing(self) -> None:
        for key in ("svc_none", None):
            with Client(URL, key) as client:
                with self.assertRaises(AgentMemoryError) as failed:
                    client.get_plan_status()
            self.assertEqual(failed.exception.reason, "unauthenticated")

    def test_tells_of_a_deadline(self) -> None:
        for timeout in (0, 0.1):
            with Proxy(holds=True) as proxy, Account().client(proxy.url) as client:
                with self.assertRaises(AgentMemoryError) as failed:
                    client.get_plan_status(timeout=timeout)
            self.assertEqual(failed.exception.reason, "deadline_exceeded")

    def test_tells_of_a_service_that_is_not_there(self) -> None:
        with Client("http://127.0.0.1:1", max_attempts=1) as client:
            with self.assertRaises(AgentMemoryError) as failed:
                client.get_plan_status()
        self.assertIs(failed.exception.code, grpc.StatusCode.UNAVAILABLE)
        self.assertIsNone(failed.exception.reason)


class WhatIsWrongBeforeItIsSent(unittest.TestCase):
    def test_is_told_by_its_name(self) -> None:
        with Client("http://127.0.0.1:1") as client:
            for message, call in {
                "`valid_from`: a datetime must have a time zone": lambda: client.create_memories(
                    content="A", valid_from=datetime(2024, 3, 1)
                ),
                "`memories[0].contents` is no field": lambda: client.batch_create_memories(
                    memories=[{"contents": "A"}]
                ),
                "`memories[1].valid_to`: it must be a datetime": lambda: (
                    client.batch_create_memories(memories=[{}, {"valid_to": "2024-03-01"}])
                ),
                "`sources`: it must be a list": lambda: client.search_memories(
                    question="A", sources="crm"
                ),
                "`limit`: ": lambda: client.list_memories(limit="ten").page(),
                "`content`: ": lambda: client.create_memories(content=5),
                "`content`: 'utf": lambda: client.create_memories(content="\ud800"),
                "`idempotency_key` must be": lambda: client.create_memories(
                    content="A", idempotency_key="a\nb"
                ),
                "`api_key` must be": lambda: Client(URL, "svc_a\n"),
                "`timeout` must be a number": lambda: Client(URL, timeout=None),
            }.items():
                with self.subTest(message), self.assertRaises((TypeError, ValueError)) as failed:
                    call()
                self.assertIn(message, str(failed.exception))

    def test_is_a_url_that_gRPC_cannot_call(self) -> None:
        for url in (
            "127.0.0.1:8080",
            "ftp://memory.example.com",
            "https://",
            "http://a.example/v1",
        ):
            with self.subTest(url), self.assertRaisesRegex(ValueError, "`url`"):
                Client(url)


    def test_is_what_a_field_would_be_left_out_for(self) -> None:
        with Client("http://127.0.0.1:1") as client:
            for message, call in {
                "`metadata`: it must be a dict, not list": lambda: client.delete_memories(
                    metadata=[]
                ),
                "`metadata`: it must be a dict, not set": lambda: client.delete_memories(
                    metadata={"ab"}
                ),
                "`sources`: it must be a list": lambda: client.search_memories(
                    question="A", sources=False
                ),
                "`update_mask`: it must be a list": lambda: client.update_settings(
                    settings={}, update_mask=False
                ),
                "`messages[0].content_parts`: it must be a Struct": lambda: client.create_memories(
                    messages=[{"role": "user", "content_parts": [[]]}]
                ),
            }.items():
                with self.subTest(message), self.assertRaises(TypeError) as failed:
                    call()
                self.assertIn(message, str(failed.exception))


class Times(unittest.TestCase):
    def test_keep_their_moment_whatever_their_zone(self) -> None:
        berlin = timezone(timedelta(hours=1))
        moment = datetime(2024, 3, 1, 1, 2, 3, 456789, berlin)
        memory = NewMemory(content="A", valid_from=timestamp_of(moment))
        self.assertEqual(datetime_of(memory, "valid_from"), moment)
        self.assertEqual(memory.valid_from.ToJsonString(), "2024-03-01T00:02:03.456789Z")
