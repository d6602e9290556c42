/** Shorter words are in every sentence. */
const WORD = /([\p{L}\p{N}]{3,})/gu;

/** A text in parts, those marked whose words are a fact's too. */
export function markedWords(text: string, fact: string) {
  const words = new Set<string>(fact.toLowerCase().match(WORD));
  return text.split(WORD).map((part) => ({ text: part, isMarked: words.has(part.toLowerCase()) }));
}
