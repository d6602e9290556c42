/** The largest of every list and stream that the service answers: each is bounded in bytes (D37). */
import { type DescMethod, type DescService, type Message, toBinary } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { createClient, type Transport } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { v7 as uuidv7 } from "uuid";
import { expect, onTestFinished, test } from "vitest";
import { AccountService } from "../../gen/agentmemory/admin/v1/account_service_pb.ts";
import { ApiKeyService as OperatorsKeys } from "../../gen/agentmemory/admin/v1/api_key_service_pb.ts";
import { EmbeddingService } from "../../gen/agentmemory/admin/v1/embedding_service_pb.ts";
import { ErasureService as OperatorsErasure } from "../../gen/agentmemory/admin/v1/erasure_service_pb.ts";
import { CallService } from "../../gen/agentmemory/dashboard/v1/call_service_pb.ts";
import { ChainService } from "../../gen/agentmemory/dashboard/v1/chain_service_pb.ts";
import { KnownValueService } from "../../gen/agentmemory/dashboard/v1/known_value_service_pb.ts";
import { ApiKeyService } from "../../gen/agentmemory/dashboard/v1/own_api_key_service_pb.ts";
import { ErasureService } from "../../gen/agentmemory/dashboard/v1/own_erasure_service_pb.ts";
import { ReviewService } from "../../gen/agentmemory/dashboard/v1/review_service_pb.ts";
import { SessionService } from "../../gen/agentmemory/dashboard/v1/session_service_pb.ts";
import { TenantService } from "../../gen/agentmemory/dashboard/v1/tenant_service_pb.ts";
import { MemoryService } from "../../gen/agentmemory/v1/memory_service_pb.ts";
import { SettingsService } from "../../gen/agentmemory/v1/settings_service_pb.ts";
import {
  MAX_CONTENT_BYTES,
  MAX_CONTEXT_TOKENS,
  MAX_EXTRACTED_TEXT_BYTES,
  MAX_KEY_TENANTS,
  MAX_LIST_LIMIT,
  MAX_PAGE_TEXT_BYTES,
  MAX_QUERY_LIMIT,
  MAX_RETENTION_RULES,
  MAX_TENANT_ID_CHARACTERS,
} from "../../src/domain/limits.ts";
import { importing, lineOf } from "../spec/transfers/transfers.ts";
import { PAGE_HEADERS, sendsHeaders, signIn } from "../support/dashboard-client.ts";
import { startTestService, type TestAccount, type TestService } from "../support/service.ts";

/** A page of text, with all else that is sent with it. */
const PAGE_BYTES = 1.1 * MAX_PAGE_TEXT_BYTES;
/** An answer cites memories that it has whole in its list. */
const ANSWER_BYTES = 2 * PAGE_BYTES;
/** Of all that is made here: together it is several pages of each list. */
const COUNT = 24;
const QUESTION = "Where is the harbour?";

interface Case {
  readonly bytes?: number;
  /** Default: it is not served over REST. */
  readonly rest?: readonly [method: string, path: string, body?: object];
  readonly request?: object;
}

/** Versions of one memory. */
const chained = Array.from({ length: COUNT }, () => uuidv7());
const [audited = ""] = chained;
const question = { question: QUESTION, limit: MAX_QUERY_LIMIT };

const get = (path: string, request: object): Case => ({ rest: ["GET", path], request });

/** Every method that only reads, and answers a list or a stream. */
const CASES: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  [MemoryService.typeName]: {
    ListMemories: get(`/agent/memories?limit=${MAX_LIST_LIMIT}`, { limit: MAX_LIST_LIMIT }),
    GetMemoryTimeline: get(`/memories/${audited}/timeline`, { memoryId: audited }),
    GetMemoryAudit: get(`/memories/${audited}/audit`, { memoryId: audited }),
    ExportMemories: get("/agent/export?whole_account=true", { wholeAccount: true }),
    SearchMemories: { rest: ["POST", "/agent/search", question], request: question },
    QueryMemories: {
      rest: ["POST", "/agent/query", question],
      request: question,
      bytes: ANSWER_BYTES,
    },
    StreamQueryMemories: { request: question },
    GetContext: {
      rest: ["POST", "/agent/context", { question: QUESTION, max_tokens: MAX_CONTEXT_TOKENS }],
      request: { question: QUESTION, maxTokens: MAX_CONTEXT_TOKENS },
    },
    GetProfile: get(`/agent/profile?max_tokens=${MAX_CONTEXT_TOKENS}`, {
      maxTokens: MAX_CONTEXT_TOKENS,
    }),
  },
  [SettingsService.typeName]: { GetSettings: { rest: ["GET", "/agent/settings"] } },
  [ApiKeyService.typeName]: { ListApiKeys: {}, GetApiKeySettings: {} },
  [ReviewService.typeName]: {
    ListDecisions: { bytes: ANSWER_BYTES },
    ListRejectedFacts: {},
    GetRecord: {},
  },
  [ChainService.typeName]: {
    ListEnds: { request: { memoryIds: chained } },
    ListChanges: { request: { after: { seconds: 0n }, until: { seconds: 4_000_000_000n } } },
  },
  [KnownValueService.typeName]: { ListKnownValues: { request: { field: "topic" } } },
  [ErasureService.typeName]: { ListRetentionRules: {} },
  [CallService.typeName]: {
    ListCalls: {},
    GetCall: { request: { id: audited }, bytes: ANSWER_BYTES },
    GetUsage: { request: { days: 90 } },
  },
  [TenantService.typeName]: { ListTenants: {}, SearchEveryTenant: { request: question } },
  [SessionService.typeName]: {},
  [AccountService.typeName]: { ListAccounts: {}, ListAccountIndexes: {} },
  [OperatorsKeys.typeName]: { ListApiKeys: {} },
  [OperatorsErasure.typeName]: { ListRetentionRules: {} },
  [EmbeddingService.typeName]: {},
};
const OF_KEYS = [MemoryService, SettingsService] as const;
const OF_SESSIONS = [
  ApiKeyService,
  ReviewService,
  ChainService,
  KnownValueService,
  ErasureService,
  CallService,
  TenantService,
  SessionService,
] as const;
const OF_OPERATORS = [AccountService, OperatorsKeys, OperatorsErasure, EmbeddingService] as const;

const text = (start: string, bytes: number) =>
  start + "The harbour is in Ghent. ".repeat(bytes / 25).slice(0, bytes - start.length);

type Line = Record<string, unknown>;

/** A line of an import, with the longest texts that one takes. */
function longLine(id: string, at: string, history: readonly object[] = [], more: Line = {}): Line {
  const decision = text(id, MAX_EXTRACTED_TEXT_BYTES);
  const created = { event: "created", at, actor: uuidv7(), detail: {} };
  return lineOf(id, at, {
    decision,
    summary: decision,
    topic: "Identity",
    importance_score: 10,
    provenance: {
      mode: "messages",
      session_id: null,
      original_message: text(id, MAX_CONTENT_BYTES),
      message_index: 0,
      extraction: { provider: "openai", model: "a-model", byo_llm: false },
      span: null,
    },
    history: [created, ...history],
    ...more,
  });
}

/** Memories that hold, and versions each of which the classifier ended for a long reason. */
function longLines(): Line[] {
  const start = Date.now() - 120_000;
  const timeOf = (place: number) =>
    `${new Date(start + place * 1_000).toISOString().slice(0, -1)}000Z`;
  const standing = Array.from({ length: COUNT }, () => longLine(uuidv7(), timeOf(0)));
  const reason = text("", 450_000);
  const judged = { confidence: 0.9, reason, model: "a-model" };
  const versions = chained.map((id, place) => {
    const at = timeOf(place);
    // As many as no classifier names.
    const named = Array.from({ length: 1_000 }, () => ({
      memory_id: id,
      confidence: 0.9,
      reason: "It is newer.",
    }));
    const watched = { applied: false, superseded: id, supersessions: named };
    const classified = { event: "classified", at, actor: "classifier", detail: watched };
    const by = chained[place + 1];
    if (by === undefined) return longLine(id, at, [classified]);
    const valid_to = timeOf(place + 1);
    const end = { superseded_by: by, valid_to, previous_valid_to: null };
    const event = { event: "superseded", at, actor: "classifier", detail: { ...end, ...judged } };
    const ended = { superseded_by: by, superseded_at: at, valid_to };
    return longLine(id, at, [classified, event], ended);
  });
  return [...versions.toReversed(), ...standing];
}

/** A chain has the same history again and again, of one memory, on lines before it. */
function withLongHistory(lines: readonly Line[]): Line[] {
  return lines.flatMap((line) => {
    const history = line.history as readonly Record<string, unknown>[];
    const end = history[2];
    if (line.id !== audited || end === undefined) return [line];
    const restored = {
      ...end,
      event: "restored",
      detail: { superseded_by: chained[1], valid_to: null },
    };
    const events = [...history, ...Array.from({ length: 12 }, () => [restored, end]).flat()];
    const pairs = events.map((event) => ({ memory_id: audited, events: [event] }));
    return [...pairs, { ...line, history: [] }];
  });
}

async function fill(service: TestService): Promise<TestAccount> {
  const account = await service.createAccount();
  const answer = await importing(account, withLongHistory(longLines()));
  expect(answer.status, answer.body.detail).toBe(200);
  const tenants = Array.from({ length: MAX_KEY_TENANTS }, (_, i) => {
    return `${i}`.padEnd(MAX_TENANT_ID_CHARACTERS, "湊");
  });
  for (let count = 0; count < 80; count++) {
    await service.createKey(account.companyId, { tenants });
  }
  const operators = createClient(OperatorsErasure, adminTransport(service));
  for (const [place, tenantId] of tenants.entries()) {
    if (place >= MAX_RETENTION_RULES) break;
    await operators.setRetentionRule({
      companyId: account.companyId,
      rule: { tenantId, source: tenantId, allAfterDays: 1 },
      confirmed: true,
    });
  }
  return account;
}

function adminTransport({ adminPort }: TestService): Transport {
  return createGrpcTransport({ baseUrl: `http://127.0.0.1:${adminPort}` });
}

function grpcTransport({ url }: TestService, headers: Readonly<Record<string, string>>): Transport {
  return createGrpcTransport({ baseUrl: url, interceptors: [sendsHeaders(headers)] });
}

/** The bytes of the largest message of an answer by gRPC. */
async function largestByGrpc(transport: Transport, method: DescMethod, request: object) {
  const client = createClient(method.parent, transport) as unknown as Readonly<
    Record<string, (request: object) => Promise<Message> | AsyncIterable<Message>>
  >;
  const answer = client[method.localName]?.(request);
  if (answer === undefined) throw new Error(`${method} is not served`);
  const bytesOf = (message: Message) => toBinary(method.output, message).length;
  if (!(Symbol.asyncIterator in answer)) return bytesOf(await answer);
  let largest = 0;
  for await (const message of answer) largest = Math.max(largest, bytesOf(message));
  return largest;
}

/** Of an answer over REST: of a stream, of its longest line. */
async function largestByRest({ url }: TestService, { key }: TestAccount, rest: Case["rest"]) {
  const [method, path, body] = rest ?? [];
  const answer = await fetch(new URL(path ?? "", url), {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: body && JSON.stringify(body),
  });
  const received = await answer.text();
  expect(answer.status, received.slice(0, 1_000)).toBe(200);
  return Math.max(...received.split("\n").map((line) => Buffer.byteLength(line)));
}

const hasList = ({ output }: DescMethod) =>
  output.fields.some((field) => field.fieldKind === "list");
const { NO_SIDE_EFFECTS } = MethodOptions_IdempotencyLevel;

test("D37 answers: the largest of each list and stream is bounded in bytes", async () => {
  const service = await startTestService();
  onTestFinished(() => service.close());
  const account = await fill(service);
  const { companyId, apiKeyId, key } = account;
  const session = { ...PAGE_HEADERS, cookie: await signIn(service, account) };
  const groups: readonly [readonly DescService[], Transport][] = [
    [OF_KEYS, grpcTransport(service, { authorization: `Bearer ${key}` })],
    [OF_SESSIONS, grpcTransport(service, session)],
    [OF_OPERATORS, adminTransport(service)],
  ];
  const largest: Record<string, number> = {};
  const over: Record<string, number> = {};
  for (const [services, transport] of groups) {
    for (const method of services.flatMap(({ methods }) => methods)) {
      const asked = CASES[method.parent.typeName]?.[method.name];
      const isRead = method.idempotency === NO_SIDE_EFFECTS;
      if (isRead && hasList(method)) expect(asked, `${method} has no case`).toBeDefined();
      if (asked === undefined) continue;
      const { bytes = PAGE_BYTES, rest, request } = asked;
      const named = { companyId, id: apiKeyId, ...request };
      const note = (way: string, found: number) => {
        largest[`${method} ${way}`] = found;
        if (found > bytes) over[`${method} ${way}`] = found;
      };
      note("gRPC", await largestByGrpc(transport, method, named));
      if (rest !== undefined) note("REST", await largestByRest(service, account, rest));
    }
  }
  expect(over, JSON.stringify(largest, null, 2)).toEqual({});
});
