import { setImmediate } from "node:timers/promises";
import type { ChatModel } from "../chat-model.ts";
import type { Conversation, ExtractedFact, Extractor } from "../extractor.ts";
import type { FactRejection } from "../model-call.ts";
import { extractionPrompt, MAX_FACTS } from "./extraction-prompt.ts";
import { createGroundingCheck } from "./grounding/grounding.ts";
import { createQuoteFinder } from "./grounding/quote.ts";
import { foldedWords } from "./grounding/words.ts";
import { isInstructionLike } from "./instruction-like.ts";
import { nonsense, usageOf } from "./model-answer.ts";
import { readStatedFacts, type StatedFact } from "./stated-facts.ts";

/**
 * Lets a chat model find the facts of a conversation, in one call, and believes
 * only those that the conversation bears out.
 *
 * A fact is always a user's: what is in messages of the roles `system` and `tool`
 * nobody said, and an assistant's text may repeat memories that it was given, which
 * would come back as news. What a user confirms ("Do you still live in Oslo?",
 * "Yes") is a fact of the user's message.
 */
export function createChatExtractor(model: ChatModel): Extractor {
  return {
    provider: model.provider,
    model: model.model,
    async extract(conversation, signal, report) {
      if (!conversation.messages.some(({ role }) => role === "user")) return [];
      const completion = await model.complete(extractionPrompt(conversation), signal);
      const rejections: FactRejection[] = [];
      try {
        const stated = readStatedFacts(completion.text);
        if (stated === null) throw nonsense("an extraction that can't be read");
        return await believe(stated, conversation, rejections, signal);
      } finally {
        report?.({ ...usageOf("extract", model, completion), rejections });
      }
    },
  };
}

/**
 * Keeps the facts that the conversation bears out, in its order and each once; why
 * others are not kept is added to `rejections`.
 */
async function believe(
  stated: readonly (StatedFact | null)[],
  conversation: Conversation,
  rejections: FactRejection[],
  signal: AbortSignal,
): Promise<ExtractedFact[]> {
  const findQuoted = createQuoteFinder(conversation.messages);
  const ungroundedPart = createGroundingCheck(conversation);
  const facts = new Map<string, ExtractedFact>();
  for (const entry of stated) {
    // Looking things up in a long conversation takes time, in which others get their turn.
    await setImmediate();
    signal.throwIfAborted();
    const judged = judge(entry);
    if (typeof judged === "string") {
      rejections.push(judged);
      continue;
    }
    const key = foldedWords(judged.decision).join(" ");
    if (facts.has(key)) continue;
    if (facts.size === MAX_FACTS) rejections.push("limit");
    else facts.set(key, judged);
  }
  return [...facts.values()].toSorted((a, b) => a.messageIndex - b.messageIndex);

  function judge(entry: StatedFact | null): ExtractedFact | FactRejection {
    if (entry === null) return "unreadable";
    const { fact, quote, topic, importanceScore } = entry;
    if (isInstructionLike(fact) || isInstructionLike(quote)) return "instruction";
    const messageIndex = findQuoted(quote, entry.messageIndex);
    if (messageIndex === null) return "quote";
    return (
      ungroundedPart(fact, messageIndex, quote) ?? {
        decision: fact,
        summary: fact,
        topic,
        importanceScore,
        messageIndex,
      }
    );
  }
}
