import { remembered } from "@agent-memory/text";
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

/**
 * What people and things are and do, one at a time, and the words that tell it. A line "#" names an
 * attribute: "plain", where another value ends it without a word of newness. Each further line is a
 * rule: how it tells of the value, which value, if its words alone say it, and the words. They begin
 * behind the person or, with "^", are the whole clause; <…> is a shared wording (`wordings.ts`).
 */
const ATTRIBUTES = String.raw`
# home
is: (?:lives?|living|lived|resides?|residing|based|settled(?: down)?|home is) (?:in|at|near|on|by|outside) <value>
became: (?:moved|relocated|emigrated)(?: (?:back|out|over|down|up|house|home|away|again|together|permanently|for good|with [\p{L} ]{2,20}|from [\p{L} ]{2,30}))* (?:to|into) (?<place>(?!<operator>)(?:(?:an?|the) )?(?!\p{Lu}\p{Ll}+ \d)\p{Lu}.+)
# dwelling
is: (?:lives?|living) (?<value>alone|next door|upstairs|downstairs|abroad|at home|(?:at home )?with .+|in an? (?:\p{L}+ ){0,2}(?:flat|house|apartment|studio|room|home|village))
became: moved (?:back )?(?:out|away|in with|in(?:to)? (?:an?|the|their|his|her|one's)|to (?=\p{Lu}))(?: ?<value>)?
# company, plain
alone is: (?:lives?|living) (?:alone|by (?:themselves|himself|herself))
others is: (?:lives?|living) with .+|(?:shares?|sharing) <the>(?:flat|apartment|house) with .+
# away
away is: on (?:\p{L}+ )?leave|an? stay-at-home (?:\p{L}+)
back is: (?:back|returned) (?:at|to|in) <the>(?:work|office)
# way to work
is: (?<value>walks|cycles|bikes|drives) to (?:work|school|the office|class)
is: (?:takes|rides|commutes|gets around|goes)(?: to (?:work|school))?(?: by| on)? <the>(?<value>bus|train|tram|car|bike|bicycle|metro|ferry|subway)
# thesis
begun is: (?:still )?(?:writing|working on) <the>(?:\p{L}+ )?(?:dissertation|thesis|phd|PhD)|an? (?:phd|PhD|doctoral) (?:student|candidate)
done became: defended(?: <the>(?:thesis|dissertation|phd|PhD))?(?= on| last| this| yesterday| in|$)|(?:handed in|submitted|finished|completed) <the>(?:thesis|dissertation|phd|PhD)(?= on| last| this| yesterday| in|$)|got <the>(?:phd|PhD|doctorate)
# expecting
is: (?:\d+ weeks )?(?<value>pregnant|expecting)
born became: gave birth|given birth|had <the>(?:baby(?: girl| boy)?|girl|boy)|'s (?:\p{L}+ )?(?:baby|son|daughter|girl|boy)(?: \p{Lu}\p{L}+)? (?:was|is) born
# rising, plain
is: (?:(?:gets?|getting|wakes?|waking) (?:up )?at|(?:sleeps?|sleeping) in (?:until|till)) (?<value>\d\S*)
# employer, plain
is: (?:(?:works?|working|employed) (?:as an? (?!volunteer)[\p{L} -]{3,30} )?(?:at|for)|(?<=\bis (?:now )?)an? (?:(?!(?:volunteer|student|member|patient|guest|regular|customer|client|trustee|fan) )\p{L}+ ){1,3}at(?= \p{Lu})) (?!night|home|free|least|\d)<value>
became: (?:started|begun|began|starting)(?: <the>(?:\p{L}+ )?(?:<job>|work|working) (?:at|with|for|in|as)| (?:at|as)) (?!\d|.*\b(?:gym|club|course|choir)\b)<value>
became: (?:got|found|landed|taken|took|accepted|signed) <the>(?:(?!side|second|summer|weekend|part-time|extra)\p{L}+ ){0,3}?(?:<job>|work)(?: (?:at|with|from|for|in|as) <value>)?
is: 's (?:employer|company|workplace) is <value>
none is: unemployed|jobless|out of work|between jobs|an? (?:stay-at-home|full-time) (?:dad|mum|mom|father|mother|parent)|(?:quit|left|lost) <the>(?:job|work)|laid off|fired(?! up)|let go|made redundant|sacked|dismissed|(?:retired|resigned)(?! (?:the|an?|their|his|her|(?:from|as) .*(?:club|council|board|committee))\b)
# partner, plain
single is: single|unmarried|unattached|not (?:married|in a relationship)|(?:broke|broken|split) up(?! (?:with )?the)|split|separated|divorced|parted ways|called it (?:quits|off)|no longer together|not (?:been )?together
dating is: (?:dating|seeing(?! (?:the|their|an? (?!(?:\p{L}+ )?(?:guy|man|woman|girl|boy|lady)\b)))|together(?= since)|in a (?:new )?relationship|(?:has|have|got) (?:an? )?(?:new )?(?:girlfriend|boyfriend))
dating is: 's (?:new )?(?:girlfriend|boyfriend|partner) is (?:called |named )?\p{Lu}[\p{L}.]+
married is: (?:happily )?married(?! (?:couple|name))|tied the knot
engaged is: engaged(?! in\b)|'s fianc[eé]e? is
# studies, plain
is: (?:studies|studying|majors? in|majoring in) (?!(?:the|their|this|in|at|for|with|from|hard|there)\b|.*\b(?:evenings?|weekends?|nights?|courses?|class|online|app)\b)<value>
# grade, plain
is: (?:(?:in|at|goes to|attends) )?(?:an? )?<grade>
# age, plain
is: (?<=\b(?:is|are) (?:now |already |just |only |about )*)<age>(?: (?:years|yrs) old)?(?: now| today)?$
became: turned <age>(?! (?!last|this|in|on|today|yesterday)\p{Ll})
# diet, plain
meat is: (?:eats?|eating|started eating|back to(?: eating)?|(?:went|gone) back to(?: eating)?) (?:\p{L}+ (?:and|or) )*(?:some |a bit of )?(?:<meat>|anything|everything)
vegan is: <turned>(?:vegan|plant-based)<enddiet>
vegetarian is: <turned>(?:vegetarian|veggie)<enddiet>
# favourite, plain
is: ^(?<of>.{1,30}'s (?:new |current |all-time |absolute )*(?:favou?rite|go-to|preferred) [\p{L} -]{2,30}?)(?: has)?(?: changed to| became| is| are)(?: now)? <value>
# post, plain
is: ^(?:<name>|(?<value>the user)) (?:is|was made|became|got|has become|serves as|acts as|took over as|takes over as|steps in as|stepped in as)(?: now)? (?:(?:the user's|their|our|the) )?(?:new )?(?<of><role>)<more>
`;

const HELPING =
  "(?: (?:has|have|had|got|is|are|am|was|were|been|being|be|just|now|finally|recently|officially|currently|since|then|both|already|still|all|actually|gladly|happily|mostly|usually|always|mainly|permanently|formally|legally|only|also|fully|started|begun))*";
const RULE = /^(?:(?<value>[\p{L} -]+?) )?(?<how>is|became): (?<words>.+)$/u;

/** Every attribute that is known. */
const FRAMES: readonly Frame[] = ATTRIBUTES.trim()
  .split(/^# /mu)
  .filter(Boolean)
  .map((lines) => {
    const [heading = "", ...rest] = lines.trim().split("\n");
    return { isPlain: heading.endsWith(", plain"), rules: rest.map(ruleIn) };
  });

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
  if (now.isWord || held.isWord) return true;
  if (how === "is" && held.how === "is" && !isNow && !frame.isPlain) return false;
  if (value === "" || held.value === "") return how === "became";
  return !isNamedIn(value, held.value) && !isNamedIn(held.value, value);
}
