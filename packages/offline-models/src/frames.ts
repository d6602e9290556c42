import { remembered } from "@agent-memory/text";
import ATTRIBUTES from "./attributes.json" with { type: "json" };
import { isNamedIn, type Term, termsOf } from "./terms.ts";
import type { ToldClause } from "./told-clauses.ts";
import { isSameSubject } from "./whom.ts";
import { written } from "./wordings.ts";

/** By which words a value of an attribute is told. */
interface FrameRule {
  /** "is": so it is; "became": so it became. */
  readonly how: "is" | "became";
  /**
   * Begins behind the subject, with a space or "'s"; or is of the whole clause, and its group `of`
   * is the subject, by default the user. The group `value` or `place` is the value.
   */
  readonly pattern: RegExp;
  /** The value, where the words themselves say it: "single"; null: it is in the group. */
  readonly value: string | null;
  readonly isWhole: boolean;
}

/** An attribute of a person or thing, which has one value of it at a time. */
interface Frame {
  /** Another value ends it though no word says that it is new. */
  readonly isPlain: boolean;
  readonly rules: readonly FrameRule[];
}

const HELPING =
  "(?: (?:has|have|had|got|is|are|am|was|were|been|being|be|just|now|finally|recently|officially|currently|since|then|both|already|still|all|actually|gladly|happily|mostly|usually|always|mainly|permanently|formally|legally|only|also|fully|started|begun))*";
const RULE = /^(?:(?<value>[\p{L} -]+?) )?(?<how>is|became): (?<words>.+)$/u;

/**
 * What people and things are and do, one at a time, and the words that tell it. A rule says how it
 * tells of the value, which value, if its words alone say it, and the words. They begin behind the
 * person or, with "^", are the whole clause. Angle brackets hold a shared wording (`wordings.ts`).
 */
const FRAMES: readonly Frame[] = Object.values(ATTRIBUTES).map(({ isPlain, rules }) => ({
  isPlain,
  rules: rules.map(ruleIn),
}));

function ruleIn(line: string): FrameRule {
  const { value = null, how, words = "" } = RULE.exec(line)?.groups ?? {};
  if (how === undefined) throw new Error(`No rule of a frame: ${line}`);
  const isWhole = words.startsWith("^");
  const opening = isWhole ? "" : words.startsWith("'s") ? "^" : `^${HELPING} `;
  const pattern = new RegExp(`${opening}(?:${written(words)})(?![\\p{L}\\p{N}])`, "u");
  return { how: how as FrameRule["how"], pattern, value, isWhole };
}

/** A value of an attribute of somebody or something, as a clause tells it. */
interface Told {
  readonly frame: Frame;
  readonly how: FrameRule["how"];
  readonly subject: string;
  readonly value: string;
  /** The words themselves say the value. */
  readonly isWord: boolean;
}

const MAX_SUBJECT_CHARACTERS = 60;
/** What follows a value: "Bergen in May", "Philips on Monday". */
const CIRCUMSTANCE =
  /(?:, | (?:now|nowadays|these days|again|instead|since|last|this|next|yesterday|because|for (?:good|the|a|my|work|love)|so|after|on \p{Lu}|in (?:19|20)\d\d|in (?:January|February|March|April|May|June|July|August|September|October|November|December|spring|summer|autumn|fall|winter)|over the|from|with|at the end|two|three|a (?:week|month|year|few)|and|but|when|where|which|who|already|permanently|full-time|not)(?![\p{L}])).*$/u;

/** Everything that a clause tells of an attribute. */
export const toldIn = remembered((clause): readonly Told[] => {
  // "Mia and I" did what each of them did.
  const text = clause
    .replace(/^(?:.{1,40}? and )?the user(?: and .{1,40}?)?(?= (?:\p{Ll}))/u, "the user")
    .replace(/^(\p{Lu}\p{L}+) and \p{Lu}\p{L}+(?= \p{Ll})/u, "$1");
  const openings = openingsOf(text);
  const told: Told[] = [];
  for (const frame of FRAMES) {
    for (const rule of frame.rules) {
      for (const { subject, match } of rule.isWhole
        ? wholly(text, rule)
        : behindSubject(openings, rule)) {
        const { place = "", value: said = place } = match.groups ?? {};
        if (termsOf(place).some(isOfNoPlace)) continue;
        const value = rule.value ?? said.replace(CIRCUMSTANCE, "").trim();
        told.push({ frame, how: rule.how, subject, value, isWord: rule.value !== null });
      }
    }
  }
  return told;
});

/** "Windows 11", "Team Orca" */
const isOfNoPlace = ({ word, kinds, implied }: Term) =>
  /^\p{Lu}/u.test(word) && kinds.length > 0 && !implied.includes("place");

function wholly(text: string, { pattern }: FrameRule) {
  const match = pattern.exec(text);
  return match === null ? [] : [{ subject: match.groups?.of ?? "the user", match }];
}

/** "The user's brother moved" is said of the brother, and of what the user has. */
function openingsOf(text: string) {
  const ends = text.slice(0, MAX_SUBJECT_CHARACTERS).matchAll(/(?:'s)? /gu);
  return [...ends]
    .map(({ index }) => ({ subject: text.slice(0, index), rest: text.slice(index) }))
    .filter(({ subject }) => SUBJECT.test(subject));
}

function behindSubject(openings: ReturnType<typeof openingsOf>, { pattern }: FrameRule) {
  return openings.flatMap(({ subject, rest }) => {
    const match = pattern.exec(rest);
    return match === null ? [] : [{ subject, match }];
  });
}

/** "The user", "the user's youngest son Leo", "Anna", "the old printer". */
const SUBJECT =
  /^(?:the user|(?:(?:the user's|the|an?|one of the user's) )?(?!the user\b)(?:(?!is |has |was |are |had )[\p{L}\p{N}-]+ ){0,3}(?!(?:is|are|was|has|had|to|of|in|at|a|an|the|just|now)$)[\p{L}\p{N}-]+)$/u;

/** Whether a clause says that an attribute of somebody's has a value, or had one. */
export function tellsOfFrame({ text, isNow }: ToldClause): boolean {
  return toldIn(text).some(
    ({ how, isWord }) => how === "became" || (how === "is" && (isNow || isWord)),
  );
}

/** Whether both tell of one attribute of the same subject, and the newer of another value. */
export function hasOtherValue(newer: ToldClause, told: readonly Told[], older: ToldClause) {
  // "At the clinic on Tuesdays".
  if (/\b(?:on \p{Lu}\p{L}+days|in the \p{L}+s)\b/u.test(newer.text) && !newer.isNow) return false;
  if (newer.isAddition || told.length === 0) return false;
  const before = toldIn(older.text);
  return told.some((now) =>
    before.some(
      (held) =>
        now.frame === held.frame &&
        isSameSubject(now.subject, held.subject) &&
        !((held.isWord || now.value === "none") && namesOther(newer.text, held, older.text)) &&
        isEnded(now, held, newer),
    ),
  );
}

/** "Broke up with Jonas" says nothing of Emre, and "quit the job at the bank" nothing of a bookshop. */
function namesOther(newer: string, held: Told, older: string): boolean {
  const [, other] =
    /\b(?:at (?:the |an? )?|(?:with|from|to) (?=\p{Lu}))(\p{L}+)/u.exec(newer) ?? [];
  if (other === undefined || older.includes(other)) return false;
  const isName = /^\p{Lu}/u.test(other);
  if (held.isWord) return isName && /(?<!^)\b\p{Lu}\p{Ll}/u.test(older);
  return isName === /^\p{Lu}/u.test(held.value);
}

function isEnded(now: Told, held: Told, { isNow }: ToldClause): boolean {
  const { frame, how, value } = now;
  if (now.isWord && held.isWord) return value !== held.value;
  if (how === "is" && held.how === "is" && !isNow && !frame.isPlain) return false;
  if (value === "" || held.value === "") return how === "became";
  return !isNamedIn(value, held.value) && !isNamedIn(held.value, value);
}
