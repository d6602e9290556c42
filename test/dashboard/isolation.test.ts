/**
 * A session of one account never shows another's: every RPC that a session may call, as the
 * protos have them, so that a new one cannot be forgotten.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import {
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescMethodStreaming,
  type DescMethodUnary,
  type DescService,
  fromJson,
  type JsonValue,
  type Message,
  ScalarType,
  toBinary,
} from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keepRejectedFacts, listRejectedFacts } from "../../src/storage/rejected-facts.ts";
import { transaction } from "../../src/storage/transaction.ts";
import { remember } from "../spec/calls.ts";
import { PAGE_HEADERS, sendsHeaders, signIn } from "../support/dashboard-client.ts";
import { PROJECT_ROOT } from "../support/project-root.ts";
import { startTestService, type TestAccount, type TestService } from "../support/service.ts";

const FOLDERS = ["gen/agentmemory/dashboard/v1", "gen/agentmemory/v1"];
const WITHOUT_SESSION = "agentmemory.dashboard.v1.SignInService";
/** In every text that the other account has stored. */
const SECRET = "only-of-the-owner";

const services: DescService[] = [];
for (const folder of FOLDERS) {
  for (const file of readdirSync(join(PROJECT_ROOT, folder)).filter((name) =>
    name.endsWith("_pb.ts"),
  )) {
    const module: Record<string, unknown> = await import(join(PROJECT_ROOT, folder, file));
    services.push(...Object.values(module).filter(isService));
  }
}
const methods = services
  .filter(({ typeName }) => typeName !== WITHOUT_SESSION)
  .flatMap((service) => service.methods as readonly AnyMethod[]);

function isService(value: unknown): value is DescService {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "service";
}

let service: TestService;
let owner: TestAccount;
/** What requests name, by the fields' names: all that the owner's pages name. */
let named: Readonly<Record<string, JsonValue>>;
let rejectedId: string;
beforeAll(async () => {
  service = await startTestService();
  owner = await service.createAccount();
  const about = { topic: `Topic ${SECRET}`, source: SECRET, session_id: SECRET };
  const write = (content: string, more: object = {}) =>
    remember(owner, `${content} ${SECRET}`, { ...about, ...more });
  const [current, ended] = [
    await write("Alice lives in Berlin,"),
    await write("The office closes"),
  ];
  await owner.rest("POST", `/memories/${ended}/supersede`, { body: { superseded_by: current } });
  await write("Hidden", { tenant_id: `tenant-${SECRET}` });
  // What the classifier decided, and what was rejected.
  await write("Bob's favourite colour is blue");
  await write("Bob's favourite colour is green", { auto_supersede: true });
  rejectedId = service.context.newId();
  await transaction(service.context.db.of(owner.companyId), (trx) =>
    keepRejectedFacts(trx, [
      {
        id: rejectedId,
        tenantId: null,
        sessionId: SECRET,
        source: SECRET,
        metadata: {},
        rejectedAt: service.context.now(),
        saidAt: service.context.now(),
        fact: `A fact ${SECRET}`,
        isFactCut: false,
        isRetraction: false,
        message: `A message ${SECRET}`,
        messageIndex: 0,
        reason: "subject",
      },
    ]),
  );
  named = {
    id: owner.apiKeyId,
    api_key_id: owner.apiKeyId,
    memory_id: ended,
    memory_ids: [current, ended],
    superseded_by: current,
    session_id: "of-nobody",
    tenant_id: "of-nobody",
    tenant_ids: [],
    question: "Where does Alice live?",
    content: "Bob lives in Rome",
    memories: [{ content: "Bob likes tea" }],
    field: "topic",
    include_superseded: true,
    settings: { min_confidence: 0.99 },
    days: 30,
    tenant: `tenant-${SECRET}`,
  };
});
afterAll(() => service.close());

/** As a page sends calls. */
function transportOf(headers: Readonly<Record<string, string>>): Transport {
  const interceptors = [sendsHeaders(headers)];
  return createConnectTransport({ baseUrl: service.url, httpVersion: "2", interceptors });
}

const asSession = async (account: TestAccount) =>
  transportOf({ ...PAGE_HEADERS, cookie: await signIn(service, account) });

function requestOf({ input, name }: AnyMethod, omitted: readonly string[] = []): Message {
  const values = name.endsWith("RejectedFact") ? { ...named, id: rejectedId } : named;
  const fields = input.fields.filter(({ name }) => name in values && !omitted.includes(name));
  return fromJson(
    input,
    Object.fromEntries(fields.map(({ name }) => [name, values[name] ?? null])),
  );
}

/** What a call is answered, as bytes in which texts stand as they are, or how it is refused. */
async function answerOf(transport: Transport, method: AnyMethod, request: Message) {
  async function* requests() {
    yield request;
  }
  try {
    if (isUnary(method)) {
      const { message } = await transport.unary(method, undefined, undefined, undefined, request);
      return { code: null, text: textOf(method.output, message) };
    }
    const answer = await transport.stream(method, undefined, undefined, undefined, requests());
    let text = "";
    for await (const message of answer.message) text += textOf(method.output, message);
    return { code: null, text };
  } catch (error) {
    const { code, message } = ConnectError.from(error);
    return { code, text: message };
  }
}

function isUnary(method: AnyMethod): method is DescMethodUnary {
  return method.methodKind === "unary";
}

function textOf(output: DescMessage, message: Message): string {
  return Buffer.from(toBinary(output, message)).toString();
}

type AnyMethod = DescMethodUnary | DescMethodStreaming;

const nameOf = ({ parent, name }: DescMethod) => `${parent.name}.${name}`;
const reads = ({ idempotency, name }: DescMethod) =>
  idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS ||
  /^(Stream)?Query|^Search|^GetContext/.test(name);

describe("every RPC of a session", () => {
  test("names what it is about by fields that are named here", () => {
    const isId = ({ name, fieldKind, ...rest }: DescField) =>
      /(^|_)ids?$/.test(name) &&
      fieldKind !== "message" &&
      "scalar" in rest &&
      rest.scalar === ScalarType.STRING;
    const unnamed = methods.flatMap(({ input }) =>
      input.fields.filter((field) => isId(field) && !(field.name in named)).map(({ name }) => name),
    );
    expect(unnamed).toEqual([]);
    expect(services.map(({ typeName }) => typeName)).toContain(WITHOUT_SESSION);
  });

  test("tells the owner: what is asked below can be told", async () => {
    const transport = await asSession(owner);
    const told: string[] = [];
    // Of the default tenant.
    for (const method of methods.filter(reads)) {
      const { text } = await answerOf(
        transport,
        method,
        requestOf(method, ["tenant_id", "session_id"]),
      );
      if (text.includes(SECRET) || text.includes(owner.companyId)) told.push(nameOf(method));
    }
    expect(told).toEqual(
      expect.arrayContaining([
        "KnownValueService.ListKnownValues",
        "MemoryService.ExportMemories",
        "MemoryService.GetContext",
        "MemoryService.GetMemory",
        "MemoryService.GetMemoryAudit",
        "MemoryService.GetMemoryTimeline",
        "MemoryService.GetProfile",
        "MemoryService.ListMemories",
        "MemoryService.SearchMemories",
        "ReviewService.ListDecisions",
        "ReviewService.ListRejectedFacts",
        "SessionService.GetSession",
        "TenantService.ListTenants",
        "TenantService.SearchEveryTenant",
      ]),
    );
  });

  test.each(methods.map((method) => [nameOf(method), method] as const))(
    "%s shows another account nothing, and changes nothing there",
    async (_, method) => {
      const before = await ownersData();
      const stranger = await service.createAccount();
      const transport = await asSession(stranger);
      for (const omitted of [[], ["tenant_id", "session_id"]]) {
        const { text } = await answerOf(transport, method, requestOf(method, omitted));
        expect(text).not.toContain(SECRET);
        expect(text).not.toContain(owner.companyId);
        expect(text).not.toContain(owner.key);
      }
      expect(await ownersData()).toEqual(before);
    },
  );

  test.each(methods.map((method) => [nameOf(method), method] as const))(
    "%s takes a session",
    async (_, method) => {
      const { code } = await answerOf(transportOf(PAGE_HEADERS), method, requestOf(method));
      expect(code).toBe(Code.Unauthenticated);
      if (!method.parent.typeName.startsWith("agentmemory.dashboard.")) return;
      const byKey = transportOf({ ...PAGE_HEADERS, authorization: `Bearer ${owner.key}` });
      expect((await answerOf(byKey, method, requestOf(method))).code).toBe(Code.Unauthenticated);
    },
  );
});

/** All that another account could change, as the owner reads it. */
async function ownersData(): Promise<unknown> {
  const [exported, settings] = [
    await fetch(`${service.url}/agent/export?whole_account=true`, {
      headers: { authorization: `Bearer ${owner.key}` },
    }),
    await owner.rest("GET", "/agent/settings"),
  ];
  const { db } = service.context;
  const rejected = await listRejectedFacts(db.of(owner.companyId), null, 9);
  return [await exported.text(), settings.body, rejected];
}
