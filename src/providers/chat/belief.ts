import { giveWay } from "../../concurrency/give-way.ts";
import { MAX_EXTRACTED_FACTS } from "../../domain/limits.ts";
import { topicKey } from "../../domain/topic-key.ts";
import {
  type Conversation,
  type ExtractedFact,
  MAX_RETRACTIONS,
  type RejectedFact,
} from "../extractor.ts";
import type { Doubt, FactRejection, ModelCall } from "../model-call.ts";
import { bareAnswer } from "./grounding/answers.ts";
import { doubtsAbout } from "./grounding/doubts.ts";
import { readConversation } from "./grounding/evidence.ts";
import { THE_USER } from "./grounding/names.ts";
import { createQuoteFinder } from "./grounding/quotes.ts";
import { retractionDoubt } from "./grounding/retraction-doubt.ts";
import { contentWords, foldedWords } from "./grounding/words.ts";
import { createRetractionCheck } from "./retraction-check.ts";
import { createDateFinder } from "./stated-dates.ts";
import type { StatedFact } from "./stated-facts.ts";
import type { Doubted, JudgedFact, JudgedRetraction } from "./verification.ts";

/**
 * A fact with only these mild doubts is believed where the model does not answer: about its words,
 * a detail from elsewhere in the conversation, an answered question, or a plan. Messages state
 * most such facts. They state too few of those that may be denied, about someone else or from a
 * pasted text.
 */
const LIGHT_DOUBTS: ReadonlySet<Doubt> = new Set([
  "words",
  "names",
  "numbers",
  "dates",
  "answer",
  "modality",
]);

/** A model's statements about a conversation. */
export interface ToBelieve {
  /** Untrusted. null: the entry is no fact. */
  readonly stated: readonly (StatedFact | null)[];
  readonly conversation: Conversation;
}

/** A fact that was not believed. */
export type RefusedFact = RejectedFact & { readonly reason: FactRejection };

export interface Believed {
  /** In the order of the conversation, without duplicates; with the doubtful ones. */
  readonly facts: readonly JudgedFact[];
  /** In the order of the conversation, without duplicates; with the doubtful ones. */
  readonly retractions: readonly JudgedRetraction[];
  /** In the order of the answer. */
  readonly refused: readonly RefusedFact[];
}

/** Checks statements, here or in a thread: a long conversation takes seconds. */
export type Believe = (input: ToBelieve, call: ModelCall) => Promise<Believed>;

/** Keeps the stated facts that quote the conversation, each with its doubt. */
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
  const retractions = new Map<string, JudgedRetraction>();
  const refused: RefusedFact[] = [];
  for (const entry of stated) {
    // This notices an abort of the caller.
    await giveWay(signal);
    const refusal = take(entry);
    if (refusal !== null) refused.push(refusal);
  }
  return {
    facts: [...facts.values()].toSorted((a, b) => a.fact.messageIndex - b.fact.messageIndex),
    retractions: [...retractions.values()].toSorted(
      (a, b) => a.retraction.messageIndex - b.retraction.messageIndex,
    ),
    refused,
  };

  function take(entry: StatedFact | null): RefusedFact | null {
    if (entry === null) return refusal(null, "unreadable", null);
    if (saysNothing(entry.fact)) return refusal(entry, "unreadable", null);
    const messageIndex = findQuoted(entry.quote, entry.messageIndex);
    if (messageIndex === null) return refusal(entry, "quote", null);
    return entry.isRetraction ? takeRetraction(entry, messageIndex) : takeFact(entry, messageIndex);
  }

  function takeFact(entry: StatedFact, messageIndex: number): RefusedFact | null {
    const { fact, quote, topic, importanceScore } = entry;
    const key = keyOf(fact);
    const known = facts.get(key);
    if (known?.doubted === null) return null;
    const doubt = doubted(fact, quote, messageIndex);
    // The least doubtful of repeated facts counts.
    if (known !== undefined && !isLess(doubt, known.doubted)) return null;
    if (known === undefined && facts.size === MAX_EXTRACTED_FACTS) {
      return refusal(entry, "limit", messageIndex);
    }
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
    facts.set(key, { fact: found, doubted: doubt });
    return null;
  }

  function doubted(fact: string, quote: string, messageIndex: number): Doubted | null {
    const { grave, mild, passage } = doubtsAbout({ fact, quote, messageIndex }, read);
    const [reason] = [...grave, ...mild];
    if (reason === undefined) return null;
    const isGrave = grave.length > 0 || mild.some((doubt) => !LIGHT_DOUBTS.has(doubt));
    return { reason, isGrave, passage, before: saidBefore(messageIndex) };
  }

  function saidBefore(messageIndex: number): string | null {
    return conversation.messages[messageIndex - 1]?.content ?? null;
  }

  function takeRetraction(entry: StatedFact, messageIndex: number): RefusedFact | null {
    const text = entry.fact;
    const ungrounded = ungroundedRetraction(text, messageIndex);
    if (ungrounded !== null) return refusal(entry, ungrounded, messageIndex);
    const key = keyOf(text);
    const known = retractions.get(key);
    if (known?.doubted === null) return null;
    const { quote, topic } = entry;
    const claim = { fact: text, quote, messageIndex };
    const { reason, isRefused, passage } = retractionDoubt(claim, read);
    if (reason !== null && isRefused) return refusal(entry, reason, messageIndex);
    if (known !== undefined && reason !== null) return null;
    if (known === undefined && retractions.size === MAX_RETRACTIONS) {
      return refusal(entry, "limit", messageIndex);
    }
    // A retraction ends memories, so every doubt about it is grave.
    const before = saidBefore(messageIndex);
    const doubted = reason === null ? null : { reason, isGrave: true, passage, before };
    const retraction = { text, topic, category: categoryOf(entry), messageIndex };
    retractions.set(key, { retraction, doubted });
    return null;
  }

  function categoryOf({ category }: StatedFact): string | null {
    return categories.get(topicKey(category)) ?? null;
  }
}

function isLess(one: Doubted | null, other: Doubted): boolean {
  return one === null || (other.isGrave && !one.isGrave);
}

/** Models write these where there is no fact. */
const PLACEHOLDER = /^\W*(?:n\/?a|none|null|nil|undefined|unknown|nothing|no facts?)\W*$/iu;

/** A longer text may state something: "The user is she/her". */
const MAX_WORDS_OF_NOTHING = 3;

/** "The user is", "Ok, thanks", "N/A", "...": the text states nothing. */
function saysNothing(fact: string): boolean {
  if (PLACEHOLDER.test(fact) || bareAnswer(fact) !== null) return true;
  return (
    foldedWords(fact).length <= MAX_WORDS_OF_NOTHING &&
    contentWords(fact).every((word) => THE_USER.has(word))
  );
}

/** Facts that differ in case, blanks and punctuation alone are equal. */
function keyOf(fact: string): string {
  return foldedWords(fact).join(" ");
}

function refusal(
  entry: StatedFact | null,
  reason: FactRejection,
  messageIndex: number | null,
): RefusedFact {
  return {
    fact: entry?.fact ?? null,
    isRetraction: entry?.isRetraction ?? false,
    messageIndex,
    reason,
  };
}
