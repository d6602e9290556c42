import { straightenApostrophes } from "../../domain/folding.ts";
import { withoutLeadIns } from "./openings.ts";
import { PERSON } from "./slot-words.ts";
import { termsOf } from "./terms.ts";

/** A clause of a text as it is said of a third person: "the user moved to Rome". */
export interface ToldClause {
  readonly text: string;
  /** Whom it tells of: "the user", "the user's sister", "Anna"; null: a thing, or nobody known. */
  readonly person: string | null;
  /** It says by a word that things were otherwise before: now, these days, no longer. */
  readonly isNow: boolean;
  /** It says so of something that holds beside what was: also, another. */
  readonly isAddition: boolean;
  /** It may not be so, or no longer, or for a while only. */
  readonly isUnsure: boolean;
}

const MAX_CHARACTERS = 400;
const MAX_CLAUSES = 12;

/** What may not have happened: whoever says so anywhere in a sentence changes nothing by it. */
const CONDITIONAL =
  /\b(?:if|unless|whether|would|'d (?:like|love|rather)|might|may(?= \p{Ll})|could|should|shall|imagine|suppose|in case|wonder\p{L}*)\b/iu;
/** What is wished or planned. */
const TENTATIVE =
  /\b(?:wants?|wanted|wanting|plans?|planned|planning|thinking|thinks?|thought|considering|considered|hopes?|hoping|wish|wishes|about to|(?:is|are|was|were) going to (?!the |an? |their |\p{Lu})|will|won't|'ll|almost|nearly|maybe|perhaps|probably|possibly|dream\p{L}*|tempted|supposed|looking (?:to|for|into|at|forward)|trying to|tried to|try to|tries to|interested in|offered|asked|recommends?|recommended|suggests?|suggested|told (?:me|the user)|says?|said|not sure|need to|needs to|have to|has to|ought to)\b/iu;
/** What is so for a while only. */
const PASSING =
  /\b(?:for (?:a|an|the|one|two|three|four|some|\d+) (?:\p{L}+ )?(?:while|moment|night|nights|days?|weeks?|weekend|months?|semester|term|summer|winter|change|time being)|for (?:now|once)|temporar\p{L}+|until|till|borrow\p{L}*|rental|renting a car|rented a|on loan|loaner|visit\p{L}*|vacation|on (?:a |the )?(?:business )?trip|conference|(?:filling|standing|covering|stepping) in|as a (?:joke|test|trial|experiment)|trial|on holiday|over (?:christmas|easter|the (?:weekend|holidays))|while (?:the|my|mine|his|her|it|I|we|the user|they))\b/iu;
const BRIEFLY =
  /\b(?:in the week of \d{4}|this (?:week|weekend|morning|afternoon|evening|once|time|month)|today|tonight|tomorrow|at the moment|right now)\b/iu;
/** What is done once, and lasts: it may well have been today. */
const LASTING =
  /\b(?:sold|quit|left|joined|started|signed|moved (?:to|into|in with|out)|cancell?ed|bought|turned|adopted|died|resigned|retired|graduated|switched|gave up|swapped|traded|replaced|deleted|promoted|married|engaged|divorced|fired|laid off|became|changed|renamed|dropped|got|picked up|took over|made|passed|landed|accepted|broke up|split up|settled|relocated|migrated|ditched|stopped|upgraded|converted|since|no longer|any ?more|finally|for good|from now on|new)\b/iu;
/** What is over. */
const LONG_AGO =
  /\b(?:used to|back in|(?:years|decades|ages) ago|as a (?:child|kid|student|teenager|boy|girl)|when (?:the user|he|she|they|I) (?:was|were)|in (?:19\d\d|200\d|201\d)|once (?:lived|worked|had|owned|drove)|in those days)\b/iu;
const ADDITION =
  /\b(?:also|too|as well|another|an? (?:second|extra|spare|additional)|(?:as a|second|side) (?:second|job|gig|hustle)|additional(?:ly)?|besides|on the side|on weekends|at weekends|on top of|alongside|part of)\b/iu;
const NOW =
  /\b(?:now|nowadays|these days|lately|any ?more|any longer|no longer|no more|from now on|from the week of [\d-]+ on|from (?:today|monday|next \p{L}+|this \p{L}+) on|as of|starting (?:next|this|in|from|monday)|going forward|since (?:last|this|the|yesterday|monday|january|february|march|april|may|june|july|august|september|october|november|december|we|i|new year)|instead|finally|meanwhile|currently|again|by now|at last|new|latest|updated?|correction|changed|for good|officially|after all)\b/iu;

/** "Oslo has been home since May": a home, in the words that the rules read. */
const HOMES: readonly (readonly [RegExp, string])[] = [
  [
    /^(\p{Lu}[\p{L}-]+) (?:is|has been|has become|became) (?:the user's )?(?:new )?home(?: now| since .*| these days)?$/u,
    "the user lives in $1 now",
  ],
  [
    /^the user is (?:officially |proud |now )*(?:an? )?(\p{Lu}[\p{L}-]+)(?: people| residents?|-based| folks?| locals?)(?: now)?$/u,
    "the user lives in $1 now",
  ],
  [
    /^(?:the )?first (?:night|week|morning|day) in (?:the user's )?(?:new )?(\p{Lu}[\p{L}-]+) (?:flat|apartment|house|place|home)$/u,
    "the user moved to $1",
  ],
  [
    /^(?=(?:part-time|full-time|remote|freelance|single|vegan|vegetarian|sober) (?:now|again))/u,
    "the user is ",
  ],
];

const FORMS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:I|i|we|We)'(?:ve)\b/gu, "the user has"],
  [/\b(?:I|i|we|We)'(?:m|re)\b/gu, "the user is"],
  [/\b(?:I am|i am|we are|We are|we were|We were)\b/gu, "the user is"],
  [/\b(?:I|i|we|We) have\b/gu, "the user has"],
  [/\b(?:I|i|we|We)(?='d|'ll| |$|,)/gu, "the user"],
  [/\b(full|part) time\b/gu, "$1-time"],
  [/\b(day|night|early|late|morning|evening) shifts?\b/gu, "$1-shift"],
  [/\b(?:My|my|Our|our) (?=own\b)/gu, "their "],
  [/\b(?:My|my|Our|our)\b/gu, "the user's"],
  [/\bmine\b/gu, "the user's"],
  [/\b(?:it|It|that|That|there|There)'s\b/gu, "it is"],
  [/\b(?:they|They)'(?:ve)\b/gu, "they have"],
  [/\b(is|are|was|were|has|have|does|do|did|can)n't\b/giu, "$1 not"],
  [
    /(?<=\p{L})'s (?=(?:now|been|gone|left|moved|not|no longer|back|called|dead|off|over|the new|our new|our|on|at|in|going)\b)/gu,
    " is ",
  ],
  [/\bthe user (?:do|did) not\b/giu, "the user does not"],
];

/** What follows where the subject is left out. */
const VERB_FIRST =
  /^(?:(?:just|finally|recently|also|now|have|has|already|officially|even|and|so|then) )*(?:moved|relocated|settled|joined|started|quit|left|got|bought|sold|switched|swapped|traded|upgraded|downgraded|migrated|changed|replaced|gave|given|gone|went|became|turned|dropped|stopped|cancell?ed|finished|retired|graduated|completed|back (?:on|to|in|at|with)|down to|up to|now (?:at|on|in|with|living|working|driving|using|a|an|the)|living|working|driving|using|cycling|biking|walking|no longer|does not|ditched|deleted|dumped|opened|founded|adopted|lost|picked up|took|bumped|raised|lowered|cut|runs?|lives?|works?|drives?|uses?|takes?|cycles?|bikes?|walks?|teach|rents?|studies|study|eats?|drinks?|married|engaged|divorced|promoted|landed|accepted|handed|made|threw|tossed|ripped|renamed|moving|swore|passed|failed|kicked|enrolled|transferred|converted|ported|rewrote|decided)(?![\p{L}'])/iu;

/** Sentence by sentence, clause by clause, what a short text says; a question says nothing. */
export function clausesTold(text: string): ToldClause[] {
  const read = straightenApostrophes(text.slice(0, MAX_CHARACTERS)).replace(/\s+/gu, " ").trim();
  const sentences = read.split(/(?<=[.!?;…])(?<!\b(?:Dr|Mr|Mrs|Ms|St|vs|[A-Z])\.)\s+|\s[–—-]+\s/u);
  return sentences
    .filter((sentence) => !/\?\s*$/u.test(sentence))
    .flatMap(clausesOfSentence)
    .slice(0, MAX_CLAUSES);
}

/** Whether a clause says what is only wished or planned, or what is over. */
export function isNoFact(clause: string): boolean {
  return TENTATIVE.test(clause) || CONDITIONAL.test(clause) || LONG_AGO.test(clause);
}

/** Whether a text says how things are today or this week, and not that they changed. */
export function isBrief(clause: string): boolean {
  return BRIEFLY.test(clause) && !LASTING.test(clause);
}

function clausesOfSentence(sentence: string): ToldClause[] {
  const bare = withoutLeadIns(sentence.replace(/[.!…\s]+$/u, ""));
  const told = FORMS.reduce((rest, [form, long]) => rest.replace(form, long), bare)
    .replace(/^The (?=\p{L})/u, "the ")
    .replace(
      /^(?:Now|now|These days|Nowadays|Currently|Since \p{L}+|As of [^,]{1,30}|From now on|From [^,]{1,20} on|Starting [^,]{1,20}|Actually|Correction|Update)(?:,|:)? (?=(?:the|it|they|\p{Lu})\b)(.*)$/u,
      "$1 now",
    );
  const parts = told.split(
    /[,;:] (?:and |but |so |because )?|(?<=\S+ \S+ \S+) (?:and|but|so|because|since|now that) (?=(?:the user|it|they|he|she|that|there)\b)|(?<=\S+ \S+ \S+) (?:and|but|so) (?=(?:moved|quit|left|got|bought|sold|switched|live|work|joined|started|now|am|is|use|drive)\b)/u,
  );
  let subject = "the user";
  const clauses = parts.map((part) => {
    const clause = VERB_FIRST.test(part)
      ? `${subject} ${part.charAt(0).toLowerCase()}${part.slice(1)}`
      : part;
    subject = subjectOf(clause) ?? subject;
    return HOMES.reduce((text, [idiom, plain]) => text.replace(idiom, plain), clause);
  });
  const all = parts.length > 1 ? [...clauses, withSubject(told)] : clauses;
  const isUnsure = CONDITIONAL.test(told) || PASSING.test(told) || LONG_AGO.test(told);
  let last: string | null = null;
  return all.map((clause) => {
    const person = PRONOUN.test(clause) ? (last ?? "somebody") : personOf(clause);
    if (person !== null && person !== "the user") last = person;
    return {
      text: clause,
      person,
      isNow: NOW.test(clause),
      isAddition: ADDITION.test(clause),
      isUnsure: isUnsure || isBrief(clause) || TENTATIVE.test(clause),
    };
  });
}

/** Of whom was spoken before. */
const PRONOUN = /^(?:he|she|his|her)(?![\p{L}])/iu;

function withSubject(sentence: string): string {
  return VERB_FIRST.test(sentence)
    ? `the user ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`
    : sentence;
}

const SUBJECT = new RegExp(
  `^(?:the user's ${PERSON}|the user|\\p{Lu}\\p{L}+|the \\p{L}+)(?= )`,
  "u",
);

function subjectOf(clause: string): string | null {
  return SUBJECT.exec(clause)?.[0] ?? null;
}

const OF_A_PERSON = new RegExp(
  `^(?:(?<related>(?:the user|\\p{Lu}\\p{L}+)'s (?:\\p{L}+ )?${PERSON})(?![\\p{L}])|(?:a|one|some|another) (?:\\p{L}+ )?(?<stranger>${PERSON})(?![\\p{L}])|(?<user>(?:\\p{Lu}\\p{L}+ and |the user's ${PERSON} and )?the user)(?= |'s)|(?<name>\\p{Lu}\\p{Ll}+)(?= |'s))`,
  "u",
);

/** Whom a clause tells of. "Anna's" and "the user's" things are Anna's and the user's. */
export function personOf(clause: string): string | null {
  const { related, stranger, user, name } = OF_A_PERSON.exec(clause)?.groups ?? {};
  if (user !== undefined) return "the user";
  return related ?? stranger ?? (name === undefined || isEverydayWord(name) ? null : name);
}

/** "No more classes", "Rent went up": a capital alone makes no name. */
function isEverydayWord(word: string): boolean {
  return termsOf(word).some(({ isStop, isCommon }) => isStop || isCommon);
}
