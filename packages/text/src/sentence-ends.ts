const ENDINGS = /[.!?…。！？]+/gu;
const ABBREVIATION =
  /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|jr|sr|vs|etc|e\.g|i\.e|approx|no|inc|ltd|co|corp|dept|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|\p{Lu}|a\.m|p\.m|u\.s|u\.k)$/iu;

/** The punctuation that ends a sentence. */
export interface SentenceEnd {
  /** The position of its first mark. */
  readonly index: number;
  readonly marks: string;
}

/** Where the sentences of one line end, but for the last, which may end without a mark. */
export function sentenceEnds(line: string): SentenceEnd[] {
  const ends: SentenceEnd[] = [];
  let start = 0;
  for (const { 0: marks, index } of line.matchAll(ENDINGS)) {
    const end = index + marks.length;
    const isWide = /[。！？]/u.test(marks);
    const isInsideWord = !isWide && end < line.length && !/[\s"')\]]/u.test(line[end] ?? "");
    const before = line.slice(Math.max(start, index - 12), index);
    if (isInsideWord || (marks === "." && ABBREVIATION.test(before) && end < line.length)) continue;
    ends.push({ index, marks });
    start = end;
  }
  return ends;
}
