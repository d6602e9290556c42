import { setImmediate } from "node:timers/promises";
import { MAX_TOPIC_CHARACTERS } from "../../domain/limits.ts";
import type { ChatModel } from "../chat-model.ts";
import {
  type Conversation,
  type ExtractedFact,
  type Extractor,
  MAX_REJECTED_FACTS,
  type RejectedFact,
} from "../extractor.ts";
import type { FactRejection } from "../model-call.ts";
import { extractionPrompt, MAX_FACTS } from "./extraction-prompt.ts";
import { createGroundingCheck, createQuoteFinder } from "./grounding/grounding.ts";
import { foldedWords } from "./grounding/words.ts";
import { isObject, nonsense, oneLine, parseObject, usageOf } from "./model-answer.ts";
import { isInstructionLike } from "./untrusted-text.ts";

/** What is longer is more than one fact. */
export const MAX_FACT_CHARACTERS = 1_000;

const DEFAULT_TOPIC = "General";
const DEFAULT_IMPORTANCE = 5;

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
      if (!conversation.messages.some(({ role }) => role === "user")) {
        return { facts: [], rejected: [] };
      }
      const completion = await model.complete(extractionPrompt(conversation), signal);
      const refused: RefusedFact[] = [];
      try {
        const stated = readStatedFacts(completion.text);
        if (stated === null) throw nonsense("an extraction that can't be read");
        const facts = await believe(stated, conversation, refused, signal);
        return { facts, rejected: refused.slice(0, MAX_REJECTED_FACTS) };
      } finally {
        report?.({
          ...usageOf("extract", model, completion),
          rejections: refused.map(({ reason }) => reason),
        });
      }
    },
  };
}

/** A fact that was not believed. */
type RefusedFact = RejectedFact & { readonly reason: FactRejection };

/**
 * Keeps the facts that the conversation bears out, in its order and each once; why
 * others are not kept is added to `refused`.
 */
async function believe(
  stated: readonly (StatedFact | null)[],
  conversation: Conversation,
  refused: RefusedFact[],
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
    if ("reason" in judged) {
      refused.push(judged);
      continue;
    }
    const key = foldedWords(judged.decision).join(" ");
    if (facts.has(key)) continue;
    if (facts.size === MAX_FACTS) refused.push(refusal(entry, "limit", judged.messageIndex));
    else facts.set(key, judged);
  }
  return [...facts.values()].toSorted((a, b) => a.messageIndex - b.messageIndex);

  function judge(entry: StatedFact | null): ExtractedFact | RefusedFact {
    if (entry === null) return refusal(null, "unreadable", null);
    const { fact, quote, topic, importanceScore } = entry;
    if (isInstructionLike(fact) || isInstructionLike(quote)) {
      return refusal(entry, "instruction", findQuoted(quote, entry.messageIndex));
    }
    const messageIndex = findQuoted(quote, entry.messageIndex);
    if (messageIndex === null) return refusal(entry, "quote", null);
    const ungrounded = ungroundedPart(fact, messageIndex, quote);
    return ungrounded === null
      ? { decision: fact, summary: fact, topic, importanceScore, messageIndex }
      : refusal(entry, ungrounded, messageIndex);
  }
}

function refusal(
  entry: StatedFact | null,
  reason: FactRejection,
  messageIndex: number | null,
): RefusedFact {
  return { fact: entry?.fact ?? null, messageIndex, reason };
}

/** A fact as a model states it: of the right shape, and not yet believed. */
interface StatedFact {
  /** In one line. */
  readonly fact: string;
  readonly topic: string;
  readonly importanceScore: number;
  /** null: the model named no position. */
  readonly messageIndex: number | null;
  readonly quote: string;
}

/**
 * Reads the facts of a model's answer. An entry without a fact, or with one that
 * is too long, is null; a topic or an importance that can't be used becomes the
 * ordinary one. null: the answer has no list of facts.
 */
function readStatedFacts(answer: string): (StatedFact | null)[] | null {
  const facts = parseObject(answer)?.facts;
  return Array.isArray(facts) ? facts.map(statedFact) : null;
}

function statedFact(entry: unknown): StatedFact | null {
  if (!isObject(entry)) return null;
  const fact = oneLine(entry.fact);
  if (fact === "" || fact.length > MAX_FACT_CHARACTERS) return null;
  const { message, importance, quote } = entry;
  return {
    fact,
    topic: topicOf(entry.topic),
    importanceScore:
      typeof importance === "number" && Number.isFinite(importance)
        ? Math.min(10, Math.max(1, Math.round(importance)))
        : DEFAULT_IMPORTANCE,
    messageIndex: Number.isSafeInteger(message) ? Number(message) : null,
    quote: typeof quote === "string" ? quote : "",
  };
}

function topicOf(value: unknown): string {
  const topic = oneLine(value);
  return topic === "" || topic.length > MAX_TOPIC_CHARACTERS ? DEFAULT_TOPIC : topic;
}
