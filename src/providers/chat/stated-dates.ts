import { type PartialDate, startOf } from "@agent-memory/text/dates";
import type { ChatMessage } from "../../domain/conversation.ts";
import type { Instant } from "../../domain/instant.ts";
import type { Conversation } from "../extractor.ts";
import { dateEvidence, isBorneOut } from "./grounding/date-evidence.ts";
import { languageOf } from "./grounding/languages.ts";

/** The first moment of a date in a message of the conversation; null: the message has no such date. */
export type FindDate = (date: PartialDate | null, messageIndex: number) => Instant | null;

/**
 * Finds a model's dates in the messages (D17), written or relative to the time of the
 * conversation. A date that is more exact than its message is cut to the precision of the
 * message.
 */
export function createDateFinder({
  messages,
  at,
}: Pick<Conversation, "messages" | "at">): FindDate {
  const evidence = new Map<number, readonly PartialDate[]>();
  const evidenceOf = (index: number) => {
    const said = saidAt(messages, index);
    const known = evidence.get(index) ?? dateEvidence(said, languageOf(said) ?? "en", at);
    evidence.set(index, known);
    return known;
  };
  return (date, messageIndex) => {
    if (date === null) return null;
    const given = lessAndLessExact(date).find((part) =>
      isBorneOut(part, evidenceOf(messageIndex), at),
    );
    return given === undefined ? null : startOf(given);
  };
}

/** A message, and the assistant's message before it: a date may answer "Since when?". */
function saidAt(messages: readonly ChatMessage[], index: number): string {
  const before = messages
    .slice(0, index)
    .findLast(({ role, content }) => role !== "tool" && content !== "");
  const asked = before?.role === "assistant" ? before.content : "";
  return `${messages[index]?.content ?? ""}\n${asked}`;
}

function lessAndLessExact({ year, month, day }: PartialDate): PartialDate[] {
  return [{ year, month, day }, { year, month }, { year }];
}
