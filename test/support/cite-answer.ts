import { type CitedAnswer, CitedText } from "../../src/domain/citations.ts";

/** The markers of an answer that comes whole, checked. */
export function citeAnswer(text: string, offered: number): CitedAnswer {
  const cited = new CitedText(offered);
  cited.push(text);
  return cited.end();
}
