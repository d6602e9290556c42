import { PERSON, ROLE } from "./slot-words.ts";

/** By which words a value of an attribute is told. `value` names the value. */
export interface SlotRule {
  readonly attribute: string;
  /**
   * "state": it is so; "held": it is so, in words that say too little to end another value;
   * "change": it became so; "end": it is so no longer.
   */
  readonly how: "state" | "held" | "change" | "end";
  /** After the person whom it tells of; it begins with a space or with "'s". */
  readonly pattern: RegExp;
}

const HELPING =
  "(?: (?:has|have|had|got|is|are|am|was|were|been|being|be|just|now|finally|recently|officially|currently|since|then|both|already|still|all|actually|gladly|happily|mostly|usually|always|mainly|permanently|formally|legally))*";
const THE =
  "(?:an? |the |their |his |her |its |our |the user's )?(?:new |brand-new |own |first |used |little |big |old )*";

function rule(attribute: string, how: SlotRule["how"], words: string): SlotRule {
  const begins = words.startsWith("'s") ? "^" : `^${HELPING} `;
  return { attribute, how, pattern: new RegExp(`${begins}${words}(?![\\p{L}\\p{N}])`, "u") };
}

const NO_COMPANY =
  "(?!.*\\b(?:gym|club|choir|band|class|course|group|union|party|association|league|call|meeting|waitlist|newsletter|orchestra|church|society|Strava|LinkedIn|Mensa|Toastmasters|Instagram|Facebook|Duolingo|Discord|Mastodon|Bluesky|Reddit|TikTok|Greens|[Cc]ourt|[Yy]oga)\\b)";
const COMPANY = `${NO_COMPANY}(?:\\p{Lu}.+|an? (?:\\p{L}+ ){0,3}(?:company|firm|start-?up|agency|bank|studio|brewery|hospital|school|practice|publisher|consultancy|university|clinic|lab|newspaper|restaurant|bakery|shop|ngo|charity).*)`;
const TITLE = "(?<value>(?:\\p{L}+[ -]){0,3}\\p{L}+)";
const WORKPLACE_NOUN = "(?:job|position|role|gig|contract)";

/** Homes, jobs and how people live. Of each a person has one at a time. */
export const PERSONAL_RULES: readonly SlotRule[] = [
  rule(
    "home",
    "state",
    "(?:lives?|living|lived|resides?|residing|based|settled(?: down)?|home is) (?:in|at|near|on|by|outside) (?<value>.+)",
  ),
  rule(
    "home",
    "state",
    "'s (?:home|city|home city|hometown now|place|flat|apartment|house) is (?:in|at|near) (?<value>.+)",
  ),
  rule(
    "home",
    "change",
    "(?:moved|relocated|emigrated|moving)(?: (?:back|out|over|down|up|house|home|away|again|together|permanently|for good|with [\\p{L} ]{2,20}|from [\\p{L} ]{2,30}))* (?:to|into) (?<value>.+)",
  ),
  rule(
    "home",
    "change",
    "(?:settled(?: down)?|put down roots|(?:bought|found|rented|got) (?:an? |our |their |the )?(?:(?!holiday|summer|vacation|second)\\p{L}+ ){0,2}(?:house|flat|apartment|place|home|condo|studio)) in (?<value>\\p{Lu}.+)",
  ),
  rule("home", "change", "calls? (?<value>\\p{Lu}.+?) home"),
  rule(
    "home",
    "change",
    `(?:left|traded|swapped|exchanged) (?<former>\\p{Lu}[\\p{L} ]+?) for (?<value>\\p{Lu}.+)`,
  ),
  rule("home", "change", `an? (?:official |proud )*(?<value>\\p{Lu}[\\p{L} ]+?) resident`),
  rule("home", "end", "left (?<value>\\p{Lu}[\\p{L} ]+?) (?:behind|for good)"),
  rule("home", "end", "moved (?:away|out)(?: (?:of|from) (?<value>.+))?"),

  rule(
    "employer",
    "state",
    "(?:works?|working|employed) (?:as an? [\\p{L} -]{3,30} )?(?:at|for) (?<value>.+)",
  ),
  rule(
    "employer",
    "held",
    "(?:works?|working|employed|worked) (?:\\p{L}+ ){0,4}?(?:at|for|with|by|in) (?<value>.+)",
  ),
  rule("employer", "held", "an? [\\p{L} -]{3,40}? (?:at|for|with) (?<value>\\p{Lu}.+)"),
  rule("employer", "state", "'s (?:employer|company|workplace) is (?<value>.+)"),
  rule(
    "employer",
    "change",
    `(?:started|begun|began|starting) ${THE}(?:\\p{L}+ )?(?:${WORKPLACE_NOUN}|work|working) (?:at|with|for|in) (?<value>.+)`,
  ),
  rule("employer", "change", `(?:started|begun|began|starting) (?:at|with) (?<value>${COMPANY})`),
  rule("employer", "change", `(?:joined|joining) (?<value>${COMPANY})`),
  rule(
    "employer",
    "change",
    `(?:got|found|landed|taken|took|accepted) ${THE}(?:(?!side|second|summer|weekend|part-time|extra)\\p{L}+ ){0,3}?${WORKPLACE_NOUN}(?: (?:at|with|from|for|in) (?<value>.+))?`,
  ),
  rule(
    "employer",
    "change",
    `(?:accepted|took|signed) ${THE}(?:\\p{L}+ )?(?:offer|contract)(?: (?:at|with|from|for) (?<value>.+))?`,
  ),
  rule(
    "employer",
    "change",
    `(?:left|quit) (?<former>(?:the |a )?[\\p{L}&. ]+?) (?:for|to (?:join|work (?:at|for)|go to|found|start)) (?<value>.+)`,
  ),
  rule(
    "employer",
    "change",
    "(?:went|moved over|gone|switched|changed|moved) to (?:work (?:for|at|with) )(?<value>.+)",
  ),
  rule(
    "employer",
    "change",
    "(?:changed|switched) (?:jobs|employers|companies|careers)(?:.*? (?:at|with|to|for) (?<value>.+))?",
  ),
  rule(
    "employer",
    "change",
    "(?:opened|founded|started|set up|launched|runs?|own) (?<value>(?:an? |their |his |her |the user's )(?:own )?(?:\\p{L}+ ){0,3}(?:business|company|practice|agency|studio|shop|bakery|cafe|café|restaurant|firm|bar|salon|store|consultancy|startup))",
  ),
  rule(
    "employer",
    "change",
    "(?:self-employed|freelance|freelancing|a freelancer|an? independent \\p{L}+)(?<value>)",
  ),
  rule(
    "employer",
    "change",
    "(?:at|with) (?<value>(?:\\p{Lu}|an? (?:\\p{L}+ ){0,2}(?:company|firm|start-?up|agency|bank|studio|brewery|hospital|school|practice)).*) (?:now|from .* on|since .*|these days|nowadays)",
  ),
  rule(
    "employer",
    "end",
    `(?:left|quit|resigned from|walked out of|got fired from|fired from|laid off (?:from|by)) (?<value>.+)`,
  ),
  rule(
    "employer",
    "end",
    `(?:laid off|fired|let go|made redundant|sacked|unemployed|retired|out of work|between jobs)(?<value>)`,
  ),
  rule(
    "employer",
    "end",
    `(?:no longer|not) (?:works?|employed|working|with|at) (?:at|for|with|in|by)? ?(?<value>.+?)(?: any ?more| any longer|$)`,
  ),

  rule(
    "diet",
    "state",
    "(?:an? )?(?:strict(?:ly)? |lifelong )?(?<value>vegan|vegetarian|pescatarian|veggie|omnivore|flexitarian|keto|paleo|carnivore)(?: diet)?",
  ),
  rule(
    "diet",
    "state",
    "(?:eats?|follows?|keeps?|on) (?:an? )?(?:strict(?:ly)? )?(?<value>vegan|vegetarian|pescatarian|keto|paleo|kosher|halal|everything|anything|meat|no meat)(?: diet)?",
  ),
  rule("diet", "state", "(?<value>(?:does not|never) eats? (?:any )?meat)"),
  rule(
    "diet",
    "change",
    "(?:gone|went|turned|became|become|going) (?:an? )?(?:strict |full |fully |completely )*(?<value>vegan|vegetarian|pescatarian|veggie|keto|paleo|carnivore|plant-based)",
  ),
  rule(
    "diet",
    "change",
    "(?:gave up|given up|quit|stopped|cut out|sworn off|swore off)(?: eating)? (?<value>meat)",
  ),
  rule(
    "diet",
    "change",
    "(?:eats?|eating|started eating|went back to(?: eating)?|back to(?: eating)?|gone back to(?: eating)?) (?:some |a bit of )?(?<value>meat|chicken|fish|steak|beef|everything|dairy|cheese|eggs)(?: (?:again|now|these days|once more|after))?",
  ),
  rule(
    "diet",
    "end",
    "(?:no longer|not) (?:an? )?(?:strict )?(?<value>vegan|vegetarian|pescatarian|keto|veggie)",
  ),

  rule("marital", "state", "(?<value>single|engaged|married|divorced|separated|widowed)"),
  rule(
    "marital",
    "state",
    "(?:dating|seeing|in a relationship with|engaged to|married to) (?<value>\\p{Lu}.+|someone.*|somebody.*)",
  ),
  rule("marital", "change", "(?:got|getting) (?<value>engaged|married|divorced)"),
  rule("marital", "change", "(?:tied the knot|eloped)(?<value>)"),
  rule(
    "marital",
    "end",
    "(?:broke up|split up|split|separated|parted ways|called it quits|no longer together|not together)(?<value>)",
  ),

  rule("studies", "held", "(?:studies|studying|study) (?<value>.+)"),
  rule(
    "studies",
    "held",
    "(?:attends?|goes to|enrolled (?:at|in)) (?<value>.*\\b(?:uni\\p{L}*|college|school|academy|course|programme?|degree)\\b.*)",
  ),
  rule(
    "studies",
    "held",
    "(?:an? )(?:\\p{L}+ )*(?<value>student|undergrad\\p{L}*|apprentice|trainee|intern)",
  ),
  rule(
    "studies",
    "change",
    "(?:switched|changed) (?:majors?|degrees?|courses?|subjects?)(?: from [\\p{L} ]+?)? to (?<value>[\\p{L} ]+)",
  ),
  rule(
    "studies",
    "change",
    "(?:now )?(?:studies|studying|majoring in) (?<value>.+?) (?:now|instead|these days)",
  ),
  rule(
    "studies",
    "end",
    "(?:graduated|finished (?:uni\\p{L}*|college|school|studying|(?:the|their|his|her|the user's) (?:studies|degree|bachelor\\p{L}*|master\\p{L}*|phd|apprenticeship|internship|traineeship))|dropped out|left (?:uni\\p{L}*|college)|done with (?:uni\\p{L}*|college|school)|got (?:the|their|his|her|the user's) (?:degree|diploma|phd|bachelor\\p{L}*|master\\p{L}*))(?<value>)",
  ),

  rule("title", "held", `(?:works? as |working as )?(?:an? |the |our )?${TITLE}`),
  rule("title", "state", `(?:works? as |working as )(?:an? |the )?${TITLE}`),
  rule(
    "title",
    "change",
    `(?:promoted(?: from [\\p{L} ]+)? to|made|became|retrained as|qualified as|appointed(?: as)?) (?:an? |the )?${TITLE}`,
  ),

  rule("age", "state", "(?<value>\\d{1,3})(?: years old)?(?: now| today)?$"),
  rule("age", "state", "(?<value>\\d{1,3}) years old"),
  rule("age", "change", "turned (?<value>\\d{1,3})"),

  rule(
    "seat",
    "state",
    "(?:sits?|sitting|seated) (?<value>(?:on|in|at|by|near|next to|across|opposite|upstairs|downstairs) ?.*)",
  ),
  rule(
    "seat",
    "state",
    "'s (?:desk|seat|office) is (?<value>(?:on|in|at|by|near|next to|across|opposite|upstairs|downstairs) ?.*)",
  ),
  rule(
    "seat",
    "change",
    "moved (?:desks?|seats?|offices?|the user's desk|their desk)(?: (?:to|next to|over to) (?<value>.+))?",
  ),

  rule(
    "living",
    "state",
    "(?:lives?|living) (?<value>alone|on (?:their|his|her) own|by (?:themselves|himself|herself)|(?:together )?with .+)",
  ),
  rule("living", "change", "moved in with (?<value>.+)"),
  rule(
    "living",
    "change",
    "(?:got|found|has|have) (?:an? |their |the user's |his |her )?own (?<value>place|flat|apartment|house)",
  ),
  rule(
    "tenure",
    "held",
    "(?<value>rents?|renting)(?: an?| the| their)? (?:\\p{L}+ ){0,3}(?:house|flat|apartment|place|home|condo|room|studio)",
  ),
  rule(
    "tenure",
    "change",
    "(?:bought|own|closed on) (?:an? |the |their )?(?:(?!holiday|summer|vacation|second|rental|doll)\\p{L}+ ){0,3}(?<value>house|flat|apartment|condo|home|cottage)",
  ),
];

/** "Anna is our CTO", "our landlord is Mr. Petrov": the person is the value. */
export const ROLE_STATES: readonly RegExp[] = [
  new RegExp(
    `^(?<person>(?:(?:Mr|Mrs|Ms|Dr|Prof)\\.? )?\\p{Lu}[\\p{L}-]+(?: \\p{Lu}[\\p{L}-]+)?) (?:is|was made|became|got|has become|serves as|acts as|took over as|takes over as|steps in as|stepped in as)(?: now)? (?:(?:the user's|their|our|the) )?(?:new )?(?<role>${ROLE})(?: now)?(?=$|,| (?:of|for|at|now|since|as of|these days|from))`,
    "iu",
  ),
  new RegExp(
    `^(?:the user's|our|the) (?:new |current )?(?<role>${ROLE}) is(?: now| called| named)? (?<person>(?:(?:Mr|Mrs|Ms|Dr|Prof)\\.? )?\\p{Lu}[\\p{L}-]+)`,
    "u",
  ),
];
export const SUCCESSION = new RegExp(
  `^(?<person>(?:(?:Mr|Mrs|Ms|Dr|Prof)\\.? )?\\p{Lu}[\\p{L}-]+(?: \\p{Lu}[\\p{L}-]+)?) (?:has |have |is |was )?(?:now |just )?(?:replaced|replaces|replacing|took over from|taken over from|takes over from|succeeded|succeeds|succeeding|follows|followed|stepped in for|took the place of|took over (?:the )?(?<inner>${ROLE}) (?:role |post |position )?from) (?<former>(?:(?:Mr|Mrs|Ms|Dr|Prof)\\.? )?\\p{Lu}[\\p{L}-]+)(?: as (?:the user's |our |the |their )?(?:new )?(?<role>${ROLE}))?`,
  "u",
);

/** What a text says of one of a kind of things of which one has one: "our bank", "my dentist". */
export const ONE_OF_A_KIND =
  /\b(?:changed|switched|swapped|replaced) (?:the user's |their |the |our )?(?<noun>banks?|dentists?|doctors?|gyms?|barbers?|hairdressers?|insurers?|insurance|(?:internet |phone |energy |power )?providers?|schools?|carriers?|suppliers?|accountants?|tax advisers?|therapists?|trainers?|plans?|vets?|nurser(?:y|ies)|landlords?|teams?|clubs?|majors?|churches|brokers?)\b/u;

/** What is said to have another name for a person: "the user's friend". */
export const RELATED = new RegExp(`'s (?:\\p{L}+ )?${PERSON}(?![\\p{L}])`, "u");
