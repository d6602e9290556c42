import { setImmediate } from "node:timers/promises";
import { fold } from "../../domain/folding.ts";
import {
  type Conversation,
  type ExtractedFact,
  type Extractor,
  type FoundFacts,
  MAX_REJECTED_FACTS,
  type RejectedFact,
} from "../extractor.ts";
import { isForeignProse } from "../text/language.ts";
import { resolveRelativeDates } from "../text/relative-dates.ts";
import { sentencesOf } from "../text/sentences.ts";
import { clausesOf, readClause } from "./clauses.ts";
import { type Grammar, loadGrammar, render } from "./grammar.ts";
import {
  givenName,
  unfolded,
  withoutLeadIns,
  withoutTrailer,
  withSubject,
  withTimeLast,
} from "./openings.ts";
import { isWorthKeeping } from "./remarks.ts";
import {
  type Antecedents,
  afterMention,
  antecedentsAfter,
  NO_ANTECEDENTS,
  toThirdPerson,
  UNNAMED_SPEAKER,
  withAntecedent,
} from "./third-person.ts";
import { topicOf } from "./topics.ts";

/** A conversation that states more is cut off here. */
const MAX_FACTS = 1_000;
/** And one of more or longer sentences here; reading one takes up to 20 ms. */
const MAX_SENTENCES = 2_000;
const MAX_READ_CHARACTERS = 128 * 1024;
/** After so many characters, and each sentence that is read, other work gets its turn. */
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
      let antecedents: Antecedents = NO_ANTECEDENTS;
      let messageIndex = -1;
      for (const sentence of sentences) {
        await giveWay(signal);
        // People stay known from message to message, things do not.
        if (sentence.messageIndex !== messageIndex) antecedents = { ...antecedents, it: null };
        messageIndex = sentence.messageIndex;
        const read = readSentence(sentence, grammar, speaker, antecedents);
        ({ speaker, antecedents } = read);
        for (const statement of read.statements) {
          const decision = resolveRelativeDates(statement, conversation.at);
          const key = fold(decision);
          if (facts.has(key)) continue;
          if (facts.size === MAX_FACTS) {
            rejected.push({ fact: decision, messageIndex, reason: "limit" });
            return found();
          }
          facts.set(key, { decision, summary: decision, ...topicOf(decision), messageIndex });
        }
      }
      return found();

      function found(): FoundFacts {
        return { facts: [...facts.values()], rejected: rejected.slice(0, MAX_REJECTED_FACTS) };
      }
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
  readonly isQuestion: boolean;
}

const OF_SOMEBODY = /^(?:he|she|it|they|his|her|its|their)\b/iu;

/** What the user states, each sentence once, and the messages that are not read. */
async function statementsOf({ messages }: Conversation, signal: AbortSignal) {
  const sentences: SaidSentence[] = [];
  const seen = new Set<string>();
  const rejected: RejectedFact[] = [];
  let charactersRead = 0;
  let charactersToRead = 0;
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
      if (ROLE_LABEL.test(text) || seen.has(text)) continue;
      if (sentences.length === MAX_SENTENCES || charactersToRead >= MAX_READ_CHARACTERS) {
        rejected.push({ fact: null, messageIndex, reason: "limit" });
        break;
      }
      // "He is nice" means another man in another message.
      if (!OF_SOMEBODY.test(text)) seen.add(text);
      charactersToRead += text.length;
      sentences.push({
        text,
        messageIndex,
        isQuestion: isQuestion && !ASKS_TO_REMEMBER.test(text),
      });
    }
  }
  return { sentences, rejected };
}

function readSentence(
  { text: sentence, isQuestion }: SaidSentence,
  grammar: Grammar,
  speakerBefore: string,
  antecedentsBefore: Antecedents,
) {
  let speaker = speakerBefore;
  let antecedents = antecedentsBefore;
  const statements: string[] = [];
  const spoken = isQuestion ? premisesOf(sentence) : [sentence];
  if (isQuestion) antecedents = afterMention(grammar(sentence), antecedents);
  for (const said of spoken.flatMap(unfolded)) {
    if (isOrder(said, grammar)) continue;
    let rest = withoutLeadIns(said);
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
    readClauses(rest);
  }
  return { statements, speaker, antecedents };

  function readClauses(text: string): void {
    for (const part of text === "" ? [] : clausesOf(grammar(withSubject(withTimeLast(text))))) {
      const written = render(part);
      const stated = withSubject(withTimeLast(withoutLeadIns(withoutTrailer(written))));
      const resolved = withAntecedent(stated === written ? part : grammar(stated), antecedents);
      const clause = readClause(resolved) ?? readClause(grammar(render(resolved)));
      if (clause === null || !isWorthKeeping(clause, render(resolved))) {
        antecedents = afterMention(resolved, antecedents);
        continue;
      }
      antecedents = antecedentsAfter(clause, antecedents);
      statements.push(toThirdPerson(clause.words, speaker));
    }
  }
}

/** What a question takes for granted: "Since I'm vegan, what could I cook?" */
function premisesOf(question: string): string[] {
  const premise =
    /^(?:(?:since|as|because|given that|seeing as|considering(?: that)?) )?((?:i|i'm|i've|we|we're|we've|my|our) [^?]{4,200}?)[,;–—-]+ (?:so |and |but )?(?:what|which|who|where|when|how|why|can|could|would|should|do|does|is|are|any|will)\b/iu.exec(
      withoutLeadIns(question),
    )?.[1];
  return premise === undefined ? [] : [premise];
}

/** "Translate this: I live in Rome" */
function isOrder(sentence: string, grammar: Grammar): boolean {
  const [label] = /^[^:"']{3,60}(?=[:"'] ?\S)/u.exec(sentence) ?? [];
  const first = label === undefined ? undefined : grammar(label)[0];
  return first?.tags.has("Infinitive") === true && !/^(?:remember|note|update)$/u.test(first.lower);
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
