import { type CitedAnswer, citeText } from "../../src/domain/citations.ts";

/** The markers of an answer that comes whole, checked. */
export function citeAnswer(text: string, offered: number): CitedAnswer {
  return citeText(text, offered);
}
