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
const INTRODUCED = new RegExp(`(?<!\\p{L})(?:${INTRODUCTION})\\s+`, "giu");
/** What follows, in which only the first word may be in lower case. */
const NAME = /^\p{L}[\p{L}\p{M}'.-]*(?: \p{Lu}[\p{L}\p{M}'.-]*){0,3}/u;
/** No name is longer. */
const MAX_NAME_CHARACTERS = 200;
/** "Sam here, ..." */
const ANNOUNCED =
  /(?:^|[.!?,\n]\s*|\b(?:hi|hello|hey) )(\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}'-]*)?) (?:here|speaking)(?!\p{L})/gu;

/** What may be the speaker's name in what they say, as one text. */
export function speakerNames(text: string): string {
  const straight = text.replace(/[\u2018\u2019]/gu, "'");
  const introduced = [...straight.matchAll(INTRODUCED)].flatMap(({ 0: words, index }) => {
    const start = index + words.length;
    return NAME.exec(straight.slice(start, start + MAX_NAME_CHARACTERS))?.[0] ?? [];
  });
  const announced = [...straight.matchAll(ANNOUNCED)].map(([, name]) => name);
  return [...introduced, ...announced].join("\n");
}
