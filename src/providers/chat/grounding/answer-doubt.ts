import { fold } from "@agent-memory/text";
import type { Context } from "./claim.ts";
import { ownWords } from "./claim.ts";
import { hasMarker } from "./languages.ts";
import type { Weight } from "./weight.ts";
import { indexWords } from "./words.ts";

/**
 * A mere "yes" says what was asked, as far as the fact is in it; other words than "yes"
 * do not say it.
 */
export function answer(context: Context): Weight {
  const { answer: given, clauses, isSameLanguage, read, messageIndex } = context;
  const wanted = ownWords(context);
  const asked = indexWords(clauses.map(({ text }) => text).join("\n"));
  if (given === "acknowledged" || (given !== null && clauses.length === 0)) return "grave";
  if (given !== null) return isSameLanguage && !wanted.some(asked.has) ? "grave" : "mild";
  const answered = indexWords(read.answeredBy(messageIndex));
  const own = indexWords(read.messageOf(messageIndex).content);
  const isAssistants = wanted.some(answered.has) && !wanted.some(own.has);
  if (!isSameLanguage || !isAssistants) return null;
  return hasMarker(fold(context.passage), "any", "preference") ? "grave" : "mild";
}
