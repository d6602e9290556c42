import { citeAnswer } from "../domain/citations.ts";
import type { Instant } from "../domain/instant.ts";
import type { RetrievedMemory } from "../domain/memory.ts";
import type { ReportUsage } from "../providers/model-call.ts";
import { embeddingModelReplaced } from "../storage/embedding-spaces.ts";
import { findSimilarMemories } from "../storage/memory-vectors.ts";
import type { Caller, MemoryContext } from "./context.ts";
import { activeEmbedder, embedIn } from "./embeddings.ts";
import { startModelDeadline, startUsageLog } from "./model-calls.ts";
import { admitReader } from "./plan.ts";

/** The answer where there is no memory to answer from (4.4 rule 4). */
export const NO_MEMORIES_ANSWER = "No memories found for this company yet.";

export interface MemoryQuestion {
  readonly question: string;
  readonly limit: number;
  /** null: the default tenant. */
  readonly tenantId: string | null;
  /** null: every source. */
  readonly sources: readonly string[] | null;
}

export interface MemoryAnswer {
  readonly answer: string;
  readonly answerWithCitations: string;
  /** In order of first mention: entry N is `[mem-N]`. */
  readonly cited: readonly RetrievedMemory[];
  /** Everything that the model was shown, most similar first. */
  readonly retrieved: readonly RetrievedMemory[];
}

/**
 * Answers a question from the most similar current memories (4.4). The model
 * only ever sees memories of the caller's account and of the one tenant; what it
 * returns is believed as far as its markers name memories it was shown (D12).
 *
 * Throws `model_unavailable` when a model does not answer (D28), and `overloaded`
 * when it is asked too much.
 */
export async function queryMemories(
  context: MemoryContext,
  caller: Caller,
  question: MemoryQuestion,
  signal: AbortSignal,
): Promise<MemoryAnswer> {
  admitReader(context, caller);
  using deadline = startModelDeadline(context, signal);
  const { report } = startUsageLog(context);
  const { retrieved, now } = await retrieve(context, caller, question, deadline.signal, report);
  if (retrieved.length === 0) {
    return {
      answer: NO_MEMORIES_ANSWER,
      answerWithCitations: NO_MEMORIES_ANSWER,
      cited: [],
      retrieved,
    };
  }
  const memories = retrieved.map(({ memory, similarity }, index) => ({
    number: index + 1,
    decision: memory.decision,
    topic: memory.topic,
    source: memory.source,
    validFrom: memory.validFrom,
    similarity,
  }));
  const text = await context.answerer.answer(
    { text: question.question, memories, now },
    deadline.signal,
    report,
  );
  const { answer, answerWithCitations, cited } = citeAnswer(text, retrieved.length);
  return {
    answer,
    answerWithCitations,
    cited: cited.map((number) => shown(retrieved, number)),
    retrieved,
  };
}

/**
 * The most similar memories. The database can move to another embedding model
 * between the embedding and the search; then the question is embedded again, as
 * often as there are models to move to.
 */
async function retrieve(
  context: MemoryContext,
  caller: Caller,
  { question, limit, tenantId, sources }: MemoryQuestion,
  signal: AbortSignal,
  report: ReportUsage,
): Promise<{ readonly retrieved: RetrievedMemory[]; readonly now: Instant }> {
  for (const _ of context.embedders) {
    const active = await activeEmbedder(context);
    const [vector] = await embedIn(active, [question], "query", signal, report);
    if (vector === undefined) break;
    const now = context.now();
    const retrieved = await findSimilarMemories(context.db, {
      companyId: caller.companyId,
      tenantId,
      sources,
      now,
      vector,
      limit,
    });
    if (retrieved !== null) return { retrieved, now };
  }
  throw embeddingModelReplaced();
}

/** The memory that a marker names; citeAnswer leaves no other. */
function shown(retrieved: readonly RetrievedMemory[], number: number): RetrievedMemory {
  const memory = retrieved[number - 1];
  if (memory === undefined) throw new Error(`No memory was shown as number ${number}`);
  return memory;
}
