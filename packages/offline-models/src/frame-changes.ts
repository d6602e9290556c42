import { isNamedIn } from "./content.ts";
import { FRAMES, type Frame, type FrameRule } from "./frames.ts";
import type { ToldClause } from "./told-clauses.ts";
import { isSameSubject } from "./whom.ts";

/** A value of an attribute of somebody or something, as a clause tells it. */
export interface Told {
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
export function toldIn(clause: string): Told[] {
  // "Mia and I" did what each of them did.
  const text = clause.replace(
    /^(?:.{1,40}? and )?the user(?: and .{1,40}?)?(?= (?:\p{Ll}))/u,
    "the user",
  );
  const told: Told[] = [];
  for (const frame of FRAMES) {
    for (const rule of frame.rules) {
      for (const { subject, match } of rule.isWhole
        ? wholly(text, rule)
        : behindSubject(text, rule)) {
        const { groups = {} } = match;
        const written = groups.value ?? "";
        const value = rule.value ?? written.replace(CIRCUMSTANCE, "").trim();
        told.push({ frame, how: rule.how, subject, value, isWord: rule.value !== null });
      }
    }
  }
  return told;
}

function wholly(text: string, { pattern }: FrameRule) {
  const match = pattern.exec(text);
  const of = match?.groups?.of ?? "the user";
  return match === null ? [] : [{ subject: of, match }];
}

/** "The user's brother moved" is said of the brother, and of what the user has. */
function behindSubject(text: string, { pattern }: FrameRule) {
  const found: { subject: string; match: RegExpExecArray }[] = [];
  for (const { index } of text.slice(0, MAX_SUBJECT_CHARACTERS).matchAll(/(?:'s)? /gu)) {
    const subject = text.slice(0, index);
    const match = SUBJECT.test(subject) ? pattern.exec(text.slice(index)) : null;
    if (match !== null) found.push({ subject, match });
  }
  return found;
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
export function hasOtherValue(
  newer: ToldClause,
  told: readonly Told[],
  older: ToldClause,
): boolean {
  if (newer.isAddition || told.length === 0) return false;
  const before = toldIn(older.text);
  return told.some((now) =>
    before.some(
      (held) =>
        now.frame === held.frame &&
        isSameSubject(now.subject, held.subject) &&
        !(held.isWord && namesOthers(newer.text, older.text)) &&
        isEnded(now, held, newer),
    ),
  );
}

/** "Broke up with Jonas" and "the user's boyfriend is Emre". */
function namesOthers(newer: string, older: string): boolean {
  const [, partner] = /\b(?:with|from|to) (\p{Lu}\p{Ll}+)/u.exec(newer) ?? [];
  const named: readonly string[] = older.match(/(?<!^)\b\p{Lu}\p{Ll}+/gu) ?? [];
  return partner !== undefined && named.length > 0 && !named.includes(partner);
}

function isEnded(now: Told, held: Told, { isNow }: ToldClause): boolean {
  const { frame, how, value } = now;
  if (how === "held") return false;
  if (now.isWord && held.isWord) return value !== held.value;
  if (now.isWord || held.isWord) return true;
  if (how === "is" && !isNow && !(frame.isPlain && held.how !== "held")) return false;
  if (value === "" || held.value === "") return how === "became";
  return !isNamedIn(value, held.value) && !isNamedIn(held.value, value);
}
