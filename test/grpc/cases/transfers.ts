import { expect } from "vitest";
import { withoutImports } from "../../spec/transfers/transfers.ts";
import { kindOfLine } from "../clients/api-client.ts";
import type { Api, Scenario } from "../scenario.ts";

const FORMAT = { format: "agent-memory", version: 1 };

/** The lines of an export. */
async function exportOf(api: Api, request: object = {}) {
  const messages = await api.streams("ExportMemories", { ...request });
  for (const { event, data } of messages) expect(event).toBe(kindOfLine(data));
  return messages.map(({ data }) => data);
}

/** Exports and imports (D42b, D42c). */
export const TRANSFERS: readonly Scenario[] = [
  {
    name: "D42b, D42c: what one account exports is another's when it imports it, and skipped then",
    async run(api) {
      const old = await api.ok("CreateMemories", {
        content: "Ada lives in Paris",
        valid_from: "2020-01-01T00:00:00.000001Z",
        metadata: { project: "apollo", Ünï: "" },
      });
      const fresh = await api.ok("CreateMemories", { content: "Ada lives in Rome" });
      await api.ok("CreateMemories", { content: "Of a tenant", tenant_id: "t" });
      const { memory_id } = old;
      await api.ok("SupersedeMemory", { memory_id, superseded_by: fresh.memory_id });
      expect(await exportOf(api)).toMatchObject([
        FORMAT,
        { id: fresh.memory_id },
        { id: memory_id, metadata: { project: "apollo", Ünï: "" } },
      ]);
      expect(await exportOf(api, { tenant_id: "t" })).toHaveLength(2);
      const lines = await exportOf(api, { whole_account: true });
      await api.ok("DeleteMemories");
      const to = await api.another();
      expect(await to.ok("ImportMemories", { lines })).toMatchObject({
        status: "imported",
        imported_count: 3,
        skipped_count: 0,
      });
      const again = await exportOf(to, { whole_account: true });
      expect(again.map((line) => ("history" in line ? withoutImports(line) : line))).toEqual(lines);
      const repeated = await to.ok("ImportMemories", { lines });
      expect(repeated).toMatchObject({ imported_count: 0, skipped_count: 3 });
      await to.ok("GetMemoryAudit", { memory_id });
    },
  },
  {
    name: "D42c checks: a line at fault is named, and what stood before it is stored",
    failures: ["invalid_field"],
    async run(api) {
      await api.ok("CreateMemories", { content: "A fact" });
      await api.ok("CreateMemories", { content: "Another" });
      const [format, first, second] = await exportOf(api);
      await api.ok("DeleteMemories");
      for (const [lines, field] of [
        [[], "format"],
        [[first], "format"],
        [[{ ...format, version: 2 }], "version"],
        [[format, first, { ...second, decision: " " }], "decision"],
        [[format, first, { ...second, superseded_by: first.id }], "superseded_by"],
      ] as const) {
        const expected = { reason: "invalid_field", field } as const;
        const { detail } = await api.fails(expected, "ImportMemories", { lines });
        expect(detail).toMatch(/^line \d: /);
      }
      expect(await api.ok("ListMemories")).toMatchObject({ count: 1 });
    },
  },
  {
    name: "D42c checks: an ID that is there, a tenant that is not empty",
    failures: ["memory_exists", "tenant_not_empty"],
    async run(api) {
      await api.ok("CreateMemories", { content: "A fact" });
      const [format, memory] = await exportOf(api);
      const other = { ...memory, topic: "Other" };
      const exists = { reason: "memory_exists" } as const;
      await api.fails(exists, "ImportMemories", { lines: [format, other] });
      const to = await api.another();
      await to.fails(exists, "ImportMemories", { lines: [format, memory] });
      await api.ok("DeleteMemories");
      await to.ok("CreateMemories", { content: "Its own" });
      const notEmpty = { reason: "tenant_not_empty" } as const;
      await to.fails(notEmpty, "ImportMemories", { lines: [format, memory] });
    },
  },
  {
    name: "D42c quota, D29: as many lines as there is room for",
    failures: ["write_quota_exceeded"],
    async run(api) {
      for (const content of ["One", "Two", "Three"]) await api.ok("CreateMemories", { content });
      const lines = await exportOf(api);
      await api.ok("DeleteMemories");
      const to = await api.another({ writesLimit: 2 });
      const expected = { reason: "write_quota_exceeded", retry: true } as const;
      const { partial } = await to.fails(expected, "ImportMemories", { lines });
      expect(partial).toMatchObject({ imported_count: 2, skipped_count: 0 });
    },
  },
];
