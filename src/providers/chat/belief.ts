import { type PartialDate, startOf } from "@agent-memory/text/dates";
import { giveWay } from "../../concurrency/loop-turns.ts";
import { topicKey } from "../../domain/category-gate.ts";
import type { Instant } from "../../domain/instant.ts";
import { MAX_EXTRACTED_FACTS } from "../../domain/limits.ts";
import {
  type Conversation,
  type ExtractedFact,
  MAX_RETRACTIONS,
  type RejectedFact,
  type Retraction,
} from "../extractor.ts";
import type { FactRejection, ModelCall } from "../model-call.ts";
import type { StatedFact } from "./extraction-prompt.ts";
import { lettersOf } from "./grounding/letters.ts";
import { type Passage, type Question, readConversation } from "./grounding/question.ts";
import { isInstructionLike } from "./untrusted-text.ts";

/** What a model said of a conversation. */
export interface ToBelieve {
  /** Untrusted. null: an entry that is no fact. */
  readonly stated: readonly (StatedFact | null)[];
  readonly conversation: Conversation;
}

/** A fact that a model stated. */
export interface JudgedFact {
  readonly fact: ExtractedFact;
  /** null: it is believed as it is. */
  readonly question: Question | null;
}

/** What a model says that someone took back. */
export interface JudgedRetraction {
  readonly retraction: Retraction;
  readonly question: Question;
}

/** A fact that was not believed. */
export type RefusedFact = RejectedFact & { readonly reason: FactRejection };

export interface Believed {
  /** In the order of the conversation, none twice. */
  readonly facts: readonly JudgedFact[];
  /** In the order of the conversation, none twice. */
  readonly retractions: readonly JudgedRetraction[];
  /** In the order of the answer. */
  readonly refused: readonly RefusedFact[];
}

/**
 * Decides what of a model's statements is to be asked about: all that is not a message word
 * for word (D27a). What no message of a user's can state, what speaks to a model and what is
 * no text is refused.
 */
export async function believe(
  { stated, conversation }: ToBelieve,
  { signal }: Pick<ModelCall, "signal">,
): Promise<Believed> {
  const read = await readConversation(conversation, signal);
  const categories = new Map(conversation.categories.map((name) => [topicKey(name), name]));
  const facts = new Map<string, JudgedFact>();
  const retractions = new Map<string, JudgedRetraction>();
  const refused: RefusedFact[] = [];
  for (const entry of stated) {
    // Whoever left is noticed.
    await giveWay(signal);
    const reason = entry === null ? "unreadable" : take(entry);
    if (reason !== null) {
      const { fact = null, isRetraction = false, messageIndex = null } = entry ?? {};
      const isUsers = conversation.messages[messageIndex ?? -1]?.role === "user";
      refused.push({ fact, isRetraction, messageIndex: isUsers ? messageIndex : null, reason });
    }
  }
  return {
    facts: [...facts.values()].toSorted((a, b) => a.fact.messageIndex - b.fact.messageIndex),
    retractions: [...retractions.values()].toSorted(
      (a, b) => a.retraction.messageIndex - b.retraction.messageIndex,
    ),
    refused,
  };

  /** Returns why an entry is refused; null: it is not. */
  function take(entry: StatedFact): FactRejection | null {
    if (saysNothing(entry.fact)) return "unreadable";
    if (isInstructionLike(entry.fact) || isInstructionLike(entry.quote)) return "instruction";
    const isNew = !(entry.isRetraction ? retractions : facts).has(lettersOf(entry.fact));
    const isFull = entry.isRetraction
      ? retractions.size === MAX_RETRACTIONS
      : facts.size === MAX_EXTRACTED_FACTS;
    if (isNew && isFull) return "limit";
    const question = read.questionAbout(entry);
    if (question === null) return "quote";
    return entry.isRetraction ? takeRetraction(entry, question) : takeFact(entry, question);
  }

  function takeFact(entry: StatedFact, question: Question): FactRejection | null {
    const { fact, topic, importanceScore, from, until } = entry;
    const { passage } = question;
    const { messageIndex } = passage;
    const key = lettersOf(fact);
    const known = facts.get(key);
    // Of one that is said again, the one whose quote is there counts.
    if (known !== undefined && known.question?.reason !== "quote") return null;
    facts.set(key, {
      fact: {
        decision: fact,
        summary: fact,
        topic,
        importanceScore,
        messageIndex,
        quote: question.quote,
        validFrom: dateOf(from, passage),
        validTo: dateOf(until, passage),
        category: categoryOf(entry),
      },
      question: read.isVerbatim(entry, messageIndex) ? null : question,
    });
    return null;
  }

  function takeRetraction(entry: StatedFact, question: Question): FactRejection | null {
    const { fact: text, topic } = entry;
    const key = lettersOf(text);
    if (retractions.has(key)) return null;
    const { messageIndex } = question.passage;
    const retraction = { text, topic, category: categoryOf(entry), messageIndex };
    retractions.set(key, { retraction, question });
    return null;
  }

  /** A date, as exact as the passage gives it; null: it gives none (D17). */
  function dateOf(date: PartialDate | null, passage: Passage): Instant | null {
    const given = date && lessAndLessExact(date).find((part) => read.hasDate(part, passage));
    return given ? startOf(given) : null;
  }

  function categoryOf({ category }: StatedFact): string | null {
    return categories.get(topicKey(category)) ?? null;
  }
}

function lessAndLessExact({ year, month, day }: PartialDate): PartialDate[] {
  const parts: PartialDate[] = [{ year }];
  if (month !== undefined) parts.unshift({ year, month });
  if (day !== undefined) parts.unshift({ year, month, day });
  return parts;
}

/** What models write where there is no fact. */
const PLACEHOLDER = /^\W*(?:n\/?a|none|null|nil|undefined|unknown|nothing|no facts?)\W*$/iu;

function saysNothing(fact: string): boolean {
  return PLACEHOLDER.test(fact) || lettersOf(fact) === "";
}
