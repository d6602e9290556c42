import { fold, sentencesOf } from "@agent-memory/text";
import type { PartialDate } from "@agent-memory/text/dates";
import type { ChatMessage } from "../../../domain/conversation.ts";
import type { Conversation } from "../../extractor.ts";
import { memoized, once } from "../../memoized.ts";
import { type Clause, type ClausedText, clausesOf } from "./clauses.ts";
import { type CalendarNames, calendarNames, dateEvidence } from "./date-evidence.ts";
import { type GivenText, givenTextsIn } from "./given-text.ts";
import { type Language, languageOf } from "./languages.ts";
import { type Meaning, meaningsOf } from "./meaning.ts";
import { speakerNames } from "./names.ts";
import { digitReadings } from "./number-words.ts";
import { halvesOf, type NumberEvidence, numberEvidence } from "./numbers.ts";
import { countriesIn } from "./places.ts";
import { type Quantity, quantitiesIn } from "./units.ts";
import { indexWords, type WordIndex } from "./words.ts";

/** What one message of a user's gives that a fact may say. */
export interface Evidence {
  /** The message, and what the assistant asked just before. */
  readonly said: string;
  /** What the assistant asked just before; "": nothing. */
  readonly question: string;
  readonly language: Language;
  readonly words: WordIndex;
  readonly dates: () => readonly PartialDate[];
  readonly calendar: () => CalendarNames;
  readonly numbers: () => NumberEvidence;
  readonly quantities: () => readonly Quantity[];
}

/** A conversation as facts are held against it; what takes long is read when it is first needed. */
export interface ReadConversation {
  readonly at: Conversation["at"];
  messageOf(index: number): ChatMessage;
  clausesOf(index: number): ClausedText;
  /** The clauses of what a message answers. */
  askedClausesOf(index: number): readonly Clause[];
  /** The meanings of the clauses of a message, or of what it answers. */
  meaningsOf(index: number, isAnswer: boolean): readonly Meaning[];
  /** What of a message is given to work on. */
  givenTextsIn(index: number): readonly GivenText[];
  evidenceOf(index: number): Evidence;
  /** What a message answers: the assistant's right before it, tools and messages without text aside; "": nothing. */
  answeredBy(index: number): string;
  /** What users said, in all their messages. */
  readonly users: () => {
    readonly words: WordIndex;
    readonly countries: () => ReadonlyMap<string, string>;
    /** With a capital within a sentence. */
    readonly names: ReadonlySet<string>;
  };
  readonly assistants: () => WordIndex;
  /** What may be the name of the user who wrote a message. */
  speakerOf(index: number): WordIndex;
  /** Whether that user is known by name. */
  isNamedSpeaker(index: number): boolean;
  /** Whether a name is that of another user than the one who wrote a message. */
  isOtherSpeaker(index: number, name: string): boolean;
  /** Whether a user's other message has such a date or number. */
  isSaidElsewhere(index: number, has: (evidence: Evidence) => boolean): boolean;
}

const NAME_WITHIN = /(?<=[\p{L}\p{N},] )\p{Lu}\p{Ll}+/gu;

export function readConversation({
  messages,
  at,
}: Pick<Conversation, "messages" | "at">): ReadConversation {
  const textOf = (wanted: ChatMessage["role"]) =>
    messages.map(({ role, content }) => (role === wanted ? content : "")).join("\n");
  const clauses = memoized((index) => clausesOf(messageOf(index).content));
  const askedClauses = memoized((index) => clausesOf(answeredPart(answeredBy(index))).clauses);
  const users = once(() => {
    const names = messages.flatMap(({ role, name = "" }) => (role === "user" ? name : []));
    const text = `${[...new Set(names)].join("\n")}\n${textOf("user")}`;
    const within = new Set([...text.matchAll(NAME_WITHIN)].map(([name]) => name));
    return { words: indexWords(text), countries: once(() => countriesIn(text)), names: within };
  });
  const ofUsers = once(() => languageOf(textOf("user")) ?? "en");
  const evidenceOf = memoized((index): Evidence => {
    const { content } = messageOf(index);
    const answered = answeredBy(index);
    const question = questionsIn(answered);
    const said = `${content}\n${question}`;
    const language = languageOf(said) ?? ofUsers();
    const dates = once(() => dateEvidence(said, language, at));
    const years = () => dates().flatMap(({ year }) => year ?? []);
    return {
      said,
      question,
      language,
      words: indexWords(said),
      dates,
      calendar: once(() => calendarNames(said, dates())),
      numbers: once(() => numberEvidence(said, language, years())),
      quantities: once(() =>
        digitReadings(fold(said), language).flatMap((text) => quantitiesIn(halvesOf(text))),
      ),
    };
  });

  const isName = (word: string) => users().names.has(word);
  const meanings = memoized((index) =>
    meaningsOf(clauses(index).clauses, evidenceOf(index).language, isName),
  );
  const askedMeanings = memoized((index) =>
    meaningsOf(askedClauses(index), evidenceOf(index).language, isName),
  );
  const speakers = new Map<string | null, { isNamed: boolean; names: WordIndex }>();
  function speakerOf(index: number) {
    const { name = null } = messageOf(index);
    const known = speakers.get(name);
    if (known !== undefined) return known;
    const names = messages
      .filter((message) => message.role === "user" && (message.name ?? null) === name)
      .map(({ content }) => speakerNames(content))
      .concat(name ?? "")
      .join("\n");
    const speaker = { isNamed: names.trim() !== "", names: indexWords(names) };
    speakers.set(name, speaker);
    return speaker;
  }
  function messageOf(index: number): ChatMessage {
    const message = messages[index];
    if (message === undefined) throw new Error(`there is no message ${index}`);
    return message;
  }
  function answeredBy(index: number): string {
    for (let i = index - 1; i >= 0; i--) {
      const message = messages[i];
      if (message?.content === "") continue;
      if (message?.role === "assistant") return message.content;
      if (message?.role === "user") return "";
    }
    return "";
  }
  return {
    at,
    messageOf,
    answeredBy,
    clausesOf: clauses,
    askedClausesOf: askedClauses,
    givenTextsIn: memoized((index) =>
      givenTextsIn(messageOf(index).content, clauses(index).clauses, evidenceOf(index).language),
    ),
    meaningsOf: (index, isAnswer) => (isAnswer ? askedMeanings : meanings)(index),
    evidenceOf,
    users,
    assistants: once(() => indexWords(textOf("assistant"))),
    speakerOf: (index) => speakerOf(index).names,
    isNamedSpeaker: (index) => speakerOf(index).isNamed,
    isOtherSpeaker: (index, name) =>
      !speakerOf(index).names.has(name) &&
      messages.some(
        (message) => message.role === "user" && fold(message.name ?? "") === fold(name),
      ),
    isSaidElsewhere: (index, has) =>
      messages.some(({ role }, i) => role === "user" && i !== index && has(evidenceOf(i))),
  };
}

/** The questions of a text; a user who answers "yes" says them too. */
function questionsIn(text: string): string {
  return sentencesOf(text)
    .flatMap((sentence) => (sentence.isQuestion ? sentence.text : []))
    .join("\n");
}

/** What of an assistant's text a mere "yes" or "no" answers: its questions, else its last sentence. */
export function answeredPart(text: string): string {
  const questions = questionsIn(text);
  return questions !== "" ? questions : (sentencesOf(text).at(-1)?.text ?? "");
}

/** The initials of names of several words: "New York City" gives "nyc". */
export function initialsIn(text: string): string[] {
  return [...text.matchAll(/(?:\p{Lu}\p{Ll}+[ -]?){2,5}/gu)].map(([run]) =>
    fold(
      run
        .trim()
        .split(/[ -]/u)
        .map((word) => word.charAt(0))
        .join(""),
    ),
  );
}
