import { CompiledQuery } from "kysely";
import { expect, test } from "vitest";
import type { AccountDb } from "../../src/storage/schema.ts";
import { sendTogether } from "../../src/storage/transaction.ts";

/** A database that notes in which turn of the loop each statement came. */
function notingDb(answer: (text: string) => Promise<unknown> = async () => ({})) {
  const sent: { readonly text: string; readonly turn: number }[] = [];
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const connection = {
    executeQuery: ({ sql: text }: CompiledQuery) => {
      sent.push({ text, turn });
      return answer(text);
    },
  };
  const provideConnection = async (work: (given: typeof connection) => Promise<void>) => {
    await work(connection).finally(() => {
      isOver = true;
    });
  };
  return { sent, db: { getExecutor: () => ({ provideConnection }) } as unknown as AccountDb };
}

const statements = (count: number) =>
  Array.from({ length: count }, (_, index) => CompiledQuery.raw(`select ${index}`));

test("between the statements of a long write the loop turns, and none waits for an answer", async () => {
  const answers: (() => void)[] = [];
  const { sent, db } = notingDb(() => new Promise((resolve) => answers.push(() => resolve({}))));
  const done = sendTogether(db, statements(20));
  await expect.poll(() => sent.length).toBe(22);
  expect(new Set(sent.slice(1).map(({ turn }) => turn)).size).toBe(21);
  for (const answered of answers) answered();
  await done;
});

test("all are answered before a write fails by the first that failed", async () => {
  const { sent, db } = notingDb(async (text) => {
    if (text === "select 1" || text === "select 2") throw new Error(text);
    return {};
  });
  await expect(sendTogether(db, statements(4))).rejects.toThrow("select 1");
  expect(sent.map(({ text }) => text).at(-1)).toBe("commit");
});
