import {
  fold,
  isPastVerb,
  ORDINALS,
  openingOf,
  PREPOSITION,
  readStatement,
  type Statement,
  type StatementWord,
  withSubject,
} from "@agent-memory/text";
import ATTRIBUTES from "./attribute-words.json" with { type: "json" };

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

/** An attribute of which a subject has one at a time, and the words before which the subject stands. */
const VERBS = Object.entries(ATTRIBUTES).map(
  ([attribute, said]) =>
    [attribute, new RegExp(`^(.{1,60}?) ${ADVERBS}(?:${said})(?![\\p{L}\\p{N}])`, "u")] as const,
);

/**
 * What a short English text is about, read by its first words: the subject and the one
 * attribute of it, such as `user|home` of "The user moved to Oslo". Two texts with the
 * same key may give different values of it. null: it does not say so plainly.
 */
export function attributeOf(text: string): string | null {
  const told = fold(text.slice(0, MAX_READ_CHARACTERS)).replace(/\s+/gu, " ").trim();
  const read = withSubject(told.replace(LEAD_IN, "")).replace(SUBJECT_LEFT_OUT, "i ");
  const key = ofVerb(read) ?? openingOf(read);
  return key !== null && key.length <= MAX_KEY_CHARACTERS ? key : null;
}

function ofVerb(read: string): string | null {
  for (const [attribute, opening] of VERBS) {
    const subject = opening.exec(read)?.[1];
    if (subject === undefined) continue;
    const words = wordsOf(subject.replace(/'s(?= |$)/gu, ""));
    return words.length > 5 ? null : `${words.join(" ")}|${attribute}`;
  }
  return null;
}

/** Without articles; the speaker is "user". */
function wordsOf(text: string): string[] {
  return text
    .split(/[^\p{L}\p{N}'-]+/u)
    .filter((word) => word !== "" && !/^(?:the|a|an|his|her|their|new|current)$/u.test(word))
    .map((word) => (/^(?:i|i'm|i've|we|we're|we've|my|our|me)$/u.test(word) ? "user" : word));
}

export const USER_NAME_ATTRIBUTE = "user|name";

const USER_KEY = "user|";

/** "Bob lives in Rome" as "The user lives in Rome", where the user is Bob; other facts as they are. */
export function asTheUser(decision: string, name: string): string {
  const rest = decision.slice(name.length);
  const isOfUser = decision.startsWith(name) && /^(?:['’]s)?\s/u.test(rest);
  return isOfUser ? `The user${rest}` : decision;
}

/** An attribute of a user whose name is known has two names: `user|home` and `bob|home`. */
export function attributesUnderNames(attribute: string | null, name: string | null): string[] {
  if (attribute === null) return [];
  if (name === null) return [attribute];
  const nameKey = `${fold(name)}|`;
  const [known, other] = attribute.startsWith(USER_KEY) ? [USER_KEY, nameKey] : [nameKey, USER_KEY];
  if (!attribute.startsWith(known)) return [attribute];
  return [attribute, other + attribute.slice(known.length)];
}

const NUMBERED = new RegExp(`\\d|^(?:${ORDINALS.join("|")})$`, "iu");
const DATED =
  /^(?:(?:jan|febr)uary|march|april|may|june|july|august|(?:septem|octo|novem|decem)ber|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|spring|summer|autumn|fall|winter)$/iu;
/** First words that name nobody. */
const NO_NAME =
  /^(?:the|an?|this|that|these|those|my|our|his|her|its|their|he|she|it|they|there|i|we|user|mum|mom|mother|dad|father|grandma|grandpa|every\p{L}+|some\p{L}*|no|nobody|one)(?:'s)?$/iu;

const ASKS =
  /\?\s*$|^(?:is|are|was|were|do|does|did|has|have|can|could|will|would|should|what|which|who|whom|whose|where|when|why|how) (?![^?]*[.!])(?:the|my|our|your|his|her|this|that|there|it|he|she|they|we|i|is|are|was|were|do|does|did|many|much|long|often)\b/iu;
const WANTS = "wants?|hopes?|plans?|intends?";
const WISHES = new RegExp(
  String.raw`^if |\b(?<!no longer )(?:(?:${WANTS}|would like|would love|would rather|'d like|'d love|'d rather) to|wishes|(?:thinking|dreaming|dreams) (?:of|about)|(?:consider|plann|hop)ing|considers|['’]ll(?! no longer)|might|maybe|perhaps|(?:is|are) (?:moving|relocating|emigrating|leaving|joining|retiring|switching|migrating|getting (?:married|divorced)))\b`,
  "iu",
);
/** A verb that says only what may or will be, where its clause has no words of `WISHES`. */
const PLANS = new RegExp(
  String.raw`^(?:(?:will|would|should|could|shall|may)(?! no longer)|${WANTS}|consider|(?:is|are) going to (?!(?:the|an?|his|her|its|their) )\p{Ll}+)(?!\S)`,
  "u",
);

/**
 * Tells whether a newer fact can end an older one, whoever judges it (D23b). Their subjects differ
 * in no identifier. The newer one asks nothing, and wishes nothing where the older one states.
 */
export function endsOf(newer: string): (older: string) => boolean {
  if (ASKS.test(newer)) return () => false;
  const onlyWishes = isWish(newer);
  const areOfOneThing = subjectsLike(newer);
  const mayEnd = (older: string) => !onlyWishes || isWish(older) || /\bprefers?\b/u.test(older);
  const heading = HEADING.exec(newer);
  const isUnderOther = (older: string) => {
    const [, title, number] = HEADING.exec(older) ?? [];
    return title !== undefined && title === heading?.[1] && number !== heading[2];
  };
  return (older) => mayEnd(older) && areOfOneThing(older) && !isUnderOther(older);
}

/** "Meeting notes 3. We agreed …" */
const HEADING = /^(.{2,40}?) #?(\d[\d.]*?)(?:[.:]| [-–—])\s+\S/u;

function isWish(text: string): boolean {
  return text.split(/[,.;](?!\S)| (?:and|but) /u).every((clause) => {
    const { words, verbAt } = readStatement(clause);
    if (words.length === 0 || WISHES.test(clause)) return true;
    const said = words.slice(Math.max(verbAt, 0)).map((word) => word.text);
    return words[verbAt - 1]?.key !== "longer" && PLANS.test(said.join(" "));
  });
}

/** "Mia is the manager" is told of who the manager is. */
const ROLE =
  /^\p{Lu}\p{L}*(?: \p{Lu}\p{L}*){0,2} (?:(?:is|was|becomes|became) (?=(?:the|my|our) )|(?:took|takes) over as )/u;

/** Whether the subjects of two facts differ in no number, code, ordinal, time or name. */
function subjectsLike(newer: string): (older: string) => boolean {
  const isRole = ROLE.test(newer);
  const asIs = readStatement(newer);
  const ofRole = isRole ? readStatement(roleFirst(newer)) : asIs;
  return (older) => {
    const isOfRole = isRole && ROLE.test(older);
    const a = isOfRole ? ofRole : asIs;
    const b = readStatement(isOfRole ? roleFirst(older) : older);
    if (a.verbAt < 0 && b.verbAt < 0) return !areNumberedApart(a, b);
    return a.verbAt < 0 || b.verbAt < 0 || !areOfTwoThings(a, b);
  };
}

function areOfTwoThings(a: Statement, b: Statement): boolean {
  const [now, before] = [a, b].map(({ words, subjectWords }) =>
    withoutTime(words.slice(0, subjectWords)),
  );
  const [ours, theirs] = onlyInEach(now ?? [], before ?? []);
  const named = identifiersIn(theirs, before?.[0]);
  // "Mia took over from Leo" speaks of Leo too.
  const spokenOf = new Set(a.words.map(nameOf));
  if (named.length > 0 && !named.every((word) => spokenOf.has(nameOf(word)))) {
    if (identifiersIn(ours, now?.[0]).length > 0 || named.some(isOwnerIn(before ?? [])))
      return true;
  }
  return areTwoEvents(a.words.slice(a.verbAt), b.words.slice(b.verbAt));
}

/** "Jakob" of "Jakob's number" and of "the number of Jakob". */
function isOwnerIn(words: readonly StatementWord[]): (word: StatementWord) => boolean {
  const at = words.findIndex(({ key }) => PREPOSITION.test(key));
  return (word) => word.text.endsWith("'s") || (at >= 0 && words.indexOf(word) > at);
}

/** "Order 17" and "order 18": they differ in the number behind them alone. */
function areNumberedApart(a: Statement, b: Statement): boolean {
  const only = onlyInEach(a.words, b.words);
  const lasts = [a, b].map(({ words }) => words.at(-1));
  return only.every(
    ([word, ...others], i) =>
      others.length === 0 && word === lasts[i] && /^#?\d{1,6}\p{L}?$/u.test(word?.text ?? ""),
  );
}

function roleFirst(text: string): string {
  return `${text.replace(ROLE, "").replace(/[.!]+$/u, "")} is so`;
}

/** "In May Anna …": when it was, not of whom it is told. */
function withoutTime(words: readonly StatementWord[]): readonly StatementWord[] {
  if (!PREPOSITION.test(words[0]?.key ?? "")) return words;
  const at = words.findIndex(({ text }, i) => i > 0 && !DATED.test(text) && !NUMBERED.test(text));
  return at < 0 ? words : words.slice(at);
}

function onlyInEach(
  a: readonly StatementWord[],
  b: readonly StatementWord[],
): readonly [StatementWord[], StatementWord[]] {
  const without = (one: readonly StatementWord[], other: readonly StatementWord[]) => {
    const names = new Set(other.map(nameOf));
    return one.filter((word) => !names.has(nameOf(word)));
  };
  return [without(a, b), without(b, a)];
}

/** "Leo's" and "Leo" are one. */
function nameOf({ key }: StatementWord): string {
  return key.replace(/'s?$/u, "");
}

/** `first`: the first word of the subject, of which a capital says nothing. */
function identifiersIn(words: readonly StatementWord[], first: StatementWord | undefined) {
  return words.filter((word) => {
    if (word.key === "A" || NUMBERED.test(word.text) || DATED.test(word.text)) return true;
    if (!/^\p{Lu}/u.test(word.text) || NO_NAME.test(word.text)) return false;
    const isBare = word === first && !/'s$|.\p{Lu}/u.test(word.text);
    return !isBare || words.length === 1 || /^\p{Lu}/u.test(words[1]?.text ?? "");
  });
}

/** "Finished the first chapter" and "finished the second chapter". */
function areTwoEvents(now: readonly StatementWord[], before: readonly StatementWord[]): boolean {
  const [verb, ...rest] = now;
  if (verb === undefined || verb.key !== before[0]?.key || !isPastVerb(verb.key)) return false;
  const isNumbered = ({ text }: StatementWord) => NUMBERED.test(text);
  const [ours, theirs] = onlyInEach(now, before);
  const at = rest.findIndex(({ key }) => PREPOSITION.test(key));
  const object = at < 0 ? rest : rest.slice(0, at);
  return theirs.some(isNumbered) && ours.some((word) => isNumbered(word) && object.includes(word));
}
