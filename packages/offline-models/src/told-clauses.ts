import {
  baseOfVerb,
  pastOf,
  remembered,
  straightenApostrophes,
  thirdPersonOf,
} from "@agent-memory/text";
import { IS } from "./casual.ts";
import { withoutLeadIns } from "./openings.ts";
import { PERSON } from "./whom.ts";

/** A clause of a text as it is said of a third person: "the user moved to Rome". */
export interface ToldClause {
  readonly text: string;
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
  /\b(?:if|unless|whether|would|'d (?:like|love|rather)|imagine|suppose|in case|wonder\p{L}*)\b/iu;
/** What is wished or planned. */
const TENTATIVE =
  /\b(?:(?<!not )wants?(?! (?:\p{L}+ )?(?:answers|replies)| to be (?:called|answered))|not want to|wanted|wanting|plans?(?= (?:to|on|for)\b)|planned|planning|thinking|thinks?|thought|considering|considered|hopes?|hoping|wish|wishes|about to|(?:is|are|was|were) going to (?!the |an? |their |\p{Lu})|will|won't|'ll|almost|nearly|maybe|perhaps|probably|possibly|dream\p{L}*|tempted|supposed|evaluating|trying|tried to|try to|tries to|interested in|offered|asked|recommends?|recommended|suggests?|suggested|told (?:me|the user)|says|said|not sure|need to|needs to|have to|has to|ought to)\b/iu;
/** What is so for a while only. */
const PASSING =
  /\b(?:this (?:week|month|year)'s|(?:today|tonight|tomorrow)'s|for (?:a|an|the|one|two|three|four|some|\d+) (?:\p{L}+ )?(?:while|moment|night|nights|days?|weeks?|weekend|months?|semester|term|summer|winter|change|time being)|for (?:now|once)|temporar\p{L}+|(?<!\b(?:extended|prolonged|renewed)\b.*)(?:until|till)(?! \d)|borrow\p{L}*|rental|renting a car|rented a|on loan|loaner|visit\p{L}*|(?<!from )vacation|on (?:a |the )?(?:business )?trip|(?:at|for) (?:an?|the) conference|(?:filling|standing|covering|stepping) in|as a (?:joke|test|trial|experiment)|trial|on holiday|\p{L}+ing\b.*\bover (?:christmas|easter|the (?:weekend|holidays))|while (?:the|my|mine|his|her|it|I|we|the user|they))\b/iu;
const BRIEFLY =
  /\b(?:in the week of \d{4}|(?:this|(?<!(?:in|of) )the) (?:week|weekend|morning|afternoon|evening|once|time|month)|(?<!(?:from|starting|since|as of|by) )(?:this (?:mon|tues|wednes|thurs|fri|satur|sun)day|next (?:week|weekend|time))|today|tonight|tomorrow|did not .*(?:on \p{L}+day|yesterday|last (?:week|night|time)))\b/iu;
const LEFT_OUT_ONCE =
  /\b(?:is|are|was|were) (?:cancell?ed|off|closed) (?:today|tonight|tomorrow|this|next)\b/iu;
/** What is done once, and lasts: it may well have been today. */
const LASTING =
  /\b(?:sold|quit|left|joined|started|signed|moved (?:to|into|in with|out)|cancell?ed|bought|turned|adopted|died|resigned|retired|graduated|switched|gave up|swapped|traded|replaced|deleted|promoted|married|engaged|divorced|fired|laid off|became|changed|renamed|dropped|got(?! up)|picked up|took over|made|passed|landed|accepted|broke up|split up|settled|relocated|migrated|ditched|stopped|upgraded|converted|since|as of|no longer|any ?more|finally|for good|from now on|new|stolen|stole|released|shipped|paid|hit|born|dyed|painted|cut)\b/iu;
/** What is over. */
const LONG_AGO =
  /\b(?:used to|back (?:in|at) (?!the office|work|home)|(?:years|decades|ages) ago|before that|as a (?:child|kid|student|teenager|boy|girl)|when (?:the user|he|she|they|I) (?:was|were)|in (?:19\d\d|200\d|201\d)(?<!born in \d{4})|once (?:lived|worked|had|owned|drove)|in those days)\b/iu;
const ADDITION =
  /\b(?:also|too|as well|another|an? (?:second|extra|spare|additional)|(?:as a|second|side) (?:second|job|gig|hustle)|additional(?:ly)?|(?:\d+|two|three|four|five|some|several) (?:new|more|other)|besides|on the side|on weekends|at weekends|on top of|alongside|part of)\b/iu;
const NOW =
  /\b(?:now|nowadays|these days|lately|any ?more|any longer|no longer|no more|from now on|from the week of [\d-]+ on|from (?:today|monday|next \p{L}+|this \p{L}+) on|as of|starting (?:next|this|in|from|monday)|going forward|since (?:last|this|the|yesterday|monday|january|february|march|april|may|june|july|august|september|october|november|december|we|i|new year)|instead|finally|meanwhile|currently|again|by now|at last|new|latest|updated?|correction|changed|for good|officially|after all)\b/iu;

const FORMS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:I|i|we|We)'(?:ve)\b/gu, "the user has"],
  [/\b(?:I|i|we|We)'(?:m|re)\b/gu, "the user is"],
  [/\b(?:I|i|we|We)(?='d|'ll| |$|,)/gu, "the user"],
  [/\b(?:My|my|Our|our)\b/gu, "the user's"],
  [/\b(?:me|us)\b/gu, "the user"],
  [/\b(is|are|was|were|has|have|does|do|did)n't\b/giu, "$1 not"],
  [/\bcan(?:'t|not)\b/giu, "can not"],
  [IS, " is"],
  [/\b(grand)?(?:ma|mum|mom|mummy|mommy)\b/giu, "$1mother"],
  [/\b(grand)?(?:pa|dad|daddy)\b/giu, "$1father"],
  [/^(?:the user's )?mother and (?:the user's )?father\b/iu, "the user's parents"],
  [/\b(?:hates?|dislikes?|can(?:not|'t| not) stand)\b/giu, "does not like"],
  [/\b(wi|e)-(?=fi\b|mail\b)/giu, "$1"],
  [/\bfav(?:orite)?\b/giu, "favourite"],
  [/\bcolor\b/giu, "colour"],
  [/^(?=(?:grand)?(?:mother|father) )/iu, "the user's "],
  [/^T(?=hey? \p{L})/u, "t"],
];
/** A question without its mark. */
const ASKS =
  /^(?:is|are|was|were|do|does|did|has|have|can|could|will|would|should) (?:the|my|our|your|his|her|this|that|there|it|he|she|they|we|you|i|any\p{L}*)\b/iu;

/** Sentence by sentence, clause by clause, what a short text says; a question says nothing. */
export const clausesTold = remembered((text): readonly ToldClause[] => {
  const read = straightenApostrophes(text.slice(0, MAX_CHARACTERS)).replace(/\s+/gu, " ").trim();
  const sentences = read.split(/(?<=[.!?;…])(?<!\b(?:Dr|Mr|Mrs|Ms|St|vs|[A-Z])\.)\s+|\s[–—-]+\s/u);
  return sentences
    .filter((sentence) => !/\?\s*$/u.test(sentence) && !ASKS.test(sentence))
    .flatMap(clausesOfSentence)
    .slice(0, MAX_CLAUSES);
});

/** Whether a clause says what is only wished or planned, or what is over. */
export function isNoFact(clause: string): boolean {
  return isTentative(clause) || CONDITIONAL.test(clause) || LONG_AGO.test(clause);
}

function isTentative(clause: string): boolean {
  return TENTATIVE.test(clause) || /\b(?:might|may(?= \p{Ll})|could|should|shall)\b/u.test(clause);
}

/** Whether a text says how things are today or this week, and not that they changed. */
export function isBrief(clause: string): boolean {
  return BRIEFLY.test(clause) && (!LASTING.test(clause) || LEFT_OUT_ONCE.test(clause));
}

function clausesOfSentence(sentence: string): ToldClause[] {
  const bare = withoutLeadIns(sentence.replace(/[.!;…\s]+$/u, ""));
  const told = inThirdPerson(bare).replace(
    /^(?:[Nn]ow|[Tt]hese days|[Nn]owadays|[Cc]urrently|[Ss]ince \p{L}+|[Aa]s of [^,]{1,30}?|[Ff]rom now on|[Ff]rom [^,]{1,20} on|[Ss]tarting [^,]{1,20}|Actually|Correction|Update)(?:,|:)? (?=(?:the|it|they|\p{Lu}\p{Ll}+ (?:is|has|runs|uses))\b)(.*)$/u,
    "$1 now",
  );
  const parts = told.split(
    /[,;:] (?:and |but |so |because )?|(?<=\S+ \S+ \S+) (?:and|but|so|because|since|now that) (?=(?:the user|it|they|he|she|that|there)\b)|(?<=\S+ \S+ \S+) (?:and|but|so) (?=(?:\p{L}+ed|quit|left|got|bought|sold|lives?|works?|now|am|is|uses?|drives?|teaches|earns|pays|plays|takes|has|does|goes)\b)/u,
  );
  let subject = "the user";
  const clauses = parts.map((part) => {
    const clause = withSubject(part, subject).replace(SPOKEN, inPresent);
    subject = SUBJECT.exec(clause)?.[0] ?? subject;
    return clause;
  });
  const isUnsure = CONDITIONAL.test(told) || PASSING.test(told) || LONG_AGO.test(told);
  return clauses.map((text) => ({
    text,
    isNow: NOW.test(text),
    isAddition: ADDITION.test(text),
    isUnsure: isUnsure || isBrief(text) || isTentative(text),
  }));
}

function inThirdPerson(text: string): string {
  const told = FORMS.reduce((rest, [form, long]) => rest.replace(form, long), text);
  return told.replace(/\bhad to (\p{Ll}+)/u, (said, verb: string) =>
    baseOfVerb(pastOf(verb)) === verb ? pastOf(verb) : said,
  );
}

function withSubject(part: string, subject: string): string {
  return leavesOutSubject(part)
    ? `${subject} ${part.charAt(0).toLowerCase()}${part.slice(1)}`
    : part;
}

/** "The user deploy", as one's own words become. */
const SPOKEN = /(?<=^the user (?:(?:only|just|now|also|still|\p{Ll}+ly) )*)\p{Ll}+(?= |$)/u;

function inPresent(verb: string): string {
  const isBase =
    baseOfVerb(verb) === verb && !/^(?:have|quit|cut|put|set|hit|let|read)$/u.test(verb);
  return isBase ? thirdPersonOf(verb) : verb;
}

const SUBJECT = new RegExp(
  `^(?:the user's ${PERSON}(?: \\p{Lu}\\p{L}+)?|the user|\\p{Lu}\\p{L}+|the \\p{L}+)(?= )`,
  "u",
);
/** What may stand before a verb whose subject is left out. */
const BEFORE_IT =
  /^(?:(?:just|finally|recently|also|now|have|has|already|officially|even|and|so|then|actually|lately|only|fully|completely|still|mostly) )+/u;
/** In the past form of these alone "I" is left out: other words look the same. */
const NEVER_ELIDED =
  /^(?:said|told|asked|thought|bit|meant|let|put|set|hit|hurt|shut|read|cost|based|called|named|used|updated|related|attached|fixed|detailed|limited|required|supposed|needed|added|compared|given|provided|known|seen|done|been|gone|hundred|indeed|speed|need|feed|seed|wicked|naked|sacred|advanced|red|married|engaged|divorced|retired|interested|excited|tired|bored|worried|confused|stuck|lost|thanked|listed|noted|linked|shared|mixed|unlimited|unread|hired|getting|trying|looking|wondering|having|being|asking|talking|speaking|regarding|following|including|according|thinking|considering|meeting|building|training|painting|cooking)$/u;

/** Whether "I" is left out, as before "moved to Rome". */
export function leavesOutSubject(text: string): boolean {
  const rest = `${text.charAt(0).toLowerCase()}${text.slice(1)}`.replace(BEFORE_IT, "");
  const word = /^[\p{L}']+/u.exec(rest)?.[0] ?? "";
  const isOwn = /^\S+ (?:my|our)\b/u.test(rest);
  if (NEVER_ELIDED.test(word) && !isOwn) return false;
  if (/^have(?:n't| not) \p{Ll}/u.test(rest) || /^have(?:n't| not) /iu.test(text)) return true;
  const base = baseOfVerb(word);
  const isThird = base !== undefined && word === thirdPersonOf(base);
  const isPast =
    /^\p{L}+[^e]ed$/u.test(word) ||
    (base !== undefined && (word !== base || /^(?:quit|cut)$/u.test(word)) && !isThird);
  return isPast && / /u.test(rest);
}
