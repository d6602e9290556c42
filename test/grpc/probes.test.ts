/** Probes and tools that know nothing of the service: health, reflection, and what is not there. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { Code, createClient } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { describe, expect, onTestFinished, test } from "vitest";
import { Health, HealthCheckResponse_ServingStatus } from "../../gen/grpc/health/v1/health_pb.ts";
import { ServerReflection } from "../../gen/grpc/reflection/v1/reflection_pb.ts";
import { ServerReflection as ServerReflectionV1Alpha } from "../../gen/grpc/reflection/v1alpha/reflection_pb.ts";
import { forThisFile } from "../support/for-this-file.ts";
import { startTestService } from "../support/service.ts";

const { SERVING, SERVICE_UNKNOWN } = HealthCheckResponse_ServingStatus;
const ROOT = join(import.meta.dirname, "../..");

const service = await forThisFile(startTestService());
const baseUrl = `http://127.0.0.1:${service.port}`;

describe("grpc.health.v1, without a key", () => {
  test.each([
    ["gRPC", () => createGrpcTransport({ baseUrl })],
    ["gRPC-Web", () => createGrpcWebTransport({ baseUrl, httpVersion: "1.1" })],
    ["Connect", () => createConnectTransport({ baseUrl, httpVersion: "1.1" })],
  ])("the server and each service serve, over %s", async (_, transport) => {
    const health = createClient(Health, transport());
    for (const name of ["", "agentmemory.v1.MemoryService"]) {
      expect(await health.check({ service: name })).toMatchObject({ status: SERVING });
    }
    await expect(health.check({ service: "nobody.v1.Service" })).rejects.toMatchObject({
      code: Code.NotFound,
    });
    const { statuses } = await health.list({});
    expect(statuses["agentmemory.v1.PlanService"]).toMatchObject({ status: SERVING });
  });

  test.each([
    ["gRPC", () => createGrpcTransport({ baseUrl })],
    ["Connect", () => createConnectTransport({ baseUrl, httpVersion: "2" })],
  ])(
    "who watches over %s is told the state at once, also of a service that is not there",
    async (_, transport) => {
      const health = createClient(Health, transport());
      for (const [name, expected] of [
        ["", SERVING],
        ["nobody.v1.Service", SERVICE_UNKNOWN],
      ] as const) {
        for await (const { status } of health.watch({ service: name })) {
          expect(status).toBe(expected);
          break;
        }
      }
    },
  );

  test("an address may have 32 calls open, and others are served meanwhile", async () => {
    const crowded = await startTestService();
    onTestFinished(() => crowded.close());
    const crowdedUrl = `http://127.0.0.1:${crowded.port}`;
    const health = createClient(Health, createGrpcTransport({ baseUrl: crowdedUrl }));
    const leave = new AbortController();
    const watching = Array.from({ length: 32 }, async () => {
      const states = health.watch({}, { signal: leave.signal })[Symbol.asyncIterator]();
      await states.next();
      return states;
    });
    const open = await Promise.all(watching);
    await expect(health.check({})).rejects.toMatchObject({ code: Code.ResourceExhausted });
    const { status } = await fetch(`${crowdedUrl}/readyz`);
    expect(status).toBe(200);
    leave.abort();
    await Promise.allSettled(open.map((states) => states.next()));
    await expect.poll(() => health.check({}).catch(() => null)).toMatchObject({ status: SERVING });
  });

  test("a server that ends ends what is watched", async () => {
    const ending = await startTestService();
    const health = createClient(
      Health,
      createGrpcTransport({ baseUrl: `http://127.0.0.1:${ending.port}` }),
    );
    const states = health.watch({})[Symbol.asyncIterator]();
    await states.next();
    const [ended] = await Promise.allSettled([states.next(), ending.close()]);
    expect(ended.status === "rejected" || ended.value.done).toBe(true);
  });
});

describe.each([
  ["v1", ServerReflection],
  ["v1alpha", ServerReflectionV1Alpha],
] as const)("server reflection %s, without a key", (_, reflection) => {
  async function ask(request: object) {
    const client = createClient(
      reflection as typeof ServerReflection,
      createGrpcTransport({ baseUrl }),
    );
    async function* requests() {
      yield { host: "here", messageRequest: request } as never;
    }
    for await (const { validHost, messageResponse } of client.serverReflectionInfo(requests())) {
      expect(validHost).toBe("here");
      return messageResponse;
    }
    throw new Error("no answer");
  }

  async function filesFor(request: object): Promise<string[]> {
    const { value } = (await ask(request)) as { value: { fileDescriptorProto: Uint8Array[] } };
    return value.fileDescriptorProto.map(
      (bytes) => fromBinary(FileDescriptorProtoSchema, bytes).name,
    );
  }

  test("lists the services, and not those of the operator", async () => {
    const { value } = (await ask({ case: "listServices", value: "" })) as {
      value: { service: { name: string }[] };
    };
    const names = value.service.map(({ name }) => name);
    expect(names).toContain("agentmemory.v1.MemoryService");
    expect(names).toContain("grpc.health.v1.Health");
    expect(names.filter((name) => name.includes("admin"))).toEqual([]);
  });

  test.each([
    "agentmemory.v1.MemoryService",
    "agentmemory.v1.MemoryService.QueryMemories",
    "agentmemory.v1.Memory",
    "agentmemory.v1.Memory.decision",
  ])("the file of %s comes behind all that it imports", async (value) => {
    const files = await filesFor({ case: "fileContainingSymbol", value });
    expect(files).toContain("google/protobuf/timestamp.proto");
    expect(files.at(-1)).toMatch(/^agentmemory\/v1\/memory/);
    expect(new Set(files).size).toBe(files.length);
    expect(await filesFor({ case: "fileByFilename", value: files.at(-1) })).toEqual(files);
  });

  test.each([
    ["fileByFilename", "secret.proto", Code.NotFound],
    ["fileContainingSymbol", "agentmemory.admin.v1.AccountService", Code.NotFound],
    ["allExtensionNumbersOfType", "google.protobuf.MethodOptions", Code.Unimplemented],
  ])("what is not served is an error in the answer: %s %s", async (kind, value, errorCode) => {
    const told = { case: "errorResponse", value: { errorCode } };
    expect(await ask({ case: kind, value })).toMatchObject(told);
  });
});

test.each(["grpc", "grpcweb", "connect"])("buf curl needs no protos, over %s", async (protocol) => {
  const { key } = await service.createAccount();
  const { stdout } = await promisify(execFile)(join(ROOT, "node_modules/.bin/buf"), [
    "curl",
    ...["--protocol", protocol, "--http2-prior-knowledge"],
    ...["-H", `authorization: Bearer ${key}`],
    ...["-d", "{}", `${baseUrl}/agentmemory.v1.PlanService/GetPlanStatus`],
  ]);
  expect(JSON.parse(stdout)).toMatchObject({ planTier: "starter" });
});
