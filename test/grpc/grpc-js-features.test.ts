/** What gRPC libraries do by themselves, by `@grpc/grpc-js`: retries, compression, deadlines. */
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  type ChannelOptions,
  Client,
  compressionAlgorithms,
  credentials,
  Metadata,
  type ServiceError,
  status,
} from "@grpc/grpc-js";
import { createClient } from "agent-memory/client/grpc-js";
import serviceConfig from "agent-memory/grpc-service-config.json" with { type: "json" };
import { sql } from "kysely";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import {
  CreateMemoriesRequestSchema,
  ListMemoriesResponseSchema,
} from "../../gen/agentmemory/v1/memory_service_pb.ts";
import { StatusSchema } from "../../gen/google/rpc/status_pb.ts";
import { forThisFile } from "../support/for-this-file.ts";
import { startTestService, type TestAccount } from "../support/service.ts";

let account: TestAccount;
const service = await forThisFile(startTestService({ config: { rateLimit: true } }));
beforeEach(async () => {
  account = await service.createAccount();
});

const MEMORIES = "/agentmemory.v1.MemoryService";

/** As a stock client has it: the service config of the package, and nothing of our own. */
function stockClient(options: ChannelOptions = {}) {
  const client = new Client(`127.0.0.1:${service.port}`, credentials.createInsecure(), {
    "grpc.service_config": JSON.stringify(serviceConfig),
    ...options,
  });
  onTestFinished(() => client.close());
  const asIs = (bytes: Buffer) => bytes;
  return (path: string, message: Uint8Array, deadlineMs = 60_000): Promise<Buffer> => {
    const metadata = new Metadata();
    metadata.set("authorization", `Bearer ${account.key}`);
    const deadline = Date.now() + deadlineMs;
    const bytes = Buffer.from(message);
    return new Promise((resolve, reject) => {
      client.makeUnaryRequest(path, asIs, asIs, bytes, metadata, { deadline }, (error, answer) =>
        answer === undefined ? reject(error) : resolve(answer),
      );
    });
  };
}

async function errorOf(call: Promise<unknown>): Promise<ServiceError> {
  const error = await call.then(
    () => null,
    (reason: ServiceError) => reason,
  );
  if (error === null) throw new Error("the call succeeded");
  return error;
}

function reasonOf({ metadata }: ServiceError): string {
  const [details] = metadata.get("grpc-status-details-bin");
  return String(fromBinary(StatusSchema, details as Buffer).details[0]?.value);
}

const fact = (content: string) =>
  toBinary(CreateMemoriesRequestSchema, create(CreateMemoriesRequestSchema, { content }));

describe("retries", () => {
  test("a read that came too soon is sent again when the service said", async () => {
    await service.updateAccount(account.companyId, { rate: 2, burst: 1 });
    const call = stockClient();
    const list = `${MEMORIES}/ListMemories`;
    for (let i = 0; i < 2; i++) await call(list, Buffer.alloc(0));
    const impatient = stockClient({ "grpc.enable_retries": 0 });
    const error = await errorOf(impatient(list, Buffer.alloc(0)));
    expect(error.code).toBe(status.RESOURCE_EXHAUSTED);
    expect(reasonOf(error)).toContain("rate_limited");
    expect(error.metadata.get("grpc-retry-pushback-ms")).toEqual(["1000"]);
  });

  test("so it is by the project's own client over grpc-js", async () => {
    await service.updateAccount(account.companyId, { rate: 2, burst: 1 });
    const { plan, close } = createClient({ url: service.url, apiKey: account.key });
    onTestFinished(close);
    for (let i = 0; i < 2; i++) await plan.getPlanStatus({});
  });

  test("a quota that is used up, whose wait is days, is not to be sent again", async () => {
    await service.updateAccount(account.companyId, { writesLimit: 0 });
    const error = await errorOf(stockClient()(`${MEMORIES}/CreateMemories`, fact("More")));
    expect(reasonOf(error)).toContain("write_quota_exceeded");
    expect(error.metadata.get("grpc-retry-pushback-ms")).toEqual(["-1"]);
  });
});

describe("compression", () => {
  const content = "compressible ".repeat(2_000);

  test("gzip both ways", async () => {
    const call = stockClient({ "grpc.default_compression_algorithm": compressionAlgorithms.gzip });
    await call(`${MEMORIES}/CreateMemories`, fact(content));
    const answer = await call(`${MEMORIES}/ListMemories`, Buffer.alloc(0));
    const { memories } = fromBinary(ListMemoriesResponseSchema, answer);
    expect(memories.map(({ decision }) => decision)).toEqual([content]);
  });

  test("of one that the service does not read it names those that it does", async () => {
    const { deflate } = compressionAlgorithms;
    const call = stockClient({ "grpc.default_compression_algorithm": deflate });
    const error = await errorOf(call(`${MEMORIES}/CreateMemories`, fact(content)));
    expect(error.code).toBe(status.UNIMPLEMENTED);
    expect(error.details).toContain("gzip");
  });
});

test("what waits for the database when its deadline passes is given up, and not done later", async () => {
  const call = stockClient();
  await service.context.db.transaction().execute(async (trx) => {
    await sql`lock table memories in access exclusive mode`.execute(trx);
    const waiting = sql<{ count: number }>`
      select count(*)::int as count from pg_locks
      where relation = 'memories'::regclass and not granted
        and database = (select oid from pg_database where datname = current_database())`;
    const write = call(`${MEMORIES}/CreateMemories`, fact("Too late"), 500);
    expect((await errorOf(write)).code).toBe(status.DEADLINE_EXCEEDED);
    await expect.poll(async () => (await waiting.execute(trx)).rows).toEqual([{ count: 0 }]);
  });
  await call(`${MEMORIES}/CreateMemories`, fact("In time"));
  const { body } = await account.rest("GET", "/agent/memories");
  expect(body.memories.map(({ decision }: { decision: string }) => decision)).toEqual(["In time"]);
});
