import { fold, sentencesOf } from "@agent-memory/text";
import { readClause } from "./clause.ts";
import type { Grammar } from "./grammar.ts";
import { type ChatMessage, MAX_RETRACTIONS, type Retraction } from "./models.ts";
import { own } from "./replies.ts";
import { affirmed, saysNoLonger, type TakenBack } from "./retractions.ts";
import { toThirdPerson } from "./third-person.ts";
import { topicOf } from "./topics.ts";

/** What is longer is more than a word that the assistant understood. */
const MAX_ACKNOWLEDGEMENT_CHARACTERS = 80;
/** As many of an assistant's sentences as "that was wrong" may mean. */
const MAX_SENTENCES_MEANT = 3;

/** A sentence of a user's, and what the extractor read in it. */
interface ReadSentence {
  readonly taken: TakenBack;
  /** As it was typed. */
  readonly text: string;
  readonly messageIndex: number;
  /** By name, or "The user". */
  readonly speaker: string;
  /** Of a third person. */
  readonly statements: readonly string[];
}

export interface RetractionReader {
  /** Sentences in the order of the conversation. */
  read(sentence: ReadSentence): void;
  /** Once all are read: none twice. */
  found(): Retraction[];
}

/** Collects what users take back, sentence by sentence (D25a). */
export function createRetractionReader(
  messages: readonly ChatMessage[],
  grammar: Grammar,
): RetractionReader {
  const retractions = new Map<string, Retraction>();
  /** What the sentence before stated. */
  let before: Pick<ReadSentence, "statements" | "messageIndex"> | null = null;
  /** Of the message that is being read: what it denies, and whether it takes back what was before. */
  let message = { messageIndex: -1, denied: [] as string[], meant: null as string[] | null };

  return { read, found };

  function read({ taken, text, messageIndex, speaker, statements }: ReadSentence): void {
    if (messageIndex !== message.messageIndex) {
      endMessage();
      message = { messageIndex, denied: [], meant: null };
    }
    for (const said of taken.said) add(toThirdPerson(grammar(said), speaker), messageIndex);
    if (taken.isOfBefore) message.meant ??= meantBefore(messageIndex, speaker);
    for (const statement of statements) {
      const held = affirmed(statement);
      if (held === null) continue;
      if (saysNoLonger(text)) add(held, messageIndex);
      else message.denied.push(held);
    }
    if (statements.length > 0) before = { statements, messageIndex };
  }

  function found(): Retraction[] {
    endMessage();
    return [...retractions.values()].toSorted((a, b) => a.messageIndex - b.messageIndex);
  }

  /** "I was wrong, Tuesday isn't bin day": what it denies is what was wrong. */
  function endMessage(): void {
    const { messageIndex, denied, meant } = message;
    if (meant === null) return;
    for (const text of denied.length > 0 ? denied : meant) add(text, messageIndex);
  }

  function add(text: string, messageIndex: number): void {
    const key = fold(text);
    if (retractions.size < MAX_RETRACTIONS && !retractions.has(key)) {
      const { topic } = topicOf(text);
      retractions.set(key, { text, topic, category: null, messageIndex });
    }
  }

  /** "That was wrong": what the user said last, or what the assistant then said of the user. */
  function meantBefore(messageIndex: number, speaker: string): string[] {
    const last = messages[messageIndex - 1];
    const isReply = last?.role === "assistant" && before?.messageIndex !== messageIndex;
    const ofUser = isReply ? statementsOfUser(last.content, speaker) : [];
    if (ofUser.length > 0) return ofUser;
    if (isReply && last.content.length > MAX_ACKNOWLEDGEMENT_CHARACTERS) return [];
    return (before?.statements ?? []).map((statement) => affirmed(statement) ?? statement);
  }

  function statementsOfUser(content: string, speaker: string): string[] {
    return sentencesOf(content)
      .filter(({ text }) => /\byour?\b/iu.test(text))
      .slice(0, MAX_SENTENCES_MEANT)
      .map(({ text }) => grammar(own(text)))
      .filter((words) => readClause(words) !== null)
      .map((words) => toThirdPerson(words, speaker));
  }
}
