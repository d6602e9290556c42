/** How a database moves to other rules of search terms. */
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { TERMS_VERSION } from "../../src/domain/search-terms.ts";
import type { ServiceDb } from "../../src/storage/connection-pool.ts";
import { newTestLocation, TEST_ENGINES } from "../support/database.ts";
import { startTestService, type TestAccount, type TestService } from "../support/service.ts";

const QUESTION = "What is PROJ-4711?";
/** More than a page, so that one has to be taken up behind another. */
const OTHERS = 120;

async function newService(): Promise<[TestService, () => Promise<TestService>]> {
  const place = await newTestLocation(TEST_ENGINES.at(-1));
  onTestFinished(place.remove);
  let service = await startTestService({ place });
  onTestFinished(() => service.close());
  const restart = async () => {
    await service.close();
    service = await startTestService({ place });
    return service;
  };
  return [service, restart];
}

async function store({ rest }: TestAccount): Promise<void> {
  const write = async (body: object) =>
    expect((await rest("POST", "/agent/memories", { body })).status).toBe(200);
  await write({ content: "PROJ-4711 belongs to Maren", session_id: "one" });
  for (let i = 0; i < OTHERS; i++) await write({ content: `PROJ-${i} is closed` });
}

/** As a version with other rules left it: each memory has the same one term, of no text here. */
async function findByOtherRules(db: ServiceDb): Promise<void> {
  await sql`update memory_vectors set terms = '{5:1}/1000000000', length = 1`.execute(db);
  await sql`update embedding_spaces set terms_version = ${TERMS_VERSION + 1}`.execute(db);
}

const versionsIn = (db: ServiceDb) =>
  db.selectFrom("embedding_spaces").select("terms_version").execute();

const byOtherRules = async (db: ServiceDb) =>
  (await sql`select from memory_vectors where length = 1`.execute(db)).rows.length;

async function relevanceOf({ rest }: TestAccount): Promise<number> {
  const { body } = await rest("POST", "/agent/query", { body: { question: QUESTION } });
  return body.memories.find((each: { decision: string }) => each.decision.includes("Maren"))
    .relevance;
}

test("D12 relevance: the first start with other rules makes all terms anew, in the background", async () => {
  const [service, restart] = await newService();
  const account = await service.createAccount();
  await store(account);
  const before = await relevanceOf(account);
  await findByOtherRules(service.context.db);
  expect(await relevanceOf(account)).toBeLessThan(before);
  const { context } = await restart();
  await expect.poll(() => byOtherRules(context.db), { timeout: 60_000 }).toBe(0);
  await expect.poll(() => versionsIn(context.db)).toEqual([{ terms_version: TERMS_VERSION }]);
});

test("what an older server writes later is made anew by the newer one's next start", async () => {
  const [service] = await newService();
  const { db } = service.context;
  const { rest } = await service.createAccount();
  const newer = () =>
    db
      .updateTable("embedding_spaces")
      .set({ terms_version: TERMS_VERSION + 1 })
      .execute();
  for (const path of ["", ":batch"]) {
    await newer();
    const entry = { content: "PROJ-4711 belongs to Maren" };
    const body = path === "" ? entry : { memories: [entry] };
    expect((await rest("POST", `/agent/memories${path}`, { body })).status).toBe(200);
    // Of other rules than the newer server's: it looks at all memories when it starts.
    expect(await versionsIn(db)).toEqual([{ terms_version: TERMS_VERSION }]);
  }
  await newer();
  expect((await rest("GET", "/agent/memories")).body.memories).toHaveLength(2);
  expect(await versionsIn(db)).toEqual([{ terms_version: TERMS_VERSION + 1 }]);
});
