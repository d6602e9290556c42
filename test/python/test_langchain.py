"""The tools in LangChain: called as an agent calls them, by what a model wrote."""

import json
import unittest
from typing import Any

from agent_memory.langchain import memory_tools
from langchain_core.messages import ToolCall, ToolMessage
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from fixture import Account


def call_of(name: str, args: dict[str, Any]) -> ToolCall:
    return ToolCall(type="tool_call", id="call-1", name=name, args=args)


def play(tools: list[BaseTool], name: str, **args: Any) -> ToolMessage:
    tool = next(each for each in tools if each.name == name)
    return tool.invoke(call_of(name, args))


class Tools(unittest.TestCase):
    def test_remember_a_conversation_and_answer_from_it(self) -> None:
        with Account().client() as client:
            tools = memory_tools(client)
            messages = [{"role": "user", "content": "I am allergic to peanuts."}]
            written = play(tools, "remember_conversation", messages=messages, session_id="chat-7")
            self.assertEqual(len(json.loads(written.text())["ids"]), 1)
            answered = play(tools, "ask", question="What is the user allergic to?")
            self.assertIn("[mem-1]", json.loads(answered.text())["answer"])
            told = json.loads(play(tools, "context", question="Allergies?").text())
            self.assertIn("peanuts", told["stable"])
            nothing = json.loads(play(tools, "search", question="Zoë", tenant_id="other").text())
            self.assertEqual(nothing["memories"], [])
            play(tools, "remember", content="Zoë naps", valid_from="2024-03-01T01:00:00+01:00")
            found = json.loads(play(tools, "search", question="Zoë", limit=1).text())
            memory = found["memories"][0]
            self.assertEqual(memory["since"], "2024-03-01T00:00:00Z")
            ended = play(
                tools, "supersede", memory_id=memory["id"], valid_to="2025-03-01T00:00:00Z"
            )
            self.assertEqual(ended.status, "success")
            timeline = json.loads(play(tools, "timeline", memory_id=memory["id"]).text())
            self.assertEqual(len(timeline["versions"]), 1)

    def test_are_told_to_models_in_the_words_that_they_have_everywhere(self) -> None:
        with Account().client() as client:
            told = [convert_to_openai_tool(tool)["function"] for tool in memory_tools(client)]
        names = [tool["name"] for tool in told]
        self.assertEqual(
            names,
            [
                *["remember", "remember_conversation", "search", "list_memories", "context"],
                *["profile", "ask", "supersede", "timeline"],
            ],
        )
        self.assertEqual(told[0]["parameters"]["required"], ["content"])
        self.assertFalse(told[0]["parameters"]["additionalProperties"])

    def test_tell_the_model_what_is_wrong(self) -> None:
        with Account().client() as client:
            tools = memory_tools(client)
            for wrong, args in {
                "memory_id": {"memory_id": "none"},
                "is not the ID of a memory": {"memory_id": "019a2f6e-4c1b-7d30-9a51-6f0e8b2c4d17"},
                "memoryid": {"memoryid": "none"},
            }.items():
                answer = play(tools, "timeline", **args)
                self.assertEqual(answer.status, "error")
                self.assertIn(wrong, answer.text())

    def test_tell_what_was_stored_before_a_quota_ended(self) -> None:
        with Account(writesLimit=1).client() as client:
            said = ["I live in Rome.", "I am allergic to peanuts."]
            messages = [{"role": "user", "content": content} for content in said]
            answer = play(memory_tools(client), "remember_conversation", messages=messages)
            self.assertEqual(answer.status, "error")
            self.assertEqual(len(json.loads(answer.text().partition("; stored: ")[2])["ids"]), 1)

    def test_have_the_tenant_that_the_program_sets(self) -> None:
        with Account().client() as client:
            tools = memory_tools(client, tenant_id="customer-42", only=["remember", "search"])
            self.assertNotIn("tenant_id", json.dumps(tools[0].tool_call_schema))
            play(tools, "remember", content="Alice lives in Berlin", tenant_id="another")
            found = play(tools, "search", question="Alice?", tenant_ids=["another"])
            memory = json.loads(found.text())["memories"][0]
            self.assertEqual(memory["tenant_id"], "customer-42")
            with self.assertRaisesRegex(ValueError, "there is no tool `forget`"):
                memory_tools(client, only=["forget"])


class ToolsOfAnAsyncClient(unittest.IsolatedAsyncioTestCase):
    async def test_are_awaited(self) -> None:
        async with Account().async_client() as client:
            remember, search = memory_tools(client, only=["remember", "search"])
            await remember.ainvoke(call_of("remember", {"content": "Alice lives in Berlin"}))
            found = await search.ainvoke(call_of("search", {"question": "Where does Alice live?"}))
            memory = json.loads(found.text())["memories"][0]
            self.assertEqual(memory["fact"], "Alice lives in Berlin")
            failed = await search.ainvoke(call_of("search", {"question": " "}))
            self.assertEqual(failed.status, "error")
