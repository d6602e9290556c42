import { fold, sentencesOf, thirdPersonOf } from "@agent-memory/text";
import { readClause } from "./clause.ts";
import type { Grammar } from "./grammar.ts";
import { type ChatMessage, MAX_RETRACTIONS, type Retraction } from "./models.ts";
import { withoutLeadIns } from "./openings.ts";
import { own } from "./replies.ts";
import { toThirdPerson } from "./third-person.ts";
import { topicOf } from "./topics.ts";

/** What a sentence takes back (D25a). */
export interface TakenBack {
  /** What the user held before, in their own words: "I live in Lisbon", "my old address". */
  readonly said: readonly string[];
  /** "That was wrong": what was stated before, if the same message denies nothing. */
  readonly isOfBefore: boolean;
  /** What else it says; empty: nothing. */
  readonly rest: string;
}

const NOTHING: TakenBack = { said: [], isOfBefore: false, rest: "" };
const OF_BEFORE: TakenBack = { said: [], isOfBefore: true, rest: "" };

/** An order is given at the beginning, or behind what leads to it. */
const SEGMENTS =
  /(?:[,;–—]|\s-\s)\s*(?:(?:so|and|but|then)\s+)?|\s+(?:so|and|but)\s+(?=(?:please |you can |just )?(?:forget|delete|remove|erase|scrap|scratch|strike|ignore|disregard|drop|don't|stop|no need)\b)/iu;
const OPENING =
  "(?:(?:please|pls|kindly|just|then|also|now|you (?:can|may|could|should)|(?:can|could|would|will) you(?: please)?|feel free to|i'd like you to|i want you to|i need you to) )*";
const FORGET =
  "(?:forget|unlearn|unremember|never ?mind|stop (?:remembering|assuming|thinking|believing|saying|telling me))";
const ERASE =
  "(?:delete|remove|erase|scrap|scratch|strike|drop|discard|disregard|ignore|wipe|purge|clear|nix|undo|lose|cross out|take (?:back|out)|get rid of)";
/** "the thing about", "what I told you about": what was said, whatever it is. */
const SAID =
  "(?:(?:the |that |this |my )?(?:\\p{L}+ )?(?:thing|part|bit|stuff|fact|info|information|note|entry|memory|story|comment|remark|claim)s?(?: (?:i|we) (?:said|told you|mentioned|gave you|wrote))?(?: (?:earlier|before|about|of|on|that|where|saying|with|yesterday|last time))+|(?:what|everything|anything|all|whatever)(?: that)?(?: (?:i|we)(?:'ve|'d| have| had)? (?:said|told you|mentioned|wrote|shared))?(?: to you)?(?: (?:earlier|before|yesterday|last time|the other day))?(?: (?:about|on|regarding))|(?:me|us|my|i) (?:saying|telling you|mentioning)(?: that)?)";
/** Behind what is taken back: from where, or why. */
const FROM_MEMORY =
  /[,\s]+(?:(?:from|out of) (?:your|the|my)|in (?:your|my)) (?:memor(?:y|ies)|notes?|records?|files?|profile|mind|list|history|data|head|system)(?: (?:about|on|of) (?:me|us))?(?=$|[,.;:!])|[,\s]+from what you (?:know|have|remember|stored).*$/iu;
const REASON =
  /(?:[,;:–—]|\s-)\s*(?:(?:it|that|this|there|he|she|they|we|i|i'm|it's|that's|he's|she's|because|since|as|so|but|and|please|ok|okay|thanks|thank you|will you|would you)\b.*)?$|\s+(?:because|since|please|thanks|thank you|for good|altogether|entirely|completely|again|any ?more|any longer|ok|okay)\b.*$|\s+and (?:everything|anything|all)(?: else)? (?:about|related to|to do with)\b.*$/iu;
const FOR_A_WHILE =
  /\b(?:for (?:a|one|this|now|the|today|once)|just for|while|until|today|tonight|tomorrow|this (?:week|time|once|morning|evening))\b/iu;

const FORGETS = new RegExp(
  `^${OPENING}${FORGET}(?: (?:about|${SAID}))?(?: (?:the fact that|that))? (?<what>.+)$`,
  "iu",
);
const ERASES_SAID = new RegExp(
  `^${OPENING}(?:i |let me |i'd like to |i want to )?${ERASE} ${SAID}(?: (?:the fact that|that))? (?<what>.+)$`,
  "iu",
);
const ERASES = new RegExp(`^${OPENING}${ERASE} (?:the fact that |that )?(?<what>.+)$`, "iu");
const THIS =
  /^(?:it|that|this|them|those|all (?:of )?(?:it|that|this)|that one|what i (?:just )?said)$/iu;

const WRONG =
  "(?:wrong|not (?:true|right|correct|accurate|the case)(?: at all)?|untrue|incorrect|inaccurate|false|nonsense|rubbish|a (?:mistake|joke|lie|mix-?up|misunderstanding|typo|slip)|made up|outdated|out of date|obsolete|bogus|no longer (?:true|right|correct|accurate|the case|valid|relevant|current)|not (?:true|the case|valid|current) any ?more|history|off the table|(?:about )?(?:somebody|someone) else(?:'s)?|meant for (?:somebody|someone) else)";
const IS = "(?:is|was|were|are|isn't|wasn't|has been|'s)";
const PREPARED =
  "(?:(?:no|wait|hang on|hold on|hm+|oh|ah|oops|sorry|actually|well|ok|so|and|but)[, ]+)*";
/** "What I said about X was wrong", "the part about X is not true", "I never said X", "it's not true that X". */
const SAID_WRONG = [
  `^${PREPARED}(?:that )?${SAID} (?<what>.+?) (?:${IS} |turned out to be )(?:all |just |totally |completely |actually |only )*(?:${WRONG}|true|right|correct)`,
  `^${PREPARED}(?:when )?i (?:said|told you|mentioned|claimed|wrote)(?: (?:earlier|before|yesterday))?(?: that)? (?<what>.+?)(?: (?:earlier|before|yesterday|last time))?,? (?:but )?(?:i was (?:joking|kidding|lying|wrong|mistaken)|(?:that|it|this)(?: is| was|'s) (?:just |all |actually )?${WRONG})`,
  `^${PREPARED}it(?:'s| is| was| isn't) (?:${WRONG}|true) that (?<what>.+)$`,
  `^${PREPARED}i (?:never|didn't|did not) (?:said?|told? you|mention(?:ed)?|claim(?:ed)?|mean(?:t)? (?:to say )?)(?: that)? (?<what>.+)$`,
  `^${PREPARED}(?:turns out )?(?:i (?:was|am)|i'm|i've been) (?:only |just )?(?:wrong|mistaken|lying|joking|kidding|confused) (?:about|on|when i said)(?: that)? (?<what>.+)$`,
].map((words) => new RegExp(words, "iu"));
/** "That was wrong", "I was mistaken", "scratch that". */
const THAT_IS_WRONG = new RegExp(
  `^${PREPARED}(?:(?:that|this|it|what i (?:just )?said)(?: ${IS}|'s) (?:just |all |actually |totally )?${WRONG}|(?:i was|i am|i'm|turns out i was|i stand) (?:wrong|mistaken|corrected|joking|kidding|lying)(?: there| about (?:that|it))?|my (?:mistake|bad)|(?:cancel|scratch|strike|undo) that|i got (?:that|it|this) wrong|you(?:'ve| have)? (?:got|had|have) (?:that|it|this) wrong|i (?:don't|do not) know where you got (?:that|it|this)(?: from)?|i (?:take (?:that|it) back|made (?:that|it) up|misspoke|mixed (?:that|it|them) up))(?:\\s*[,.;:!–—-]\\s*(?<rest>.*))?$`,
  "iu",
);
/** Reads one sentence of a user's, as it is typed. */
export function takenBack(sentence: string, isQuestion: boolean): TakenBack {
  const nothing = { ...NOTHING, rest: sentence };
  if (isQuestion && !/^(?:can|could|would|will) you\b/iu.test(sentence)) return nothing;
  const whole = ofSegment(sentence);
  if (whole !== NOTHING) return whole;
  const segments = sentence.split(SEGMENTS).map(ofSegment);
  return {
    said: segments.flatMap(({ said }) => said),
    isOfBefore: segments.some(({ isOfBefore }) => isOfBefore),
    rest: sentence,
  };
}

function ofSegment(segment: string): TakenBack {
  const text = segment.trim();
  const wrong = THAT_IS_WRONG.exec(text)?.groups;
  if (wrong !== undefined) return { ...OF_BEFORE, rest: wrong.rest ?? "" };
  for (const pattern of SAID_WRONG) {
    const { what } = pattern.exec(text)?.groups ?? {};
    if (what !== undefined) return heldBefore(withoutReason(what));
  }
  return ofOrder(text);
}

function ofOrder(text: string): TakenBack {
  const order = withoutLeadIns(text);
  const isOfMemory = FROM_MEMORY.test(order);
  const said =
    ERASES_SAID.exec(order) ??
    FORGETS.exec(order) ??
    (isOfMemory || new RegExp(`^${OPENING}${ERASE} (?:that|it|this)(?:$|[,.;:!])`, "iu").test(order)
      ? ERASES.exec(order)
      : null);
  const what = said?.groups?.what;
  if (what === undefined || FOR_A_WHILE.test(what)) return NOTHING;
  const named = withoutReason(what.replace(FROM_MEMORY, ""));
  if (THIS.test(named)) return /\bforget\b/iu.test(order) && named === "it" ? NOTHING : OF_BEFORE;
  return heldBefore(
    named.replace(/^(?:everything|anything|all)(?: (?:you know|there is))? about /iu, ""),
  );
}

function withoutReason(text: string): string {
  return text.replace(REASON, "").trim();
}

function heldBefore(what: string): TakenBack {
  const said = what
    .replace(FROM_MEMORY, "")
    .replace(/^(?:the fact that|that) /iu, "")
    .replace(/\s+being\s+/iu, " is ")
    .replace(/\s+(?:thing|bit|part|stuff|story)$/iu, "")
    .trim();
  return said.length < 2 || /^(?:you|your)\b/iu.test(said)
    ? NOTHING
    : { said: [said], isOfBefore: false, rest: "" };
}

/** What a text with such words denies did hold before, or was said to. */
const NO_LONGER = /\b(?:no longer|any ?more|any longer|these days|actually|after all)\b/iu;

/**
 * What a statement of a third person denies, or says to be over, as it was: "The user no
 * longer smokes" as "The user smokes". null: it denies nothing.
 */
export function affirmed(statement: string): string | null {
  const over = statement.replace(/,? (?:any ?more|any longer|these days|after all)\b.*$/iu, "");
  const isOver = over !== statement;
  for (const [pattern, held] of DENIALS) {
    const match = pattern.exec(over);
    if (match !== null) return held(match);
  }
  return isOver && / no /iu.test(over) ? over.replace(/ no /iu, " ") : null;
}

const DENIALS: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [
    /^(.{1,80}?) (is|are|was|were|can|could|will|would|should) (?:not|no longer) (.+)$/iu,
    ([, who = "", verb = "", rest = ""]) => `${who} ${verb} ${rest}`,
  ],
  [
    /^(.{1,80}?) (?:does|did) (?:not|no longer) (\p{L}+)(.*)$/iu,
    ([, who = "", verb = "", rest = ""]) => `${who} ${thirdPersonOf(verb)}${rest}`,
  ],
  [/^(.{1,80}?) no longer (.+)$/iu, ([, who = "", rest = ""]) => `${who} ${rest}`],
];

/** What is longer is more than a word that the assistant understood. */
const MAX_ACKNOWLEDGEMENT_CHARACTERS = 80;
/** As many of an assistant's sentences as "that was wrong" may mean. */
const MAX_SENTENCES_MEANT = 3;

/** A sentence of a user's, and what the extractor read in it. */
interface ReadSentence {
  readonly taken: TakenBack;
  /** As it was typed. */
  readonly text: string;
  readonly messageIndex: number;
  /** By name, or "The user". */
  readonly speaker: string;
  /** Of a third person. */
  readonly statements: readonly string[];
}

interface RetractionReader {
  /** Sentences in the order of the conversation. */
  read(sentence: ReadSentence): void;
  /** Once all are read: none twice. */
  found(): Retraction[];
}

/** Collects what users take back, sentence by sentence (D25a). `facts`: by their folded text. */
export function createRetractionReader(
  messages: readonly ChatMessage[],
  grammar: Grammar,
  facts: Map<string, Pick<Retraction, "messageIndex">>,
): RetractionReader {
  const retractions = new Map<string, Retraction>();
  /** What the sentence before stated. */
  let before: Pick<ReadSentence, "statements" | "messageIndex"> | null = null;
  /** Of the message that is being read: what it denies, and whether it takes back what was before. */
  let message = { messageIndex: -1, denied: [] as string[], meant: null as string[] | null };

  return { read, found };

  function read({ taken, text, messageIndex, speaker, statements }: ReadSentence): void {
    if (messageIndex !== message.messageIndex) {
      endMessage();
      message = { messageIndex, denied: [], meant: null };
    }
    for (const said of taken.said) add(toThirdPerson(grammar(said), speaker), messageIndex);
    if (taken.isOfBefore) message.meant ??= meantBefore(messageIndex, speaker);
    for (const statement of statements) {
      const held = affirmed(statement);
      if (held === null) continue;
      if (NO_LONGER.test(text)) add(held, messageIndex);
      else message.denied.push(held);
    }
    if (statements.length > 0) before = { statements, messageIndex };
  }

  function found(): Retraction[] {
    endMessage();
    return [...retractions.values()].toSorted((a, b) => a.messageIndex - b.messageIndex);
  }

  /** "I was wrong, Tuesday isn't bin day": what it denies is what was wrong. */
  function endMessage(): void {
    const { messageIndex, denied, meant } = message;
    if (meant === null) return;
    for (const text of denied.length > 0 ? denied : meant) add(text, messageIndex);
  }

  function add(text: string, messageIndex: number): void {
    const key = fold(text);
    // A later message ends the fact; its own message never meant it to be kept.
    if (facts.get(key)?.messageIndex === messageIndex) facts.delete(key);
    if (retractions.size < MAX_RETRACTIONS && !retractions.has(key)) {
      const { topic } = topicOf(text);
      retractions.set(key, { text, topic, category: null, messageIndex });
    }
  }

  /** "That was wrong": what the user said last, or what the assistant then said of the user. */
  function meantBefore(messageIndex: number, speaker: string): string[] {
    const last = messages[messageIndex - 1];
    const isReply = last?.role === "assistant" && before?.messageIndex !== messageIndex;
    const ofUser = isReply ? statementsOfUser(last.content, speaker) : [];
    if (ofUser.length > 0) return ofUser;
    if (isReply && last.content.length > MAX_ACKNOWLEDGEMENT_CHARACTERS) return [];
    return (before?.statements ?? []).map((statement) => affirmed(statement) ?? statement);
  }

  function statementsOfUser(content: string, speaker: string): string[] {
    return sentencesOf(content)
      .filter(({ text, isTooLong }) => !isTooLong && /\byour?\b/iu.test(text))
      .slice(0, MAX_SENTENCES_MEANT)
      .map(({ text }) => grammar(own(text)))
      .filter((words) => readClause(words) !== null)
      .map((words) => toThirdPerson(words, speaker));
  }
}
