import type { ChatMessage } from "../../domain/conversation.ts";
import type { Conversation } from "../extractor.ts";
import type { Doubt } from "../model-call.ts";
import { doubtsAbout } from "./grounding/doubts.ts";
import { readConversation } from "./grounding/evidence.ts";
import { speakerNames } from "./grounding/names.ts";

/** How far back "that was wrong" may look. */
const MESSAGES_BEFORE = 6;

/** Doubts about the source of a retraction. A denial is its very point. */
const SOURCELESS: ReadonlySet<Doubt> = new Set(["instruction", "dates", "numbers", "names"]);

/**
 * Checks a retraction that a model found in a message (D25a). "That was wrong" names no
 * statement: the statement may be in the messages before, of the assistant too. Every date,
 * number and name of it must be there, and at least one word. Returns the first doubt; null:
 * there is none.
 */
export function createRetractionCheck({
  messages,
  at,
}: Pick<Conversation, "messages" | "at">): (text: string, messageIndex: number) => Doubt | null {
  let speakers: string | null = null;
  return (text, messageIndex) => {
    speakers ??= messages.map(introductionIn).join("\n");
    const said = messages
      .slice(Math.max(0, messageIndex - MESSAGES_BEFORE), messageIndex + 1)
      .filter(({ role }) => role === "user" || role === "assistant")
      .map(({ content }) => content);
    const content = [...said, speakers].join("\n");
    const read = readConversation({ messages: [{ role: "user", content }], at });
    const { grave, mild } = doubtsAbout({ fact: text, quote: content, messageIndex: 0 }, read);
    const doubts = [...grave.filter((doubt) => SOURCELESS.has(doubt)), ...mild];
    return doubts.find((doubt) => SOURCELESS.has(doubt) || doubt === "words") ?? null;
  };
}

function introductionIn({ role, name = "", content }: ChatMessage): string {
  return role === "user" ? `${name}\n${speakerNames(content)}` : "";
}
