/** The command, against a service of its own. */
import { afterEach, expect, test } from "vitest";
import { Failure } from "../../src/domain/failure.ts";
import { newTestLocation, TEST_ENGINES } from "../support/database.ts";
import { forThisFile } from "../support/for-this-file.ts";
import { ask, nextModel, presentModel, remember, startMoving } from "./fixture.ts";
import { runReembed } from "./process.ts";

const present = presentModel();
const next = nextModel();

const place = await forThisFile(newTestLocation(TEST_ENGINES.at(-1)));
const moving = await forThisFile(startMoving(place, present, next));
afterEach(async () => {
  next.before = async () => {};
  await moving.startOver();
});

/** Memories that were written while the next model was away. */
async function rememberUnfilled(count: number): Promise<void> {
  const account = await moving.service.createAccount();
  next.before = () => Promise.reject(new Error("away"));
  for (let index = 0; index < count; index++) await remember(account, index);
  next.before = async () => {};
  next.embedded.length = 0;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

test.for([4, 1_000])("never embeds more than %i a second", async (rate) => {
  await rememberUnfilled(10);
  const batches: number[] = [];
  next.before = async (texts) => {
    batches.push(texts.length);
  };
  const { waits } = await moving.reembed({ rate });
  expect(Math.max(...batches)).toBeLessThanOrEqual(rate);
  expect(sum(batches)).toBe(10);
  // After each batch, however long it took, as long as the rate wants for it.
  expect(waits.slice(0, batches.length)).toEqual(batches.map((size) => (size / rate) * 1_000));
});

test("a next model that is busy is asked again after the wait that it wants", async () => {
  await rememberUnfilled(1);
  let refusals = 3;
  next.before = async () => {
    if (refusals-- > 0) {
      throw new Failure("model_unavailable", "the model is busy", { retryAfterSeconds: 7 });
    }
  };
  const { waits, lines } = await moving.reembed();
  expect(waits.slice(0, 3)).toEqual([7_000, 7_000, 7_000]);
  expect(lines.at(-1)).toMatch(/^done: /);
});

test("a next model that stays away ends it, and what was done stays done", async () => {
  await rememberUnfilled(5);
  next.before = async (texts) => {
    if (texts.some((text) => text.endsWith("#3"))) {
      throw new Failure("model_unavailable", "the model is away", { retryAfterSeconds: 1 });
    }
  };
  await expect(moving.reembed({ rate: 1 })).rejects.toThrow("the model is away");
  next.before = async () => {};
  const { lines } = await moving.reembed();
  expect(lines[0]).toMatch(/^2 of 5 memories lack /);
});

test("memories that keep coming without a vector of the next model end it with what to look at", async () => {
  const account = await moving.service.createAccount();
  const wait = async () => {
    next.before = () => Promise.reject(new Error("away"));
    await remember(account, 1);
    next.before = async () => {};
  };
  await wait();
  await expect(moving.reembed({ wait })).rejects.toThrow(/every server is configured for it/);
});

test("as a process: progress and result on standard output, exit code 0", async () => {
  const account = await moving.service.createAccount();
  await rememberUnfilled(3);
  const id = await remember(account, 4);
  const { code, out, err } = await runReembed(moving.service.adminPort, ["--rate", "100"]).ended;
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out.trimEnd().split("\n")).toEqual([
    "3 of 4 memories lack a vector of local/next (67 dimensions)",
    "cut over: memories are retrieved with local/next (67 dimensions)",
    "removed 4 vectors of other models",
    "done: restart every server with local/next (67 dimensions) as its only embedding model",
  ]);
  expect(await ask(account, 4)).toEqual({ ids: [id], marks: [0.7] });
});

test.for([["--rate", "10001"], ["now"]])("%j is not understood: exit code 2", async (args) => {
  const { code, out } = await runReembed(1, args).ended;
  expect({ code, out }).toEqual({ code: 2, out: "" });
});

test("no service: one line and exit code 1", async () => {
  const { code, out, err } = await runReembed(1, []).ended;
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toMatch(/^error: cannot reach the admin service at 127\.0\.0\.1:1[^\n]+\n$/);
});
