import { PREPOSITION, readStatement, sameAttribute } from "@agent-memory/text";
import { isNamedIn } from "./content.ts";
import { CIRCUMSTANCE } from "./former.ts";
import { baseOfVerb } from "./terms.ts";
import { isSameSubject } from "./whom.ts";
import { written } from "./wordings.ts";

const CHANGE =
  "(?:changed|moved|switched|raised|lowered|cut|increased|decreased|reduced|upgraded|downgraded|updated|renamed|converted|migrated|ported|put|pushed|bumped|brought|extended|shifted|postponed|rescheduled|turned|set|dropped|went|gone|rose|risen|fell|grew|grown|shrank|slipped|got|rewrote|rewritten|rebuilt)";
const END =
  "(?: (?:up|down|over|back|out|forward))*(?: from [^,;]{1,30}?)? (?:to|into|onto|(?<=\\bre(?:wrote|written|built)\\b.*)in) (?<value>(?:[^,;]|,(?=\\d))+)";
/** "Somebody raised the rent to 910 euros", "the rent went up to 910 euros". */
const TOLD = [
  `^<someone> <did>${CHANGE} (?!up |down |over |back |to )(?<thing>\\P{P}{2,50}?)${END}`,
  `^(?<thing>.{2,50}?) <did>${CHANGE}${END}`,
].map((words) => new RegExp(written(words), "u"));
const DONE_BY = /^(?<thing>.{2,50}?) (?:is|are) (?<verb>\p{L}+) by (?<who>.+)$/u;

/** "Mia leads the choir" says it of the choir that "is led by Tom". */
export function hasOtherDoer(newer: string, older: string): boolean {
  const { thing = "", verb = "", who = "" } = DONE_BY.exec(older)?.groups ?? {};
  const { words, subjectWords, verbAt } = readStatement(newer);
  const [subject, said] = [words.slice(0, subjectWords), words.slice(verbAt + 1)].map((some) =>
    some.map(({ text }) => text).join(" "),
  );
  const does = baseOfVerb(words[verbAt]?.text ?? "");
  const isOfVerb = does !== undefined && does === baseOfVerb(verb);
  return isOfVerb && isNamedIn(thing, said ?? "") && !isSameSubject(subject ?? "", who);
}

const resultIn = (clause: string) =>
  TOLD.map((pattern) => pattern.exec(clause)).find((match) => match !== null);

/** Whether a clause tells what something of the user's was changed to. */
export function tellsOfResult(clause: string): boolean {
  return /\b(?:the|the user's|their) /u.test(resultIn(clause)?.groups?.thing ?? "");
}

const NUMBER = /\p{Sc}?\d[\d.,]*/u;

/**
 * Whether a clause tells that the subject of an older statement was changed to another value of
 * the same attribute, whoever changed it and by whatever verb: the older one with that value in
 * place of its own would end it.
 */
export function isChangedTo(newer: string, older: string): boolean {
  const { thing = "", value: said = "" } = resultIn(newer)?.groups ?? {};
  const value = said.replace(CIRCUMSTANCE, "");
  const { words, subjectWords, verbAt } = readStatement(older);
  const texts = words.map(({ text }) => text);
  const isOfSubject = isNamedIn(thing, texts.slice(0, subjectWords).join(" "));
  if (!isOfSubject || verbAt < 0 || isNamedIn(value, older)) return false;
  const at = words.findLastIndex(({ key }, i) => i > verbAt && PREPOSITION.test(key));
  const told = `${texts.slice(0, Math.max(at, verbAt) + 1).join(" ")} ${value} now`;
  const changed = NUMBER.exec(value)?.[0] === value ? older.replace(NUMBER, value) : told;
  return sameAttribute(older, changed)?.isOneAttribute ?? false;
}
