import type { EmbeddingSpace } from "../../domain/embedding.ts";
import { UNREAD_FIT } from "../../domain/relevance.ts";

/** Of a longer text the beginning is read, and counts for its share of the text. */
const MAX_READ_CHARACTERS = 300;

/** The rules are loaded where they are first used: they take time and memory. */
async function load() {
  const asking = await import("@agent-memory/offline-models/asked-question");
  const language = await import("@agent-memory/offline-models/language");
  return { ...asking, ...language, ...(await import("@agent-memory/offline-models/relevance")) };
}
let rules: ReturnType<typeof load> | undefined;

/**
 * How far each text says what a question asks for, about -2 to 1, by rules of English: the root of
 * the share of the asked words that it says. It is 1 less where the text is of somebody else, or
 * has no number for "how many". A question in another language is not read, except in the offline
 * space, whose vectors know no more of it.
 */
export async function fitsOf(
  question: string,
  texts: readonly string[],
  { provider }: Pick<EmbeddingSpace, "provider">,
): Promise<number[]> {
  if (texts.length === 0) return [];
  rules ??= load();
  const { languageSigns, knownUserIn, readQuestion, withoutName, fitOf } = await rules;
  if (provider !== "local") {
    // "What's" is two words.
    const whole = question.replace(/['’]s\b/gu, " is");
    const { isOtherScript, english, foreign } = languageSigns(whole);
    if (isOtherScript || english <= foreign) return texts.map(() => UNREAD_FIT);
  }
  const user = knownUserIn(texts);
  const asked = readQuestion(withoutName(question, user));
  return texts.map((text) => {
    const read = text.slice(0, MAX_READ_CHARACTERS);
    return fitOf(read, asked, user) * (read.length / text.length);
  });
}
