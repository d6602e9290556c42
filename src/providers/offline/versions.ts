import { type Term, termsOf } from "./terms.ts";

/** "Postgres 17", "Node v22.1", "eleven people": something and its number. */
const NUMBERED =
  /(?<name>\p{Lu}[\p{L}+#.]*\p{L}|\p{L}{3,})(?:'s)? (?:to |from |version |v)*(?<number>\d{1,4}(?:\.\d{1,4}){0,3})(?![\p{L}\p{N}%€$])/gu;
const IS_NOW =
  /\b(?:(?:is|are|runs|running) (?:now )?on|upgraded|updated|bumped|moved|went|migrated|switched|now|since)\b/u;
const PEOPLE_WORDS =
  "people|persons|members|engineers|developers|designers|employees|players|staff|colleagues|of the user|of us";
const COUNT =
  "\\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|twenty";
const TEAM_NOW = new RegExp(
  `^(?:(?:the user|they|the (?:user's )?(?:team|company)) (?:have |has )?(?:grown|grew|shrunk|shrank|gone) (?:up |down )?to(?=.*(?:${PEOPLE_WORDS}))|there are|the user is(?: a team of)?|the user are|they are|(?:the user's|the|their) team (?:is|has|grew to|went up to|shrank to|is down to|is up to)) (?:now |only |just )*(?<count>${COUNT})(?: (?:${PEOPLE_WORDS}))?\\b(?=.*\\b(?:now|since|after|by now)\\b|(?<=(?:grown|grew|shrunk|shrank|gone) (?:up |down )?to .*))`,
  "iu",
);
const TEAM_SIZE = new RegExp(
  `^(?:the user's|the|their) (?:team|squad|crew|group|staff|company|startup)(?: (?:has|is|consists of|counts)) (?<count>${COUNT})(?: (?:${PEOPLE_WORDS}))?\\b`,
  "iu",
);

/** Why the older text no longer holds where both give a number of the same thing; null: they do not. */
export function versionChange(told: string, said: string): string | null {
  const [now, before] = [TEAM_NOW.exec(told)?.groups?.count, TEAM_SIZE.exec(said)?.groups?.count];
  if (now !== undefined && before !== undefined) return now === before ? null : WHY;
  if (isOtherAmount(told, said)) return WHY;
  if (!IS_NOW.test(told)) return null;
  const isOther = [...told.matchAll(NUMBERED)].some(({ groups: newer }) =>
    [...said.matchAll(NUMBERED)].some(
      ({ groups: older }) =>
        newer?.name?.toLowerCase() === older?.name?.toLowerCase() &&
        /^\p{Lu}/u.test(older?.name ?? "") &&
        newer?.number !== older?.number &&
        !termsOf(older?.name ?? "").some(({ kinds }) => kinds.includes("month")),
    ),
  );
  return isOther && isOfSameThing(told, said) ? WHY : null;
}

const WHY = "gives another number of the same";

/** "The rent went up to 1150", "the rate is 95 euros". */
const AMOUNT =
  /^(?:the user's |the |their |our )?(?<what>\p{L}[\p{L} ]{1,30}?) (?:is|are|costs?|(?:has )?(?:gone|went|rose|risen|fell|fallen|dropped|increased|decreased|jumped|climbed)(?: up| down)? to) (?:now |about |around |only )*\p{Sc}?(?<amount>\d[\d.,]*)(?!\d)(?!(?::\d| ?(?:am|pm|o'clock|years|st|nd|rd|th)\b))/iu;

function isOtherAmount(told: string, said: string): boolean {
  const [newer, older] = [AMOUNT.exec(told)?.groups, AMOUNT.exec(said)?.groups];
  return (
    newer?.what !== undefined &&
    newer.what.toLowerCase() === older?.what?.toLowerCase() &&
    newer.amount !== older.amount
  );
}

/** What has the number: all that the new text names besides it is in the older one. */
function isOfSameThing(told: string, said: string): boolean {
  const known = new Set(thingsIn(said).map(({ stem }) => stem));
  const things = thingsIn(told);
  return things.every(({ stem }) => known.has(stem));
}

const NO_THING =
  /^(?:user|bump|upgrad|updat|move|migrat|switch|run|last|night|week|month|now|sinc|year|final|\d.*)$/u;

/** The words for things, without the numbered name itself. */
function thingsIn(text: string): Term[] {
  const rest = text.replaceAll(NUMBERED, " ");
  return termsOf(rest).filter(({ isStop, stem }) => !isStop && !NO_THING.test(stem));
}
