import {
  isPastVerb,
  PREPOSITION,
  readStatement,
  type Statement,
  type StatementWord,
} from "@agent-memory/text";

const NUMBERED =
  /\d|^(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth)$/iu;
const DATED =
  /^(?:(?:jan|febr)uary|march|april|may|june|july|august|(?:septem|octo|novem|decem)ber|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|spring|summer|autumn|fall|winter)$/iu;
/** First words that name nobody. */
const NO_NAME =
  /^(?:the|an?|this|that|these|those|my|our|his|her|its|their|he|she|it|they|there|i|we|user|mum|mom|mother|dad|father|grandma|grandpa|every\p{L}+|some\p{L}*|no|nobody|one)(?:'s)?$/iu;

const ASKS =
  /\?\s*$|^(?:is|are|was|were|do|does|did|has|have|can|could|will|would|should|what|which|who|whom|whose|where|when|why|how) (?![^?]*[.!])(?:the|my|our|your|his|her|this|that|there|it|he|she|they|we|i|is|are|was|were|do|does|did|many|much|long|often)\b/iu;
const WISHES =
  /\b(?<!no longer )(?:(?:wants?|wishes|hopes?|plans?|intends?|would like|would love|would rather|'d like|'d love|'d rather) to|wishes|(?:thinking|dreaming|dreams) (?:of|about)|(?:consider|plann|hop)ing|considers|might|maybe|perhaps)\b/iu;

/**
 * Tells of each older fact whether a newer one can end it at all, whoever judges it (D23b):
 * their subjects differ in no identifier, and the newer one is no question, and no wish or
 * plan where the older one states what is.
 */
export function endsOf(newer: string): (older: string) => boolean {
  if (ASKS.test(newer)) return () => false;
  const onlyWishes = isWish(newer);
  const areOfOneThing = subjectsLike(newer);
  return (older) => (!onlyWishes || isWish(older)) && areOfOneThing(older);
}

function isWish(text: string): boolean {
  return text
    .split(/[,.;]| (?:and|but) /u)
    .every((clause) => clause.trim() === "" || WISHES.test(clause));
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
    if (identifiersIn(ours, now?.[0]).length > 0) return true;
  }
  return areTwoEvents(a.words.slice(a.verbAt), b.words.slice(b.verbAt));
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
function identifiersIn(
  words: readonly StatementWord[],
  first: StatementWord | undefined,
): StatementWord[] {
  return words.filter((word) => {
    if (NUMBERED.test(word.text) || DATED.test(word.text)) return true;
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
