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
} from "../extractor.ts";
import type { FactRejection, ModelCall } from "../model-call.ts";
import type { StatedFact } from "./extraction-prompt.ts";
import { lettersOf } from "./grounding/letters.ts";
import {
  type ClaimQuestion,
  type Passage,
  readConversation,
  sentence,
} from "./grounding/question.ts";
import type { PartRead } from "./part-reading.ts";
import { isInstructionLike } from "./untrusted-text.ts";

/** What a model stated, or says that someone took back. */
export interface JudgedClaim {
  readonly fact: ExtractedFact;
  readonly isRetraction: boolean;
  /** null: it is believed as it is. */
  readonly question: ClaimQuestion | null;
}

export type RefusedFact = RejectedFact & { readonly reason: FactRejection };

export interface Believed {
  /** In the order of the conversation, none twice. */
  readonly claims: readonly JudgedClaim[];
  /** In the order of the answer. */
  readonly refused: readonly RefusedFact[];
}

/**
 * Decides what of a model's statements is to be asked about: all that is not a message word
 * for word (D27a). What no message of a user's can state, what speaks to a model and what is
 * no text is refused.
 */
export async function believe(
  { stated, conversation }: Pick<PartRead, "stated"> & { readonly conversation: Conversation },
  { signal }: Pick<ModelCall, "signal">,
): Promise<Believed> {
  const read = await readConversation(conversation, signal);
  const categories = new Map(conversation.categories.map((name) => [topicKey(name), name]));
  const facts = new Map<string, JudgedClaim>();
  const retractions = new Map<string, JudgedClaim>();
  const refused: RefusedFact[] = [];
  for (const [index, entry] of stated.entries()) {
    // Whoever left is noticed.
    await giveWay(signal);
    const reason = index < MAX_STATED_IN_ALL ? take(entry) : "limit";
    if (reason !== null) {
      const { fact, isRetraction, messageIndex } = entry;
      const isUsers = conversation.messages[messageIndex ?? -1]?.role === "user";
      const told = { fact: fact || null, messageIndex: isUsers ? messageIndex : null };
      refused.push({ ...told, isRetraction, reason });
    }
  }
  const claims = [...facts.values(), ...retractions.values()].toSorted(
    (a, b) => a.fact.messageIndex - b.fact.messageIndex,
  );
  return { claims, refused };

  /** Returns why an entry is refused; null: it is not. */
  function take(entry: StatedFact): FactRejection | null {
    const { fact, isRetraction, topic, importanceScore, from, until, category } = entry;
    if (PLACEHOLDER.test(fact) || lettersOf(fact) === "") return "unreadable";
    if (isInstructionLike(fact) || isInstructionLike(entry.quote)) return "instruction";
    const known = isRetraction ? retractions : facts;
    const most = isRetraction ? MAX_RETRACTIONS : MAX_EXTRACTED_FACTS;
    const question = read.questionAbout(entry);
    if (question === null) return "quote";
    const { passage, quote } = question;
    const { messageIndex } = passage;
    const validFrom = dateOf(from, passage);
    const validTo = dateOf(until, passage);
    // "1.5 mg" is not "15 mg", and who works somewhere again worked there twice.
    const key = [sentence(fact), validFrom, validTo].join("\n");
    const before = known.get(key);
    if (before === undefined && known.size === most) return "limit";
    // Of one that is said again, the one whose quote is there counts.
    if (before !== undefined && before.question?.reason !== "quote") return null;
    known.set(key, {
      fact: {
        decision: fact,
        summary: fact,
        topic,
        importanceScore,
        messageIndex,
        quote,
        validFrom,
        validTo,
        category: categories.get(topicKey(category)) ?? null,
      },
      isRetraction,
      question: read.isVerbatim(entry, messageIndex) ? null : question,
    });
    return null;
  }

  /** A date, as exact as the passage gives it; null: it gives none (D17). */
  function dateOf(date: PartialDate | null, passage: Passage): Instant | null {
    const given = date && lessAndLessExact(date).find((part) => read.hasDate(part, passage));
    return given ? startOf(given) : null;
  }
}

function lessAndLessExact({ year, month, day }: PartialDate): PartialDate[] {
  const parts: PartialDate[] = [{ year }];
  if (month !== undefined) parts.unshift({ year, month });
  if (day !== undefined) parts.unshift({ year, month, day });
  return parts;
}

/** Stated facts of one conversation that are checked. */
const MAX_STATED_IN_ALL = 2_000;

/** What models write where there is no fact. */
const PLACEHOLDER = /^\W*(?:n\/?a|none|null|nil|undefined|unknown|nothing|no facts?)\W*$/iu;
