/** What an import holds of the history of a memory whose own line has not come. */
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { ImportMemoriesRequestSchema } from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import { toCompanyId } from "../../../src/domain/ids.ts";

import { EXPORT_FORMAT, readImport } from "../../../src/edge/rpc/transfer-messages.ts";
import { measureHeap } from "../../support/heap.ts";

const MEMORY_ID = "01890a5d-ac96-774b-bcce-b302099a8057";
const LINES = 20;
const VALUES_A_LINE = 23_000;

/** An import that sends events and then nothing more. */
async function* unfinished(hasSent: () => void, left: Promise<void>) {
  yield create(ImportMemoriesRequestSchema, { line: { case: "format", value: EXPORT_FORMAT } });
  for (let line = 0; line < LINES; line++) {
    const list = Array.from({ length: VALUES_A_LINE }, () => []);
    const event = { event: "restored", at: { seconds: 1n }, actor: MEMORY_ID, detail: { list } };
    yield create(ImportMemoriesRequestSchema, {
      line: { case: "events", value: { memoryId: MEMORY_ID, events: [event] } },
    });
  }
  hasSent();
  await left;
}

test("an unfinished import holds the text of its events, not their values", async () => {
  const sent = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const lines = readImport(
    unfinished(sent.resolve, left.promise),
    toCompanyId("account"),
    async () => {},
  );
  const { keptMiB } = await measureHeap(async () => {
    lines.next().catch(() => {});
    await sent.promise;
  });
  left.resolve();
  // Parsed, these 460,000 values take 25 MiB and more.
  expect(keptMiB).toBeLessThan(4);
});
