import type { ToldClause } from "./slot-clauses.ts";
import { ONE_OF_A_KIND, RELATED, ROLE_STATES, SUCCESSION } from "./slot-rules.ts";
import { PERSON } from "./slot-words.ts";
import { contentOf, isNamedIn } from "./turning-points.ts";

/** By which words a text names what it replaces. */
const FORMER: readonly RegExp[] = [
  /\b(?:instead of|rather than|in place of|and no longer|and not) (?<former>[^,;]+?)(?: any ?more| now|$)/iu,
  /\b(?:replaced|replacing|replaces|swapped(?: out)?|traded(?: in)?|exchanged|ditched|dropped|left|abandoned|dumped|sold|retired|gave up) (?:the user's |the |their |his |her |our |an? )?(?:old )?(?<former>[^,;]{2,40}?)(?: in)? (?:for|with|by|in favou?r of|to get|to buy) (?!lunch|dinner|breakfast|work|home|good|vacation|school|now|an? (?:walk|while|run|meeting|day|week|break|drink|moment)|the (?:day|night|weekend|week|airport|evening))(?<value>.+)/iu,
  /\b(?:moved|migrated|switched|changed|(?:went|gone)(?= (?:up|down|back|over|from \d|from \p{Ll}))|converted|slipped|transitioned|ported|upgraded|downgraded|pushed|shifted|raised|cut|increased|decreased|dropped|grown?|grew|shrank|bumped|renamed)\b[^,;]{0,50}? from (?:the user's |the |their |an? )?(?<former>[^,;]{1,40}?) (?:to|into|onto) (?<value>.+)/iu,
  /\b(?:migrated|moved|switched|shifted|transitioned|weaned) (?:away |off )+(?:from |of )?(?:the user's |the |their )?(?<former>[^,;]+?)(?: (?:to|onto|and|in favou?r) .*)?$/iu,
  /^(?:no more|goodbye|farewell|bye bye|bye|so long,?) (?<former>[^,;]{2,40}?)(?: for the user)?$/iu,
  /\b(?<value>[\p{L}\p{N}.-]+) (?:replaces|has replaced|replaced|took the place of|takes the place of|supersedes|is replacing) (?:the user's |the |our )?(?<former>[^,;]{2,40}?)(?: as .*| now| for .*)?$/iu,
  /^(?:the user's |the |their |our )?(?:old )?(?<former>[^,;]{2,30}?) (?:is|has been|was|got|has) (?:finally |just |completely |now |all )*(?:gone|sold|history|scrapped|no more|decommissioned|shut down|retired|cancell?ed|off)$/iu,
  /(?:,| is| it is) [^,;]{1,40}?,? not (?:the |an? |on |in |at )?(?<former>[\p{L}\p{N}][^,;]{0,30}?)(?: any ?more| as .*)?$/iu,
  /\b(?:dropped|quit|gave up|given up|stopped|abandoned|packed in|done with|finished with|no longer (?:do|does|doing)|does not (?:do|play|study|practi[sc]e|go to)) (?:doing |going to |learning |playing |studying |using |with |on )*(?!the |an? |their )(?<former>[^,;]{2,40}?)(?: any ?more| any longer)?$/iu,
];
/** Once, not as a rule. */
const ONCE =
  /\b(?:took|had|ate|drank|ordered|drove|made|watched|wore|used|flew|played|spent|cooked)\b.*\b(?:instead of|rather than)\b/iu;
/** "No more Polish classes" and "is learning Polish". */
const OF_IT =
  / (?:class(?:es)?|lessons?|courses?|subscription|membership|practice|training|sessions?|shifts?)$/u;
const STATE =
  /^(?:.{1,60}?)(?: (?:has|have|uses?|drives?|rides?|owns?|is|are|runs?|works?|lives?|takes?|keeps?|stores?|banks?|shops?|listens?|plays?|drinks?|eats?|goes|studies|reads?|writes?|deploys?|tracks?|manages?|meets?|rehearses?|costs?|pays?|charges?|wears?|trains?|commutes?|attends?|subscribes?|hosts?|builds?|sends?|orders?|buys?|weighs?|gets?|sits?|sleeps?|starts?|ends?|takes? place)(?: |$))/u;
/** "Has a sister in Rome" stays so whoever leaves Rome. */
const HAS_SOMEBODY = new RegExp(
  `\\bha(?:s|ve) (?:an? |two |three |the )(?:\\p{L}+ )?${PERSON}(?![\\p{L}])`,
  "u",
);
const CIRCUMSTANCE =
  /(?: (?:now|last|this|yesterday|today|because|after|since|so|but|again|on (?:mon|tues|wednes|thurs|fri|satur|sun)day)(?![\p{L}]).*|,.*)$/iu;

/** Whether the newer clause names what it replaces, and the older states just that. */
export function isReplacedByName(newer: ToldClause, older: ToldClause): boolean {
  if (
    newer.isAddition ||
    !STATE.test(older.text) ||
    /\b(?:likes?|loves?|enjoys?|dislikes?|hates?)\b/u.test(older.text)
  ) {
    return false;
  }
  if (RELATED.test(older.text) && newer.person !== older.person) return false;
  if (HAS_SOMEBODY.test(older.text)) return false;
  if (/\b(?:does not|is not|never|has not|no longer)\b/u.test(older.text)) return false;
  if (
    ONCE.test(newer.text) ||
    (newer.person !== null && newer.person !== "the user" && newer.person !== older.person)
  ) {
    return false;
  }
  return FORMER.some((pattern) => {
    const { former, value } = pattern.exec(newer.text)?.groups ?? {};
    if (former === undefined) return false;
    const named = former.replace(CIRCUMSTANCE, "").replace(OF_IT, "");
    if (!isNamedIn(named, older.text)) return isTradeOf(named, older.text);
    // The old one must be what is stated, not whom or what it is stated of.
    return value === undefined || !isNamedIn(value.replace(CIRCUMSTANCE, ""), older.text);
  });
}

const OFF =
  /^(?:the user's |the |their |our )?(?<thing>[^,;]{3,40}?) (?:is|was|has been|got) (?:now |just |all )*(?:off|cancell?ed|called off|not happening|no longer happening)(?= |$)|^(?:the user|they) (?:has |have |had to |just )*(?:cancell?ed|called off|scrapped|dropped|decided against) (?:the |their )?(?<thing2>[^,;]{3,40}?)(?: after all)?$|^the user is not (?:going to|flying to|travell?ing to|having|doing|taking) (?<thing3>[^,;]{2,40}?)(?: after all| any ?more)$/u;
const PLANNED = /\b(?:plans?|planning|going to|booked|wants? to|will|looking forward to)\b/u;

/** Whether what was planned does not take place. */
export function isCalledOff(newer: ToldClause, older: ToldClause): boolean {
  if (
    newer.isUnsure ||
    !PLANNED.test(older.text) ||
    (newer.person !== older.person && newer.person !== null)
  )
    return false;
  const { thing, thing2, thing3 } = OFF.exec(newer.text)?.groups ?? {};
  const named = thing ?? thing2 ?? thing3;
  return named !== undefined && isNamedIn(named.replace(CIRCUMSTANCE, ""), older.text);
}

/** "Quit teaching" and "works as a teacher". */
function isTradeOf(former: string, older: string): boolean {
  const [, root] = /^(\p{L}{3,})ing$/u.exec(former) ?? [];
  return (
    root !== undefined &&
    new RegExp(`\\b(?:works? as|is) an? (?:\\p{L}+ )*${root}e?(?:r|er|or|ist)\\b`, "u").test(older)
  );
}

const SET =
  /\b(?:changed|updated|reset|set) (?:the user's |the |their )?(?<what>[\p{L}][\p{L} -]{2,40}?) to (?<value>.+)$/u;
const IS =
  /^(?:the user's |the )?(?<what>[\p{L}][\p{L} -]{2,40}?) is (?:called |named )?(?<value>.+)$/u;

/** "Changed the code to 7712" and "the code is 1234"; "the flatmate moved out" and who lived with them. */
export function isSetOtherwise(newer: ToldClause, older: ToldClause): boolean {
  const now = SET.exec(newer.text)?.groups;
  const before = IS.exec(older.text)?.groups;
  if (now !== undefined && before !== undefined && newer.person !== "somebody") {
    const [a = "", b = ""] = [now.what, before.what];
    return isNamedIn(a, b) && isNamedIn(b, a) && now.value !== before.value;
  }
  const gone = /^the user's (?<who>.{3,30}?) (?:has |have )?(?:just |finally )?moved out\b/u.exec(
    newer.text,
  )?.groups?.who;
  return (
    gone !== undefined && /^the user lives with\b/u.test(older.text) && isNamedIn(gone, older.text)
  );
}

/** Whether somebody else has the post, or the user another one of that of which one has one. */
export function isSucceeded(newer: ToldClause, older: ToldClause): boolean {
  return isSucceededInPost(newer.text, older.text) || isOtherOfAKind(newer.text, older.text);
}

function isSucceededInPost(newer: string, older: string): boolean {
  const held = roleIn(older);
  if (held === null) return false;
  const { former, role, inner } = SUCCESSION.exec(newer)?.groups ?? {};
  if (former !== undefined) {
    const post = role ?? inner;
    return isNamedIn(former, held.person) && (post === undefined || isSameRole(post, held.role));
  }
  const taken = roleIn(newer);
  return (
    taken !== null &&
    /\b(?:now|new|became|took over|takes over|was made|these days|since|as of|got)\b/iu.test(
      newer,
    ) &&
    isSameRole(taken.role, held.role) &&
    !isNamedIn(taken.person, held.person)
  );
}

function isSameRole(a: string, b: string): boolean {
  return isNamedIn(a, b) && (isNamedIn(b, a) || contentOf(a).length === 0);
}

function roleIn(text: string): { readonly person: string; readonly role: string } | null {
  for (const pattern of ROLE_STATES) {
    const { person, role } = pattern.exec(text)?.groups ?? {};
    if (person !== undefined && role !== undefined) return { person, role };
  }
  return null;
}

function isOtherOfAKind(newer: string, older: string): boolean {
  const noun = ONE_OF_A_KIND.exec(newer)?.groups?.noun;
  if (noun === undefined || RELATED.test(older)) return false;
  return (
    isNamedIn(noun, older) || (/^bank/u.test(noun) && /^the user banks (?:with|at)\b/u.test(older))
  );
}

/** Whether a clause names a successor, or what is replaced. */
export function tellsOfFormer({ text, person }: ToldClause): boolean {
  const isOwn = person === null || person === "the user";
  return (
    SUCCESSION.test(text) ||
    (isOwn && SET.test(text)) ||
    (isOwn &&
      !ONCE.test(text) &&
      (ONE_OF_A_KIND.test(text) || FORMER.some((pattern) => pattern.test(text))))
  );
}
