import { isStopWord, PREPOSITION, readStatement, type StatementWord } from "@agent-memory/text";
import { isTimeName } from "@agent-memory/text/dates";
import { isOfThePast } from "./content.ts";
import type { ToldClause } from "./told-clauses.ts";
import { PERSON } from "./whom.ts";

/** Dates, years and times of day are no amounts. */
const AMOUNT =
  /^(?!(?:19|20)\d\d$)(?:\p{Sc}?\d{1,3}(?:[.,]?\d+)*(?:%|k|km|kg|gb)?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:st|nd|rd|th)))$/iu;
const MONEY = /^(?:euro|dollar|pound|buck|franc|usd|eur|gbp)$/u;
const OF_TIME = /^(?:day|week|month|year|hour|minute|time)$/u;
const NO_AMOUNT = /^(?:per|in|at|on|until|till)$/u;
/** What one may have several of. */
const HAS = /^(?:has|own|need|want)$/u;
const CHANGED =
  /\b(?:started|reached|hit|turned|moved|switched|changed|raised|lowered|extended|up|down|rose|went|dropped|fell|grew|increased|decreased|cut|bumped|upgraded|promoted)\b/u;
const KIN = new RegExp(`^${PERSON}$`, "u");

/**
 * Whether two clauses give the same thing different numbers of one unit: "pays 12 euros for the
 * pool" and "the pool costs 15 euros". What changed, or is so now, may leave words out.
 */
export function hasOtherAmount(newer: ToldClause, older: ToldClause): boolean {
  const isChanged = CHANGED.test(newer.text);
  const [now, before] = [newer, older].map(({ text }) => amountsIn(text));
  if (now === undefined || before === undefined) return false;
  if (newer.isAddition || before.isPast || (now.isPast && !isChanged)) return false;
  // "The rent went up to 910": of what, the older one says.
  const differing = [...now.amounts].flatMap(([unit, amount]) =>
    [...before.amounts].filter(
      ([other, held]) => (other === unit || (unit === "" && other === "money")) && held !== amount,
    ),
  );
  if (differing.length !== 1) return false;
  const [more, less] = [before.rest.difference(now.rest), now.rest.difference(before.rest)];
  if (before.isHad && !newer.isNow && !isChanged) return false;
  if (more.size === 0 && less.size === 0) return now.rest.size > 0;
  const shared = now.rest.intersection(before.rest);
  const isName = (word: string) => now.names.has(word) || before.names.has(word);
  const isNamed = [...shared].some(isName);
  return (
    (newer.isNow || isChanged) &&
    shared.size > 0 &&
    (more.size === 0 || less.size === 0) &&
    [...more, ...less].every((word) => !isName(word) && (isNamed || !KIN.test(word)))
  );
}

function amountsIn(clause: string) {
  const { words, verbAt } = readStatement(clause);
  const amounts = new Map<string, string>();
  const used = new Set([verbAt]);
  const isSaid = (i: number) => {
    const { key = "", text = "" } = words[i] ?? {};
    return i !== verbAt && /^\p{L}/u.test(text) && !PREPOSITION.test(key) && !isStopWord(key);
  };
  for (const [i, { text }] of words.entries()) {
    const beside = [words[i - 1]?.key ?? "", words[i + 1]?.key ?? ""];
    if (!AMOUNT.test(text) || beside.some(isTimeName) || NO_AMOUNT.test(beside[0] ?? "")) continue;
    const isBefore = isSaid(i - 1) && (!isSaid(i + 1) || OF_TIME.test(beside[1] ?? ""));
    const at = isBefore ? i - 1 : i + 1;
    const key = words[at]?.key ?? "";
    const isMoney = /\p{Sc}/u.test(text) || MONEY.test(key);
    const unit =
      /(?:%|k|km|kg|gb)$/iu.exec(text)?.[0] ?? (isMoney ? "money" : isSaid(at) ? key : "");
    used.add(i);
    if (MONEY.test(key) || (unit === key && unit !== "")) used.add(at);
    amounts.set(unit, text.replace(/^\p{Sc}|,/gu, ""));
  }
  const said = words.filter(
    ({ key }, i) =>
      !used.has(i) && isSaid(i) && key !== "user's" && key !== "user" && !OF_TIME.test(key),
  );
  const bare = ({ key }: StatementWord) => key.replace(/'s?$/u, "");
  const verb = words[verbAt]?.key ?? "";
  return {
    amounts,
    rest: new Set(said.map(bare)),
    names: new Set(said.filter(({ text }, i) => i > 0 && /^\p{Lu}/u.test(text)).map(bare)),
    isHad: HAS.test(verb),
    isPast: isOfThePast(verb),
  };
}
