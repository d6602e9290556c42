/** What goes on for a client that has left (D25). */
import { once } from "node:events";
import { expect, test } from "vitest";
import type { SupersessionClassifier } from "../../../src/providers/supersession-classifier.ts";
import { classificationOf } from "../../support/classification.ts";
import { forThisFile } from "../../support/for-this-file.ts";
import { SILENT_LOG, startTestService } from "../../support/service.ts";

const leaving = new AbortController();
const asked: string[] = [];
const warnings: string[] = [];

/** Answers in spite of everything, once the client has left. */
const classifier: SupersessionClassifier = {
  async classify({ fact }, { signal }) {
    asked.push(fact.decision);
    const hasLeft = once(signal, "abort");
    leaving.abort();
    await hasLeft;
    return classificationOf({ reason: "No." });
  },
};

const warn = (_: object, message: string) => void warnings.push(message);
const service = await forThisFile(
  startTestService({ models: { classifier }, log: { ...SILENT_LOG, warn } }),
);

test("D25: no further fact is shown to the classifier, nothing is stored, and nothing has failed", async () => {
  const { key, rest } = await service.createAccount();
  const cities = ["Oslo", "Bergen", "Rome", "Paris"];
  const write = fetch(`${service.url}/agent/memories`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      messages: cities.map((city) => ({ role: "user", content: `Alice lives in ${city}.` })),
      auto_supersede: true,
    }),
    signal: leaving.signal,
  });
  await expect(write).rejects.toThrow();
  expect((await rest("GET", "/agent/memories")).body.count).toBe(0);
  expect(asked).toHaveLength(1);
  expect(warnings.filter((message) => message.includes("classifier failed"))).toEqual([]);
});
