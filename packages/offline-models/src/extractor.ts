import { fold, sentencesOf } from "@agent-memory/text";
import { resolveNearDays, resolveRelativeDates } from "@agent-memory/text/dates";
import {
  type Antecedents,
  afterMention,
  afterQuestion,
  antecedentsAfter,
  NO_ANTECEDENTS,
  withAntecedent,
} from "./antecedents.ts";
import { inPlainEnglish } from "./casual.ts";
import { tellsOfChange } from "./changes.ts";
import { clausesOf, readClause } from "./clause.ts";
import { giveWay } from "./give-way.ts";
import { ownWords, playsRole } from "./given-text.ts";
import { type Grammar, loadGrammar, render } from "./grammar.ts";
import { isForeignProse, isForeignSentence } from "./language.ts";
import {
  type Conversation,
  type ExtractedFact,
  type Extractor,
  LOCAL_EXTRACTOR,
  MAX_FACTS,
  MAX_REJECTED_FACTS,
  type RejectedFact,
} from "./models.ts";
import { givenName, withoutLeadIns, withoutOpening, withoutTrailer } from "./openings.ts";
import { isWorthKeeping, mayTellOfSpeaker, OF_ONESELF, standingOrder } from "./remarks.ts";
import { completed, own, questionOf } from "./replies.ts";
import { createRetractionReader, takenBack } from "./retractions.ts";
import { statedPeriod } from "./stated-period.ts";
import { toThirdPerson, UNNAMED_SPEAKER } from "./third-person.ts";
import { leavesOutSubject } from "./told-clauses.ts";
import { topicOf } from "./topics.ts";

/** A conversation of more or longer sentences is cut off here; reading one takes up to 20 ms. */
const MAX_SENTENCES = 2_000;
const MAX_READ_CHARACTERS = 128 * 1024;

const ASKING =
  "(?:ca|wo)n't|can|could|would|will|should|shall|may|do|does|did|is|are|was|were|has|have|what|how|which|where|when|who|why|any|right|remember";
/** "My train leaves at 8, can you remind me?": what is stated before it is asked. */
const STATED = new RegExp(`^(?!(?:${ASKING})\\b).*?(?=, (?:and |but |so )?(?:${ASKING})\\b)`, "iu");

/** Reads what the user says, by the rules of English sentences. What other roles say is no fact. */
export function createLocalExtractor(): Extractor {
  return {
    ...LOCAL_EXTRACTOR,
    async extract(conversation, { signal }) {
      signal.throwIfAborted();
      const grammar = await loadGrammar();
      const { sentences, rejected } = await statementsOf(conversation, signal);
      const facts = new Map<string, ExtractedFact>();
      /** Messages with more of the user than was read. */
      const unread = new Set<number>();
      /** Messages with more facts than are kept. */
      const full = new Set<number>();
      const retractions = createRetractionReader(conversation.messages, grammar, facts);
      let speaker = UNNAMED_SPEAKER;
      let antecedents: Antecedents = NO_ANTECEDENTS;
      let messageIndex = -1;
      for (const sentence of sentences) {
        await giveWay(signal);
        // People stay known from message to message, things do not.
        if (sentence.messageIndex !== messageIndex) antecedents = { ...antecedents, it: null };
        messageIndex = sentence.messageIndex;
        const taken = takenBack(sentence.text, sentence.isQuestion);
        const by = sentence.by ?? speaker;
        const read = readSentence({ ...sentence, text: taken.rest }, grammar, by, antecedents);
        ({ antecedents } = read);
        const statements = read.statements.map(({ text }) => text);
        if (read.isUnread && taken.said.length === 0) unread.add(messageIndex);
        retractions.read({ ...sentence, taken, speaker: by, statements });
        if (sentence.by === null) ({ speaker } = read);
        for (const statement of read.statements) {
          const { at } = conversation;
          const near = resolveNearDays(statement.text, at, statement.isPast);
          const decision = resolveRelativeDates(near, at);
          const key = fold(decision);
          if (facts.has(key)) continue;
          if (facts.size === MAX_FACTS) full.add(messageIndex);
          else
            facts.set(key, {
              decision,
              summary: decision,
              ...topicOf(decision),
              messageIndex,
              quote: sentence.typed,
              ...statedPeriod(decision, at),
              category: null,
            });
        }
      }
      const found = retractions.found();
      const known = new Set(rejected.map(({ messageIndex }) => messageIndex));
      const left = (messageIndex: number) => ({ fact: null, isRetraction: false, messageIndex });
      for (const one of unread.difference(known)) rejected.push({ ...left(one), reason: "unread" });
      for (const one of full) rejected.push({ ...left(one), reason: "limit" });
      return {
        facts: [...facts.values()],
        retractions: found,
        rejected: rejected
          .toSorted((a, b) => (a.messageIndex ?? 0) - (b.messageIndex ?? 0))
          .slice(0, MAX_REJECTED_FACTS),
      };
    },
  };
}

interface SaidSentence {
  readonly text: string;
  /** As it stands in the message. */
  readonly typed: string;
  /** The name of who said it; null: it is not told. */
  readonly by: string | null;
  readonly messageIndex: number;
  readonly isQuestion: boolean;
  /** What the assistant asked just before, or null. */
  readonly repliesTo: string | null;
}

interface Stated {
  readonly text: string;
  /** It tells of what has happened. */
  readonly isPast: boolean;
}

/** "Currently reading Emma", "Working on the shed with Ole": "I am" is left out. */
const DOING =
  /^(?:(?:[Cc]urrently|[Nn]ow|[Ss]till) |(?=\S+ (?:on|for|with|at|in|as|the|an?|my|our|\p{Lu}\S*) ))(?!(?:[Gg]ett|[Dd]ur|[Rr]egard|[Mm]eet|[Bb]uild|[Tt]rain|[Pp]aint|[Pp]ark|[Hh]ous|[Dd]in)ing\b)\p{L}+ing /u;
/** What is said under a condition is no fact, but for "if you need it". */
const CONDITION =
  /^(?:if (?!you)|unless|in case (?!of)|assuming|supposing|provided|providing|as (?:long|soon) as|should (?!be|have)|had (?:i|we|he|she|it|they))\b[^,]*,/iu;
/** "We're five", "we are the night shift" */
const OF_A_GROUP =
  /\bwe(?:'| a)re (?=(?:an? (?!bit|few|little|lot|hour)|the |\d+ (?!k?m\b)|two |three |four |five |six |seven |eight |nine |ten )\S|(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: now)?[,.!]?$)/giu;
/** "4091... no, 4019": a value, and what takes it back for the next. */
const CORRECTED =
  /(?<= )(?:(\d)[\d.,:]*|\p{Lu}[\p{L}'-]*)(?: \p{Lu}\p{L}+)?(?:[.…]+|,| [–—-]) (?:[Nn]o|[Ss]orry|[Oo]ops|[Ww]ait|I mean|or rather),?(?: wait,?)? (?:(?:at|on|in) )?(?=(?:(\d)[\d.,:]*|\p{Lu}[\p{L}'-]*)(?: \p{Lu}\p{L}+)?[.!)]*(?:$|\n))/gmu;
/** "Promised to come on Monday", "a sofa that arrives on Monday", "have got an exam on Monday": it lies ahead. */
const PLANNED =
  /\b(?:promised|agreed|planned|offered|arranged|asked|invited|told|wanted|hoped)\b.* to \p{Ll}+|\bthat (?!has|was|is)\p{Ll}+s\b|\bha(?:ve|s) got (?!\p{L}+ed |back |home |rid )/u;
const POLITELY = /^(?:(?:can|could|would|will) you (?:please )?|i(?:'d| would) like you to )/iu;

/** What the user states of their own life, and the messages with more in them. */
async function statementsOf({ messages }: Conversation, signal: AbortSignal) {
  const sentences: SaidSentence[] = [];
  const rejected: RejectedFact[] = [];
  let charactersToRead = 0;
  let asked: string | null = null;
  let isPlaying = false;
  for (const [messageIndex, { role, content, name = null }] of messages.entries()) {
    if (content === "") continue;
    if (role === "assistant") asked = questionOf(content);
    if (role !== "user") continue;
    let repliesTo = asked;
    asked = null;
    await giveWay(signal);
    const isForeign = isForeignProse(content);
    const own = ownWords(content);
    const notRead = new Set<RejectedFact["reason"]>(own.isGiven ? ["instruction"] : []);
    const corrected = own.text.replace(CORRECTED, (said, from, to) => (!from === !to ? "" : said));
    for (const { text: typed, isQuestion, isTooLong } of sentencesOf(corrected)) {
      if (isTooLong && OF_ONESELF.test(typed)) notRead.add("unread");
      if (isTooLong) continue;
      isPlaying = playsRole(typed) ?? isPlaying;
      if (isPlaying) notRead.add("instruction");
      const isOther = !isPlaying && isForeignSentence(typed, isForeign);
      if (isOther) notRead.add("unsupported_language");
      const text = isPlaying || isOther ? "" : inPlainEnglish(typed);
      if (text === "") continue;
      if (sentences.length === MAX_SENTENCES || charactersToRead >= MAX_READ_CHARACTERS) {
        notRead.add("limit");
        break;
      }
      charactersToRead += text.length;
      sentences.push({ text, typed, by: name, messageIndex, isQuestion, repliesTo });
      repliesTo = null;
    }
    for (const reason of notRead)
      rejected.push({ fact: null, isRetraction: false, messageIndex, reason });
  }
  return { sentences, rejected };
}

function readSentence(
  { text, isQuestion, repliesTo }: SaidSentence,
  grammar: Grammar,
  speakerBefore: string,
  antecedentsBefore: Antecedents,
) {
  const stated = repliesTo === null || isQuestion ? null : completed(repliesTo, text, grammar);
  const sentence = stated ?? text;
  let speaker = speakerBefore;
  let antecedents = antecedentsBefore;
  const statements: Stated[] = [];
  if (repliesTo !== null) antecedents = afterQuestion(grammar(own(repliesTo)), antecedents);
  if (isQuestion) antecedents = afterMention(grammar(sentence), antecedents);
  let isUnread = false;
  let rest = withoutLeadIns(sentence);
  let asked = rest.replace(POLITELY, "");
  // "Can you remember that I prefer window seats?"
  const begun = sentence.slice(0, sentence.length - rest.length);
  if (isQuestion && !/\b(?:can|could|would|will) you\b/iu.test(begun)) {
    if (/\b(?:me|my|us|our|from now on)\b/iu.test(asked)) tellsOrder(asked);
    asked = rest = STATED.exec(rest)?.[0] ?? "";
  }
  if (rest !== "") {
    const given = givenName(asked, grammar);
    if (given !== null) {
      const text = given.isShortForm
        ? `${speaker === given.name ? UNNAMED_SPEAKER : speaker} goes by ${given.name}`
        : `The user's name is ${given.name}`;
      statements.push({ text, isPast: false });
      if (!given.isShortForm || speaker === UNNAMED_SPEAKER) speaker = given.name;
      rest = given.rest;
    }
    rest = rest
      .replace(/\b(we|them) (?:all|both) (?=\p{Ll})/giu, "$1 ")
      .replace(/\bof us\b/giu, "of our group")
      .replace(OF_A_GROUP, "our group is ");
    const isDoing = DOING.test(rest) && readClause(grammar(rest)) === null;
    if (isDoing || (leavesOutSubject(rest) && !/^\S+ing\b/u.test(rest)))
      rest = `I ${isDoing ? "am " : ""}${rest.charAt(0).toLowerCase()}${rest.slice(1)}`;
    readClauses(tellsOrder(given === null ? asked : rest) ?? rest);
  }
  isUnread ||= statements.length === 0 && mayTellOfSpeaker(rest);
  return { statements, speaker, antecedents, isUnread };

  /** What stands behind an order that holds for later; null: none is told. */
  function tellsOrder(part: string): string | null {
    const [order = part, rest = ""] = part.split(/, (?=(?:i|i'm|my|we|our|it|it's|they)\b)(.+)/iu);
    const standing = standingOrder(order, grammar);
    if (standing === null) return null;
    statements.push({ text: toThirdPerson(grammar(standing), speaker), isPast: false });
    return rest;
  }

  function readClauses(rest: string): void {
    const opened = withoutOpening(rest);
    const parts = CONDITION.test(rest) ? [] : clausesOf(grammar(opened.rest));
    for (const [i, part] of parts.entries()) {
      const said = render(part);
      const written = said.replace(/^because /iu, "");
      if (tellsOrder(written) !== null) continue;
      const own = withoutOpening(withoutLeadIns(withoutTrailer(written)));
      const bare = `${own.rest}${own.opening}${i === 0 ? opened.opening : ""}`;
      const resolved = withAntecedent(bare === said ? part : grammar(bare), antecedents);
      const clause = readClause(resolved) ?? readClause(grammar(render(resolved)));
      const isKept = clause !== null && isWorthKeeping(clause, render(resolved));
      const isTold = isKept || (!/\b(?:you|whose)\b/iu.test(written) && tellsOfChange(written));
      antecedents =
        clause !== null && (isTold || /^(?:my|our)$/u.test(clause.subject[0]?.lower ?? ""))
          ? antecedentsAfter(clause, antecedents)
          : afterMention(resolved, antecedents);
      isUnread ||= clause !== null && !isTold && mayTellOfSpeaker(written);
      if (!isTold) continue;
      const isPast =
        clause === null || ((clause.isPast || clause.isPerfect) && !PLANNED.test(written));
      const words = clause?.words ?? resolved;
      const text = toThirdPerson(words, speaker);
      statements.push({ text, isPast });
    }
  }
}
