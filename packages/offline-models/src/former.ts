import { isPastVerb, readStatement } from "@agent-memory/text";
import ENDINGS from "./endings.json" with { type: "json" };
import { isNamedIn } from "./terms.ts";
import type { ToldClause } from "./told-clauses.ts";
import { PERSON, RELATED, whomOf } from "./whom.ts";
import { written } from "./wordings.ts";

export const CIRCUMSTANCE =
  /(?:,(?!\d)| (?:to(?! \p{Lu})|for (?:\d|\p{Sc}|good|now|everybody|everyone|all)|and|last|this|yesterday|today|(?:on|in|at|from) (?=\d|(?:Jan|Feb|Mar|Apr|May|June|July|Aug|Sept|Oct|Nov|Dec|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|the (?:spring|summer|autumn|fall|winter|morning|afternoon|evening|end|week)|spring|summer|autumn|fall|winter|noon|midnight|night))|because|after|since|so|but|again|now|each|without)\b| (?:account|subscription|membership)$).*$/u;
/** "Left the office at 5", "lost to the red team". */
const FOR_TODAY = /\bleft .* (?:at (?:\d|noon|midnight)|early|late)\b|\blost to\b/u;
const PLACE = / (?:in|on|at) .+$/u;
/** "Has a sister in Rome" stays so whoever leaves Rome. */
const HAS_SOMEBODY = new RegExp(
  `\\bha(?:s|ve) (?:an? |two |three |the )(?:\\p{L}+ )?${PERSON}(?![\\p{L}])(?! (?:called|named))`,
  "u",
);

/**
 * By which words a text names what is no longer so, by what the new fact then does. "of" is what
 * the older text must state. The group `former` is what is over; `value`, what holds instead.
 * Angle brackets hold a shared wording (`wordings.ts`).
 */
const KNOWN = Object.entries(ENDINGS).map(([why, { of, said, ...rest }]) => ({
  why,
  state: new RegExp(written(of), "u"),
  said: said.map((words) => new RegExp(written(words), "isAnyCase" in rest ? "iu" : "u")),
}));

/** Why an older text no longer holds, of which the newer one names what is over; null: it names nothing of it. */
export function overInWords(newer: ToldClause, older: ToldClause): string | null {
  if (newer.isAddition || FOR_TODAY.test(newer.text)) return null;
  if (!mayBeOfOne(newer.text, older.text)) return null;
  for (const { said, state, why } of KNOWN) {
    if (!state.test(older.text)) continue;
    for (const pattern of said) {
      const { former, value } = pattern.exec(newer.text)?.groups ?? {};
      if (former === undefined) continue;
      const told = former.replace(CIRCUMSTANCE, "");
      // "Sold the boat in Kiel", of any boat; "left the boat in Kiel", and "has a boat in Ulm".
      const isThere = PLACE.test(older.text) || /\bleft\b/u.test(newer.text);
      const named = isThere ? told : told.replace(PLACE, "");
      // The old one must be what is stated, not whom or what it is stated of.
      if (value !== undefined && isNamedIn(value.replace(CIRCUMSTANCE, ""), older.text)) continue;
      if (!isNamedIn(named, older.text) || isOfSomebody(named, older.text)) continue;
      // Who left Acme says nothing of what Acme does.
      const isLeft = /\b(?:left|quit|gave up|stopped|resigned)\b/u.test(newer.text);
      const text = older.text.toLowerCase().replace(/^the /u, "");
      if (isLeft && text.startsWith(`${named.toLowerCase()} `)) continue;
      // Of "the piano and the cello" one alone is not all.
      const [, one = "", other = ""] = / \p{Ll}+s (.+?) and (.+)$/u.exec(older.text) ?? [];
      const { words, subjectWords, verbAt } = readStatement(older.text);
      // The kickoff is not the kickoff dinner.
      const subject = words.slice(0, Math.max(subjectWords, 0)).map(({ text }) => text);
      const isOfSubject = isNamedIn(named, subject.join(" "));
      if (isOfSubject && !isNamedIn(subject.at(-1) ?? "", former)) continue;
      // Who broke a record still has a bike, and a broken phone is a Pixel.
      if (isOfSubject && LASTS.test(newer.text) && !/ is (?:the )?\p{Ll}+ing\b/u.test(older.text))
        continue;
      const isPast = isPastVerb(words[verbAt]?.key ?? "") && !/ booked /u.test(older.text);
      if (isNamedIn(named, one) === isNamedIn(named, other) && !isPast) return why;
    }
  }
  return null;
}

/** What is still there, or somebody, whatever happened to it. */
const LASTS = /\b(?:broken?|expired|passed(?! away)|gone for|removed|healed|sold on|taken)\b/u;

/** "Left Padua" and "has a sister in Padua". */
function isOfSomebody(named: string, older: string): boolean {
  const [who] = HAS_SOMEBODY.exec(older) ?? [];
  return who !== undefined && !/\b(?:dog|cat)s?\b/u.test(older) && !isNamedIn(named, who);
}

/** What is said of somebody is of them; what is said of a thing, of whoever has it. */
export function mayBeOfOne(newer: string, older: string): boolean {
  // What the user has is told of as theirs: "the user's cat is called Minka".
  const whom = (text: string) => whomOf(text.replace(/^the user's (?=(?:dog|cat)\b)/u, "the "));
  const now = /^(?:somebody|they)\b/u.test(newer) ? null : whom(newer);
  const before = whom(older);
  if (now === null || before === null)
    return (
      before === null ||
      before.role === "the user" ||
      isNamedIn(before.name ?? before.role ?? "", newer)
    );
  const isSame =
    now.name !== null && before.name !== null ? now.name === before.name : now.role === before.role;
  return isSame || (now.name !== null && isNamedIn(now.name, older) && !RELATED.test(older));
}

/** What only the conversation shows. */
export const POINTING = /^(?:it|its|that|this|they|there|these|those|the user)(?= |$)/u;

/** Whether a clause of the user's names something that is over. */
export function tellsOfEnd({ text }: ToldClause): boolean {
  const isOwn = (whomOf(text)?.role ?? "the user") === "the user";
  return (
    isOwn &&
    KNOWN.some(({ said }) =>
      said.some((pattern) => !POINTING.test(pattern.exec(text)?.groups?.former ?? "it")),
    )
  );
}
