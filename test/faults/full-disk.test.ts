/** No space is left: writes are refused with a wait, reads go on, and with space again all is as before. */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newTestLocation, TEST_ENGINES, type TestLocation } from "../support/database.ts";
import { createRestClient, type RestClient } from "../support/rest-client.ts";
import { type ServiceProcess, startServiceProcess } from "../support/service-process.ts";

const DISK_MIB = 160;
/** Left over when the disk is filled. */
const LEFT_BYTES = 2 * 1_048_576;
/** Nothing that could be compressed. */
const longText = () => `Alice said ${randomBytes(15_000).toString("hex")}`;

/** A disk of its own, in memory; null where this user may not have one. */
function mountDisk(): string | null {
  const folder = mkdtempSync(join(tmpdir(), "agent-memory-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MIB}m`, "tmpfs", folder], {
      stdio: "ignore",
    });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
}

const write = (rest: RestClient, content: string) =>
  rest("POST", "/agent/memories", { body: { content } });

/** Of all pages. */
async function listedIds(rest: RestClient): Promise<string[]> {
  const ids: string[] = [];
  let query: Record<string, string> = {};
  for (;;) {
    const { body } = await rest("GET", "/agent/memories", { query });
    ids.push(...body.memories.map(({ id }: { id: string }) => id));
    if (body.next_page_token === null) return ids;
    query = { page_token: body.next_page_token };
  }
}

const disk = mountDisk();
describe.runIf(disk !== null && TEST_ENGINES.includes("pglite"))("the embedded database", () => {
  const folder = disk ?? "";
  const filler = join(folder, "filler");
  let template: TestLocation;
  let service: ServiceProcess;
  let rest: RestClient;

  beforeAll(async () => {
    template = await newTestLocation("pglite");
    if (template.location.engine !== "pglite") throw new Error("unreachable");
    const dataDir = join(folder, "data");
    cpSync(template.location.dataDir, dataDir, { recursive: true });
    service = await startServiceProcess({ DATA_DIR: dataDir });
    rest = createRestClient(service.url, service.printedKey ?? "");
  });
  afterAll(async () => {
    await service.end("SIGKILL");
    await template.remove();
    execFileSync("umount", [folder]);
    rmSync(folder, { recursive: true });
  });

  function fill(): void {
    const { bavail, bsize } = statfsSync(folder);
    writeFileSync(filler, Buffer.alloc(bavail * bsize - LEFT_BYTES));
  }

  test("refuses writes, serves reads, says why in the log, and recovers by itself", async () => {
    const stored: string[] = [(await write(rest, "Before")).body.memory_id];
    for (let round = 0; round < 1; round++) {
      fill();
      let refused = await write(rest, longText());
      while (refused.status === 200) {
        stored.push(refused.body.memory_id);
        refused = await write(rest, longText());
      }
      expect(refused).toMatchObject({ status: 503, body: { reason: "storage_unavailable" } });
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      await expect.poll(() => service.output()).toMatch(/No space left/i);

      const list = await rest("GET", "/agent/memories");
      expect(list.status).toBe(200);
      const asked = await rest("POST", "/agent/query", { body: { question: "Who tells?" } });
      expect(asked.status).toBe(200);
      expect((await fetch(`${service.url}/healthz`)).status).toBe(200);

      rmSync(filler);
      await expect
        .poll(async () => {
          const { status, body } = await write(rest, "After");
          if (status === 200) stored.push(body.memory_id);
          return status;
        })
        .toBe(200);
    }
    expect((await listedIds(rest)).toSorted()).toEqual(stored.toSorted());
  });
});
