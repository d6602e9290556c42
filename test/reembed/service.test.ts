/** Requests while the database moves to another embedding model, and after. */
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { newTestLocation, TEST_ENGINES } from "../support/database.ts";
import { forThisFile } from "../support/for-this-file.ts";
import { ask, nextModel, presentModel, remember, startMoving } from "./fixture.ts";

const present = presentModel();
const next = nextModel();

const place = await forThisFile(newTestLocation(TEST_ENGINES.at(-1)));
const moving = await forThisFile(startMoving(place, present, next));
afterEach(async () => {
  present.before = next.before = async () => {};
  await moving.startOver();
});

async function failureOf(call: Promise<unknown>) {
  const error = await call.then(
    () => null,
    (thrown: unknown) => ConnectError.from(thrown),
  );
  return { code: error?.code, reason: error?.findDetails(ErrorInfoSchema)[0]?.reason };
}

const NEXT = { provider: "local", model: "next", dimensions: 67 };
const PRESENT = { provider: "local", model: "present", dimensions: 69 };

test("a memory of before is found by one model until the cut over, and then by the other", async () => {
  const { service, admin, reembed } = moving;
  const account = await service.createAccount();
  next.before = () => Promise.reject(new Error("not there yet"));
  const before = await remember(account, 1);
  next.before = async () => {};
  const since = await remember(account, 1);
  expect(await admin.embeddings.getEmbeddings({})).toMatchObject({
    active: PRESENT,
    next: NEXT,
    memories: 2,
    missing: 1,
  });
  expect(await failureOf(admin.embeddings.cutOverEmbeddings({}))).toEqual({
    code: Code.FailedPrecondition,
    reason: "embeddings_missing",
  });
  expect(await ask(account, 1)).toEqual({ ids: [since, before], marks: [0.9] });

  const { lines } = await reembed();
  expect(lines).toEqual([
    "1 of 2 memories lack a vector of local/next (67 dimensions)",
    "cut over: memories are retrieved with local/next (67 dimensions)",
    "removed 2 vectors of other models",
    "done: restart every server with local/next (67 dimensions) as its only embedding model",
  ]);
  expect(await ask(account, 1)).toEqual({ ids: [since, before], marks: [0.7] });
  const audit = await account.rest("GET", `/memories/${before}/audit`);
  expect(audit.body.embedding).toEqual(NEXT);
  expect(await admin.embeddings.getEmbeddings({})).toMatchObject({ active: NEXT, memories: 2 });
});

test("after the cut over nothing more is asked of the old model", async () => {
  const { service, reembed } = moving;
  const account = await service.createAccount();
  await reembed();
  present.embedded.length = 0;
  const id = await remember(account, 2);
  expect(await ask(account, 2)).toEqual({ ids: [id], marks: [0.7] });
  expect(present.embedded).toEqual([]);
  expect((await reembed()).lines).toContain("removed 0 vectors of other models");
});

test.for<{ does: string; wrong: (signal: AbortSignal) => Promise<void> }>([
  { does: "fails", wrong: () => Promise.reject(new Error("no such model")) },
  {
    does: "stalls",
    wrong: (signal) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  },
])("a next model that $does does not fail a write, and is made up for", async ({ wrong }) => {
  const { service, admin, reembed } = moving;
  const account = await service.createAccount();
  next.before = (_, signal) => wrong(signal);
  const id = await remember(account, 3);
  expect(await ask(account, 3)).toEqual({ ids: [id], marks: [0.9] });
  expect(await admin.embeddings.getEmbeddings({})).toMatchObject({ memories: 1, missing: 1 });
  next.before = async () => {};
  await reembed();
  expect(await ask(account, 3)).toEqual({ ids: [id], marks: [0.7] });
});

test("a present model that fails fails the write, whatever the next one does", async () => {
  const { service, admin } = moving;
  const account = await service.createAccount();
  present.before = () => Promise.reject(new Error("no such model"));
  await expect(remember(account, 4)).rejects.toThrow("answered 500");
  expect(await admin.embeddings.getEmbeddings({})).toMatchObject({ memories: 0 });
});

test("a question and a write that are embedded while the database moves are embedded again", async () => {
  const { service, reembed } = moving;
  const account = await service.createAccount();
  const ids = [await remember(account, 5)];
  present.before = async () => {
    await reembed();
  };
  expect(await ask(account, 5)).toEqual({ ids, marks: [0.7] });
  await moving.startOver();
  const id = await remember(account, 6);
  expect(await ask(account, 6)).toEqual({ ids: [id], marks: [0.7] });
});

test("a write that would be compared with memories of the old model is refused, and can be repeated", async () => {
  const { service, reembed } = moving;
  const account = await service.createAccount();
  await remember(account, 7);
  present.before = async () => {
    await reembed();
  };
  const write = () =>
    account.rest("POST", "/agent/memories", {
      body: { content: "Another fact about #7", auto_supersede: true },
      headers: { "idempotency-key": "write-once" },
    });
  const refused = await write();
  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).toBe("5");
  expect(refused.body.reason).toBe("model_unavailable");
  expect((await write()).status).toBe(200);
  expect((await ask(account, 7)).ids).toHaveLength(2);
});

test("a page size or token that never was is refused", async () => {
  const { embeddings } = moving.admin;
  for (const call of [
    () => embeddings.fillEmbeddings({ pageSize: 0 }),
    () => embeddings.fillEmbeddings({ pageSize: 101 }),
    () => embeddings.removeOldEmbeddings({ pageSize: 1_001 }),
    () => embeddings.fillEmbeddings({ pageToken: "" }),
    () => embeddings.removeOldEmbeddings({ pageToken: "bm90IGEgdG9rZW4" }),
  ]) {
    expect(await failureOf(call())).toEqual({
      code: Code.InvalidArgument,
      reason: "invalid_field",
    });
  }
});

test("a server that was left without the next model answers 503 after the cut over, and is not ready", async () => {
  const { service, admin, reembed } = moving;
  const account = await service.createAccount();
  await remember(account, 8);
  await reembed();
  const { embedders } = service.context;
  const context = service.context as { embedders: typeof embedders };
  context.embedders = embedders.slice(0, 1);
  onTestFinished(() => {
    context.embedders = embedders;
  });
  for (const [path, body] of [
    ["/agent/query", { question: "What is #8?" }],
    ["/agent/memories", { content: "A fact about #8" }],
    ["/agent/memories", { content: "A fact about #8", auto_supersede: true }],
  ] as const) {
    const refused = await account.rest("POST", path, { body });
    expect(refused).toMatchObject({ status: 503, body: { reason: "model_unavailable" } });
    expect(refused.headers.get("retry-after")).toBe("5");
  }
  expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
  expect(await failureOf(admin.embeddings.removeOldEmbeddings({}))).toEqual({
    code: Code.Unavailable,
    reason: "model_unavailable",
  });
  context.embedders = embedders;
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  expect((await ask(account, 8)).ids).toHaveLength(1);
});

test("a service that does not know the active model refuses to start, and says what to do", async () => {
  const elsewhere = await newTestLocation(TEST_ENGINES.at(-1));
  onTestFinished(elsewhere.remove);
  const alone = await startMoving(elsewhere, presentModel(), null);
  onTestFinished(alone.close);
  for (const call of [
    () => alone.admin.embeddings.fillEmbeddings({}),
    () => alone.admin.embeddings.cutOverEmbeddings({}),
  ]) {
    expect(await failureOf(call())).toEqual({
      code: Code.FailedPrecondition,
      reason: "no_next_embedding_model",
    });
  }
  expect((await alone.reembed()).lines).toEqual([
    "removed 0 vectors of other models",
    "nothing to embed: the service is configured for no embedding model but local/present (69 dimensions)",
  ]);
  await alone.close();
  await expect(startMoving(elsewhere, nextModel(), null)).rejects.toThrow(
    /holds vectors of local present with 69 dimensions.+configured for local next/,
  );
});
