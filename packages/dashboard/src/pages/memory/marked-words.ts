/** A part of a text. */
export interface MarkedPart {
  readonly text: string;
  readonly isMarked: boolean;
}

/** Shorter ones are in every sentence. */
const MIN_CHARACTERS = 3;
const WORD = /[\p{L}\p{N}]+/gu;

/** A text in parts, those marked whose words are a fact's too. */
export function markedWords(text: string, fact: string): MarkedPart[] {
  const words = new Set(
    [...fact.matchAll(WORD)]
      .map(([word]) => fold(word))
      .filter((word) => word.length >= MIN_CHARACTERS),
  );
  const parts: MarkedPart[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!words.has(fold(word))) continue;
    if (index > end) parts.push({ text: text.slice(end, index), isMarked: false });
    parts.push({ text: word, isMarked: true });
    end = index + word.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMarked: false });
  return parts;
}

function fold(word: string): string {
  return word.toLowerCase();
}
