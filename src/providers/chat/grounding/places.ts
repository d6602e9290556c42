import { fold, wordsOf } from "@agent-memory/text";
import { LANGUAGES } from "./languages.ts";

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const SPOKEN =
  "en de fr es it pt nl pl ja zh ru uk cs sv da nb fi tr ro hu el ko ar he hi vi th".split(" ");
/** No name of a country takes more words. */
const MAX_WORDS = 3;

/** Countries by their names and by those of their languages, in all languages that are understood. */
let countries: ReadonlyMap<string, string> | null = null;

function countryOfName(): ReadonlyMap<string, string> {
  if (countries !== null) return countries;
  const made = new Map<string, string>();
  const codes = LETTERS.flatMap((a) => LETTERS.map((b) => a + b));
  for (const language of LANGUAGES) {
    const options = { fallback: "none" } as const;
    const regions = new Intl.DisplayNames(language, { type: "region", ...options });
    const languages = new Intl.DisplayNames(language, { type: "language", ...options });
    for (const spoken of SPOKEN) {
      const name = languages.of(spoken);
      const region = new Intl.Locale(spoken).maximize().region;
      if (name !== undefined && region !== undefined) made.set(fold(name), region);
    }
    for (const code of codes) {
      const name = regions.of(code);
      if (name !== undefined) made.set(fold(name), code);
    }
  }
  countries = made;
  return made;
}

/** The countries that a text names, and the names in it that do. */
export function countriesIn(text: string): ReadonlyMap<string, string> {
  const words = wordsOf(text).map(fold);
  const known = countryOfName();
  const found = new Map<string, string>();
  for (let i = 0; i < words.length; i++) {
    for (let length = 1; length <= MAX_WORDS; length++) {
      const run = words.slice(i, i + length);
      const code = known.get(run.join(" ")) ?? known.get(run.join(""));
      if (code !== undefined) for (const word of run) found.set(word, code);
    }
  }
  return found;
}
