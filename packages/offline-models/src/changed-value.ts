import { PREPOSITION, readStatement, SMALL_NUMBERS, sameAttribute } from "@agent-memory/text";
import { CIRCUMSTANCE, mayBeOfOne } from "./former.ts";
import { contentOf, isNamedIn } from "./terms.ts";
import { written } from "./wordings.ts";

export const NUMBER = new RegExp(
  String.raw`(?<![\p{L}-])\p{Sc}?\d(?:[\d.,:]*\d)?(?: ?%)?|\b(?:${SMALL_NUMBERS})\b`,
  "u",
);
const CHANGE =
  "(?:changed|moved|switched|raised|lowered|cut|increased|decreased|reduced|upgraded|downgraded|updated|renamed|converted|migrated|ported|put|pushed|bumped|brought|extended|shifted|postponed|rescheduled|turned|set|dropped|went|gone|rose|risen|fell|grew|grown|shrank|slipped|got|rewrote|rewritten|rebuilt|\\p{L}{3,}ed(?=[^,;]* to \\p{Sc}?\\d))";
const END =
  "(?: (?:up|down|over|back|out|forward))*(?: from (?:[^,;]|,(?=\\d)){1,30}?)? (?:to|into|onto|(?<=\\bre(?:wrote|written|built)\\b.*)in) (?<value>(?:[^,;]|,(?=\\d))+)";
/** "Somebody raised the rent to 910 euros", "the rent went up to 910 euros". */
const TOLD = [
  `^<someone> <did>${CHANGE} (?!up |down |over |back |to |${CHANGE} )(?<thing>[^,;]{2,50}?)${END}`,
  `^(?<thing>.{2,50}?) <did>${CHANGE}${END}`,
].map((words) => new RegExp(written(words), "u"));

/** What a clause says was changed, and to what. */
export function changedIn(clause: string) {
  return TOLD.map((pattern) => pattern.exec(clause)?.groups).find(Boolean) ?? {};
}

const COUNTED = new RegExp(`^(?<number>${NUMBER.source})(?: (?<unit>.+))?$`, "u");

/** By the verb that tells of a change: of which verb and preposition the older statement is. */
const MAY_CHANGE = [
  [/\bre(?:wr|bu)/u, /\b(?:written|built|made)\b/u],
  [/\b(?:upgraded|updated)\b/u, /^(?:is|are|uses?)$/u],
  [/\b(?:switched|changed|renamed)\b/u, /^(?:\S+|(?:is|are|goes|pays|banks|runs) \S+)$/u],
  [
    /\b(?:moved|went|gone|migrated)\b/u,
    /^(?:(?:is|are)(?: \p{L}+ed| held| kept)?|(?:run|use|live|work|happen)s?)(?: (?:in|on|at|with))?$/u,
  ],
] as const;

const OF_OURS = /^the (?:user|team|project|app|company|product|service)'s /iu;

/** Whether a clause gives the subject of an older statement another value, which in its place would end it. */
export function isChangedTo(newer: string, older: string): boolean {
  const { thing: named = "", value: said = "" } = changedIn(newer);
  const thing = named.replace(/^(?:the )?(?:price|cost|number|size|rate|level) of /u, "");
  const value = said.replace(CIRCUMSTANCE, "");
  if (!isNamedIn(thing, older) || isNamedIn(value, older)) return false;
  const { words, subjectWords, verbAt } = readStatement(older);
  // "To 19:30" is no number of minutes.
  if (verbAt < 0 || (/\d:\d/u.test(value) && !/\d:\d/u.test(older))) return false;
  const texts = words.map(({ text }) => text);
  const textOf = (from: number, to?: number) => texts.slice(from, to).join(" ");
  const recount = recounted(older, value);
  // What happens to Acme is not told of Acme's plan, nor of the contact at Acme.
  const subject = textOf(0, subjectWords);
  const [head = ""] = subject
    .replace(/^(?:the )?price of /iu, "")
    .split(/ (?:of|at|for|in|on|with|from) /u);
  const isOfHead = isNamedIn(/\S+$/u.exec(head)?.[0] ?? "", named);
  // The timeout is not the staging timeout.
  const [name = subject.replace(OF_OURS, "")] = /(?<= )\p{Lu}\p{L}+$/u.exec(subject) ?? [];
  const isWhole = isNamedIn(name, newer);
  if (!isNamedIn(thing, subject) || !isOfHead || !isWhole)
    return recount?.isOfUnit === true && mayBeOfOne(newer, older);
  const at = words.findLastIndex(({ key }, i) => i > verbAt && PREPOSITION.test(key));
  const valueAt = Math.max(at, verbAt) + 1;
  const held = textOf(verbAt, valueAt);
  // "Works for a bank" stays so wherever somebody moves.
  const mayChange = MAY_CHANGE.every(([by, of]) => !by.test(newer) || of.test(held));
  // Whoever becomes what has no name may be something else besides.
  const isOfPerson = /^\p{Lu}\S*$/u.test(thing) && !/^works? (?:in|on)$/u.test(held);
  const [a = [], b = []] = [textOf(valueAt), value].map((text) =>
    contentOf(text).flatMap(({ implied, concept }) => [...implied, concept ?? []].flat()),
  );
  // "Slack" and "Signal", and not "Slack" and "Linux"; what has no known kind may be of one.
  const isOfKind = a.length + b.length === 0 || a.some((kind) => b.includes(kind));
  const byCase = mayChange && (!isOfPerson || (isOfKind && BEGINS_WITH_NAME.test(value)));
  const isOther = isAlike(textOf(valueAt), value, byCase);
  if (recount === null && !isOther) return false;
  const values = sameAttribute(older, recount?.text ?? `${textOf(0, valueAt)} ${value} now`);
  // Whoever converts what uses one thing to another uses that one alone.
  return values !== null && (values.isOneAttribute || words[verbAt]?.key === "use");
}

/** A statement with another number in place of its only one; null: the value is no number for it. */
function recounted(older: string, value: string) {
  const { number, unit = "" } = COUNTED.exec(value)?.groups ?? {};
  const [count, ...others] = older.match(new RegExp(NUMBER, "gu")) ?? [];
  if (number === undefined || count === undefined || others.length > 0) return null;
  const behind = older.slice(older.search(NUMBER)).replace(NUMBER, "").trim();
  const isOfUnit = unit !== "" && (isNamedIn(unit, behind) || isNamedIn(behind, unit));
  return isOfUnit || number === value ? { isOfUnit, text: older.replace(NUMBER, number) } : null;
}

const BEGINS_WITH_NAME = /^(?:(?:the|an?) )?\p{Ll}?\p{Lu}/u;
/** "The data team" and "the web team", "2 May" and "Friday"; or both are names, or neither is. */
function isAlike(was: string, is: string, byCase: boolean): boolean {
  const last = (text: string) => /\S+$/u.exec(text)?.[0];
  const [wasName, isName] = [was, is].map((text) => BEGINS_WITH_NAME.test(text));
  if (last(was) === last(is) || (byCase && wasName === isName)) return true;
  return [was, is].every((each) => /\d|\p{L}days?\b/u.test(each));
}
