import { mapConcurrently } from "../../../../src/concurrency/bounds.ts";
import { MAX_CONTENT_BYTES } from "../../../../src/domain/limits.ts";
import type { RestAnswer, RestClient } from "../../../support/rest-client.ts";
import { createBm25 } from "./bm25.ts";
import type { Conversation, Corpus, Question, Session } from "./corpus.ts";

/** How deep the rankings are that are compared. */
export const DEEPEST = 50;
/** Conversations at once; within one, turns are written in their order, as they were said. */
const MAX_AT_ONCE = 4;

/** What came back for one question. IDs are of turns, best first. */
export interface AskedQuestion {
  readonly question: Question;
  readonly found: readonly string[];
  readonly foundByWords: readonly string[];
  /** By the answer that a caller gets who sets no limit. */
  readonly cited: readonly string[];
  /** Told by a context of so many tokens; null: none was asked for. */
  readonly told: readonly string[] | null;
}

export interface PlayedCorpus {
  readonly name: string;
  readonly conversations: number;
  readonly turns: number;
  /** Longer than a memory may be: only their beginnings were written. */
  readonly shortened: number;
  readonly writeSeconds: number;
  readonly asked: readonly AskedQuestion[];
}

/**
 * Writes each turn as a memory of its own, over HTTP (content mode, with `session_id` and
 * `valid_from`), each conversation in a tenant of its own, and asks its questions.
 */
export async function play(
  rest: RestClient,
  corpus: Corpus,
  contextTokens: number | null = null,
): Promise<PlayedCorpus> {
  const writtenSince = performance.now();
  const never = new AbortController().signal;
  const written = await mapConcurrently(
    corpus.conversations,
    MAX_AT_ONCE,
    (conversation) => write(rest, corpus, conversation),
    never,
  );
  const writeSeconds = (performance.now() - writtenSince) / 1_000;
  const asked = await mapConcurrently(
    written,
    MAX_AT_ONCE,
    (conversation) => askAll(rest, conversation, contextTokens),
    never,
  );
  const sum = (count: (conversation: WrittenConversation) => number) =>
    written.reduce((total, conversation) => total + count(conversation), 0);
  return {
    name: corpus.name,
    conversations: written.length,
    turns: sum(({ turnOf }) => turnOf.size),
    shortened: sum(({ shortened }) => shortened),
    writeSeconds,
    asked: asked.flat(),
  };
}

interface WrittenConversation {
  readonly conversation: Conversation;
  readonly tenantId: string;
  /** By the ID of its memory. */
  readonly turnOf: ReadonlyMap<string, string>;
  readonly shortened: number;
}

async function write(
  rest: RestClient,
  { name }: Corpus,
  conversation: Conversation,
): Promise<WrittenConversation> {
  const tenantId = `${name} ${conversation.id}`;
  const turnOf = new Map<string, string>();
  let shortened = 0;
  for (const session of conversation.sessions) {
    const validFrom = timeOf(session);
    for (const { id, text } of session.turns) {
      const content = shorten(text);
      if (content.trim() === "") continue;
      if (content !== text) shortened += 1;
      const answer = await rest("POST", "/agent/memories", {
        body: { content, tenant_id: tenantId, session_id: session.id, valid_from: validFrom },
      });
      turnOf.set(bodyOf(answer).memory_id, id);
    }
  }
  return { conversation, tenantId, turnOf, shortened };
}

/** null: now, where it is not known or is still ahead. */
function timeOf({ at }: Session): string | null {
  return at !== null && Date.parse(at) <= Date.now() ? at : null;
}

function shorten(text: string): string {
  // NUL is in no text that the service takes.
  const bytes = Buffer.from(text.replaceAll("\0", ""));
  if (bytes.length <= MAX_CONTENT_BYTES) return bytes.toString();
  // What is cut within a character becomes a replacement character of up to three bytes.
  return bytes.subarray(0, MAX_CONTENT_BYTES - 3).toString();
}

async function askAll(
  rest: RestClient,
  { conversation, tenantId, turnOf }: WrittenConversation,
  contextTokens: number | null,
): Promise<AskedQuestion[]> {
  const written = new Set(turnOf.values());
  const turns = conversation.sessions.flatMap((session) => session.turns);
  const byWords = createBm25(turns.filter(({ id }) => written.has(id)));
  const asked: AskedQuestion[] = [];
  for (const question of conversation.questions) {
    const ask = async (limit?: number) =>
      bodyOf(
        await rest("POST", "/agent/query", {
          body: { question: question.text, tenant_id: tenantId, limit },
        }),
      );
    const turnsOf = (memoryIds: readonly string[]) => memoryIds.map((id) => turnOf.get(id) ?? "");
    const deep = await ask(DEEPEST);
    const answer = await ask();
    const context = async () => {
      const body = { question: question.text, tenant_id: tenantId, max_tokens: contextTokens };
      const { relevant } = bodyOf(await rest("POST", "/agent/context", { body }));
      return turnsOf(relevant.memories.map(({ id }: { id: string }) => id));
    };
    const evidence = question.evidence.filter((id) => written.has(id));
    asked.push({
      question: { ...question, evidence },
      found: turnsOf(deep.memories.map(({ id }: { id: string }) => id)),
      foundByWords: byWords(question.text, DEEPEST),
      told: contextTokens === null ? null : await context(),
      cited: turnsOf(answer.citations.map(({ memory_id }: { memory_id: string }) => memory_id)),
    });
  }
  return asked;
}

function bodyOf({ status, body }: RestAnswer): RestAnswer["body"] {
  if (status !== 200) throw new Error(`The service answered ${status}: ${body?.detail}`);
  return body;
}
