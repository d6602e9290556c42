import { PREPOSITION, readStatement, sameAttribute } from "@agent-memory/text";
import { isNamedIn } from "./content.ts";
import { CIRCUMSTANCE } from "./former.ts";
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
const NUMBER = /\p{Sc}?\d[\d.,]*/u;

/**
 * Whether a clause tells that the subject of an older statement was changed to another value of
 * the same attribute, whoever changed it and by whatever verb: the older one with that value in
 * place of its own would end it.
 */
export function isChangedTo(newer: string, older: string): boolean {
  const { thing = "", value: said = "" } =
    TOLD.map((pattern) => pattern.exec(newer)).find((match) => match !== null)?.groups ?? {};
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
