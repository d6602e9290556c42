/** Messages as the clients of chat APIs have them (D6b). */
import { describe, expect, test } from "vitest";
import { expectInvalid, expectOk, memoryOf, says, write } from "../calls.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec();
const CALL = { id: "call_1", type: "function", function: { name: "find", arguments: "{}" } };

/** What one write of these messages extracts. */
async function extracted(...messages: readonly object[]) {
  const caller = await spec.service.createAccount();
  const answer = await write(caller, { messages });
  expectOk(answer);
  return answer.body.extracted;
}

describe("what is accepted", () => {
  test("D6b: the texts of a message's parts count, joined by a line end; others are left out", async () => {
    const caller = await spec.service.createAccount();
    const content = [
      { type: "text", text: "I live in Bern.", cache_control: { type: "ephemeral" } },
      { type: "image_url", image_url: { url: "https://example.test/cat.png" } },
      { type: "tool_result", tool_use_id: "1", content: "I live in Rome." },
      { type: "text", text: "I have two cats." },
    ];
    const { body } = await write(caller, { messages: [{ role: "user", content }] });
    expect(body.extracted).toEqual(["The user lives in Bern", "The user has two cats"]);
    const memory = await memoryOf(caller, body.memory_ids[0]);
    expect(memory.source_citation.original_message).toBe("I live in Bern.\nI have two cats.");
  });

  test("D6b: the texts of OpenAI's Responses count as well", async () => {
    const message = { type: "message", id: "msg_1", status: "completed" };
    const asked = { type: "output_text", text: "Do you live in Bern?", annotations: [] };
    const said = { type: "input_text", text: "Yes. I have two cats." };
    expect(
      await extracted(
        { ...message, role: "assistant", content: [asked] },
        { ...message, role: "user", content: [said] },
      ),
    ).toEqual(await extracted({ role: "assistant", content: asked.text }, says(said.text)));
  });

  test("D6b: facts are of whom their message is named after", async () => {
    expect(
      await extracted(
        { role: "user", name: "Ana", content: "I live in Bern." },
        { role: "user", name: "Bo", content: "I live in Bern." },
        { role: "user", content: "I live in Rome." },
      ),
    ).toEqual(["Ana lives in Bern", "Bo lives in Bern", "The user lives in Rome"]);
  });

  test.each([
    ["tool_calls", { content: null, tool_calls: [CALL] }],
    ["tool_calls, its content left out", { tool_calls: [CALL] }],
    ["function_call", { content: null, function_call: { name: "find", arguments: "{}" } }],
    ["tool_calls, its content empty", { content: "", tool_calls: [CALL] }],
    ["a refusal", { content: null, refusal: "No." }],
    ["no result, of a tool", { role: "tool", content: "", tool_call_id: "call_1" }],
  ])("D6b: an assistant's message with %s needs no content, and is skipped", async (_, message) => {
    const question = { role: "assistant", content: "Do you live in Bern?" };
    expect(
      await extracted(question, { role: "assistant", ...message }, says("Yes.")),
      "the answer is still to the question",
    ).toEqual(await extracted(question, says("Yes.")));
  });

  test.each(["developer", "function"])("D6b: the role `%s` states nothing", async (role) => {
    const message = { role, name: "find", content: "I live in Rome." };
    expect(await extracted(message, says("I live in Bern."))).toEqual(["The user lives in Bern"]);
  });

  test("D6b: what the chat APIs define besides is ignored, null or not", async () => {
    const all = {
      tool_calls: [],
      tool_call_id: "call_1",
      function_call: {},
      refusal: "No.",
      annotations: [{ type: "url_citation", url_citation: { start_index: 0 } }],
      audio: { id: "audio_1" },
      id: "msg_1",
      type: "message",
      status: "completed",
    };
    const nulls = Object.fromEntries(Object.keys(all).map((name) => [name, null]));
    expect(
      await extracted(
        { ...says("I live in Bern."), ...all },
        { ...says("I have two cats."), ...nulls, name: null },
      ),
    ).toEqual(["The user lives in Bern", "The user has two cats"]);
  });

  test("D6b: a message without text keeps its position", async () => {
    const caller = await spec.service.createAccount();
    const messages = [
      { role: "user", content: [{ type: "image" }] },
      { role: "assistant", tool_calls: [CALL] },
      says("Ich wohne seit drei Jahren in Hamburg."),
    ];
    const { body } = await write(caller, { messages });
    expect(body.rejected).toEqual([
      { fact: null, message_index: 2, reason: "unsupported_language" },
    ]);
  });
});

describe("what is refused", () => {
  test.each<[string, object, string]>([
    ["an empty content of a user", { role: "user", content: "", tool_calls: [CALL] }, "content"],
    ["an empty content of an assistant", { role: "assistant", content: " " }, "content"],
    ["no content of a tool", { role: "tool", tool_call_id: "1" }, "content"],
    ["no parts", { role: "user", content: [] }, "content"],
    ["an object", { role: "user", content: { type: "text", text: "Hi" } }, "content"],
    ["a part without a type", { role: "user", content: [{ text: "Hi" }] }, "content[0].type"],
    ["a text part without text", { role: "user", content: [{ type: "text" }] }, "content[0].text"],
    ["the name of the parts in the proto", { role: "user", content_parts: [] }, "content_parts"],
  ])("D6b, D6: %s", async (_, message, field) => {
    const caller = await spec.service.createAccount();
    const answer = await write(caller, { messages: [says("Hi"), message] });
    expectInvalid(answer, `messages[1].${field}`);
  });
});
