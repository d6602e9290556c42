/** kill -9 in the middle of writes: what was acknowledged is there, and nothing is there by half. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SECOND } from "../../src/domain/instant.ts";
import { IDEMPOTENCY_LEASE } from "../../src/service/idempotency.ts";
import { newTestLocation, TEST_ENGINES, type TestLocation } from "../support/database.ts";
import { createRestClient, type RestClient } from "../support/rest-client.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { databaseVariables, startServiceProcess } from "../support/service-process.ts";
import { expectWholeMemories, usedAndStored } from "./stored-state.ts";

const KILLS = 2;
const WRITERS = 6;
/** Acknowledged writes before each kill. */
const WRITES_BEFORE_KILL = 25;
const COMPANY_ID = "local";

interface Write {
  readonly idempotencyKey: string;
  readonly content: string;
  /** Set once the service acknowledged it. */
  memoryId: string | null;
}

describe.each(TEST_ENGINES)("on %s", (engine) => {
  let place: TestLocation;
  let key: string;
  const writes: Write[] = [];
  /** Acknowledged supersessions: old to new. */
  const superseded = new Map<string, string>();

  beforeAll(async () => {
    place = await newTestLocation(engine);
  });
  afterAll(() => place.remove());

  function post(rest: RestClient, { idempotencyKey, content }: Write) {
    return rest("POST", "/agent/memories", {
      body: { content },
      headers: { "idempotency-key": idempotencyKey },
    });
  }

  /** Writes, and now and then supersedes what it wrote before, until the service is gone. */
  async function writeUntilGone(rest: RestClient, onWrite: () => void): Promise<void> {
    let previous: string | null = null;
    for (;;) {
      const count = writes.length;
      const write: Write = {
        idempotencyKey: `k${count}`,
        content: `Fact ${count}`,
        memoryId: null,
      };
      writes.push(write);
      const { status, body } = await post(rest, write);
      expect(status, body.detail).toBe(200);
      write.memoryId = body.memory_id;
      if (previous !== null && count % 3 === 0) {
        const ended = await rest("POST", `/memories/${previous}/supersede`, {
          body: { superseded_by: body.memory_id },
        });
        if (ended.status === 200) superseded.set(previous, body.memory_id);
      }
      previous = body.memory_id;
      onWrite();
    }
  }

  test("the process is killed again and again, and starts again each time", async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      const service = await startServiceProcess(databaseVariables(place.location));
      if (kill === 0) key = service.printedKey ?? "";
      else expect(service.printedKey).toBeNull();
      const rest = createRestClient(service.url, key);
      const enough = Promise.withResolvers<void>();
      let written = 0;
      const writers = Array.from({ length: WRITERS }, () =>
        writeUntilGone(rest, () => {
          written++;
          if (written === WRITES_BEFORE_KILL) enough.resolve();
        }),
      );
      await Promise.race([enough.promise, ...writers]);
      await service.end("SIGKILL");
      // The only way for a writer to end is that its connection broke.
      for (const ended of await Promise.allSettled(writers)) {
        expect(ended).toMatchObject({ status: "rejected", reason: { name: "TypeError" } });
      }
    }
    expect(writes.filter(({ memoryId }) => memoryId !== null).length).toBeGreaterThanOrEqual(
      KILLS * WRITES_BEFORE_KILL,
    );
  });

  describe("afterwards", () => {
    let service: TestService;
    beforeAll(async () => {
      service = await startTestService({ place });
    });
    afterAll(() => service.close());

    async function storedContents(): Promise<Map<string, string>> {
      const rest = createRestClient(service.url, key);
      const { body } = await rest("GET", "/agent/memories", {
        query: { include_superseded: "true", limit: "1000" },
      });
      expect(body.next_page_token).toBeNull();
      return new Map(
        body.memories.map(({ id, decision }: { id: string; decision: string }) => [id, decision]),
      );
    }

    test("every acknowledged write is there", async () => {
      const stored = await storedContents();
      for (const { memoryId, content } of writes) {
        if (memoryId !== null) expect(stored.get(memoryId)).toBe(content);
      }
    });

    test("every acknowledged supersession is there", async () => {
      const rest = createRestClient(service.url, key);
      expect(superseded.size).toBeGreaterThan(0);
      for (const [old, replacement] of superseded) {
        const { body } = await rest("GET", `/memories/${old}/timeline`);
        const memory = body.timeline.find(({ id }: { id: string }) => id === old);
        expect(memory).toMatchObject({
          superseded_by: replacement,
          temporal: { is_current: false, is_superseded: true },
        });
      }
    });

    test("nothing is there by half, and every write is counted", async () => {
      await expectWholeMemories(service.context.db, COMPANY_ID);
      const { used, stored } = await usedAndStored(service.context.db, COMPANY_ID);
      expect(used).toBe(stored);
    });

    test("D33 lease: each write that is repeated with its key is there once", async () => {
      const rest = createRestClient(service.url, key);
      // Another server might still run the call, for as long as the lease lasts.
      if (engine === "postgres") service.clock.advance(IDEMPOTENCY_LEASE + SECOND);
      for (const write of writes) {
        const { status, body } = await post(rest, write);
        expect(status, body.detail).toBe(200);
        if (write.memoryId !== null) expect(body.memory_id).toBe(write.memoryId);
      }
      const contents = [...(await storedContents()).values()].toSorted();
      expect(contents).toEqual(writes.map(({ content }) => content).toSorted());
    });
  });
});
