import { fold, isStopWord } from "./words.ts";

/** What parts of its name tell apart, in those parts: "for v1.7", "/v1/users", "ticket 90", "MAX_RETRIES". */
export function codesOf(text: string): string[][] {
  const joined = fold(text).replace(/ #?(?=\d)/gu, "-");
  const codes = joined.match(/[\p{L}\p{N}]+(?:[-/_.#]+[\p{L}\p{N}]+)+/gu) ?? [];
  return codes.map((code) =>
    code.split(/[-/_.#]+/u).filter((part, i) => i > 0 || !isStopWord(part)),
  );
}

/** Whether a text names what differs in one part from a code, and not that code: "ticket 89". */
export function namesOther(text: string, codes: readonly string[][]): boolean {
  return codes.some((code) => {
    const alike = codesOf(text).filter(({ length }) => length > 1 && length === code.length);
    const differing = alike.map((other) => other.filter((part, i) => part !== code[i]).length);
    return differing.includes(1) && !differing.includes(0);
  });
}
