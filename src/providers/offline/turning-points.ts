import { straightenApostrophes } from "../../domain/folding.ts";
import { plainly } from "./plain-words.ts";
import { baseOfVerb, type Term, termsOf } from "./terms.ts";
import { OF_A_KIND, OF_WHAT_IT_NAMES } from "./turning-point-rules.ts";
import { versionChange } from "./versions.ts";

const TENTATIVE =
  /\b(?:wants?|wanted|would|might|may|could|should|plans?|planning|thinking|considering|hopes?|hoping|wish|wishes|if|about to|(?:is|are) going to|will|never|almost|nearly|not|didn't|maybe|perhaps|dreamt|used to|second|part-time|side|someone else)\b|\?\s*$/u;
/** What "we" have and use. */
const OF_THE_SPEAKERS =
  /^(?:the user's |the |our )(?:team|project|company|startup|app|web app|website)(?= (?:uses|has|runs|is (?:built|written))\b)/u;
/** What says by a "not" that something is over. */
const ABSTAINED = / (?:has|have|are) not (?:had|smoked|touched|drunk|been together|together)\b/u;
const HAPPENED_LONG_AGO =
  /\b(?:back in|years ago|as a (?:child|kid|student)|when (?:the user|he|she|they) (?:was|were))\b/u;

/** Why the new fact ends the older one, as the end of a sentence; null: it is no such event. */
export function turningPoint(newer: string, older: string): string | null {
  const [told, said] = [plainly(inThirdPerson(newer)), plainly(inThirdPerson(older))];
  const right = corrected(told, said) ?? succeeded(told, said);
  if (right !== null) return right;
  const unabstained = told.replace(ABSTAINED, "");
  if (TENTATIVE.test(unabstained) || HAPPENED_LONG_AGO.test(told)) return null;
  const ofSpeakers = said.replace(OF_THE_SPEAKERS, "the user");
  const ended =
    endOfThing(told, said) ??
    resumed(told, said) ??
    versionChange(told, said) ??
    parted(told, said);
  if (ended !== null) return ended;
  for (const { person, rest } of readingsOf(told)) {
    for (const before of [...readingsOf(said), ...readingsOf(ofSpeakers)]) {
      if (before.person !== person) continue;
      const point =
        OF_A_KIND.find(
          ({ event, state }) =>
            event.test(rest) && state.test(before.rest) && isOfSamePeople(told, said),
        ) ??
        OF_WHAT_IT_NAMES.find(({ event, state }) => {
          const { named, calledOff } = event.exec(rest)?.groups ?? {};
          if (!state.test(before.rest)) return false;
          if (calledOff !== undefined) return names(calledOff.replace(TRIP, ""), said, REASON);
          return named !== undefined && names(named, said);
        });
      if (point !== undefined) return point.why;
    }
  }
  return null;
}

interface Told {
  readonly person: string;
  /** What is said of the person; it begins with a space or with "'s". */
  readonly rest: string;
}

/** "The user's brother moved" is said of the brother, and of what the user has. */
function readingsOf(text: string): Told[] {
  const readings: Told[] = [];
  const shared = /^(?:.{1,40}? and )?the user(?: and .{1,40}?)?(?= (?:\p{Ll}))/u.exec(text)?.[0];
  if (shared !== undefined) readings.push({ person: "the user", rest: text.slice(shared.length) });
  for (const { index } of text.slice(0, MAX_PERSON_CHARACTERS).matchAll(/(?:'s)? /gu)) {
    readings.push({ person: text.slice(0, index), rest: text.slice(index) });
  }
  return readings;
}

const MAX_PERSON_CHARACTERS = 60;
/** A fact is short, and a longer text states many things. */
const MAX_CHARACTERS = 300;

/** "I sold my car" as "the user sold their car". */
function inThirdPerson(text: string): string {
  const read = straightenApostrophes(text.slice(0, MAX_CHARACTERS))
    .replace(/\s+/gu, " ")
    .trim()
    .replace(/[.!]+$/u, "")
    .replace(/\b(?:I|i|We|we)'(?:ve|m|re)\b/gu, (short) =>
      /'ve$/u.test(short) ? "the user has" : "the user is",
    )
    .replace(/\b(?:I|i|We|we|me|us)\b/gu, "the user")
    .replace(/^(?:My|my|Our|our) /u, "the user's ")
    .replace(/\b(?:my|our)\b/gu, "their")
    .replace(/^(?:The|They)(?= \p{L})/u, (first) => first.toLowerCase())
    .replace(/, (?:so |and )?you\b.*$/u, "");
  return LEFT_OUT.test(read) ? `the user ${read.charAt(0).toLowerCase()}${read.slice(1)}` : read;
}

/** "Sold the car": who writes of themselves may leave out who did it. */
const LEFT_OUT =
  /^(?:(?:just|finally) )?(?:sold|quit|got (?:a|myself|rid|laid|fired|married|engaged|divorced|promoted|my|the)|gave up|broke up|split up|moved (?:in|out)|cancell?ed|finished|stopped|passed|bought|switched|graduated|retired|haven't|have not)\b/iu;

/** Names of people with whom it happened; where both texts name somebody, one must be the same. */
function isOfSamePeople(told: string, said: string): boolean {
  const named = namesIn(told);
  const before = namesIn(said);
  return named.size === 0 || before.size === 0 || !/\b(?:with|and)\b/u.test(told)
    ? true
    : [...named].some((name) => before.has(name));
}

function namesIn(text: string): Set<string> {
  return new Set([...text.matchAll(/\b\p{Lu}\p{Ll}+\b/gu)].map(([name]) => name));
}

/** What comes after the thing itself: "the car to a student", "the subscription last week". */
const CIRCUMSTANCE =
  /(?:,| (?:to|for (?:\d|\p{Sc}|good|now)|and|last|this|yesterday|today|on|in|because|after|since|at|so|but|again)\b).*$/u;
/** "The Japan trip" is the visit to Japan. */
const TRIP = / (?:trip|visit|holiday|vacation|tour)(?=$|,| (?:and|because|after|since|so|but)\b)/u;
/** What is called off is told from others by its day and place. */
const REASON = /(?:,| (?:and|yesterday|today|because|after|since|so|but)\b).*$/u;

/** Whether every word of what an event names was said before. */
function names(named: string, said: string, cut = CIRCUMSTANCE): boolean {
  return isNamedIn(named.replace(cut, ""), said);
}

/** Whether every word of a text that says something is in another one. */
export function isNamedIn(text: string, said: string): boolean {
  const wanted = contentOf(text);
  const known = new Set(contentOf(said).map(keyOf));
  return wanted.length > 0 && wanted.every((term) => known.has(keyOf(term)));
}

export function contentOf(text: string): Term[] {
  return termsOf(text).filter(({ isStop, folded }) => !isStop && !NEITHER.test(folded));
}

const NEITHER =
  /^(?:user|user's|going|doing|having|old|new|whole|entire|go|going|habit|last|week)$/u;

export function keyOf({ folded, stem }: Term): string {
  return /^(?:cigarettes?|smok\p{L}*|vap\p{L}*)$/u.test(folded)
    ? "smoke"
    : (baseOfVerb(folded) ?? stem);
}

const CALLED_OFF =
  /^(?:the user's |the )?(?<thing>.{2,60}?) (?:(?:was|were|is|are|has been|have been|got) (?:just |now )?)?(?<how>cancell?ed|called off|fell through|postponed|rescheduled|delayed|pushed|slipped|brought forward|moved(?= (?:from .{2,30} )?to)|died|crossed the rainbow bridge|passed(?: away| on)?(?= ?(?:$|,|over|on|in|last|this|yesterday|peacefully|at|away))|put (?:down|to sleep)|renamed|now called)(?![\p{L}])/u;
const BY_THE_USER =
  /^(?:the user|they) (?:has |have |had |just )*(?<how>cancell?ed|called off|postponed|rescheduled|delayed|pushed|moved|renamed) (?:the |their )?(?<thing>.{2,60}?)(?= (?:to|from|until|till|by|back|as)\b|$)/u;
const GOODBYE =
  /^the user (?:(?:had to )?(?:say goodbye to|said goodbye to|put (?:down )?)|lost) (?<thing>\p{Lu}\p{L}+)(?=\b)/u;
/** "The iPhone went to my niece": what is no longer the user's. */
const NO_LONGER_THERE =
  /^(?:the user's |the |their )?(?<thing>(?!user\b).{2,40}?) (?:has |have |was |were |is |are |got |just |finally |been )*(?:went to|gone|sold|stolen|scrapped|given away|donated|died|totall?ed|gave up the ghost|packed it in|with (?:the user's|their) \p{L}+ now)(?![\p{L}])/u;
const HOLDING = /^(?:the user|\p{Lu}\p{L}+) (?:has|have|owns?|uses?|drives?|rides?)\b/u;
const NAMED = /\b(?:called|named)\b|'s name is\b/u;
const DATED = /^(?:weekday|month|date|time|daypart)$/u;

/** "The wedding was called off", "Rex died", "we renamed the project". */
function endOfThing(told: string, said: string): string | null {
  const goodbye = GOODBYE.exec(told)?.groups?.thing;
  const { thing, how } = BY_THE_USER.exec(told)?.groups ?? CALLED_OFF.exec(told)?.groups ?? {};
  const gone = goodbye ?? (/^(?:died|passed|put|crossed)/u.test(how ?? "") ? thing : undefined);
  if (gone !== undefined) {
    const isOwn = /^(?:the user|\p{Lu}\p{L}+) (?:has|have|owns?)\b/u.test(said) || NAMED.test(said);
    return isOwn && names(gone, said) ? "tells of a death" : null;
  }
  const left = NO_LONGER_THERE.exec(told)?.groups?.thing;
  if (left !== undefined && HOLDING.test(said) && names(left, said)) return "says that it is gone";
  if (thing === undefined || how === undefined || !names(thing, said, REASON)) return null;
  if (/^(?:renamed|now called)/u.test(how)) {
    return NAMED.test(said) ? "says what it is called now" : null;
  }
  const isDated = termsOf(said).some(({ kinds }) => kinds.some((kind) => DATED.test(kind)));
  return isDated && !/^(?:the user|\p{Lu}\p{L}+) moved\b/u.test(told)
    ? "says that it does not take place then"
    : null;
}

/** "The room is B214, not B241". */
const CORRECTED =
  /^(?<what>.{2,60}?) (?:is|are|was|starts|leaves|costs) (?:\S+ ){0,4}?\S+,? (?:and )?not (?<wrong>[^,.;]{1,40})$/u;

function corrected(told: string, said: string): string | null {
  const { what, wrong } = CORRECTED.exec(told)?.groups ?? {};
  if (what === undefined || wrong === undefined || !/\d|\p{Lu}/u.test(wrong)) return null;
  return isNamedIn(wrong, said) && names(what, said) ? "names what was wrong" : null;
}

/** Who moved out lives with nobody of before. */
function parted(told: string, said: string): string | null {
  const [, name] = /^(\p{Lu}\p{L}+) (?:has |just |finally )*moved out\b/u.exec(told) ?? [];
  return name !== undefined &&
    new RegExp(
      `^the user (?:lives|shares an? \\p{L}+) with ${name}\\b|^the user's (?:room|flat|house)mate is (?:called )?${name}\\b`,
      "u",
    ).test(said)
    ? "says that they live apart"
    : null;
}

const AGAIN = /^ (?:is |are |has |have |started |went back to |can )*(?<what>\p{L}.*?) again\b/u;
const BACK =
  /^ (?:is |went |has gone )back (?:at|to|in|on|into) (?<what>\p{L}.*?)(?: now)?(?:$|[,!;])/u;
const LIKES_NOW =
  /^ (?:now )?(?<what>(?:likes?|loves?|enjoys?|eats?|drinks?|plays?|has|have|owns?|uses?|goes|speaks?) .*?) now$/u;
const GOT =
  /^ (?:(?:has|have|just|finally) )*(?:got|bought|adopted|found) (?:an? |the |their )?(?<what>[^,;]+)$/u;
const HAD_NOT = /^ (?:does|do|did|has|have) (?:not|no)\b(?: have| own)?/u;
const CAN_NOW = /^ can (?:now |finally )*(?<what>\p{L}.*?)(?: now)?(?:$|[,!;])/u;
const DID_NOT =
  /^ (?:refuses to|(?:does|do|can|could|has|have|did|will) (?:not|no longer)|cannot|never|no longer|stopped|quit|gave up|avoids|is (?:afraid of|scared of|learning to))\b/u;

/** "Is flying again", "can swim": what was not done is done. */
function resumed(told: string, said: string): string | null {
  for (const { person, rest } of readingsOf(told)) {
    const what = [AGAIN, BACK, CAN_NOW, LIKES_NOW].map((way) => way.exec(rest)?.groups?.what);
    const got = GOT.exec(rest)?.groups?.what;
    const wasNotDone = readingsOf(said).some(
      (before) =>
        before.person === person &&
        ((DID_NOT.test(before.rest) &&
          what.some((each) => each !== undefined && names(each, said))) ||
          (HAD_NOT.test(before.rest) && got !== undefined && names(got, said))),
    );
    if (wasNotDone) return "says that it is done again";
  }
  return null;
}

const SUCCEEDED =
  /^\p{Lu}\p{L}+ (?:(?:has |is |will be )?(?:took|taken|takes|taking) over(?: as)?(?<post> .{2,40}?)? from|(?:has )?(?:replaced|replaces|succeeds|succeeded)) (?<before>\p{Lu}\p{L}+)(?: as (?<role>.{2,40}?))?(?= on | in | since | last |,|$)/u;

/** "Sofia took over as team lead from Henrik". */
function succeeded(told: string, said: string): string | null {
  const { before, post, role } = SUCCEEDED.exec(told)?.groups ?? {};
  if (before === undefined || !new RegExp(`\\b${before}\\b`, "u").test(said)) return null;
  const named = post ?? role;
  return named !== undefined && names(named, said) ? "says who has the post now" : null;
}
