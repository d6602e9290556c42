const COMBINING_ACCENTS = /[\u0300-\u036f]/gu;
const APOSTROPHES = /[\u2018\u2019\u02bc\uff07]/gu;

/** Straight apostrophes, so that "I’m" and "I'm" are one word. */
export function straightenApostrophes(text: string): string {
  return text.replace(APOSTROPHES, "'");
}

/** One spelling for texts that differ only in case, accents, width or kind of apostrophe. */
export function fold(text: string): string {
  return (
    straightenApostrophes(text)
      .normalize("NFKD")
      .replace(COMBINING_ACCENTS, "")
      .normalize("NFC")
      // Upper case first: it writes "ß" as "ss", as case folding does.
      .toUpperCase()
      .toLowerCase()
  );
}
