import { attributeOf } from "../domain/attribute.ts";
import { toMemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import { type Extraction, type Memory, periodOf, spanOfQuote } from "../domain/memory.ts";
import {
  type ContentWrite,
  checkKnownEnds,
  isAutoSuperseding,
  type MemoryWrite,
  type MessagesWrite,
  scopesOf,
  type WriteScope,
} from "../domain/memory-write.ts";
import { zip } from "../domain/zip.ts";
import type { Extractor } from "../providers/extractor.ts";
import type { Caller, MemoryContext } from "./context.ts";
import { embedDocuments } from "./embeddings.ts";
import { type Answer, answerOnce, type IdempotencyRequest } from "./idempotency.ts";
import type { EmbeddedStatement, WriteRun } from "./judge-statements.ts";
import { startRequestModels } from "./model-calls.ts";
import {
  admitWriter,
  confirmWriter,
  presumedWriter,
  SettingsChanged,
  type Writer,
} from "./plan.ts";
import { type CreatedMemories, type FoundFacts, storeFacts } from "./store-facts.ts";

/**
 * Stores one fact as given, many of them, or the facts that a conversation states, each
 * as its own memory (4.1, D41). All of it is done when the call returns.
 *
 * A write runs on the plan and the settings that were read last, where they are known, and
 * the statement that stores it checks them. Where they have changed, nothing was stored, and
 * the write runs once more on what is read then.
 *
 * Throws `invalid_field` for an end that is not after the start (D17) and for a model of the
 * caller's own that must not be called (D27); `plan_canceled`, `plan_blocked`, and
 * `write_quota_exceeded` where the quota admits nothing; `model_unavailable` when a model does
 * not answer, `overloaded` when it is asked too much, and `unauthenticated` when the key was
 * revoked meanwhile (D36). Then nothing is stored and no quota is spent.
 */
export async function createMemories(
  context: MemoryContext,
  caller: Caller,
  write: MemoryWrite,
  idempotency: IdempotencyRequest<CreatedMemories> | null,
  signal: AbortSignal,
): Promise<Answer<CreatedMemories>> {
  caller.notes.nameTenants(scopesOf(write).map(({ tenantId }) => tenantId));
  return answerOnce(context, caller, idempotency, async (claim) => {
    // Not before: a repeat gets its first result also when the end has passed since.
    checkKnownEnds(write, context.now());
    const llm = write.mode === "messages" ? write.llm : null;
    const extractor = llm === null ? context.extractor : context.extractorOf(llm);
    using models = startRequestModels(context, caller, signal, { byoLlm: llm !== null });
    const writeAs = async (writer: Writer) => {
      let confirming: Promise<Writer> | undefined;
      const confirmed = () => (confirming ??= confirmWriter(context, caller, writer));
      const run = { context, caller, write, writer, confirmed, models };
      const { facts, statements } = await findFacts(run, extractor);
      const statementsAt = await embedFacts(run, statements);
      return storeFacts({ ...run, facts, claim }, statementsAt);
    };
    try {
      const presumed = presumedWriter(context, caller, write);
      if (presumed !== null) return await writeAs(presumed);
    } catch (error) {
      if (!(error instanceof SettingsChanged)) throw error;
    }
    // Awaited here: the deadline of the models ends with this block.
    return await writeAs(await admitWriter(context, caller));
  });
}

/** A fact that a write states, or one that a user takes back in it (D25a). */
interface FoundStatement
  extends Pick<EmbeddedStatement, "category" | "provenance" | "retractedBy">,
    Pick<Memory, "decision" | "summary" | "topic" | "importanceScore" | "originalMessage"> {
  /** The part of the message that it was taken from (D12d); undefined: all of it, or not known. */
  readonly span?: Memory["span"] | undefined;
  /** The start and the end that the conversation states; null: none is stated. */
  readonly validFrom: Instant | null;
  readonly validTo: Instant | null;
  readonly scope: WriteScope;
}

/**
 * The facts of a write: the content itself, or what the extractor finds in the messages; and
 * those of them that the quota admits with what is taken back, in the order of the conversation.
 * Facts beyond the quota are reported but not stored, so no other model need see them.
 *
 * Throws `model_unavailable` when the extractor does not answer.
 */
async function findFacts({ context, write, writer, models }: WriteRun, extractor: Extractor) {
  const { settings } = writer;
  const { writesRemaining } = writer.plan;
  if (write.mode !== "messages") {
    const facts = (write.mode === "batch" ? write.memories : [write]).map(givenFact);
    const texts = facts.map(({ decision }) => decision);
    const found: FoundFacts = { found: texts, extraction: null, rejected: [] };
    return { facts: found, statements: facts.slice(0, writesRemaining) };
  }
  const { provider, model } = extractor;
  const extraction = { provider, model, byoLlm: write.llm !== null };
  const { messages, validFrom } = write;
  const { excludedCategories: categories } = settings;
  const input = { messages, at: validFrom ?? context.now(), categories };
  const { facts, retractions, rejected } = await extractor.extract(input, models.call);
  const stated = facts.map(({ messageIndex, quote = "", ...fact }) => {
    const said = saidIn(write, messageIndex, extraction);
    const span = spanOfQuote(said.originalMessage, quote);
    return { ...fact, ...said, span, retractedBy: null };
  });
  const takenBack = retractions.map(({ text, topic, category, messageIndex }) => ({
    ...{ decision: text, summary: text, topic, category },
    // Nothing more is known of it, and it is never stored.
    ...{ importanceScore: 5, validFrom: null, validTo: null },
    ...saidIn(write, messageIndex, extraction),
    retractedBy: messageIndex,
  }));
  const isOn = isAutoSuperseding(write, settings);
  const disabled = retractions.map(({ text: fact, messageIndex }) => {
    return { fact, isRetraction: true, messageIndex, reason: "disabled" as const };
  });
  const messageOf = ({ provenance }: FoundStatement) => provenance.messageIndex ?? 0;
  return {
    facts: {
      found: stated.map(({ decision }) => decision),
      extraction,
      rejected: isOn ? rejected : [...rejected, ...disabled],
    },
    // Each retraction stands before the facts of its message: what a message states is to hold.
    statements: [...(isOn ? takenBack : []), ...stated.slice(0, writesRemaining)].toSorted(
      (a, b) => messageOf(a) - messageOf(b),
    ),
  };
}

/** The fact of a content write: `decision` and `summary` are the content (D10). */
function givenFact(write: ContentWrite): FoundStatement {
  const { mode, content, topic, importanceScore, sessionId, validTo } = write;
  return {
    decision: content,
    summary: content,
    originalMessage: content,
    topic,
    importanceScore,
    validFrom: null,
    validTo,
    category: null,
    provenance: { mode, sessionId, messageIndex: null, extraction: null },
    scope: write,
    retractedBy: null,
  };
}

function saidIn(write: MessagesWrite, messageIndex: number, extraction: Extraction) {
  const { mode, messages, sessionId } = write;
  const message = messages[messageIndex];
  if (message === undefined) throw new Error("An extractor named a message that does not exist");
  const provenance = { mode, sessionId, messageIndex, extraction };
  return { originalMessage: message.content, provenance, scope: write };
}

/**
 * The statements as memories of a moment with what they are found by, in order, by one call of
 * the embedder. Throws `model_unavailable`, and at a moment `invalid_field` for a known end that
 * has passed.
 */
async function embedFacts(
  { context, caller, write, writer, models }: WriteRun,
  found: readonly FoundStatement[],
): Promise<(createdAt: Instant) => EmbeddedStatement[]> {
  const { call, usage } = models;
  // Side by side with the write's own call, so that it does not wait for the examples as well.
  if (scopesOf(write).some((scope) => isAutoSuperseding(scope, writer.settings))) {
    context.categoryExamples.prepare(context.embedders);
  }
  const texts = found.map(({ decision }) => decision);
  const documents = await embedDocuments(context, caller.db, texts, call);
  const modelCalls = {
    extract: [...usage.calls("extract"), ...usage.calls("verify")],
    embed: usage.calls("embed"),
  };
  const attributes = texts.map((text) => attributeOf(text));
  const statements = zip(found, documents);
  return (createdAt) => {
    checkKnownEnds(write, createdAt);
    return statements.map(([statement, document], index) => {
      const { provenance, category, retractedBy, scope, ...fact } = statement;
      const { tenantId, source, autoSupersede, metadata } = scope;
      const statedAt = scope.validFrom ?? createdAt;
      const memory = {
        id: toMemoryId(context.newId()),
        companyId: caller.companyId,
        ...{ tenantId, source, metadata, createdAt },
        ...fact,
        ...periodOf(fact, statedAt),
        ...{ supersededBy: null, supersededAt: null },
      };
      return {
        ...{ memory, statedAt, category, provenance, autoSupersede, retractedBy, modelCalls },
        attribute: attributes[index] ?? null,
        ...document,
      };
    });
  };
}
