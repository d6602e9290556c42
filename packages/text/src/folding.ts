/** Nothing in it has another spelling than that of its case. */
const IS_ASCII = /^[\x00-\x7f]*$/;
const COMBINING_ACCENTS = /[\u0300-\u036f]/gu;
/**
 * Marks after the thirty that a character may have: no script has more (Unicode Standard
 * Annex 15, section 13). Halfwidth Katakana has two that only normalization makes marks.
 */
const FURTHER_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;
const APOSTROPHES = /[\u2018\u2019\u02bc\uff07]/gu;

/** Straight apostrophes, so that "I’m" and "I'm" are one word. */
export function straightenApostrophes(text: string): string {
  return text.replace(APOSTROPHES, "'");
}

/**
 * One spelling for texts that differ only in case, accents, width or kind of apostrophe.
 * Takes time in proportion to the text: a thousand marks on one character, which
 * normalization would sort slowly, are no text.
 */
export function fold(text: string): string {
  if (IS_ASCII.test(text)) return text.toLowerCase();
  return (
    straightenApostrophes(text)
      .replace(FURTHER_MARKS, "$1")
      .normalize("NFKD")
      .replace(COMBINING_ACCENTS, "")
      .normalize("NFC")
      // Upper case first: it writes "ß" as "ss", as case folding does.
      .toUpperCase()
      .toLowerCase()
  );
}
