import { setImmediate } from "node:timers/promises";
import type { ChatMessage } from "../../../domain/chat-message.ts";
import type { ExtractedFact, Extractor } from "../../extractor.ts";
import { resolveRelativeDates } from "../../text/relative-dates.ts";
import { type Sentence, sentencesOf } from "../../text/sentences.ts";
import { fold } from "../../text/text.ts";
import { antecedentsAfter, NO_ANTECEDENTS, withAntecedent } from "./antecedents.ts";
import { clausesOf } from "./clauses.ts";
import { expandContractions } from "./contractions.ts";
import { withoutLeadIns, withTimeLast } from "./lead-ins.ts";
import { type GivenName, givenName, MAY_GIVE_A_NAME } from "./speaker.ts";
import { toThirdPerson } from "./third-person.ts";
import { topicOf } from "./topics.ts";
import { isWorthKeeping } from "./worth-keeping.ts";

/** A conversation that states more is cut off here. */
const MAX_FACTS = 1_000;
/** After so many characters other work gets its turn. */
const CHARACTERS_BETWEEN_TURNS = 64 * 1024;
const UNNAMED_SPEAKER = "The user";

/**
 * Reads statements out of what the user says by the rules of English sentences.
 * Other roles state nothing about the user: the assistant repeats or proposes,
 * system and tool messages are no conversation.
 */
export function createLocalExtractor(): Extractor {
  return {
    provider: "local",
    model: "sentence-rules-1",
    async extract({ messages, at }, signal) {
      signal.throwIfAborted();
      const giveWay = givingWay(signal);
      const said = await sentencesByMessage(messages, giveWay);
      const facts = new Map<string, ExtractedFact>();
      let speaker = firstNameGiven(said) ?? UNNAMED_SPEAKER;
      for (const [messageIndex, sentences] of said) {
        const read = readMessage(sentences, speaker);
        speaker = read.speaker;
        for (const statement of read.statements) {
          const decision = resolveRelativeDates(statement, at);
          const key = fold(decision);
          if (facts.has(key)) continue;
          facts.set(key, { decision, summary: decision, ...topicOf(decision), messageIndex });
          if (facts.size === MAX_FACTS) return { facts: [...facts.values()], rejected: [] };
        }
        await giveWay(messages[messageIndex]?.content.length ?? 0);
      }
      return { facts: [...facts.values()], rejected: [] };
    },
  };
}

/** A pasted transcript, or a text that plays one. */
const ROLE_LABEL = /^(?:system|assistant|user|human|tool|developer|instructions?)\s*:/iu;

/** "Can you remember that I prefer window seats?" */
const ASKS_TO_REMEMBER =
  /^(?:can|could|would|will) you (?:please )?(?:remember|note|save|keep in mind|make a note)\b/iu;

/** Lets other work run, and ends when aborted, each time that many characters were read. */
function givingWay(signal: AbortSignal): (characters: number) => Promise<void> {
  let charactersRead = 0;
  return async (characters) => {
    charactersRead += characters;
    if (charactersRead < CHARACTERS_BETWEEN_TURNS) return;
    charactersRead = 0;
    await setImmediate();
    signal.throwIfAborted();
  };
}

/** The sentences of what the user says, by the position of the message. */
async function sentencesByMessage(
  messages: readonly ChatMessage[],
  giveWay: (characters: number) => Promise<void>,
): Promise<Map<number, Sentence[]>> {
  const said = new Map<number, Sentence[]>();
  for (const [messageIndex, { role, content }] of messages.entries()) {
    if (role !== "user") continue;
    said.set(messageIndex, sentencesOf(content));
    await giveWay(content.length);
  }
  return said;
}

/** Facts that come before the introduction are the same person's. */
function firstNameGiven(said: ReadonlyMap<number, readonly Sentence[]>): string | null {
  let shortForm: string | null = null;
  for (const { text } of [...said.values()].flat()) {
    if (!MAY_GIVE_A_NAME.test(text)) continue;
    const given = givenName(expandContractions(withoutLeadIns(text)));
    if (given === null) continue;
    if (!given.isShortForm) return given.name;
    shortForm ??= given.name;
  }
  return shortForm;
}

function readMessage(
  sentences: readonly Sentence[],
  speakerBefore: string,
): { statements: string[]; speaker: string } {
  const statements: string[] = [];
  let speaker = speakerBefore;
  let antecedents = NO_ANTECEDENTS;
  for (const sentence of sentences) {
    const isAsking = sentence.isQuestion && !ASKS_TO_REMEMBER.test(sentence.text);
    if (isAsking || ROLE_LABEL.test(sentence.text)) continue;
    let rest = expandContractions(withoutLeadIns(sentence.text));
    const given = givenName(rest);
    if (given !== null) {
      statements.push(nameStatement(given, speaker));
      if (!given.isShortForm || speaker === UNNAMED_SPEAKER) speaker = given.name;
      rest = given.rest;
    }
    for (const clause of clausesOf(rest)) {
      const resolved = withAntecedent(
        withSubject(withTimeLast(withoutLeadIns(clause))),
        antecedents,
      );
      if (!isWorthKeeping(resolved)) continue;
      antecedents = antecedentsAfter(resolved, antecedents);
      statements.push(asStatement(toThirdPerson(resolved, speaker)));
    }
  }
  return { statements, speaker };
}

function nameStatement({ name, isShortForm }: GivenName, speaker: string): string {
  if (!isShortForm) return `The user's name is ${name}`;
  return `${speaker === name ? UNNAMED_SPEAKER : speaker} goes by ${name}`;
}

const ELIDED_SUBJECT =
  /^(?:(?:just|recently|finally) )?(?:moved|relocated|joined|quit|adopted|graduated|switched|got (?:engaged|married|promoted)|bought|started (?:at|a new|working)|allergic|born)\b/iu;

/** "Moved to Munich last month" leaves out its "I". */
function withSubject(clause: string): string {
  if (!ELIDED_SUBJECT.test(clause)) return clause;
  const isAdjective = /^(?:allergic|born)\b/iu.test(clause);
  const helper = /^born/iu.test(clause) ? "was " : isAdjective ? "am " : "";
  return `I ${helper}${clause.charAt(0).toLowerCase()}${clause.slice(1)}`;
}

function asStatement(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
