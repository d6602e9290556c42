/** Of a longer text the beginning is read, and counts for its share of the text. */
const MAX_READ_CHARACTERS = 300;

/** The rules are loaded where they are first used: they take time and memory. */
async function load() {
  const asking = await import("@agent-memory/offline-models/asked-question");
  return { ...asking, ...(await import("@agent-memory/offline-models/relevance")) };
}
let rules: ReturnType<typeof load> | undefined;

/**
 * How far each text says what a question asks for, about -2 to 1, by rules of English: the root of
 * the share of the asked words that it says. It is 1 less where the text is of somebody else, or
 * has no number for "how many".
 */
export async function fitsOf(question: string, texts: readonly string[]): Promise<number[]> {
  if (texts.length === 0) return [];
  rules ??= load();
  const { knownUserIn, readQuestion, withoutName, fitOf } = await rules;
  const user = knownUserIn(texts);
  const asked = readQuestion(withoutName(question, user));
  return texts.map((text) => {
    const read = text.slice(0, MAX_READ_CHARACTERS);
    return fitOf(read, asked, user) * (read.length / text.length);
  });
}
