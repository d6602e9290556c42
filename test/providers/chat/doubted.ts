import type { ChatMessage } from "../../../src/domain/conversation.ts";
import { parseInstant } from "../../../src/domain/instant.ts";
import type { Doubts } from "../../../src/providers/chat/grounding/claim.ts";
import { doubtsAbout } from "../../../src/providers/chat/grounding/doubts.ts";
import { readConversation } from "../../../src/providers/chat/grounding/evidence.ts";

/** A Wednesday. */
export const at = parseInstant("2026-05-06T10:00:00Z") ?? 0n;

/** What is doubted of a fact; messages are a user's but for those that begin with "a: ". null: the last one is quoted. */
export function doubted(fact: string, quote: string | null, ...lines: readonly string[]): Doubts {
  const messages = lines.map(
    (line): ChatMessage =>
      line.startsWith("a: ")
        ? { role: "assistant", content: line.slice("a: ".length) }
        : { role: "user", content: line },
  );
  return doubtsAbout(
    { fact, quote: quote ?? messages.at(-1)?.content ?? "", messageIndex: messages.length - 1 },
    readConversation({ messages, at }),
  );
}
