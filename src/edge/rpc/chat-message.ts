import type { JsonObject } from "@bufbuild/protobuf";
import type { ChatMessage as Message } from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import type { ChatMessage } from "../../domain/conversation.ts";
import { invalidField } from "../../domain/failure.ts";
import { MAX_CONTENT_BYTES, MAX_CONTENT_PARTS } from "../../domain/limits.ts";
import { readFields, readGiven, readText } from "./fields.ts";

/** The roles of the chat APIs, and what they are here (D6b). */
export const ROLES: ReadonlyMap<string | undefined, ChatMessage["role"]> = new Map([
  ["user", "user"],
  ["assistant", "assistant"],
  ["system", "system"],
  ["tool", "tool"],
  ["developer", "system"],
  ["function", "tool"],
]);

/** Parts of content whose `text` is what was said; the last two are those of OpenAI's Responses. */
const TEXT_PARTS: ReadonlySet<string> = new Set(["text", "input_text", "output_text"]);

/**
 * Reads a message as the chat APIs of OpenAI and Anthropic write it (D6, D6b). `field` is
 * where it stands. One without text has the content "".
 */
export function readChatMessage(field: string, message: Message): ChatMessage {
  const at = `${field}.`;
  const { role } = readGiven(message, ["role"], at);
  const content = readContent(`${field}.content`, message);
  const { name } = readFields(message, ["name"], at);
  return { role: ROLES.get(role) ?? "user", content, ...(name !== null && { name }) };
}

function readContent(field: string, message: Message): string {
  const { content, contentParts, role, toolCalls, functionCall } = message;
  if (contentParts.length > 0) {
    if (content !== undefined) {
      throw invalidField(field, "and its `content_parts` must not both be given");
    }
    return textOfParts(field, contentParts);
  }
  if (content !== undefined) return readText(field, content, MAX_CONTENT_BYTES);
  const callsTools = toolCalls.length > 0 || functionCall !== undefined;
  if (role === "assistant" && callsTools) return "";
  throw invalidField(field, "is required");
}

/** The texts of its text parts, joined by a line end; "" where no part has text. */
function textOfParts(field: string, parts: readonly JsonObject[]): string {
  if (parts.length > MAX_CONTENT_PARTS) {
    throw invalidField(field, `must have at most ${MAX_CONTENT_PARTS} parts`);
  }
  const texts = parts.flatMap(({ type, text }, index) => {
    if (typeof type !== "string") throw invalidField(`${field}[${index}].type`, "must be a string");
    if (!TEXT_PARTS.has(type)) return [];
    if (typeof text !== "string") throw invalidField(`${field}[${index}].text`, "must be a string");
    return text.trim() === "" ? [] : [text];
  });
  return texts.length === 0 ? "" : readText(field, texts.join("\n"), MAX_CONTENT_BYTES);
}
