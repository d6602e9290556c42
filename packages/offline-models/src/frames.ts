import { written } from "./wordings.ts";

/** By which words a value of an attribute is told. */
export interface FrameRule {
  /**
   * "is": so it is; "held": so it is, in words that say too little to end another value;
   * "became": so it became; "over": it is so no longer.
   */
  readonly how: "is" | "held" | "became";
  /**
   * Begins behind the subject, with a space or "'s"; or is of the whole clause and names in its
   * group `of` what it is about, the user if there is none. The group `value` is the value.
   */
  readonly pattern: RegExp;
  /** The value, where the words themselves say it: "single"; null: it is in the group. */
  readonly value: string | null;
  readonly isWhole: boolean;
}

/** An attribute of a person or thing, which has one value of it at a time. */
export interface Frame {
  readonly name: string;
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
became: (?:moved|relocated|emigrated|moving)(?: (?:back|out|over|down|up|house|home|away|again|together|permanently|for good|with [\p{L} ]{2,20}|from [\p{L} ]{2,30}))* (?:to|into) (?<value>(?:(?:an?|the) )?\p{Lu}.+)
# address, plain
is: 's (?:\p{L}+ )*address is (?!\S+@)<value>
# employer, plain
is: (?:works?|working|employed) (?:as an? [\p{L} -]{3,30} )?(?:at|for) <value>
is: 's (?:employer|company|workplace) is <value>
held: (?:works?|working|employed|worked) <some>{0,4}?(?:at|for|with|by|in|as) <value>
became: (?:started|begun|began|starting) <the>(?:\p{L}+ )?(?:<job>|work|working) (?:at|with|for|in) <value>
became: (?:got|found|landed|taken|took|accepted|signed) <the>(?:(?!side|second|summer|weekend|part-time|extra)\p{L}+ ){0,3}?<job>(?: (?:at|with|from|for|in) <value>)?
none is: unemployed|jobless|out of work|between jobs|an? (?:stay-at-home|full-time) (?:dad|mum|mom|father|mother|parent)
none became: (?:quit|left|lost) <the>(?:job|work)|laid off|fired|let go|made redundant|sacked|dismissed|retired|resigned
# partner, plain
single is: single|unmarried|unattached|not (?:married|in a relationship)
single became: (?:broke|broken|split) up(?! (?:with )?the)|split|separated|divorced|parted ways|called it quits|no longer together|not (?:been )?together
dating is: (?:dating|seeing|in a (?:new )?relationship)
dating is: 's (?:new )?(?:girlfriend|boyfriend|partner) is (?:called |named )?\p{Lu}[\p{L}.]+
married is: (?:happily )?married(?! (?:couple|name))
engaged is: engaged|'s fianc[eé]e? is
# pets, plain
none is: (?:does not have|has no|have no) (?:any )?pets|petless
some is: (?:has|have|got|adopted|bought|rescued) (?:an? |the |one |two |three )<some>{0,2}<animal>
# studies, plain
is: (?:studies|studying|majors? in|majoring in) (?!(?:in|at|for|with|from|hard|there)\b|.*\b(?:evenings?|weekends?|nights?|courses?|class|online|app)\b)<value>
held: an? <some>*(?<value>student|undergrad\p{L}*|apprentice|trainee|intern)
# thesis
begun held: (?:still )?(?:writing|working on) <the>(?:\p{L}+ )?(?:dissertation|thesis|phd|PhD)|an? (?:phd|PhD|doctoral) (?:student|candidate)
done became: defended(?: <the>(?:thesis|dissertation|phd|PhD))?(?= on| last| this| yesterday| in|$)|(?:handed in|submitted) <the>(?:thesis|dissertation)|got <the>(?:phd|PhD|doctorate)
# age, plain
is: <age>(?: (?:years|yrs) old)?(?: now| today)?$
became: turned <age>
# diet, plain
meat is: (?:eats?|eating|cooks|started eating|back to(?: eating)?|(?:went|gone) back to(?: eating)?) (?:\p{L}+ (?:and|or) )*(?:some |a bit of )?(?:<meat>|anything|everything)
vegan is: <turned>(?:vegan|plant-based)<enddiet>
vegetarian is: <turned>(?:vegetarian|veggie)<enddiet>
# language of answers, plain
is: (?:wants|prefers|expects) (?:to (?:get|have|receive) )?(?:the )?(?:answers|replies|to be answered) in <name>
# post, plain
is: ^<name> (?:is|was made|became|got|has become|serves as|acts as|took over as|takes over as|steps in as|stepped in as)(?: now)? (?:(?:the user's|their|our|the) )?(?:new )?(?<of><role>)<more>
is: ^(?:the user's|our|the) (?:new |current )?(?<of><role>) is(?: now| called| named)? <name>
# favourite, plain
is: ^(?<of>.{1,30}'s (?:new |current |all-time |absolute )*(?:favou?rite|go-to|preferred) [\p{L} -]{2,30}?)(?: has)?(?: changed to| became| is| are)(?: now)? <value>
`;

const HELPING =
  "(?: (?:has|have|had|got|is|are|am|was|were|been|being|be|just|now|finally|recently|officially|currently|since|then|both|already|still|all|actually|gladly|happily|mostly|usually|always|mainly|permanently|formally|legally|only|also|fully|started|begun))*";
const RULE = /^(?:(?<value>[\p{L} -]+?) )?(?<how>is|held|became): (?<words>.+)$/u;

/** Every attribute that is known. */
export const FRAMES: readonly Frame[] = ATTRIBUTES.trim()
  .split(/^# /mu)
  .filter(Boolean)
  .map((lines) => {
    const [heading = "", ...rest] = lines.trim().split("\n");
    const [name = "", ...options] = heading.split(", ");
    return { name, isPlain: options.includes("plain"), rules: rest.map(ruleIn) };
  });

function ruleIn(line: string): FrameRule {
  const { value = null, how, words = "" } = RULE.exec(line)?.groups ?? {};
  if (how === undefined) throw new Error(`No rule of a frame: ${line}`);
  const isWhole = words.startsWith("^");
  const opening = isWhole ? "" : words.startsWith("'s") ? "^" : `^${HELPING} `;
  const pattern = new RegExp(`${opening}(?:${written(words)})(?![\\p{L}\\p{N}])`, "u");
  return { how: how as FrameRule["how"], pattern, value, isWhole };
}
