/** Of a longer text the beginning is read. */
const MAX_READ_CHARACTERS = 300;

/**
 * How far each text says what a question asks for, by rules of English, about -1 to 1, in order:
 * the root of the share of the asked words that it has, in these or in other words; and 1 less
 * where it lacks the kind of thing that is asked for, as a number for "how many".
 */
export async function fitsOf(question: string, texts: readonly string[]): Promise<number[]> {
  if (texts.length === 0) return [];
  // The rules are loaded where they are first used: they take time and memory.
  const { readQuestion } = await import("@agent-memory/offline-models/asked-question");
  const { fitOf } = await import("@agent-memory/offline-models/relevance");
  const asked = readQuestion(question);
  return texts.map((text) => fitOf(text.slice(0, MAX_READ_CHARACTERS), asked));
}
