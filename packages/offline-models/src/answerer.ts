import { fold, LOOKING_BACK, sameAttribute } from "@agent-memory/text";
import { type QuestionTime, questionTime } from "@agent-memory/text/dates";
import {
  type AskedQuestion,
  type KnownUser,
  knownUserIn,
  ofUser,
  readQuestion,
  withoutName,
} from "./asked-question.ts";
import { changeOf, type NewFact, predicateOf, readNewFact } from "./changes.ts";
import { giveWay } from "./give-way.ts";
import type { Answerer, CitedAnswer, OfferedMemory, Question } from "./models.ts";
import { coverageOf, readPassage, SPEAKER_OF_TURN } from "./relevance.ts";

const MAX_QUOTED_MEMORIES = 3;
/** From here on a memory is taken to answer the question... */
const MIN_RELEVANCE = 0.6;
/** ...and from here on, where it is the most similar one, to be about what was asked. */
const MIN_CLOSENESS = 0.3;
/** Such a memory is given only where the next one is this much less relevant. */
const MAX_SHARE_OF_CLOSEST = 0.8;
/** The first of the memories that answers so surely, by the search, is the closest whatever its words. */
const MIN_SURENESS = 0.5;
/** Others are quoted beside the best one only when they answer nearly as well. */
const SHARE_OF_BEST = 0.9;
/** So many of the memories whose words fit best are read as sentences. */
const MAX_READ_MEMORIES = 5;

/** A text of so many characters says more than one thing. */
const MIN_LONG_CHARACTERS = 80;

/** A memory up to this length is quoted whole. */
const MAX_PASSAGE_CHARACTERS = 300;
/** Of a longer one this much is searched for the sentence to quote. */
const MAX_SEARCHED_CHARACTERS = 4 * 1024;
const MAX_SENTENCES = 40;

const NOTHING = "No memories found for this company yet.";
const NONE_ANSWERS: CitedAnswer = {
  answer: NOTHING,
  answerWithCitations: NOTHING,
  cited: [],
  grounded: true,
  answerKind: "none",
};

interface Candidate {
  readonly memory: OfferedMemory;
  readonly passage: string;
  readonly coverage: number;
  readonly relevance: number;
  /** Whom and what it is about is what was asked for; of the best ones. */
  readonly isAbout?: boolean;
  /** What makes it earlier: another gives a later value of the same attribute. */
  readonly later?: OfferedMemory;
}

/** Memories that were read for a question, those with most of its words first. */
interface Reading {
  readonly question: AskedQuestion;
  /** Those that may be quoted alone. */
  readonly best: readonly Candidate[];
  readonly others: readonly Candidate[];
}

/** Quotes the memories that fit the question, or else the closest; it says nothing in words of its own. */
export function createLocalAnswerer(): Answerer {
  return {
    async answer(asked, { signal }) {
      signal.throwIfAborted();
      const { memories, now, asOf, past } = asked;
      const user = knownUserIn(memories.map(({ decision }) => decision));
      const text = withoutName(asked.text, user);
      const read: Read = (question, found) => readFor(question, found, user, signal);
      const time = (asOf ?? past) === undefined ? null : questionTime(text, asOf ?? now);
      if (past !== undefined) {
        const ofThen = await statedOfThen({ ...asked, text }, time, read);
        if (ofThen !== null) return ofThen;
      }
      const holding = past === undefined ? memories : memories.filter((each) => !isOver(each, now));
      const reading = await read(readQuestion(time?.rest ?? text), holding);
      const stated = typeof past === "bigint" ? [] : answeringOf(reading);
      if (stated.length === 0 && SINCE_WHEN.test(text)) {
        const held = answeringOf(await read(readQuestion(text.replace(SINCE_WHEN, "")), holding));
        // A start that somebody stated is a day, any other the moment of the write.
        const [told] = held.filter(({ memory }) => memory.validFrom % MICROSECONDS_A_DAY === 0n);
        if (told) return cite([told], "stated", `Since ${dayOf(told.memory.validFrom)}: `);
      }
      // What holds only since tells nothing of a moment before it.
      const closest = closestOf(reading, holding).filter(
        ({ memory, passage }) =>
          typeof past !== "bigint" || memory.validFrom <= past || predicateOf(passage).isPast,
      );
      const sure = stated.length > 0 ? stated : closest;
      const quoted = [...sure, ...likelyOf(reading)]
        .filter(({ passage }, i, all) => all.findIndex((each) => each.passage === passage) === i)
        .slice(0, MAX_QUOTED_MEMORIES);
      if (quoted.length === 0) return NONE_ANSWERS;
      const isAnswered =
        past !== "ever" || stated.some(({ passage }) => predicateOf(passage).isPast);
      if (stated.length > 0 && isAnswered) return cite(quoted, "stated");
      return cite(quoted, "closest", `The closest memor${quoted.length === 1 ? "y" : "ies"}: `);
    },
  };
}

const MICROSECONDS_A_DAY = 86_400_000_000n;
/** Where no text says it, since when a memory holds does. */
const SINCE_WHEN = /^(?:since when|(?:for )?how long (?=ha(?:s|ve)\b))/iu;

type Read = (question: AskedQuestion, memories: readonly OfferedMemory[]) => Promise<Reading>;

/** What memories state of the past that is asked for, and when it held; null: none does. */
async function statedOfThen(
  { text, memories, now, past }: Question,
  time: QuestionTime | null,
  read: Read,
): Promise<CitedAnswer | null> {
  if (typeof past === "bigint") {
    // What was told later, with its time in words.
    const dated = memories.filter(
      ({ decision, validFrom }) => questionTime(decision, validFrom)?.moment === past,
    );
    const question = readQuestion(time?.rest ?? text);
    const told = answeringOf(await read(question, dated));
    const held = memories.filter((each) => each.validFrom <= past && !isOver(each, past));
    const isHeldAsked = told.length === 0 && question.terms.length > 0;
    const stated = isHeldAsked ? answeringOf(await read(question, held)) : told;
    const lead = isHeldAsked ? `As of ${dayOf(past)}: ` : "";
    return stated.length === 0 ? null : cite(stated, "stated", lead);
  }
  const [wanted = "", before = ""] = text.split(/(?<=.)\bbefore\b/iu);
  const event = readQuestion(`What of ${before}`);
  const bound =
    memories.find(({ decision }) => coverageOf(decision, event) === 1)?.validFrom ?? now;
  const ended = memories.filter((each) => isOver(each, bound) && isOver(each, now));
  const question = readQuestion(wanted.replace(new RegExp(LOOKING_BACK, "giu"), " "));
  const stated = answeringOf(await read(question, ended));
  const reading = await read(question, memories);
  const told = answeringOf(reading);
  const earlier = told.filter(({ later }) => later !== undefined && later.validFrom <= bound);
  const latest = [...stated, ...earlier].toSorted((a, b) => Number(endOf(b) - endOf(a)))[0];
  if (latest !== undefined) return cite([latest], "stated", `Until ${dayOf(endOf(latest))}: `);
  // "Lived in Leeds until 2024" tells of itself that it is over.
  const over = reading.best.find(
    ({ passage, relevance }) => relevance >= MIN_RELEVANCE && predicateOf(passage).isPast,
  );
  return over === undefined ? null : cite([over], "stated");
}

function isOver({ validTo }: OfferedMemory, at: bigint): boolean {
  return validTo !== null && validTo <= at;
}

function endOf({ memory: { validTo, validFrom }, later }: Candidate): bigint {
  return validTo ?? later?.validFrom ?? validFrom;
}

const DAYS = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** "31 March 2026" */
function dayOf(moment: bigint): string {
  return DAYS.format(Number(moment / 1_000n));
}

async function readFor(
  question: AskedQuestion,
  memories: readonly OfferedMemory[],
  user: KnownUser,
  signal: AbortSignal,
): Promise<Reading> {
  const candidates: Candidate[] = [];
  for (const memory of memories) {
    if (memory.decision.length > MAX_PASSAGE_CHARACTERS) await giveWay(signal);
    const passage = passageOf(memory.decision, question);
    const coverage = coverageOf(ofUser(passage, question, user), question);
    if (coverage > 0) candidates.push({ memory, passage, coverage, relevance: coverage });
  }
  candidates.sort(byRelevance);
  const close = candidates.filter(({ coverage }) => coverage >= MIN_CLOSENESS);
  const best = close.slice(0, MAX_READ_MEMORIES).map((candidate): Candidate => {
    const { fit, isAbout } = readPassage(ofUser(candidate.passage, question, user), question, user);
    return { ...candidate, relevance: candidate.coverage * fit, isAbout };
  });
  return { question, best, others: candidates.slice(best.length) };
}

/** Those that answer, and nearly as well as the best of them; earlier values behind the present one. */
function answeringOf(reading: Reading): Candidate[] {
  const { best: candidates, question } = reading;
  const answering = candidates.filter(
    ({ relevance, passage }) => relevance >= MIN_RELEVANCE && isTold(passage, question),
  );
  const chosen = inTheirTime(answering.sort(byRelevance), reading);
  const present = chosen.filter(({ later }) => later === undefined);
  const [best] = present;
  return present
    .filter(
      ({ relevance, memory }) =>
        best !== undefined &&
        relevance >= best.relevance * SHARE_OF_BEST &&
        memory.similarity >= best.memory.similarity * SHARE_OF_BEST,
    )
    .flatMap((one) => [one, ...chosen.filter(({ later }) => later === one.memory)])
    .slice(0, MAX_QUOTED_MEMORIES);
}

/** The first of the memories, where it is clearly closer than the others, or the search is sure of it. */
function closestOf({ best, question }: Reading, [first]: readonly OfferedMemory[]): Candidate[] {
  if (first === undefined) return [];
  const closest = best.find(({ memory }) => memory === first);
  const { relevance, isAbout } = closest ?? { relevance: 0, isAbout: false };
  const most = relevance * MAX_SHARE_OF_CLOSEST;
  const isClear = best.every((each) => each === closest || each.relevance <= most);
  const isClosest = relevance >= MIN_CLOSENESS && isClear && isAbout;
  if (!isClosest && first.relevance < MIN_SURENESS) return [];
  const passage = passageOf(first.decision, question);
  return [closest ?? { memory: first, passage, coverage: 0, relevance }];
}

/** Longer texts and turns that may answer. Their order tells more than their words do. */
function likelyOf({ best, others, question }: Reading): Candidate[] {
  const isLikely = ({ memory: { decision } }: Candidate) =>
    (decision.length >= MIN_LONG_CHARACTERS || SPEAKER_OF_TURN.test(decision)) &&
    coverageOf(decision.slice(0, MAX_SEARCHED_CHARACTERS), question) >= MIN_CLOSENESS;
  return [...best, ...others].filter(isLikely).sort((a, b) => a.memory.number - b.memory.number);
}

/** Whether a turn says it of whom is asked for: "I" is its speaker, "you" somebody else. */
function isTold(passage: string, question: AskedQuestion): boolean {
  const [label = "", speaker] = SPEAKER_OF_TURN.exec(passage) ?? [];
  const { subjectName } = question;
  if (speaker === undefined || subjectName === null) return true;
  const isSubject = fold(speaker) === subjectName;
  const told = sentencesIn(passage.slice(label.length)).filter((sentence) => {
    if (sentence.endsWith("?")) return false;
    if (isSubject) return !OF_OTHERS.test(sentence) || OF_SPEAKER.test(sentence);
    return OF_OTHERS.test(sentence) || fold(sentence).includes(`${subjectName}'s `);
  });
  return coverageOf(`${subjectName}: ${told.join(" ")}`, question) >= MIN_RELEVANCE;
}

const OF_OTHERS = /\byou(?:r|rs|'re|'ve)?\b/iu;
const OF_SPEAKER = /\b(?:i|my|me|we|our|i'm|i've|mine)\b/iu;

function byRelevance(a: Candidate, b: Candidate): number {
  return b.relevance - a.relevance || b.memory.similarity - a.memory.similarity;
}

/** Each as one line that ends like a sentence; what is no longer the present is said to be earlier, and since when. */
function cite(quoted: readonly Candidate[], kind: "stated" | "closest", lead = ""): CitedAnswer {
  const quotes = quoted.map(({ memory, passage, later }, i) => {
    const isSentence = /[.!?…。！？]["')\]]?$/u.test(passage);
    const [day, dayOfLater] = [memory, later ?? memory].map(({ validFrom }) => dayOf(validFrom));
    const earlier = day === dayOfLater ? "Earlier: " : `Earlier, since ${day}: `;
    const opening = (i === 0 && lead) || (later === undefined ? "" : earlier);
    return { text: `${opening}${passage}${isSentence ? "" : "."}`, number: memory.number };
  });
  return citeQuotes(quotes, kind);
}

/** "Plan = free" */
const GIVES = / ?= ?/u;

/** Those that hold now, and with a later value beside them those that held earlier; of repeats the newest. */
function inTheirTime(candidates: readonly Candidate[], { best, question }: Reading): Candidate[] {
  const { isOfPresent, expected, requested } = question;
  const isOfThing = requested !== null && expected !== "person";
  const areOfOne = (older: string, newer: string) =>
    isOfThing && / is /u.test(older) && sameAttribute(older, newer) !== null;
  const newestFirst = best.toSorted((a, b) => Number(b.memory.validFrom - a.memory.validFrom));
  const facts = new Map<string, NewFact>();
  return candidates.flatMap((candidate) => {
    const { memory, passage } = candidate;
    if (newestFirst.find((other) => other.passage === passage) !== candidate) return [];
    for (const other of newestFirst) {
      const { memory: later, passage: newer, relevance } = other;
      if (later.validFrom <= memory.validFrom) break;
      const isAsNear = memory.similarity >= later.similarity * SHARE_OF_BEST;
      const isOfOneValue = isOfPresent && (expected === "number" || areOfOne(passage, newer));
      if (isOfOneValue && isAsNear && relevance >= candidate.relevance)
        return [{ ...candidate, later }];
      const fact = facts.get(newer) ?? readNewFact(newer.replace(GIVES, ": "));
      facts.set(newer, fact);
      const change = changeOf(fact, passage.replace(GIVES, ": "));
      if (change === null) continue;
      // It tells what holds now, in fewer words of the question.
      const now = candidates.includes(other) ? [] : [{ ...other, relevance: candidate.relevance }];
      return change.isRepeat ? now : [...now, { ...candidate, later }];
    }
    return [candidate];
  });
}

/** What to quote of a memory: all of a short one, the sentence of a long one that answers best. One line. */
function passageOf(decision: string, question: AskedQuestion): string {
  const text = decision.slice(0, MAX_SEARCHED_CHARACTERS).replace(/\s+/gu, " ").trim();
  if (text.length <= MAX_PASSAGE_CHARACTERS) return text;
  const sentences = sentencesIn(text).slice(0, MAX_SENTENCES);
  const rated = sentences.map((sentence) => ({ sentence, rating: coverageOf(sentence, question) }));
  const { sentence } = rated.reduce((best, other) => (other.rating > best.rating ? other : best));
  return sentence.length <= MAX_PASSAGE_CHARACTERS
    ? sentence
    : `${sentence.slice(0, MAX_PASSAGE_CHARACTERS).trimEnd()}…`;
}

function sentencesIn(text: string): string[] {
  return text.split(/(?<=[.!?。！？])\s+/u);
}

/** An answer of nothing but quotes of memories or words about them, the memory's marker behind each. */
export function citeQuotes(
  quotes: readonly { readonly text: string; readonly number: number }[],
  answerKind: "stated" | "closest",
): CitedAnswer {
  const cited = [...new Set(quotes.map(({ number }) => number))];
  const texts = quotes.map(({ text }) => unmarked(text));
  const marked = quotes.map(({ number }, i) => `${texts[i]} [mem-${cited.indexOf(number) + 1}]`);
  return {
    answer: texts.join(" "),
    answerWithCitations: marked.join(" "),
    cited,
    grounded: answerKind === "stated",
    answerKind,
  };
}

/** What clients read as a marker, and what is near to it. */
const MARKER = /[[【［]\s*mem[-\s]?\d+(?:\s*[,;]\s*(?:mem[-\s]?)?\d+)*\s*[\]】］]/giu;

/** A quote without halves of characters: brackets go until no marker is left, as of `[[mem-1]]`. */
function unmarked(text: string): string {
  const bare = text.replace(MARKER, (marker) => marker.slice(1, -1)).replace(/\p{Cs}/gu, "");
  return bare === text ? text : unmarked(bare);
}
