/**
 * Which statements each operation sends to the database, by their first words. A
 * statement more is a round trip more for every caller, so one that is added fails here.
 */
import pg from "pg";
import { afterEach, describe, expect, test, vi } from "vitest";
import { SECOND } from "../src/domain/instant.ts";
import { expectOk, remember, rememberMany, supersede, unique, write } from "./spec/calls.ts";
import { scriptModels, vector } from "./spec/scripted-models.ts";
import { forThisFile } from "./support/for-this-file.ts";
import { startTestService, type TestAccount } from "./support/service.ts";

const START = "start transaction";
const FIRST_WORDS = ["update", "insert", "delete", "select", "with", START, "commit", "rollback"];

/** What the service and the embedded engine do by themselves, at any time, and what a new connection begins with. */
const MAINTENANCE =
  /^(?:insert into calls|delete from "calls"|select log_questions|vacuum|analyze|checkpoint|select pg_switch_wal|select relname from pg_stat|select pg_catalog\.pg_get_expr|set client_connection|set jit)/;

const script = scriptModels();
// What the service does every few seconds it does not do here: it looks up whether to keep what was asked.
vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
const service = await forThisFile(startTestService({ models: script.models }));
vi.useRealTimers();
afterEach(() => vi.restoreAllMocks());

/** That `work` sends statements with these first words. Time stands still, so that the caller stays known. */
async function expectStatements(
  account: TestAccount,
  work: () => Promise<unknown>,
  expected: readonly string[],
): Promise<void> {
  // Of whoever was known for half a second it would be looked up anew beside the work.
  service.clock.advance(SECOND);
  const query = vi.spyOn(pg.Client.prototype, "query");
  try {
    const sent = await service.clock.hold(async () => {
      expectOk(await account.rest("GET", "/plan/status"));
      query.mockClear();
      await work();
      return query.mock.calls.map(([statement]) => statement as unknown as Statement);
    });
    const texts = sent.filter(isOf(account)).map(({ text }) => text.replaceAll(/\s+/g, " ").trim());
    const firstWords = texts.map(
      (text) => FIRST_WORDS.find((words) => text.startsWith(words)) ?? text,
    );
    expect(firstWords, texts.map((text) => text.slice(0, 200)).join("\n")).toEqual(expected);
  } finally {
    query.mockRestore();
  }
}

interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** Not of other services of this process, nor of what runs by itself. */
const isOf =
  ({ companyId }: TestAccount) =>
  ({ text, values = [] }: Statement) => {
    const companies = values.filter((value) => String(value).startsWith("company-"));
    return (
      !MAINTENANCE.test(text.trim()) && (companies.length === 0 || companies.includes(companyId))
    );
  };

/** A conversation of `count` facts, each of which ends one that was stored before. */
async function conversationThatEnds(account: TestAccount, count: number) {
  const contents = Array.from({ length: count }, (_, index) => {
    const [older, newer] = [unique("older"), unique("newer")];
    const direction = vector(...new Array<number>(index).fill(0), 1);
    for (const text of [older, newer]) script.vectors.set(text, () => direction);
    script.classifications.set(newer, () => ({ supersededIndex: 0 }));
    return { older, newer };
  });
  for (const { older } of contents) await remember(account, older);
  const message = unique("What changed");
  script.extractions.set(message, () => contents.map(({ newer }) => ({ decision: newer })));
  return { messages: [{ role: "user", content: message }], auto_supersede: true };
}

describe("statements of an operation", () => {
  /** The plan and the settings, then all that is written. */
  const plainWrite = ["select", "with"];

  test("a content write, the first one of a key and the next", async () => {
    const account = await service.createAccount();
    const writing = async () => expectOk(await write(account, { content: "Ada lives in Paris" }));
    await expectStatements(account, writing, plainWrite);
    await expectStatements(account, writing, ["with"]);
  });

  test("a content write with an idempotency key, and its repeat", async () => {
    const account = await service.createAccount();
    const keyed = async () =>
      expectOk(
        await write(account, { content: "Ada lives in Paris" }, { "idempotency-key": "one" }),
      );
    await expectStatements(account, keyed, ["insert", ...plainWrite]);
    await expectStatements(account, keyed, ["insert", "select"]);
  });

  test("a content write that is judged and ends nothing", async () => {
    const account = await service.createAccount();
    const body = { content: "Ada lives in Paris", auto_supersede: true };
    const writing = async () => expectOk(await write(account, { ...body, tenant_id: unique("t") }));
    // The candidates; the tenant's lock; what is written, where all is as it was judged.
    const judged = ["select", START, "select", "with", "commit"];
    await expectStatements(account, writing, ["select", ...judged]);
    await expectStatements(account, writing, judged);
  });

  test("a batch of content writes, all of it at once", async () => {
    const account = await service.createAccount();
    const memories = Array.from({ length: 60 }, () => ({ content: unique("Ada lives in Paris") }));
    const body = { memories };
    const call = async () =>
      expectOk(await account.rest("POST", "/agent/memories:batch", { body }));
    await expectStatements(account, call, ["select", START, "with", "with", "with", "commit"]);
  });

  test("a conversation of which nothing is believed", async () => {
    const account = await service.createAccount();
    const message = unique("What nobody believes");
    script.extractions.set(message, () => []);
    script.rejections.set(message, [
      { fact: "One", isRetraction: false, messageIndex: 0, reason: "words" },
      { fact: "Two", isRetraction: false, messageIndex: 0, reason: "dates" },
    ]);
    const call = async () =>
      expectOk(await write(account, { messages: [{ role: "user", content: message }] }));
    await expectStatements(account, call, ["select", START, "with", "commit"]);
  });

  test.each([1, 4])("%i facts that end as many older ones", async (count) => {
    const account = await service.createAccount();
    const body = await conversationThatEnds(account, count);
    const call = async () => {
      const answer = await write(account, body);
      expectOk(answer);
      const outcomes: { supersession: unknown }[] = answer.body.auto_supersede;
      expect(outcomes.filter(({ supersession }) => supersession !== null)).toHaveLength(count);
    };
    await expectStatements(account, call, [
      "select",
      // The candidates, with the user's name and what must be the same when the facts are written.
      "select",
      // The vectors of those that the classifier may see.
      "select",
      START,
      // The tenant's lock, and the same as before.
      "select",
      "select",
      "select",
      "select",
      "with",
      "with",
      "insert",
      "commit",
    ]);
  });

  test("a supersession by a replacement, and by an end", async () => {
    const account = await service.createAccount();
    const [old = "", ended = "", fresh = ""] = await rememberMany(account, 3);
    const byReplacement = async () =>
      expectOk(await supersede(account, old, { superseded_by: fresh }));
    const expected = [START, "select", "with", "with", "commit"];
    await expectStatements(account, byReplacement, expected);
    const byEnd = async () =>
      expectOk(await supersede(account, ended, { valid_to: "2030-01-01T00:00:00Z" }));
    await expectStatements(account, byEnd, expected);
  });

  test.each([
    ["a question", "POST", "/agent/query", { question: "Where does Ada live?" }, ["with"]],
    ["a list", "GET", "/agent/memories", undefined, ["select"]],
    ["the plan", "GET", "/plan/status", undefined, ["select"]],
    ["the settings", "GET", "/agent/settings", undefined, ["select"]],
    ["a change of settings", "PATCH", "/agent/settings", { min_confidence: 0.9 }, ["insert"]],
  ] as const)("%s", async (_, method, path, body, expected) => {
    const account = await service.createAccount();
    const call = async () => expectOk(await account.rest(method, path, { body }));
    await expectStatements(account, call, expected);
    await remember(account);
    await expectStatements(account, call, expected);
  });

  test.each([
    ["a memory", "", ["select"]],
    ["a timeline", "/timeline", ["with"]],
    ["an audit", "/audit", ["select", "select"]],
  ] as const)("%s", async (_, resource, expected) => {
    const account = await service.createAccount();
    const id = await remember(account);
    const call = async () => expectOk(await account.rest("GET", `/memories/${id}${resource}`));
    await expectStatements(account, call, expected);
  });

  test("a restored memory, of whose history only the last supersession is read", async () => {
    const account = await service.createAccount();
    const { body } = await write(account, await conversationThatEnds(account, 1));
    const [{ supersession }] = body.auto_supersede;
    const path = `/memories/${supersession.memory_id}/restore`;
    const call = async () => expectOk(await account.rest("POST", path));
    await expectStatements(account, call, [
      START,
      "select",
      "select",
      "with",
      "with",
      "with",
      "commit",
    ]);
  });

  test.each([1, 25])("an export of %i memories, and their import, twice", async (count) => {
    const account = await service.createAccount();
    await rememberMany(account, count);
    let lines: unknown[] = [];
    const exporting = async () => {
      const answer = await account.rest("GET", "/agent/export");
      expectOk({ ...answer, body: {} });
      lines = answer.body;
    };
    // The snapshot: which there are, and the ends of their histories; then a page.
    const snapshot = [START, "select", "select", "commit"];
    await expectStatements(account, exporting, [...snapshot, "select", "select"]);
    expect(lines).toHaveLength(count + 1);
    expectOk(await account.rest("DELETE", "/agent/memories"));
    const importing = async () => {
      const body = lines.map((line) => JSON.stringify(line)).join("\n");
      const headers = { "content-type": "application/x-ndjson" };
      expectOk(await account.rest("POST", "/agent/import", { body, headers }));
    };
    const look = ["select", "select"];
    const store = [START, "select", "select", "select", "with", "insert", "commit"];
    await expectStatements(account, importing, [...look, ...store]);
    // What is there is compared.
    await expectStatements(account, importing, [...look, "select", "select"]);
  });
});
