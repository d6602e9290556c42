import { isPastVerb, readStatement, sameAttribute, type TwoValues } from "@agent-memory/text";
import { contentOf, keyOf } from "./content.ts";
import { baseOfVerb, type Term, termsOf } from "./terms.ts";
import { toldChange } from "./told-changes.ts";
import { clausesTold, isBrief, isNoFact, type ToldClause } from "./told-clauses.ts";
import { isSameSubject, whomOf } from "./whom.ts";

/** How sure it is that one statement replaces another, 0 to 1, and why. */
export interface Change {
  readonly confidence: number;
  /** One sentence. */
  readonly reason: string;
  /** It says the older one again. */
  readonly isRepeat: boolean;
}

// The default bar is 0.85 (2.6): what is clear or likely passes it.
const CLEAR = 0.95;
export const LIKELY = 0.9;

/** Kinds of value that exclude one another wherever a subject "is" them. */
const EXCLUSIVE_KINDS = new Set(
  `color percent money version email phone url country city title diet cloud database language framework state
  marital programming channel os editor browser handset daypart brand tracker ci forge payment airline assistant length`.split(
    /\s+/u,
  ),
);
/** Of different verbs these are measures of different things. */
const MEASURED = /^(?:money|percent|length|time|date)$/u;
const CHANGING = EXCLUSIVE_KINDS.union(new Set(["date", "time"]));
/** A subject has many of these at a time, whatever is new. */
const ADDITIVE =
  /^(?:like|love|enjoy|hate|has|own|speak|play|support|accept|offer|sell|teach|know|visit|meet)$/u;
const DENIED = /\b(?:quit|stopped|gave up|not|never|no longer|no|any ?more|any longer)\b|n't\b/giu;

/** Why a new fact makes an older one untrue, or says it again; null: it does not. */
export function changeOf(newer: string, older: string): Change | null {
  const states = clausesTold(older);
  const whole = sameAttribute(older, newer);
  if (whole?.isOneAttribute) return clear(whole);
  const clauses = clausesTold(newer);
  const isWhole = clauses.length === 1 && states.length === 1;
  for (const clause of clauses) {
    if (clause.isUnsure) continue;
    const values = [older, ...states.map(({ text }) => text)]
      .map((state) => sameAttribute(state, clause.text))
      .find((each) => each !== null && !clause.isAddition && isOtherValue(each, clause));
    if (values) return clear(values);
    for (const state of states) {
      const why =
        isNoFact(state.text) || isBrief(clause.text) ? null : whyNot(clause, state, isWhole);
      if (why !== null) return likely(why);
    }
  }
  const why = toldChange(newer, older);
  return why === null ? null : likely(why);
}

const REPEATS = "says the same again";

function likely(why: string): Change {
  return { confidence: LIKELY, reason: `The new fact ${why}.`, isRepeat: why === REPEATS };
}

const MAX_QUOTED_CHARACTERS = 60;

function clear({ newer, older }: TwoValues): Change {
  const shortened = (text: string) =>
    text.length <= MAX_QUOTED_CHARACTERS ? text : `${text.slice(0, MAX_QUOTED_CHARACTERS)}…`;
  const reason = `"${shortened(newer)}" against "${shortened(older)}": the new fact gives another value of the same attribute.`;
  return { confidence: CLEAR, reason, isRepeat: false };
}

/** Of one attribute, or of a kind of which there is one at a time: "green" and "white". */
function isOtherValue(
  { older, newer, verb, isOneAttribute }: TwoValues,
  { isNow }: ToldClause,
): boolean {
  if (isOneAttribute) return true;
  if (ADDITIVE.test(verb) || (verb !== "is" && !isNow) || isPastVerb(verb)) return false;
  const known = new Set(kindsIn(older));
  return kindsIn(newer).some(
    (kind) => known.has(kind) && EXCLUSIVE_KINDS.has(kind) && (isNow || kind !== "title"),
  );
}

function kindsIn(text: string): string[] {
  return termsOf(text).flatMap(({ kinds }) => kinds);
}

const CHANGED =
  /\b(?:moved|switched|changed|rewritten|extended|postponed|raised|lowered|up|down|rose|upgraded|renamed|migrated|promoted|became|turned|hired)\b/u;

/** It tells by a sign of newness of another value of the same kind: "moved to the data team". */
function isNewOfKind(newer: ToldClause, now: Predicate, before: Predicate): boolean {
  if (newer.isAddition || before.isPast || now.isDenied || before.isDenied) return false;
  const isChanged = CHANGED.test(newer.text);
  if (!newer.isNow && !isChanged) return false;
  if (isChanged && whomOf(newer.text) === null && isPlacedAlike(now.said, before.said)) return true;
  const isTold = isChanged || now.verb === before.verb;
  const isAdditive = [now.verb, before.verb].some((verb) => ADDITIVE.test(verb));
  const [ours, theirs] = [now.said, before.said].map(contentOf);
  const only = (terms: readonly Term[] = [], words: ReadonlySet<string>) =>
    terms.filter((term) => !words.has(keyOf(term))).flatMap(({ kinds }) => kinds);
  const known = new Set(only(theirs, now.words));
  // "The platform team" and "the data team".
  const last = theirs?.at(-1);
  const isOfHead =
    last !== undefined &&
    /^\p{Ll}/u.test(last.word) &&
    theirs?.length !== 1 &&
    ours?.at(-1)?.stem === last.stem;
  if (isOfHead && (isTold || !/\d/u.test(now.said))) return true;
  return (
    !isAdditive &&
    only(ours, before.words).some(
      (kind) => known.has(kind) && CHANGING.has(kind) && (isTold || !MEASURED.test(kind)),
    )
  );
}

/** "Is in Lyon" and "was moved to Nantes", "is written in Go" and "was rewritten in C". */
function isPlacedAlike(now: string, before: string): boolean {
  const [to, from] = [now, before].map(
    (said) => / (in|on|at|with|to|into|onto) (?!\d)[^,]{2,40}$/u.exec(said)?.[1],
  );
  return from !== undefined && to !== undefined && (to === from || /to$/u.test(to));
}

/** It denies what held, affirms what was denied, or says the same again. */
function whyNot(newer: ToldClause, older: ToldClause, isWhole: boolean): string | null {
  const [now, before] = [predicateOf(newer.text), predicateOf(older.text)];
  if (!isSameSubject(now.subject, before.subject) || now.words.size === 0) return null;
  if (now.isDenied && !before.isDenied && !before.isPast)
    return now.words.isSubsetOf(before.words) ? "says that it no longer holds" : null;
  if (before.isDenied && !now.isDenied && (!now.isPast || /\bnever\b/u.test(older.text)))
    return before.words.size > 0 && before.words.isSubsetOf(now.words)
      ? "says that it holds now"
      : null;
  if (isNewOfKind(newer, now, before)) return "names another of the same kind";
  const isSame = isWhole && now.words.symmetricDifference(before.words).size === 0;
  return isSame &&
    now.isDenied === before.isDenied &&
    now.isPast === before.isPast &&
    !newer.isAddition
    ? REPEATS
    : null;
}

type Predicate = ReturnType<typeof predicateOf>;

function predicateOf(text: string) {
  const { words, subjectWords, verbAt } = readStatement(text);
  const said = words
    .slice(Math.max(subjectWords, 0))
    .map((word) => word.text)
    .join(" ");
  return {
    subject: words
      .slice(0, Math.max(subjectWords, 0))
      .map((word) => word.text)
      .join(" "),
    words: new Set(contentOf(said.replace(DENIED, " ").replace(/\bbeen\b/u, " ")).map(keyOf)),
    said,
    verb: words[verbAt]?.key ?? "",
    isDenied: said.search(DENIED) >= 0,
    isPast: isPast(words[verbAt]?.key ?? ""),
  };
}

function isPast(word: string): boolean {
  const base = baseOfVerb(word);
  return (
    word === "was" ||
    isPastVerb(word) ||
    (base !== undefined && base !== word && !/(?:s|ing)$/u.test(word))
  );
}
