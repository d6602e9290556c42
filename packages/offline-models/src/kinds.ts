import { contentOf, isNamedIn } from "./content.ts";
import { familiesIn, HELD_TOGETHER } from "./families.ts";
import type { ToldClause } from "./told-clauses.ts";
import { isSameSubject, PERSON } from "./whom.ts";

/** A text states that somebody or something has, uses or is one of a family of names. */
const HAS =
  /^(?:.{1,60}?) (?:(?:has|is|still|now|just|mostly|always|usually|currently|only) )*(?:has|have|uses?|using|drives?|driving|rides?|owns?|on|runs?|running|works(?: (?:on|in|with))?|prefers|attends|codes? in|writes? (?:in|code in)|written in|built (?:with|in|on)|hosted (?:on|at|with|in)|deploys? (?:on|to|with)|deployed (?:on|to)|lives? (?:on|in)|stored in|stores? .{2,30} (?:on|in)|tracks? .{2,30} (?:in|with)|tracked in|takes? .{2,30} (?:in|with)|keeps? .{2,30} (?:in|on)|manages? .{2,30} (?:in|with)|banks? (?:with|at)|is with|shops? at|buys? .{2,30} (?:at|from)|listens? to .{2,30} (?:on|with)|chats? (?:on|via)|talks? (?:on|via)|plays?|playing|drinks?|likes|takes?|subscribes? to|subscribed to|pays? (?:for|with)|is|are|does|goes|gets|commutes?|travels?|cycles?|walks?|bikes?|reads? .{0,20}on|shoots? (?:with|on)|wears?|sleeps? (?:on|in)|streams? .{0,20}on|browses? (?:with|in)|edits? in|communicates? (?:via|on)) (?<value>.+)$/u;
/** A text says that one is taken for another. */
const TAKES =
  /(?:switched|switching|upgraded|downgraded|moved|moving|changed|converted|migrated|migrating|ported|porting|rewrote|rewritten|rewriting|rewrite|rebuilt|rebuilding|transitioned|jumped|defected|went over|gone over|made the (?:switch|jump|move)|cut over)(?: (?:the |their |his |her |its |the user's |our |all |everything|(?:our |the )?\p{L}+ ){0,4}?)?(?: ?(?:over|back|across|up|away|fully|completely|entirely))*(?: from (?<former>.+?))? ?(?<=\b)(?:to|into|onto|in|on) (?<value>.+)$/u;
const GETS =
  /(?:(?:keeps?|tracks?|takes?) .{2,30} (?:in|with)|bought|got|picked up|ordered|purchased|treated .{3,12} to|went (?:with|for)|going with|chose|leased|now (?:has|have|own|owns|using|uses?|drives?|driving|on|with|runs?|running|rides?)|(?:is|are|was) (?:now |all )*(?:on|with|in)|works|new \p{L}+(?: \p{L}+)? is|is(?= (?:part|full)-time)|started using|adopted|uses?|drives?|driving|rides?|runs?|running (?:on)?|has|goes by|gets? (?:around|to work) by|plays?|drinks?) (?!(?:for|at) )(?<value>.+)$/u;
const SUBJECT_IS = /^(?:everything|all of it|it all|it) is (?:now )?(?:on|in) (?<value>.+)$/u;

/** Words of a value that lead off it: "a Pixel because the iPhone died". */
const LEADS_OFF =
  /(?:,| because| since| after| so that| so| but| for (?:the|their|a)| instead| and| than)(?= |$).*$/u;

/** "Rebuilt the site in Astro" and "the site is written in PHP". */
const REMADE =
  /^(?:the user|they) (?:has |have |just |finally |finished )*(?:rewrote|rewritten|rewriting|rebuilt|rebuilding|ported|migrated|moved|converted|switched) (?<thing>(?:the |the user's |their |our )?\p{L}[\p{L} -]{1,40}?) (?:over |back )?(?:from .+? )?(?:to|in|into|on|onto) (?<value>.+)$/u;
const MADE =
  /^(?<thing>(?:the |the user's |their )?\p{L}[\p{L} -]{1,40}?) (?:is|are|runs?|lives?) (?:written |built |hosted |made |stored |running |deployed )?(?:in|on|with|at) (?<value>.+)$/u;

function isRemade(newer: string, older: string): boolean {
  const [now, before] = [REMADE.exec(newer)?.groups, MADE.exec(older)?.groups];
  if (now === undefined || before === undefined) return false;
  return (
    isSameSubject(now.thing ?? "", before.thing ?? "") &&
    !isNamedIn(now.value ?? "", before.value ?? "")
  );
}

/** Whether the newer clause puts another name of a family in the place of one in the older text. */
export function takesItsPlace(newer: ToldClause, older: ToldClause): boolean {
  if (newer.isAddition) return false;
  if (isRemade(newer.text, older.text)) return true;
  const taken = TAKES.exec(newer.text)?.groups?.value;
  const gets = SUBJECT_IS.exec(newer.text)?.groups?.value ?? GETS.exec(newer.text)?.groups?.value;
  const isNew = newer.isNow || /\bnew\b/u.test(newer.text);
  const isPlain = !QUALIFIER_OF_ONE.test(newer.text) && !QUALIFIER_OF_ONE.test(older.text);
  const value = (taken ?? gets)?.replace(LEADS_OFF, "");
  const had = HAS.exec(older.text)?.groups?.value;
  if (value === undefined || had === undefined || isForSomebody(taken ?? gets ?? "")) return false;
  const before = familiesIn(had);
  for (const [family, name] of familiesIn(value)) {
    const known = before.get(family);
    if (known === undefined || known === family) continue;
    if (known === name && !isOtherModel(name, value, had)) continue;
    if (known !== name && isNamedIn(known, value)) continue;
    const isOfOne = ONE_AT_A_TIME.has(family) && isPlain && isSameThing(newer.text, older.text);
    if (taken === undefined && (HELD_TOGETHER.has(family) || !(isNew || isOfOne))) continue;
    if (family === "transport" && taken === undefined) continue;
    if (isOfOneThing(newer.text, older.text)) return true;
  }
  return false;
}

/** "Bought the kids a tablet" */
function isForSomebody(value: string): boolean {
  return SOMEBODY.test(value);
}

const SOMEBODY = new RegExp(
  `^(?:the|an?|their|his|her|the user's) (?:\\p{L}+ )?${PERSON}(?![\\p{L}])|\\bfor (?:the|their|his|her|the user's) (?:\\p{L}+ )?${PERSON}(?![\\p{L}])`,
  "u",
);

/** Of these one has one, unless it is told which of several. */
const ONE_AT_A_TIME = new Set(["phone", "carrier", "tracker"]);
const QUALIFIER_OF_ONE =
  /\b(?:work|old|second|spare|private|business|backup|test|company|for the user's)\b/u;

/** "Galaxy S25" and "Galaxy S21". */
function isOtherModel(name: string, now: string, before: string): boolean {
  const [a, b] = [now, before].map((text) => {
    const at = text.toLowerCase().indexOf(name) + name.length;
    return /^ (?:\p{L}+ )?(\p{L}{0,3}\d[\p{L}\d]*)/u.exec(text.slice(at))?.[1];
  });
  return a !== undefined && b !== undefined && a !== b;
}

/** Nothing tells the one's thing from the other's: "the API" is not "the web app". */
function isOfOneThing(newer: string, older: string): boolean {
  const [thing, had] = [thingOf(newer), thingOf(older)].map((each) => stemsOf(each ?? "")) as [
    Set<string>,
    Set<string>,
  ];
  const qualifiers = newer.match(QUALIFIER) ?? [];
  if (!qualifiers.every((qualifier) => older.includes(qualifier))) return false;
  if (thing.size === 0) return true;
  return had.size > 0
    ? thing.isSubsetOf(had) || had.isSubsetOf(thing)
    : !/^the user (?:has|drives?|rides?|owns?) /u.test(older);
}

/** Both are of the user's, or of things by the same name. */
function isSameThing(newer: string, older: string): boolean {
  const [thing, had] = [newer, older].map((text) =>
    [...stemsOf(thingOf(text) ?? "")].toSorted().join(" "),
  );
  return thing === had;
}

/** What tells one of two things of a kind from the other. */
const QUALIFIER =
  /\b(?:staging|production|backup|spare|guest|company|personal|private|winter|weekend|work(?= (?:phone|laptop|computer|car|machine|email|account|pc|mac)))\b/gu;

/** "The API" of "the user has migrated the API to GraphQL" and of "the API uses REST". */
function thingOf(text: string): string | null {
  const moved =
    /(?:switched|moved|migrated|ported|converted|rewrote|rebuilt|changed|transitioned) (?:the |their |our |the user's |all |all of )+(?<thing>\p{L}[\p{L} ]{1,30}?) (?:over |back )?(?:from|to|in|into|on)\b/u.exec(
      text,
    )?.groups?.thing;
  const subject =
    /^(?:the user's |the |our )?(?<thing>(?!the user\b|user\b|it\b|they\b|everything\b|all\b)\p{L}[\p{L} -]{1,30}?) (?:is|are|was|runs?|uses?|has|have|lives?|deploys?|now|moved|switched|migrated|went|got|upgraded|changed|stores?)\b/u.exec(
      text,
    )?.groups?.thing;
  const own =
    /^the user (?:\p{L}+ )*(?:uses?|has|stores?|tracks?|takes?|keeps?|manages?|deploys?) (?:the |their )?(?<thing>\p{L}+)(?: \p{L}+)? (?:in|on|with|for)\b/u.exec(
      text,
    )?.groups?.thing;
  return moved ?? subject ?? own ?? null;
}

const KIND_OF_THING =
  /^(?:phone|laptop|car|comput|team|compani|startup|work|current|new|main|machin|bike|vehicl|bank|editor|browser)$/u;

function stemsOf(thing: string): Set<string> {
  return new Set(
    contentOf(thing)
      .map(({ stem }) => stem)
      .filter((stem) => !KIND_OF_THING.test(stem)),
  );
}

/** Whether a clause says that one of a kind was taken for another. */
export function tellsOfKind({ text }: ToldClause): boolean {
  const taken = TAKES.exec(text)?.groups?.value;
  return (taken !== undefined && familiesIn(taken).size > 0) || REMADE.test(text);
}
