"""The same by asyncio."""

import asyncio
import unittest

import grpc
from agent_memory import AgentMemoryError

from fixture import TLS_CA, TLS_URL, Account, Waits
from proxy import Proxy


class AnAsyncClient(unittest.IsolatedAsyncioTestCase):
    async def test_makes_calls_at_once(self) -> None:
        async with Account().async_client() as client:
            await asyncio.gather(*(client.create_memories(content=f"Fact {n}") for n in range(5)))
            memories = [memory async for memory in client.list_memories(limit=2)]
            facts = {memory.decision for memory in memories}
            self.assertEqual(facts, {f"Fact {n}" for n in range(5)})
            counts = [page.count async for page in client.list_memories(limit=2).pages()]
            self.assertEqual(counts, [2, 2, 1])
            self.assertEqual((await client.list_memories(limit=3).page()).count, 3)
            self.assertEqual((await client.get_plan_status()).writes_used, 5)

    async def test_raises_what_the_service_says(self) -> None:
        async with Account().async_client() as client:
            with self.assertRaises(AgentMemoryError) as failed:
                await client.create_memories(content=" ")
            self.assertEqual(failed.exception.field, "content")
            with self.assertRaises(AgentMemoryError) as failed:
                async for _ in client.stream_query_memories(question=" "):
                    pass
            self.assertEqual(failed.exception.field, "question")
            self.assertTrue(failed.exception.request_id)

    async def test_streams_and_imports(self) -> None:
        async with Account().async_client() as client:
            await client.create_memories(content="Alice lives in Berlin", topic="Home")
            question = "Where does Alice live?"
            kinds = [
                event.WhichOneof("event")
                async for event in client.stream_query_memories(question=question)
            ]
            self.assertEqual((kinds[0], kinds[-1]), ("memories", "answer"))
            there = await client.import_memories(client.export_memories())
            self.assertEqual(there.skipped_count, 1)
            lines = [line async for line in client.export_memories()]
            self.assertEqual((await client.get_context(question=question)).left_out, 0)
            self.assertIn("Berlin", (await client.get_profile()).memories[0].decision)
            with self.assertRaises(AgentMemoryError) as failed:
                await client.delete_memories(source="email")
            self.assertEqual(failed.exception.field, "source")
            await client.delete_memories()
            self.assertEqual((await client.import_memories(lines)).imported_count, 1)

            async def broken():
                yield lines[0]
                raise OSError("the disk is gone")

            with self.assertRaisesRegex(OSError, "the disk is gone"):
                await client.import_memories(broken())

    async def test_sends_again_what_was_lost(self) -> None:
        with Waits() as waits, Proxy(lost=2) as proxy:
            async with Account().async_client(proxy.url) as client:
                await client.create_memories(content="A")
                self.assertEqual(len(set(proxy.sent)), 1)
                self.assertEqual((await client.get_plan_status()).writes_used, 1)
            self.assertEqual(waits, [0.1, 0.2])
        with Waits(), Proxy(lost=1) as proxy:
            async with Account().async_client(proxy.url) as client:
                async for _ in client.stream_query_memories(question="Where?"):
                    pass
                self.assertEqual(len(proxy.sent), 2)

    async def test_waits_as_long_as_it_is_asked_to(self) -> None:
        with Waits() as waits:
            async with Account(rate=1, burst=1).async_client() as client:
                await client.get_plan_status()
                await client.get_plan_status()
        self.assertEqual(len(waits), 1)
        self.assertGreaterEqual(waits[0], 1)

    async def test_ends_a_stream_that_is_left(self) -> None:
        with Proxy(holds=True) as proxy:
            async with Account().async_client(proxy.url) as client:
                stream = client.export_memories()
                await anext(stream)
                await stream.aclose()
                self.assertTrue(await asyncio.to_thread(proxy.left.wait, 60))

    async def test_ends_a_call_that_is_cancelled(self) -> None:
        with Proxy(holds=True) as proxy:
            async with Account().async_client(proxy.url) as client:
                call = asyncio.create_task(client.get_plan_status())
                await asyncio.to_thread(proxy.reached.wait)
                call.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await call
                self.assertTrue(await asyncio.to_thread(proxy.left.wait, 60))

    async def test_goes_by_tls_with_roots_of_its_own(self) -> None:
        credentials = grpc.ssl_channel_credentials(TLS_CA)
        async with Account().async_client(TLS_URL, credentials=credentials) as client:
            self.assertEqual((await client.get_plan_status()).writes_used, 0)
