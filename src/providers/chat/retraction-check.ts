import type { ChatMessage } from "../../domain/conversation.ts";
import type { Conversation } from "../extractor.ts";
import type { Doubt } from "../model-call.ts";
import { doubtsAbout } from "./grounding/doubts.ts";
import { readConversation } from "./grounding/evidence.ts";
import { speakerNames } from "./grounding/names.ts";

/** How far back "that was wrong" may look. */
const MESSAGES_BEFORE = 6;

/** What of a retraction has no source; that its message denies it is its point. */
const SOURCELESS: ReadonlySet<Doubt> = new Set(["instruction", "dates", "numbers", "names"]);

/**
 * Checks what a model says was taken back in a message (D25a). "That was wrong" does not
 * say what: that may be in the messages before, an assistant's among them, which may
 * repeat what it remembers. Every date, number and name of it must be there, and one word
 * at least. Returns what is not; null: all is.
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
