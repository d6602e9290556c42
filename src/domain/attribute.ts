import { fold, openingOf } from "@agent-memory/text";

/** A text that is longer, or names its attribute later, states many things. */
const MAX_READ_CHARACTERS = 200;
const MAX_KEY_CHARACTERS = 120;

const LEAD_IN =
  /^(?:(?:update|updated|correction|news|note|fyi|actually|now|currently|btw|by the way|so|well|and)\b[\s,:-]*)+/u;

/** A writer may leave out the subject "I": "Moved to Oslo", "went vegan". */
const SUBJECT_LEFT_OUT =
  /^(?=(?:(?:just|finally|recently) )?(?:moved|relocated|settled|started|joined|quit|left|got (?:engaged|married|divorced|promoted|laid off|fired)|gone|went|turned|retired|resigned|broke up|split up|working|living)\b)/u;

/** Words between a subject and its verb that say nothing of either. */
const ADVERBS =
  "(?:(?:has|have|had|is|are|was|will be|'s|'m|'re|'ve|now|just|currently|recently|finally|still|also|no longer|not|does|do|did|got|been|gone|went|became|become|fully) )*";

function after(verb: string): RegExp {
  return new RegExp(`^(.{1,60}?) ${ADVERBS}(?:${verb})(?![\\p{L}\\p{N}])`, "u");
}

/** An attribute of which a subject has one at a time, and the words before which the subject stands. */
const VERBS: readonly (readonly [attribute: string, opening: RegExp])[] = [
  [
    "home",
    after(
      "(?:lives?|living|lived|resides?|residing|based|settled) (?:in|at|near|on)|(?:moved|moving|relocated|relocating) (?:back )?(?:to|from|into|in)",
    ),
  ],
  [
    "employer",
    after(
      "(?:works?|working|worked|employed|hired) (?:at|for|by|with)|joined|(?:a |the |his |her |their )?(?:new )?job (?:at|with)|(?:started|starting) (?:working |work )?(?:at|with|for)|retired|unemployed|laid off|fired|made redundant|resigned|(?:quit|left|lost) (?:the |his |her |their |my )?(?:job|company)",
    ),
  ],
  [
    "job",
    after(
      "(?:works?|working|worked) as|promoted(?: to)?|became (?:an? |the )?(?:head|lead|manager|director|senior)",
    ),
  ],
  ["age", after("\\d{1,3} years old|turn(?:ed|s|ing)? \\d{1,3}")],
  ["name", after("(?:called|named)|goes by|changed (?:his|her|their|its|the) name")],
  ["partner", after("(?:married|engaged|dating|single|divorced|separated|broke up|split up)")],
  ["diet", after("(?:an? )?(?:strict )?(?:vegetarian|vegan|pescatarian)|eats? (?:no |any )?meat")],
  ["car", after("drives?")],
];

/** "The user's phone number is …", "Favorite color: blue", "The deadline is …". */
const NAMED =
  /^(?:(.{1,60}?)(?:'s?|s') )?((?:[\p{L}\p{N}-]+ ){0,3}[\p{L}\p{N}-]+)(?: (?:is|are|was|were|has changed|changed|moved|became)(?: now| currently)?(?![\p{L}\p{N}])|\s?:\s)/u;

/** One word for those by which people mean the same. */
const SAME_ATTRIBUTE: readonly (readonly [attribute: string, names: RegExp])[] = [
  ["home", /^(?:(?:home )?city|residence)$/u],
  ["employer", /^(?:company|workplace)$/u],
  ["job", /^(?:job title|role|position|occupation)$/u],
  ["phone number", /^(?:phone|(?:mobile|telephone) number)$/u],
  ["email", /^(?:email address|e-mail)$/u],
  ["partner", /^(?:wife|husband|girlfriend|boyfriend|spouse)$/u],
];

/**
 * What a short English text is about, read by its first words: the subject and the one
 * attribute of it, such as `user|home` of "The user moved to Oslo". Two texts with the
 * same key may give different values of it. null: it does not say so plainly.
 */
export function attributeOf(text: string): string | null {
  const read = fold(text.slice(0, MAX_READ_CHARACTERS))
    .replace(/\s+/gu, " ")
    .trim()
    .replace(LEAD_IN, "")
    .replace(SUBJECT_LEFT_OUT, "i ");
  const key = ofVerb(read) ?? ofName(read) ?? openingOf(read);
  return key !== null && key.length <= MAX_KEY_CHARACTERS ? key : null;
}

function ofVerb(read: string): string | null {
  for (const [attribute, opening] of VERBS) {
    const subject = opening.exec(read)?.[1];
    if (subject !== undefined) return keyOf(subject, attribute);
  }
  return null;
}

function ofName(read: string): string | null {
  const [, owner = "", named = ""] = NAMED.exec(read) ?? [];
  const attribute = wordsOf(named)
    .join(" ")
    .replace("favourite", "favorite")
    .replace("colour", "color");
  // "Alice is …" says anything of Alice; "the deadline is …" and "Alice's manager is …" give a value.
  if (attribute === "" || (owner === "" && !/^(?:the|my|our|favou?rite)\b/u.test(named)))
    return null;
  const [same] = SAME_ATTRIBUTE.find(([, names]) => names.test(attribute)) ?? [];
  return keyOf(owner, same ?? attribute);
}

function keyOf(subject: string, attribute: string): string | null {
  const words = wordsOf(subject.replaceAll("'s ", " "));
  return words.length > 5 ? null : `${words.join(" ")}|${attribute}`;
}

const SPEAKER = /^(?:i|i'm|i've|we|we're|we've|my|our|me)$/u;

/** Without articles; the speaker is "user". */
function wordsOf(text: string): string[] {
  return text
    .split(/[^\p{L}\p{N}'-]+/u)
    .filter((word) => word !== "" && !/^(?:the|a|an|his|her|their|new|current)$/u.test(word))
    .map((word) => (SPEAKER.test(word) ? "user" : word));
}

/** The attribute of a memory that gives the user's name. */
export const USER_NAME_ATTRIBUTE = "user|name";

const USER_KEY = "user|";

/** "Bob lives in Rome" as "The user lives in Rome", where the user is Bob; other facts as they are. */
export function asTheUser(decision: string, name: string): string {
  const rest = decision.slice(name.length);
  const isOfUser = decision.startsWith(name) && /^(?:['’]s)?\s/u.test(rest);
  return isOfUser ? `The user${rest}` : decision;
}

/**
 * An attribute as memories may have it: what is the user's has two where a name of the user
 * is known, `user|home` and `bob|home`. None where there is no attribute.
 */
export function attributesUnderNames(attribute: string | null, name: string | null): string[] {
  if (attribute === null) return [];
  if (name === null) return [attribute];
  const nameKey = `${fold(name)}|`;
  const [known, other] = attribute.startsWith(USER_KEY) ? [USER_KEY, nameKey] : [nameKey, USER_KEY];
  if (!attribute.startsWith(known)) return [attribute];
  return [attribute, other + attribute.slice(known.length)];
}
