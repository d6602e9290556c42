/** A regular expression for every beginning of a word of letters, from the first to all of them. */
export function beginningOf(word: string): string {
  const [first = "", ...others] = word;
  return others.length === 0 ? first : `${first}(?:${beginningOf(others.join(""))})?`;
}
