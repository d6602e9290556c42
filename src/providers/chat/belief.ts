import { giveWay } from "../../concurrency/give-way.ts";
import { MAX_EXTRACTED_FACTS } from "../../domain/limits.ts";
import { topicKey } from "../../domain/topic-key.ts";
import {
  type Conversation,
  type ExtractedFact,
  MAX_RETRACTIONS,
  type RejectedFact,
  type Retraction,
} from "../extractor.ts";
import type { FactRejection, ModelCall } from "../model-call.ts";
import { doubtsAbout } from "./grounding/doubts.ts";
import { createQuoteFinder, readConversation } from "./grounding/evidence.ts";
import { foldedWords } from "./grounding/words.ts";
import { createRetractionCheck } from "./retraction-check.ts";
import { createDateFinder } from "./stated-dates.ts";
import type { StatedFact } from "./stated-facts.ts";
import type { Doubted, JudgedFact } from "./verification.ts";

/** What a model said of a conversation. */
export interface ToBelieve {
  /** Untrusted. null: an entry that is no fact. */
  readonly stated: readonly (StatedFact | null)[];
  readonly conversation: Conversation;
}

/** A fact that was not believed. */
export type RefusedFact = RejectedFact & { readonly reason: FactRejection };

export interface Believed {
  /** In the order of the conversation, none twice; those in doubt too. */
  readonly facts: readonly JudgedFact[];
  /** In the order of the conversation. */
  readonly retractions: readonly Retraction[];
  /** In the order of the answer. */
  readonly refused: readonly RefusedFact[];
}

/** Decides what to believe and what to doubt, here or in a thread: a long conversation takes seconds. */
export type Believe = (input: ToBelieve, call: ModelCall) => Promise<Believed>;

/** Keeps the stated facts that quote the conversation, each with what can be doubted of it. */
export async function believe(
  { stated, conversation }: ToBelieve,
  { signal }: ModelCall,
): Promise<Believed> {
  const read = readConversation(conversation);
  const findQuoted = createQuoteFinder(conversation.messages);
  const ungroundedRetraction = createRetractionCheck(conversation);
  const findDate = createDateFinder(conversation);
  const categories = new Map(conversation.categories.map((name) => [topicKey(name), name]));
  const facts = new Map<string, JudgedFact>();
  const retractions = new Map<string, Retraction>();
  const refused: RefusedFact[] = [];
  for (const entry of stated) {
    // Whoever left is noticed.
    await giveWay(signal);
    const refusal = take(entry);
    if (refusal !== null) refused.push(refusal);
  }
  return {
    facts: [...facts.values()].toSorted((a, b) => a.fact.messageIndex - b.fact.messageIndex),
    retractions: [...retractions.values()].toSorted((a, b) => a.messageIndex - b.messageIndex),
    refused,
  };

  function take(entry: StatedFact | null): RefusedFact | null {
    if (entry === null) return refusal(null, "unreadable", null);
    const messageIndex = findQuoted(entry.quote, entry.messageIndex);
    if (messageIndex === null) return refusal(entry, "quote", null);
    return entry.isRetraction ? takeRetraction(entry, messageIndex) : takeFact(entry, messageIndex);
  }

  function takeFact(entry: StatedFact, messageIndex: number): RefusedFact | null {
    const { fact, quote, topic, importanceScore } = entry;
    const key = keyOf(fact);
    if (facts.has(key)) return null;
    if (facts.size === MAX_EXTRACTED_FACTS) return refusal(entry, "limit", messageIndex);
    const found: ExtractedFact = {
      decision: fact,
      summary: fact,
      topic,
      importanceScore,
      messageIndex,
      validFrom: findDate(entry.from, messageIndex),
      validTo: findDate(entry.until, messageIndex),
      category: categoryOf(entry),
    };
    facts.set(key, { fact: found, doubted: doubted(fact, quote, messageIndex) });
    return null;
  }

  function doubted(fact: string, quote: string, messageIndex: number): Doubted | null {
    const { grave, mild, passage } = doubtsAbout({ fact, quote, messageIndex }, read);
    const [reason] = [...grave, ...mild];
    if (reason === undefined) return null;
    const before = conversation.messages[messageIndex - 1]?.content ?? null;
    return { reason, isGrave: grave.length > 0, passage, before };
  }

  function takeRetraction(entry: StatedFact, messageIndex: number): RefusedFact | null {
    const text = entry.fact;
    const ungrounded = ungroundedRetraction(text, messageIndex);
    if (ungrounded !== null) return refusal(entry, ungrounded, messageIndex);
    const key = keyOf(text);
    if (retractions.has(key)) return null;
    if (retractions.size === MAX_RETRACTIONS) return refusal(entry, "limit", messageIndex);
    const { topic } = entry;
    retractions.set(key, { text, topic, category: categoryOf(entry), messageIndex });
    return null;
  }

  function categoryOf({ category }: StatedFact): string | null {
    return categories.get(topicKey(category)) ?? null;
  }
}

/** Case, blanks and punctuation make no other fact. */
function keyOf(fact: string): string {
  return foldedWords(fact).join(" ");
}

function refusal(
  entry: StatedFact | null,
  reason: FactRejection,
  messageIndex: number | null,
): RefusedFact {
  return { fact: entry?.fact ?? null, messageIndex, reason };
}
