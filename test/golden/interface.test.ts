/**
 * What clients have built on, as files: a change of the interface is a change of
 * one of them, to be seen in its diff. `vitest -u` writes them anew.
 */
import { expect, test } from "vitest";
import { memoryServiceRoutes } from "../../gen/agentmemory/v1/memory_service_rest.ts";
import { planServiceRoutes } from "../../gen/agentmemory/v1/plan_service_rest.ts";
import { settingsServiceRoutes } from "../../gen/agentmemory/v1/settings_service_rest.ts";
import { FAILURE_STATUS } from "../../src/edge/error-mapping.ts";
import { codeName } from "../grpc/code-name.ts";

const routes = [...memoryServiceRoutes, ...settingsServiceRoutes, ...planServiceRoutes];

function table(rows: readonly (readonly unknown[])[]): string {
  const texts = rows.map((row) => row.map(String));
  const widths = texts[0]?.map((_, column) =>
    Math.max(...texts.map((row) => row[column]?.length ?? 0)),
  );
  const lines = texts.map((row) =>
    row.map((text, column) => text.padEnd(widths?.[column] ?? 0)).join("  "),
  );
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

test("method, path, format and RPC of every route", async () => {
  const rows = routes.map(({ rpc, httpMethod, template, format }) => [
    httpMethod,
    template,
    format,
    `${rpc.parent.typeName}/${rpc.name}`,
  ]);
  await expect(table([["method", "path", "format", "rpc"], ...rows])).toMatchFileSnapshot(
    "./http-paths.txt",
  );
});

test("reason, gRPC code and HTTP status of every failure", async () => {
  const rows = Object.entries(FAILURE_STATUS)
    .map(([reason, { code, http }]) => [reason, codeName(code), http])
    .toSorted(([, , a], [, , b]) => Number(a) - Number(b));
  await expect(table([["reason", "grpc", "http"], ...rows])).toMatchFileSnapshot("./errors.txt");
});
