/** Shorter ones are in every sentence. */
const MIN_CHARACTERS = 3;
const WORD = /[\p{L}\p{N}]+/gu;

/** A text in parts, those marked whose words are a fact's too. */
export function markedWords(text: string, fact: string) {
  const words = new Set(
    [...fact.matchAll(WORD)]
      .map(([word]) => word.toLowerCase())
      .filter((word) => word.length >= MIN_CHARACTERS),
  );
  const parts: { text: string; isMarked: boolean }[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!words.has(word.toLowerCase())) continue;
    if (index > end) parts.push({ text: text.slice(end, index), isMarked: false });
    parts.push({ text: word, isMarked: true });
    end = index + word.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMarked: false });
  return parts;
}
