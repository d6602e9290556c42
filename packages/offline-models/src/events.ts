import { isNamedIn } from "./content.ts";
import type { ToldClause } from "./told-clauses.ts";
import { whomOf } from "./whom.ts";

/** "The room is B214, not B241", "I meant Trento, not Turin", "born in 1989, not 1988". */
const CORRECTED =
  /^(?:(?<what>.{2,80}?) (?:is|are|was|were|starts|leaves|costs|has|lives|works) (?:\S+ ){0,4}?|the user (?:meant|means) )(?<right>\S+(?: \S+){0,2}?)(?: for (?<of>[^,;]+?))?,? (?:and )?not (?<wrong>[^,.;]{1,40})$/u;

/** Whether the newer text says that a value of the older one was wrong. */
export function isCorrected(newer: ToldClause, older: ToldClause): boolean {
  const { what, of, right = "", wrong } = CORRECTED.exec(newer.text)?.groups ?? {};
  if (wrong === undefined || !/\d|\p{Lu}/u.test(wrong) || !holds(wrong, older.text)) return false;
  if (holds(right, older.text)) return false;
  const named = what ?? of;
  return named === undefined || named === "the user" || isNamedIn(named, older.text);
}

/** Whether a clause says what was wrong and what is right. */
export function tellsOfCorrection({ text }: ToldClause): boolean {
  return /\d|\p{Lu}/u.test(CORRECTED.exec(text)?.groups?.wrong ?? "");
}

/** A number stands among words of content only with its sign: "3" of "3 pm". */
function holds(value: string, text: string): boolean {
  return (
    isNamedIn(value, text) ||
    new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(value)}(?![\\p{L}\\p{N}])`, "u").test(text)
  );
}

const NOT_DONE =
  /^(?:refuses to|(?:does|do|can|could|has|have|did|will) (?:not|no longer)|cannot|never|no longer|stopped|quit|gave up|avoids|is (?:afraid of|scared of|learning to|not allowed to)|(?:may|must|should) not)\b/u;
const DOES_AGAIN: readonly RegExp[] = [
  /^(?:is |are |has |have |started |went back to |can )*(?<what>\p{L}.*?) again\b/u,
  /^(?:is |went |has gone )back (?:at|to|in|on|into) (?<what>\p{L}.*?)(?: now)?(?:$|[,!;])/u,
  /^can (?:now |finally )*(?<what>\p{L}.*?)(?: now)?(?:$|[,!;])/u,
  /^(?:now )?(?<what>(?:likes?|loves?|enjoys?|eats?|drinks?|plays?|has|have|owns?|uses?|goes|speaks?) .*?) now$/u,
];
const HAS_NOT = /^(?:(?:does|do|did|has|have) not\b(?: have| own)?|(?:has|have) no\b)/u;
const GOT =
  /^(?:(?:has|have|just|finally) )*(?:got|bought|adopted|found) (?:an? |the |their )?(?<what>[^,;]+)$/u;

/** "Is flying again", "can swim": what was not done is done. */
export function isResumed(newer: ToldClause, older: ToldClause): boolean {
  const [now, before] = [saidOf(newer.text), saidOf(older.text)];
  if (now === null || before === null || now.who !== before.who) return false;
  const got = GOT.exec(now.said)?.groups?.what;
  if (HAS_NOT.test(before.said) && got !== undefined && isNamedIn(got, older.text)) return true;
  return (
    NOT_DONE.test(before.said) &&
    DOES_AGAIN.some((pattern) => isNamedIn(pattern.exec(now.said)?.groups?.what ?? "", older.text))
  );
}

/** Who a clause is about, and what it says of them. */
function saidOf(text: string): { who: string; said: string } | null {
  const whom = whomOf(text);
  const who = whom?.name ?? whom?.role;
  const at = who === null || who === undefined ? -1 : text.toLowerCase().indexOf(who.toLowerCase());
  return at < 0 || who === undefined || who === null
    ? null
    : { who, said: text.slice(at + who.length).replace(/^(?: \p{Lu}\p{L}+)? /u, "") };
}
