import { fold } from "@agent-memory/text";
import type { PartialDate } from "@agent-memory/text/dates";
import type { Conversation } from "../../extractor.ts";
import type { Doubt } from "../../model-call.ts";
import { datesIn, isBorneOut } from "./date-evidence.ts";
import { createQuoteFinder, type FoundQuote, LetteredText, lettersOf } from "./letters.ts";
import { type Anchor, allKeysOf, anchorsOf, hasToken, Mentions } from "./mentions.ts";
import { mentionShown, type Passage, passageOf } from "./passage.ts";

/** Of what was said elsewhere of the names of a fact, so much is shown. */
const MAX_ELSEWHERE = 3;

/** What a model is asked about a fact, or about what is taken back. */
export interface Question {
  readonly passage: Passage;
  /** What the conversation says elsewhere of the names and numbers that the passage has not. */
  readonly elsewhere: readonly string[];
  /** Dates, numbers and names of the fact that the conversation has nowhere, as they are. */
  readonly unwritten: readonly string[];
  /** Why the fact is not believed where the model says no more than that it is not stated. */
  readonly reason: Doubt;
}

/** What a model stated, and where it says that it stands. */
export interface Claim {
  readonly fact: string;
  readonly quote: string;
  /** null: the model named no message. */
  readonly messageIndex: number | null;
  readonly isRetraction: boolean;
}

/** A conversation that facts are held against. */
export interface ReadConversation {
  /** What is to be asked about a claim; null: no message of a user's can be what it was taken from. */
  questionAbout(claim: Claim): Question | null;
  /** Whether a claim is a user's whole message, word for word. */
  isVerbatim(claim: Claim, messageIndex: number): boolean;
  /** Whether a passage gives a date, as it is written or relative to the time of the conversation. */
  hasDate(date: PartialDate, passage: Passage): boolean;
}

/** Reads a conversation, in slices. Rejects with the signal's reason. */
export async function readConversation(
  { messages, at }: Pick<Conversation, "messages" | "at">,
  signal: AbortSignal,
): Promise<ReadConversation> {
  const mentions = new Mentions();
  const texts: LetteredText[] = [];
  for (const [index, { role, content, name = "" }] of messages.entries()) {
    const isUsers = role === "user";
    const isSaid = isUsers || role === "assistant";
    const text = await LetteredText.read(isSaid ? content : "", signal, (piece) =>
      mentions.add(piece, index, isUsers),
    );
    mentions.add({ text: name, start: 0 }, index, isUsers);
    texts.push(text);
  }
  const find = createQuoteFinder(
    texts.map(({ letters }, index) => (messages[index]?.role === "user" ? letters : "")),
  );
  const passages = new Map<string, Passage>();
  const evidence = new WeakMap<Passage, Evidence>();

  function questionAbout(claim: Claim): Question | null {
    const found = find(claim.quote, claim.messageIndex);
    const passage = passageFor(claim, found);
    if (passage === null) return null;
    const elsewhere = new Set<string>();
    const unwritten: Anchor[] = [];
    for (const anchor of anchorsOf(claim.fact)) {
      if (isIn(anchor, passage)) continue;
      const mention = anchor.kind === "dates" ? null : mentions.of(anchor.text);
      if (mention !== null) elsewhere.add(mentionShown(messages, mention));
      else if (!anchor.isFirst) unwritten.push(anchor);
    }
    const [first] = unwritten;
    return {
      passage,
      elsewhere: [...elsewhere].slice(0, MAX_ELSEWHERE),
      unwritten: unwritten.map(({ text }) => text),
      reason: found === null ? "quote" : (first?.kind ?? "words"),
    };
  }

  function passageFor(
    { messageIndex: named, isRetraction }: Claim,
    found: FoundQuote | null,
  ): Passage | null {
    const messageIndex = found?.messageIndex ?? named ?? -1;
    if (messages[messageIndex]?.role !== "user") return null;
    const text = texts[messageIndex];
    const place =
      found === null || text === undefined
        ? null
        : { start: text.placeOf(found.start), end: text.placeOf(found.end - 1) + 1 };
    const passage = passageOf(messages, messageIndex, place, isRetraction);
    // Facts of one passage are asked about together.
    const key = JSON.stringify(passage);
    const known = passages.get(key) ?? passage;
    passages.set(key, known);
    return known;
  }

  function isIn({ kind, text, readings }: Anchor, passage: Passage): boolean {
    const { keys, dates } = evidenceOf(passage);
    if (kind !== "dates") return hasToken(keys, text);
    return readings.some((date) => isBorneOut(date, dates(), at));
  }

  function evidenceOf(passage: Passage): Evidence {
    const known = evidence.get(passage);
    if (known !== undefined) return known;
    const { words, before, by } = passage;
    const said = `${words}\n${before}`;
    let dates: readonly PartialDate[] | null = null;
    const made: Evidence = {
      keys: allKeysOf(`${said}\n${by ?? ""}`),
      dates: () => {
        dates ??= datesIn(said, at);
        return dates;
      },
    };
    evidence.set(passage, made);
    return made;
  }

  return {
    questionAbout,
    isVerbatim: ({ fact }, messageIndex) =>
      lettersOf(fact) === texts[messageIndex]?.letters &&
      sentence(fact) === sentence(messages[messageIndex]?.content ?? ""),
    hasDate: (date, passage) => isBorneOut(date, evidenceOf(passage).dates(), at),
  };
}

/** A text in one spelling of case and blanks, without the full stop at its end. */
function sentence(text: string): string {
  return fold(text)
    .replace(/\s+/gu, " ")
    .trim()
    .replace(/[.!。！]$/u, "");
}

/** What a passage has that a fact may say. */
interface Evidence {
  readonly keys: ReadonlySet<string>;
  readonly dates: () => readonly PartialDate[];
}
