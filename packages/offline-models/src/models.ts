/** The four models as the service asks for them, as far as rules need. Moments are microseconds since 1970. */

/** One call of a model. */
export interface ModelCall {
  /** Aborting it ends the call, with the signal's reason. */
  readonly signal: AbortSignal;
}

/** Turns texts into vectors of unit length, one for each text, in order. */
export interface Embedder {
  readonly space: Readonly<{ provider: string; model: string; dimensions: number }>;
  /** `purpose` says whether the texts are stored (`document`) or searched with (`query`). */
  embed(
    texts: readonly string[],
    purpose: "document" | "query",
    call: ModelCall,
  ): Promise<Float32Array[]>;
}

/** One message of a conversation. */
export interface ChatMessage {
  readonly role: "user" | "assistant" | "system" | "tool";
  readonly content: string;
  /** Whose words they are; undefined: nobody said. */
  readonly name?: string;
}

export interface Conversation {
  /** Oldest first; at least one. */
  readonly messages: readonly ChatMessage[];
  /** When it took place; relative dates are resolved against it. */
  readonly at: bigint;
}

/** One atomic fact found in a conversation. */
export interface ExtractedFact {
  /** The fact, complete without the conversation: subject named, dates resolved. */
  readonly decision: string;
  /** The same fact in one line. */
  readonly summary: string;
  /** 1 to 256 characters. */
  readonly topic: string;
  /** 1 to 10. */
  readonly importanceScore: number;
  /** The message it came from, counted from 0. */
  readonly messageIndex: number;
  /** The sentence of the message that states it. */
  readonly quote: string;
  /** The start that its message states; null: it states none. */
  readonly validFrom: bigint | null;
  /** The end that its message states; null: it states none. */
  readonly validTo: bigint | null;
  /** Rules know no categories. */
  readonly category: null;
}

/** A statement that a user takes back. */
export interface Retraction {
  /** What was held before, complete like a fact. */
  readonly text: string;
  /** 1 to 256 characters. */
  readonly topic: string;
  readonly category: null;
  /** The message that takes it back, counted from 0. */
  readonly messageIndex: number;
}

/** Something that a user said and that is not remembered. */
export interface RejectedFact {
  /** null: the message itself was not read. */
  readonly fact: string | null;
  readonly isRetraction: boolean;
  readonly messageIndex: number | null;
  /** `limit`: too much precedes. `instruction`: from elsewhere, or a role. `unread`: by no rule. */
  readonly reason: "limit" | "unsupported_language" | "instruction" | "unread";
}

/** The answer of an extraction; each list is in the order of the conversation. */
export interface FoundFacts {
  readonly facts: readonly ExtractedFact[];
  readonly retractions: readonly Retraction[];
  readonly rejected: readonly RejectedFact[];
}

/** Finds the facts worth remembering in a conversation. */
export interface Extractor {
  readonly provider: string;
  readonly model: string;
  extract(conversation: Conversation, call: ModelCall): Promise<FoundFacts>;
}

/** No extraction names more of each, as no other extractor of the service does. */
export const MAX_FACTS = 500;
export const MAX_REJECTED_FACTS = 900;
export const MAX_RETRACTIONS = 100;

/** A memory as the answerer is shown it. */
export interface OfferedMemory {
  /** From 1, in the order offered. */
  readonly number: number;
  readonly decision: string;
  readonly validFrom: bigint;
  /** null: no end is known. */
  readonly validTo: bigint | null;
  /** Cosine similarity to the question, 0 to 1. */
  readonly similarity: number;
  /** How surely it answers the question, 0 to 1. */
  readonly relevance: number;
}

export interface Question {
  readonly text: string;
  /** Most relevant first; at least one. */
  readonly memories: readonly OfferedMemory[];
  readonly now: bigint;
  /** All memories held at this moment, and the answer is about it; undefined: now. */
  readonly asOf?: bigint;
  /** The past that its words name: what held then is among the memories, and asked for. */
  readonly past?: bigint | "ever";
}

/** An answer that cites memories. */
export interface CitedAnswer {
  /** The text without markers. */
  readonly answer: string;
  /** The text with markers `[mem-N]`, N the position in `cited`, from 1. */
  readonly answerWithCitations: string;
  /** Numbers of the memories as they were offered, in order of first mention. */
  readonly cited: readonly number[];
  /** Whether every sentence has a marker, or it says that there is no answer; false for the closest. */
  readonly grounded: boolean;
  /** Whether memories state it, it is only the closest that there is, or nothing answers. */
  readonly answerKind: "stated" | "closest" | "none";
}

/** Answers a question from the memories offered, and from nothing else. */
export interface Answerer {
  answer(question: Question, call: ModelCall): Promise<CitedAnswer>;
}

export interface ClassificationInput {
  readonly fact: { readonly decision: string };
  /** True where the fact is what a user takes back: what says it ends. */
  readonly isRetraction: boolean;
  /** At least one. */
  readonly candidates: readonly { readonly decision: string }[];
}

/** One candidate that the fact makes untrue or says again. */
export interface NamedCandidate {
  /** Position among the candidates, from 0. */
  readonly index: number;
  /** 0 to 1. */
  readonly confidence: number;
  /** One sentence. */
  readonly reason: string;
}

export interface Classification {
  /** Empty: none. */
  readonly superseded: readonly NamedCandidate[];
  /** How sure it is that there is no other, 0 to 1. */
  readonly confidence: number;
  /** Why there is no other, in one sentence. */
  readonly reason: string;
  readonly model: string;
}

/** Decides which older facts a new one makes untrue or says again. */
export interface SupersessionClassifier {
  classify(input: ClassificationInput, call: ModelCall): Promise<Classification>;
}

/** What the local extractor is called wherever models are named. Other rules are another model. */
export const LOCAL_EXTRACTOR = { provider: "local", model: "sentence-rules-14" } as const;
