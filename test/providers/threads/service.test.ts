/** Models of the process, as callers of the service meet them. */
import { expect, test } from "vitest";
import type { Extractor } from "../../../src/providers/extractor.ts";
import { forThisFile } from "../../support/for-this-file.ts";
import { SILENT_LOG, startTestService } from "../../support/service.ts";
import { HEAVY_CONVERSATION } from "./heavy-text.ts";

const warnings: unknown[] = [];
const log = { ...SILENT_LOG, warn: (fields: object) => warnings.push(fields) };
const service = await forThisFile(startTestService({ log }));

/** Tells of the next extraction that it has begun, and how it ended. */
function watchExtraction() {
  const context = service.context as { extractor: Extractor };
  const { extractor } = context;
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<unknown>();
  context.extractor = {
    ...extractor,
    async extract(conversation, call) {
      context.extractor = extractor;
      const found = extractor.extract(conversation, call);
      begun.resolve();
      found.then(ended.resolve, ended.resolve);
      return found;
    },
  };
  return { begun: begun.promise, ended: ended.promise };
}

function write(key: string, body: object, signal?: AbortSignal): Promise<Response> {
  return fetch(`${service.url}/agent/memories`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
}

const SMALL = { messages: [{ role: "user", content: "I live in Oslo, at number #7." }] };

test("who hangs up frees the thread that read the text, and no model has failed", async () => {
  const { key } = await service.createAccount();
  const { begun, ended } = watchExtraction();
  const leaving = new AbortController();
  const left = write(key, { messages: HEAVY_CONVERSATION }, leaving.signal);
  await begun;
  leaving.abort();
  await expect(left).rejects.toThrow();
  expect(await ended).toBeInstanceOf(Error);
  expect((await write(key, SMALL)).status).toBe(200);
  expect(warnings).toEqual([]);
});

test("while one account's long text is read, others are answered, by the models too", async () => {
  const [greedy, modest] = [await service.createAccount(), await service.createAccount()];
  const { begun, ended } = watchExtraction();
  let isReading = true;
  ended.then(() => {
    isReading = false;
  });
  const leaving = new AbortController();
  const left = write(greedy.key, { messages: HEAVY_CONVERSATION }, leaving.signal);
  await begun;
  expect((await modest.rest("GET", "/plan/status")).status).toBe(200);
  expect(isReading).toBe(true);
  expect((await write(modest.key, SMALL)).status).toBe(200);
  leaving.abort();
  await left.catch(() => {});
});
