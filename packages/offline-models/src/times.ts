import { contentOf } from "./content.ts";
import type { ToldClause } from "./told-clauses.ts";

const WEEKDAY = "(?:mon|tues?|wednes|thurs?|fri|satur|sun)days?";
const MONTH =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const TIMES: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ["weekday", new RegExp(`\\b${WEEKDAY}\\b`, "giu")],
  [
    "date",
    new RegExp(
      `\\b${MONTH}\\.? \\d{1,2}(?:st|nd|rd|th)?\\b|\\b\\d{1,2}(?:st|nd|rd|th)?\\.? (?:of )?${MONTH}\\b|\\b\\d{4}-\\d\\d-\\d\\d\\b|\\bthe \\d{1,2}(?:st|nd|rd|th)\\b`,
      "giu",
    ),
  ],
  ["month", new RegExp(`\\b(?:in|to|until|till|into) ${MONTH}\\b(?! \\d)`, "giu")],
  [
    "clock",
    /\b(?:at|to|from|until|till|around) (?:\d{1,2}(?::\d\d)?(?: ?[ap]m)?|noon|midnight)\b(?! ?(?:%|euros?|kg|km|people))|\b\d{1,2}:\d\d\b|\b\d{1,2} ?[ap]m\b/giu,
  ],
  ["year", /\b(?:20[2-9]\d)\b/gu],
];
const MOVED =
  /\b(?:moved|pushed|postponed|rescheduled|delayed|shifted|slipped|brought forward|put (?:back|off)|bumped|changed|extended|is now|are now|now on|now at|instead|switched)\b/iu;

/** Whether both say when the same takes place, is due or is done, and the newer says another time. */
export function isAtAnotherTime(newer: ToldClause, older: ToldClause): boolean {
  if (newer.isAddition) return false;
  const isMarked = newer.isNow || MOVED.test(newer.text);
  if (!isMarked && !(TAKES_PLACE_AT.test(newer.text) && TAKES_PLACE_AT.test(older.text)))
    return false;
  const isOther = TIMES.some(([kind, pattern]) => {
    // What is done on one day of the week may be done on another too.
    if (!isMarked && kind === "weekday") return false;
    const [now, before] = [newer, older].map(({ text }) =>
      [...text.matchAll(pattern)].map(([time]) => plain(time, kind)),
    ) as [string[], string[]];
    return now.length > 0 && before.length > 0 && !now.every((time) => before.includes(time));
  });
  return isOther && !isOtherEnd(newer.text, older.text) && isOfTheSame(newer.text, older.text);
}

const BEGINS = /\b(?:starts?|begins?|opens?|leaves?|departs?)\b/u;
const ENDS = /\b(?:ends?|closes?|expires?|runs out|arrives?|lands?)\b/u;
const ONE_OF_SEVERAL = /\b(?:first|second|third|final|last)(?= (?!week|night|month|year))/u;

/** "The course ends" and "the course starts", "the last bus" and "the bus". */
function isOtherEnd(newer: string, older: string): boolean {
  return (
    (BEGINS.test(newer) && ENDS.test(older)) ||
    (ENDS.test(newer) && BEGINS.test(older)) ||
    ONE_OF_SEVERAL.exec(newer)?.[0] !== ONE_OF_SEVERAL.exec(older)?.[0]
  );
}

/** What takes place once, or opens, or ends. */
const TAKES_PLACE_AT =
  /^(?!the user (?!is due)).* (?:is|are|starts?|begins?|opens?|closes?|ends?|expires?|runs out|leaves|departs|arrives|takes place) (?:due |scheduled |planned |set )?(?:on|at|in|for|by) /u;

function plain(time: string, kind: string): string {
  const bare = time.toLowerCase().replace(/^(?:at|to|from|in|until|till|into|around|the) /u, "");
  if (kind === "weekday") return bare.slice(0, 3);
  if (kind !== "date") return bare.replaceAll(" ", "");
  const month = new RegExp(MONTH, "u").exec(bare)?.[0]?.slice(0, 3) ?? "";
  return `${/(?<!\d)\d{1,2}(?!\d)/u.exec(bare)?.[0] ?? bare}${month}`;
}

const NO_TOPIC =
  /^(?:user|now|new|chang|move|push|postpon|reschedul|delai|delay|shift|slip|bring|brought|forward|back|put|is|thei|they|week|day|dai|month|year|time|everi|from|until|on|at|am|pm|final|instead|clash|next|goe|go|went|do|have|get|got|correct|later|earlier|updat|team|compani|\d.*)$/u;
/** Verbs of what takes place; one text may leave them out. */
const TAKES_PLACE =
  /^(?:take|place|due|deadlin|plai|meet|meeting|rehears|rehearsal|start|end|happen|hold|held|run|train|practic|gather|class|set|plan|schedul|begin|weekli|session)$/u;
const TIME_WORD = new RegExp(
  `^(?:${WEEKDAY}|${MONTH}|noon|midnight|morning|evening|afternoon|night|weekly|daily)$`,
  "iu",
);

/** All that the newer one names besides the time is named in the older one. */
function isOfTheSame(newer: string, older: string): boolean {
  const told = newer.replace(/(?:,| because| since| so| due to| as)(?= ).*$/u, "");
  const known = new Set(contentOf(older).map(({ stem }) => stem));
  const topics = topicsOf(told);
  // What "we" do, our shop or team does.
  const isOurs = /^the user\b(?!'s)/u.test(newer);
  const things = topicsOf(isOurs ? older.replace(OURS, "") : older);
  const isShared = topics.some((stem) => known.has(stem) && !TAKES_PLACE.test(stem));
  const isSame = topics.length > 0 && topics.every((stem) => known.has(stem));
  return (
    (isShared || isSame) &&
    topics.every((stem) => known.has(stem) || TAKES_PLACE.test(stem)) &&
    things.every((stem) => topics.includes(stem) || TAKES_PLACE.test(stem))
  );
}

const OURS =
  /^(?:the user's |the |our )?(?:shop|store|restaurant|bar|café|cafe|clinic|gym|club|office|band|choir|app|site|studio|bakery|salon|school|library|service)(?= )/u;

function topicsOf(text: string): string[] {
  return contentOf(text.replace(/\bgets? up\b/u, "wakes up"))
    .filter(
      ({ stem, folded }) => !NO_TOPIC.test(stem) && !TIME_WORD.test(folded) && !/\d/u.test(folded),
    )
    .map(({ stem }) => stem);
}

/** Whether a clause says that something takes place at another time. */
export function tellsOfTime({ text }: ToldClause): boolean {
  const isTimed = TIMES.some(([, pattern]) => text.search(pattern) >= 0);
  return isTimed && MOVED.test(text) && topicsOf(text).length > 0;
}
