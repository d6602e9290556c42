import { type CitedAnswer, CitedText } from "../../src/domain/citations.ts";

/** An answer that comes at once. */
export function citeAnswer(text: string, offered: number): CitedAnswer {
  const cited = new CitedText(offered);
  cited.push(text);
  return cited.end();
}
