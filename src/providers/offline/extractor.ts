import { setImmediate } from "node:timers/promises";
import {
  type Conversation,
  type ExtractedFact,
  type Extractor,
  MAX_REJECTED_FACTS,
  type RejectedFact,
} from "../extractor.ts";
import { isForeignProse } from "../text/language.ts";
import { resolveRelativeDates } from "../text/relative-dates.ts";
import { sentencesOf } from "../text/sentences.ts";
import { fold } from "../text/text.ts";
import { clausesOf, readClause } from "./clauses.ts";
import { type Grammar, loadGrammar, render } from "./grammar.ts";
import { isWorthKeeping } from "./remarks.ts";
import { termsOf } from "./terms.ts";
import {
  antecedentsAfter,
  NO_ANTECEDENTS,
  toThirdPerson,
  UNNAMED_SPEAKER,
  withAntecedent,
} from "./third-person.ts";
import { topicOf } from "./topics.ts";

/** A conversation that states more is cut off here. */
const MAX_FACTS = 1_000;
/** And one of more sentences here; reading one takes up to 10 ms. */
const MAX_SENTENCES = 2_000;
/** After so many sentences, or so many characters, other work gets its turn. */
const SENTENCES_BETWEEN_TURNS = 4;
const CHARACTERS_BETWEEN_TURNS = 32 * 1024;

/** A pasted transcript, or a text that plays one. */
const ROLE_LABEL = /^(?:system|assistant|user|human|tool|developer|instructions?)\s*:/iu;
/** "Can you remember that I prefer window seats?" */
const ASKS_TO_REMEMBER =
  /^(?:can|could|would|will) you (?:please )?(?:remember|note|save|keep in mind|make a note)\b/iu;

/**
 * Reads statements out of what the user says by the rules of English sentences.
 * Other roles state nothing about the user: the assistant repeats or proposes,
 * system and tool messages are no conversation.
 */
export function createLocalExtractor(): Extractor {
  return {
    provider: "local",
    model: "sentence-rules-2",
    async extract(conversation, signal) {
      signal.throwIfAborted();
      const grammar = await loadGrammar();
      const { sentences, rejected } = await statementsOf(conversation, signal);
      const facts = new Map<string, ExtractedFact>();
      let speaker = firstNameGiven(sentences) ?? UNNAMED_SPEAKER;
      let antecedents = NO_ANTECEDENTS;
      let messageIndex = -1;
      for (const [i, sentence] of sentences.entries()) {
        if (i % SENTENCES_BETWEEN_TURNS === 0) await giveWay(signal);
        if (sentence.messageIndex !== messageIndex) antecedents = NO_ANTECEDENTS;
        messageIndex = sentence.messageIndex;
        const read = readSentence(sentence.text, grammar, speaker, antecedents);
        ({ speaker, antecedents } = read);
        for (const statement of read.statements) {
          const decision = resolveRelativeDates(statement, conversation.at);
          const key = fold(decision);
          if (facts.has(key)) continue;
          if (facts.size === MAX_FACTS) {
            rejected.push({ fact: decision, messageIndex, reason: "limit" });
            return { facts: [...facts.values()], rejected };
          }
          facts.set(key, { decision, summary: decision, ...topicOf(decision), messageIndex });
        }
      }
      return { facts: [...facts.values()], rejected: rejected.slice(0, MAX_REJECTED_FACTS) };
    },
  };
}

async function giveWay(signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}

interface SaidSentence {
  readonly text: string;
  readonly messageIndex: number;
}

/** What the user states, each sentence once, and the messages that are not read. */
async function statementsOf({ messages }: Conversation, signal: AbortSignal) {
  const sentences: SaidSentence[] = [];
  const seen = new Set<string>();
  const rejected: RejectedFact[] = [];
  let charactersRead = 0;
  for (const [messageIndex, { role, content }] of messages.entries()) {
    if (role !== "user") continue;
    charactersRead += content.length;
    if (charactersRead >= CHARACTERS_BETWEEN_TURNS) {
      charactersRead = 0;
      await giveWay(signal);
    }
    if (isForeignProse(content)) {
      rejected.push({ fact: null, messageIndex, reason: "unsupported_language" });
      continue;
    }
    for (const { text, isQuestion } of sentencesOf(content)) {
      const isAsking = isQuestion && !ASKS_TO_REMEMBER.test(text);
      if (isAsking || ROLE_LABEL.test(text) || seen.has(text)) continue;
      if (sentences.length === MAX_SENTENCES) {
        rejected.push({ fact: null, messageIndex, reason: "limit" });
        break;
      }
      // "He is nice" means another man in another message.
      if (!/^(?:he|she|it|his|her|its)\b/iu.test(text)) seen.add(text);
      sentences.push({ text, messageIndex });
    }
  }
  return { sentences, rejected };
}

function readSentence(
  sentence: string,
  grammar: Grammar,
  speakerBefore: string,
  antecedentsBefore: typeof NO_ANTECEDENTS,
) {
  let speaker = speakerBefore;
  let antecedents = antecedentsBefore;
  const statements: string[] = [];
  if (isOrder(sentence, grammar)) return { statements, speaker, antecedents };
  let rest = withoutLeadIns(sentence);
  const given = givenName(rest);
  if (given !== null) {
    statements.push(
      given.isShortForm
        ? `${speaker === given.name ? UNNAMED_SPEAKER : speaker} goes by ${given.name}`
        : `The user's name is ${given.name}`,
    );
    if (!given.isShortForm || speaker === UNNAMED_SPEAKER) speaker = given.name;
    rest = given.rest;
  }
  if (rest === "") return { statements, speaker, antecedents };
  for (const part of clausesOf(grammar(rest))) {
    const text = withSubject(withTimeLast(withoutLeadIns(render(part).replace(TRAILER, ""))));
    const words = text === render(part) ? part : grammar(text);
    const resolved = withAntecedent(words, antecedents);
    const clause = readClause(resolved);
    if (clause === null || !isWorthKeeping(clause, render(resolved))) continue;
    antecedents = antecedentsAfter(clause, antecedents);
    statements.push(toThirdPerson(resolved, speaker));
  }
  return { statements, speaker, antecedents };
}

/** "Translate this: I live in Rome" */
function isOrder(sentence: string, grammar: Grammar): boolean {
  const [label] = /^[^:"']{3,60}(?=[:"'] ?\S)/u.exec(sentence) ?? [];
  const first = label === undefined ? undefined : grammar(label)[0];
  return first?.tags.has("Infinitive") === true && !/^(?:remember|note|update)$/u.test(first.lower);
}

/** Words that open a sentence without being part of what it states, each with what must follow. */
const LEAD_INS: readonly RegExp[] = [
  /^(?:hi|hello|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening|day))(?: (?:there|everyone|all|team|again|assistant|claude|chatgpt|gemini))?(?:[,!. -]+|$)/iu,
  /^(?:hi|hello|hey),? \p{Lu}[\p{L}]*,\s*/u,
  /^(?:thanks|thank you|thx|cheers|great|cool|nice|awesome|perfect|ok|okay|k|sure|yes|yeah|yep|yup|no|nope|nah|right|alright|lol|haha+|wow|oh|ah|hm+|well|so|anyway|sorry|oops|fine|good|got it|i see|exactly|indeed|true|correct|please|welcome)(?: (?:so much|a lot|again|then|you))?(?:\s*[,;:!-]+\s*|$)/iu,
  /^(?:actually|by the way|btw|fyi|for your information|also|and|but|oh|well|so|plus|anyways?|besides|in fact|to be honest|tbh|honestly|frankly|basically|(?:just )?so you know|just to let you know|just fyi|as you know|as i (?:said|mentioned)|like i said|for the record|for context|for reference|in case it helps|(?:one more|another) thing|(?:quick |small )?(?:update|correction|note|reminder|intro)|first(?:ly)?|second(?:ly)?|finally|lastly|additionally|furthermore|moreover|however|unfortunately|fortunately|luckily|sadly|of course|obviously|apparently|you know|guess what|fun fact|(?:good|bad|great) news|(?:little bit )?about me|now)\s*[,:-]+\s*/iu,
  /^(?:actually|also|btw|fyi|and|but|so|oh|well|plus|anyway|besides|ok|okay|yes|yeah|no|by the way) (?=\S)/iu,
  /^(?:please |(?:can|could|would|will) you (?:please )?)?(?:remember|note|keep in mind|bear in mind|don't forget|do not forget|be aware|make a note|save|know)(?: (?:that|this|down))+[,:]?\s+/iu,
  /^(?:please )?(?:remember|note|keep in mind|don't forget|do not forget)[,:]?\s+(?=(?:i|my|we|our|the)\b)/iu,
  /^(?:you should know|i should (?:mention|add|note|say)|i wanted to (?:mention|say|tell you)|i want to (?:mention|tell you)|let me (?:tell you|mention|add)|i have to (?:say|admit|tell you)|i must (?:say|admit)|i forgot to (?:mention|say)|did i mention|it turns out|turns out|the thing is|the fact is|i can tell you|i (?:already )?(?:told|mentioned to) you|i mentioned|i'd (?:add|say)|you know|just)(?: that)?,? (?=(?:i|my|we|our|the|i'm|i've)\b)/iu,
  /^(?:decision|decided|action item|todo|note|fact|update|reminder|important|info|context|background|status|correction|new|edit|ps)s?\s*: /iu,
  // "One thing: I hate cilantro"
  /^[\p{L}' -]{2,40}(?::| -) (?=(?:I|i|my|My|we|We|our|Our|I'm|i'm|I've|i've|The|the|User)\b)/u,
];
/** What may follow a statement without being part of it. */
const TRAILER =
  /(?:[\s,;:–—-]+(?:by the way|btw|though|actually|as well|too|you know|lol|haha|please|thanks|thank you|from now on|fyi))?[\s,;:.!–—-]*$/iu;
/** How many may stand before one sentence. */
const MAX_LEAD_INS = 6;

/** The sentence without greeting, thanks and turns of phrase before what it states; may be empty. */
function withoutLeadIns(sentence: string): string {
  let rest = sentence.trim();
  for (let i = 0; i < MAX_LEAD_INS; i++) {
    const leadIn = LEAD_INS.find((pattern) => pattern.test(rest));
    if (leadIn === undefined) break;
    rest = rest.replace(leadIn, "").trim();
  }
  return rest;
}

/** A time that stands before the subject: "Yesterday I bought …". */
const FRONTED_TIME =
  /^((?:now|nowadays|currently|yesterday|today|tomorrow|tonight|(?:last|next|this) \p{L}+|(?:in )?(?:\d{1,3}|a|an|one|two|three|four|five|six) (?:days?|weeks?|months?|years?)(?: ago| from now)?|(?:in|on|since) (?:\p{L}{3,10}|(?:19|20)\d\d)(?: (?:19|20)\d\d)?)(?: morning| afternoon| evening| night)?),? (?=(?:i|we|my|our|the|he|she|they)\b)/iu;

/** The sentence with a time that opens it moved to its end, where it reads naturally of a third person too. */
function withTimeLast(sentence: string): string {
  const [opening = "", time = ""] = FRONTED_TIME.exec(sentence) ?? [];
  if (opening === "") return sentence;
  const rest = sentence.slice(opening.length);
  return /^(?:now|nowadays|currently)$/iu.test(time)
    ? rest
    : `${rest} ${time.charAt(0).toLowerCase()}${time.slice(1)}`;
}

const ELIDED_SUBJECT =
  /^(?:(?:just|recently|finally) )?(?:moved|relocated|joined|quit|adopted|graduated|switched|got (?:engaged|married|promoted)|bought|started (?:at|a new|working)|(allergic)|(born))\b/iu;

/** "Moved to Munich last month" leaves out its "I". */
function withSubject(clause: string): string {
  const elided = ELIDED_SUBJECT.exec(clause);
  if (elided === null) return clause;
  const helper = elided[1] !== undefined ? "am " : elided[2] !== undefined ? "was " : "";
  return `I ${helper}${clause.charAt(0).toLowerCase()}${clause.slice(1)}`;
}

/** A name that speakers give themselves. */
interface GivenName {
  readonly name: string;
  /** "call me Al" */
  readonly isShortForm: boolean;
  /** What follows in the same sentence, as a sentence of its own; empty: nothing. */
  readonly rest: string;
}

const NAME = String.raw`\p{Lu}[\p{L}'-]{0,40}(?: \p{Lu}[\p{L}'-]{1,40}){0,2}`;
const ANY_NAME = String.raw`\p{L}[\p{L}'-]{0,40}(?: \p{Lu}[\p{L}'-]{1,40}){0,2}`;
const END = "(?=$|[,.!;]| and | but | from | here\\b| speaking\\b| by the way| btw| for short)";
const I_AM = new RegExp(
  `^(?:and )?(?:I am|I'm|i'm|i am|[Tt]his is|[Ii]t's|[Ii]t is) (${NAME})${END}`,
  "u",
);
const MY_NAME = new RegExp(
  `^(?:and |but |so )?my (?:(?:full|first|real) )?name(?: is|'s) (${ANY_NAME})${END}`,
  "iu",
);
const CALL_ME = new RegExp(
  `^(?:you can |please |just |but |everyone |everybody |people |(?:my )?friends |they )*(?:calls? me|I go by) (${ANY_NAME})${END}`,
  "iu",
);
/** Capitalised, and no name: of people, signs of the zodiac and what compromise and lexicon don't know. */
const NO_NAME =
  /(?:ish|ese|ian|can|ist)$|^(?:ok|okay|fine|sorry|tired|hungry|happy|sad|busy|back|sure|ready|done|here|late|home|gluten|lactose|catholic|muslim|jewish|hindu|gemini|leo|aries|taurus|virgo|libra|scorpio|aquarius|pisces|dutch|swiss|greek|czech|thai|iraqi|israeli|pakistani|german|french|allergic|pregnant|diabetic|deaf|blind|left|right|bi|gay|trans|queer|lesbian|male|female|conservative|liberal|democrat|vegan)$/u;

/** Reads "My name is Alice", "I am Alice" and "call me Al". */
function givenName(sentence: string): GivenName | null {
  for (const pattern of [MY_NAME, I_AM, CALL_ME]) {
    const [whole = "", name] = pattern.exec(sentence) ?? [];
    if (name === undefined || (pattern === I_AM && !isPlausibleName(name))) continue;
    return {
      name: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      isShortForm: pattern === CALL_ME,
      rest: restAfter(sentence.slice(whole.length)),
    };
  }
  return null;
}

function restAfter(text: string): string {
  const rest = text.replace(/^(?: here\b| speaking\b| by the way| btw| for short)+/iu, "");
  const [apposition] = /^,? (?=(?:a|an|the|from) )/iu.exec(rest) ?? [];
  if (apposition !== undefined) return `I am ${rest.slice(apposition.length)}`;
  return rest.replace(/^[,.!;\s]*(?:(?:and|but) )?/iu, "").trim();
}

/** "I am German", "I am Vegan" and "I am OK" give no name. */
function isPlausibleName(name: string): boolean {
  return termsOf(name).every(
    ({ isStop, isCommon, concept, kinds, folded }) =>
      !isStop && !isCommon && concept === null && kinds.length === 0 && !NO_NAME.test(folded),
  );
}

/** Facts that come before the introduction are the same person's. */
function firstNameGiven(sentences: readonly SaidSentence[]): string | null {
  let shortForm: string | null = null;
  for (const { text } of sentences) {
    const given = givenName(withoutLeadIns(text));
    if (given === null) continue;
    if (!given.isShortForm) return given.name;
    shortForm ??= given.name;
  }
  return shortForm;
}
