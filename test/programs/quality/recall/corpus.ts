/** A public corpus of long conversations with questions, whichever format it came in. */
export interface Corpus {
  readonly name: string;
  readonly conversations: readonly Conversation[];
}

/** What one person may be asked about: nothing of it is found by the questions of another. */
export interface Conversation {
  readonly id: string;
  readonly sessions: readonly Session[];
  readonly questions: readonly Question[];
}

export interface Session {
  readonly id: string;
  /** When it took place, ISO 8601 in UTC; null: the corpus does not say. */
  readonly at: string | null;
  readonly turns: readonly Turn[];
}

export interface Turn {
  /** Unique in its conversation. */
  readonly id: string;
  readonly text: string;
}

export interface Question {
  readonly text: string;
  /** As the corpus names it. */
  readonly type: string;
  /** False where the right answer is that nothing was said of it. */
  readonly isAnswerable: boolean;
  /** The turns that answer it, each once. */
  readonly evidence: readonly string[];
}

/** A file that is not what it must be. `path` names the place in it. */
export class UnreadableCorpus extends Error {}

/** How a format is told from the others, and read. */
export interface CorpusFormat {
  readonly name: string;
  /** What a file of it looks like, for whoever has another. */
  readonly shape: string;
  isOf(json: unknown): boolean;
  read(json: unknown, place: string): Conversation[];
}

/** By steps of the golden ratio, which meet no order of types or conversations. */
const STEP = (Math.sqrt(5) - 1) / 2;

/** So many questions, spread over the corpus, and the conversations that they are about. */
export function limitQuestions({ name, conversations }: Corpus, limit: number): Corpus {
  const chosen = new Set(
    conversations
      .flatMap(({ questions }) => questions)
      .map((question, i) => ({ question, place: (i * STEP) % 1 }))
      .toSorted((a, b) => a.place - b.place)
      .slice(0, limit)
      .map(({ question }) => question),
  );
  return {
    name,
    conversations: conversations
      .map(({ questions, ...rest }) => ({
        ...rest,
        questions: questions.filter((question) => chosen.has(question)),
      }))
      .filter(({ questions }) => questions.length > 0),
  };
}
