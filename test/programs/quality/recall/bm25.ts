import { fold, isStopWord, stemOf, wordsOf } from "@agent-memory/text";
import type { Turn } from "./corpus.ts";

const K1 = 0.9;
const B = 0.4;

/** Plain BM25 by counts of Porter stems: what the search of the service is compared with. */
export function createBm25(turns: readonly Turn[]): (question: string, limit: number) => string[] {
  const texts = turns.map(({ id, text }) => {
    const counts = new Map<string, number>();
    const stems = stemsOf(text);
    for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
    return { id, counts, length: stems.length };
  });
  const average = texts.reduce((sum, { length }) => sum + length, 0) / texts.length;
  const textsWith = new Map<string, number>();
  for (const { counts } of texts) {
    for (const stem of counts.keys()) textsWith.set(stem, (textsWith.get(stem) ?? 0) + 1);
  }
  const rarity = (stem: string) => {
    const df = textsWith.get(stem) ?? 0;
    return Math.log(1 + (texts.length - df + 0.5) / (df + 0.5));
  };
  return (question, limit) => {
    const asked = [...new Set(stemsOf(question))];
    return texts
      .map(({ id, counts, length }) => {
        const damping = K1 * (1 - B + (B * length) / average);
        const score = asked.reduce((sum, stem) => {
          const count = counts.get(stem) ?? 0;
          return sum + (rarity(stem) * count * (K1 + 1)) / (count + damping);
        }, 0);
        return { id, score };
      })
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ id }) => id);
  };
}

function stemsOf(text: string): string[] {
  return wordsOf(text)
    .map(fold)
    .filter((word) => !isStopWord(word))
    .map(stemOf);
}
