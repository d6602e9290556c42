/**
 * How people say who they are, in some languages. Generous, as it is there to tell
 * what was invented: "I am German" gives "German" as a name too.
 */
const INTRODUCTION = [
  "my (?:\\p{L}+ )?name(?:'s| is)",
  "i(?:'m| am)",
  "im",
  "this is",
  "call me",
  "i go by",
  "name:",
  "mein name ist",
  "ich (?:heiße|heisse|bin)",
  "je (?:m'appelle|suis)",
  "(?:me llamo|mi nombre es|soy)",
  "(?:meu nome é|me chamo|sou)",
  "(?:mi chiamo|sono)",
  "(?:mijn naam is|ik (?:heet|ben))",
  "(?:jag|jeg) (?:heter|hedder|är|er)",
  "(?:nazywam się|mam na imię|jestem)",
  "(?:jmenuji se|jsem)",
  "меня зовут",
].join("|");
const NAME = String.raw`\p{L}[\p{L}\p{M}'.-]*(?: \p{Lu}[\p{L}\p{M}'.-]*){0,3}`;
const INTRODUCED = new RegExp(`(?<!\\p{L})(?i:${INTRODUCTION})\\s+(${NAME})`, "gu");
/** "Sam here, ..." */
const ANNOUNCED =
  /(?:^|[.!?\n]\s*)(\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}'-]*)?) (?:here|speaking)(?!\p{L})/gu;

/** What may be the speaker's name in what they say, as one text. */
export function speakerNames(text: string): string {
  const straight = text.replace(/[\u2018\u2019]/gu, "'");
  return [...straight.matchAll(INTRODUCED), ...straight.matchAll(ANNOUNCED)]
    .map(([, name]) => name)
    .join("\n");
}
