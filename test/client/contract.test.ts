/** What the client knows of the API is what the API says. */
import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { createClient, ERROR_REASONS } from "agent-memory/client";
import serviceConfig from "agent-memory/grpc-service-config.json" with { type: "json" };
import { isIdempotent, isIdempotentAt, KEYED_METHODS, takesKeyAt } from "agent-memory/internal";
import { expect, test } from "vitest";
import { EXPLAINED_REASONS } from "../../.ci/reference-pages/errors-page.ts";
import * as memoryService from "../../gen/agentmemory/v1/memory_service_pb.ts";
import * as planService from "../../gen/agentmemory/v1/plan_service_pb.ts";
import * as settingsService from "../../gen/agentmemory/v1/settings_service_pb.ts";
import { FAILURE_STATUS } from "../../src/edge/error-mapping.ts";
import { operationsOf, readDocument } from "../support/openapi-document.ts";
import { readSources } from "../support/source-tree.ts";

const services: DescService[] = [memoryService, settingsService, planService]
  .flatMap((file): unknown[] => Object.values(file))
  .filter((value): value is DescService => (value as DescService).kind === "service");
const methods = services.flatMap((service) => service.methods as readonly DescMethod[]);
const operations = operationsOf(readDocument());

test("every service of the API is in the client", () => {
  const files = readSources("gen/agentmemory/v1").filter(({ code }) => /GenService</.test(code));
  expect(services).toHaveLength(files.length);
  const { transport: _, close: __, ...clients } = createClient({ url: "http://127.0.0.1" });
  const called = Object.values(clients).flatMap((client) => Object.keys(client));
  expect(called.toSorted()).toEqual(methods.map(({ localName }) => localName).toSorted());
});

test("calls have an idempotency key where the API takes one", () => {
  const keyed = operations.filter(({ operation: { parameters = [] } }) =>
    parameters.some(({ name }) => name === "Idempotency-Key"),
  );
  const names = keyed.map(({ operation }) => operation.operationId);
  expect([...KEYED_METHODS].map(({ name }) => name).toSorted()).toEqual(names.toSorted());
});

test("the client of the REST paths repeats the same calls", () => {
  for (const { method: lower, path, operation } of operations) {
    const verb = lower.toUpperCase();
    const method = methods.find(({ name }) => name === operation.operationId);
    if (method === undefined) throw new Error(`No RPC is ${operation.operationId}`);
    expect(takesKeyAt(verb, path), path).toBe(KEYED_METHODS.has(method));
    expect(isIdempotentAt(verb, path), path).toBe(isIdempotent(method));
  }
});

test("the reasons are those of the API, without the operator's", () => {
  const operators = Object.entries(FAILURE_STATUS)
    .map(([reason]) => reason)
    .filter((reason) => !ERROR_REASONS.includes(reason as never));
  expect(operators.toSorted()).toEqual(
    ["account_exists", "account_not_found", "api_key_not_found"].concat([
      "backup_in_progress",
      "embeddings_missing",
      "index_in_progress",
      "no_database_server",
      "no_embedded_database",
      "no_next_embedding_model",
      "no_sign_in_link",
    ]),
  );
  expect(EXPLAINED_REASONS).toEqual(expect.arrayContaining([...ERROR_REASONS]));
});

test("gRPC libraries repeat by themselves what may be repeated without a key", () => {
  const named = serviceConfig.methodConfig.flatMap(({ name }) => name);
  const told = named.map(({ service, method }) => `${service}.${method}`);
  const idempotent = methods.filter(isIdempotent).map((method) => {
    return `${method.parent.typeName}.${method.name}`;
  });
  expect(told.toSorted()).toEqual(idempotent.toSorted());
});

test("what changes more with each call is not repeated without a key", () => {
  const others = methods.filter((method) => !isIdempotent(method) && !KEYED_METHODS.has(method));
  expect(others.map(({ name }) => name)).toEqual([
    "DeleteMemories",
    "ImportMemories",
    "RestoreMemory",
  ]);
});
