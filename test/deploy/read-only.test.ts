/** The root file system can be read-only: the process writes to DATA_DIR, and to nothing else. */
import { expect, test } from "vitest";
import { newTestLocation, TEST_ENGINES } from "../support/database.ts";
import { createRestClient } from "../support/rest-client.ts";
import { databaseVariables, startServiceProcess } from "../support/service-process.ts";

test.each(TEST_ENGINES)("on %s, where Node.js forbids to write anywhere else", async (engine) => {
  const place = await newTestLocation(engine);
  const { location } = place;
  const writable = location.engine === "pglite" ? [`--allow-fs-write=${location.dataDir}`] : [];
  const service = await startServiceProcess(
    { ...databaseVariables(location), NODE_DISABLE_COMPILE_CACHE: "1" },
    { nodeArguments: ["--permission", "--allow-fs-read=*", "--allow-worker", ...writable] },
  );
  const rest = createRestClient(service.url, service.printedKey ?? "");
  const messages = [{ role: "user", content: "I live in Oslo." }];
  const written = await rest("POST", "/agent/memories", { body: { messages } });
  expect(written).toMatchObject({ status: 200, body: { saved_count: 1 } });
  const asked = await rest("POST", "/agent/query", { body: { question: "Where do I live?" } });
  expect(asked.body.answer).toContain("Oslo");
  const { code, output } = await service.end("SIGTERM");
  expect(code).toBe(0);
  expect(output).not.toContain("ERR_ACCESS_DENIED");
  await place.remove();
});
