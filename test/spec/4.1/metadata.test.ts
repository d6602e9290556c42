/** What a writer gives a memory beside its text (D40). */
import { expect, test } from "vitest";
import { MAX_METADATA_ENTRIES, MAX_METADATA_TEXT_CHARACTERS } from "../../../src/domain/limits.ts";
import { ask, expectOk, list, memory, remember, timeline } from "../calls.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec();

const METADATA = { project: "apollo", "Ünï.code [1]": "😀 a\nb", empty: "", __proto__x: "null" };

test("D40: of a fact as given, in every answer that shows it", async () => {
  const account = await spec.service.createAccount();
  const id = await remember(account, "Ada lives in Paris", { metadata: METADATA });
  const shown = { id, metadata: METADATA };
  expect(await memory(account, id)).toMatchObject(shown);
  expect((await list(account)).memories).toEqual([expect.objectContaining(shown)]);
  expect((await timeline(account, id)).timeline).toEqual([expect.objectContaining(shown)]);
  const answer = await ask(account, "Where does Ada live?");
  expect(answer.memories).toEqual([expect.objectContaining(shown)]);
});

test.each([{}, { metadata: null }, { metadata: {} }])(
  "D2, D40: %j is a memory with none",
  async (fields) => {
    const account = await spec.service.createAccount();
    const id = await remember(account, "Ada lives in Paris", fields);
    expect((await memory(account, id)).metadata).toEqual({});
  },
);

test("D40: counts among the texts of a page", async () => {
  const account = await spec.service.createAccount();
  const content = "é".repeat(16_000);
  const metadata = Object.fromEntries(
    Array.from({ length: MAX_METADATA_ENTRIES }, (_, index) => [
      `key ${index}`,
      "😀".repeat(MAX_METADATA_TEXT_CHARACTERS),
    ]),
  );
  const memories = Array.from({ length: 20 }, () => ({ content, metadata }));
  // Without their metadata 44 of them would be on a page.
  for (let batch = 0; batch < 3; batch++) {
    expectOk(await account.rest("POST", "/agent/memories:batch", { body: { memories } }));
  }
  const { count, next_page_token } = await list(account, { limit: "1000" });
  expect(next_page_token).not.toBeNull();
  expect(count).toBeLessThan(40);
});
