/** kill -9 in the middle of an import: what is stored is a beginning of it, and the rest follows. */
import { Readable } from "node:stream";
import { v7 as uuidv7 } from "uuid";
import { expect, test } from "vitest";
import { FORMAT, lineOf, textOf, unimported } from "../spec/transfers/transfers.ts";
import { newTestLocation, TEST_ENGINES } from "../support/database.ts";
import { startTestService } from "../support/service.ts";
import { databaseVariables, startServiceProcess } from "../support/service-process.ts";
import { expectWholeMemories, usedAndStored } from "./stored-state.ts";

const COMPANY_ID = "local";
const MEMORIES = 250;
/** Sent before the kill: two transactions, and the beginning of a third. */
const SENT = 230;

test.each(TEST_ENGINES)("D42c resumed: on %s", async (engine) => {
  const place = await newTestLocation(engine);
  const variables = databaseVariables(place.location);
  const createdAt = new Date().toISOString().replace("Z", "000Z");
  const lines = Array.from({ length: MEMORIES }, () => lineOf(uuidv7(), createdAt));
  const killed = await startServiceProcess(variables);
  const key = killed.printedKey;
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/x-ndjson" };
  const send = (url: string, body: string | Readable) =>
    fetch(`${url}/agent/import`, { method: "POST", headers, body, duplex: "half" } as RequestInit);
  const body = new Readable({ read() {} });
  const importing = send(killed.url, body);
  body.push(textOf([FORMAT, ...lines.slice(0, SENT)]));
  const count = async () => {
    const answer = await fetch(`${killed.url}/agent/memories?limit=1000`, { headers });
    return ((await answer.json()) as { readonly count: number }).count;
  };
  await expect.poll(count, { timeout: 60_000 }).toBe(200);
  const isBroken = expect(importing).rejects.toThrow();
  await killed.end("SIGKILL");
  await isBroken;

  const service = await startTestService({ place });
  const { db } = service.context;
  await expectWholeMemories(db, COMPANY_ID);
  expect(await usedAndStored(db, COMPANY_ID)).toMatchObject({ used: 200, stored: 200 });
  const answer = await send(service.url, textOf([FORMAT, ...lines]));
  expect(await answer.json()).toMatchObject({ imported_count: 50, skipped_count: 200 });
  const exported = await fetch(`${service.url}/agent/export`, { headers });
  expect(unimported(await exported.text())).toBe(textOf([FORMAT, ...lines]));
  await expectWholeMemories(db, COMPANY_ID);
  expect(await usedAndStored(db, COMPANY_ID)).toMatchObject({ used: 250, stored: 250 });
  await service.close();
  await place.remove();
});
