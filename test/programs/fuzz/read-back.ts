import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { RestClient } from "../../support/rest-client.ts";
import type { JsonMessage } from "./messages.ts";
import type { Json } from "./outcome.ts";
import type { FuzzedRequest } from "./requests.ts";

/** A request that was served: what it said, what it was told, and how to look. */
export interface Accepted {
  readonly request: FuzzedRequest;
  /** As it was sent, with the IDs of memories. */
  readonly message: JsonMessage;
  readonly body: Json;
  readonly rest: RestClient;
}

/**
 * What of an accepted change does not read back as it was sent, in words; null: all does.
 * Nobody else may write to the account meanwhile.
 */
export async function lossOf({ rest, ...accepted }: Accepted): Promise<string | null> {
  // The answer to a repeat is that of before, whatever became of it since.
  if (accepted.request.headers.some(([name]) => name === "idempotency-key")) return null;
  const reader = READERS[accepted.request.rpc];
  return (await reader?.({ ...accepted, rest: patient(rest) })) ?? null;
}

/** Asks again for as long as the service is overloaded. */
function patient(rest: RestClient): RestClient {
  return async (...call) => {
    for (;;) {
      const answer = await rest(...call);
      if (answer.status !== 503) return answer;
      await sleep(1_000 * Number(answer.headers.get("retry-after")));
    }
  };
}

const READERS: Readonly<Record<string, (accepted: Accepted) => Promise<string | null>>> = {
  async CreateMemories(accepted) {
    const { body } = accepted;
    if (body.status === "saved") return lossOfContent(accepted);
    for (const [index, id] of body.memory_ids.entries()) {
      const memory = await findMemory(accepted, id);
      if (memory === undefined) return `memory ${id} is not there`;
      const loss = difference("decision", body.extracted[index], memory.decision);
      if (loss !== null) return loss;
    }
    return null;
  },
  async SupersedeMemory(accepted) {
    const { memory_id, superseded_by, valid_to } = accepted.body;
    const memory = await findMemory(accepted, memory_id);
    return (
      difference("superseded_by", superseded_by, memory?.superseded_by) ??
      difference("valid_to", valid_to, memory?.valid_to)
    );
  },
  async DeleteMemories({ message, body, rest }) {
    // What an erasure of a part leaves is not told by a count.
    if (Object.keys(message).some((field) => field !== "tenant_id")) return null;
    const query = {
      include_superseded: "true",
      ...(body.tenant_id && { tenant_id: body.tenant_id }),
    };
    const list = await rest("GET", "/agent/memories", { query });
    return difference("count after a deletion", 0, list.body.count);
  },
  async UpdateSettings({ request, message, body, rest }) {
    const stored = await rest("GET", "/agent/settings");
    const isPlain = request.protocol === "rest" && request.damage.kind === "none";
    const sent = isPlain ? Object.entries((message.settings ?? {}) as Json) : [];
    const losses = sent.map(([name, value]) => difference(name, value, body[name]));
    return (
      difference("settings", body, stored.body) ?? losses.find((loss) => loss !== null) ?? null
    );
  },
};

async function lossOfContent(accepted: Accepted): Promise<string | null> {
  const { request, message, body } = accepted;
  const memory = await findMemory(accepted, body.memory_id);
  if (memory === undefined) return `memory ${body.memory_id} is not there`;
  // What was sent is only known where nothing was done to it, and stands there once.
  if (request.damage.kind !== "none" || "tenantId" in message) return null;
  const texts = { decision: "content", topic: "topic", source: "source", tenant_id: "tenant_id" };
  for (const [stored, sent] of Object.entries(texts)) {
    const value = message[sent];
    if (value == null) continue;
    const loss = difference(stored, textOf(value), memory[stored]);
    if (loss !== null) return loss;
  }
  if (request.protocol === "rest" && message.metadata != null) {
    const sent: unknown = JSON.parse(JSON.stringify(message.metadata));
    const loss = difference("metadata", sent, memory.metadata);
    if (loss !== null) return loss;
  }
  const score = message.importance_score;
  if (score != null) {
    const loss = difference("importance_score", Number(score), memory.importance_score);
    if (loss !== null) return loss;
  }
  for (const name of ["valid_from", "valid_to"]) {
    const sent = Date.parse(String(message[name]));
    if (Number.isNaN(sent)) continue;
    const loss = difference(name, sent, Date.parse(memory[name]));
    if (loss !== null) return loss;
  }
  return null;
}

async function findMemory({ rest }: Accepted, id: string): Promise<Json | undefined> {
  const { body } = await rest("GET", `/memories/${id}/timeline`);
  return body.timeline?.find((memory: Json) => memory.id === id);
}

/** As a field of text in a binary message carries it. */
function textOf(value: unknown): string {
  return (typeof value === "string" ? value : JSON.stringify(value)).toWellFormed();
}

function difference(what: string, sent: unknown, found: unknown): string | null {
  if (isDeepStrictEqual(sent, found)) return null;
  return `${what} reads back as ${JSON.stringify(found)}, not as ${JSON.stringify(sent)}`;
}
