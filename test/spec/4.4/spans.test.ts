/** Where the source of a citation says it (D12d). */
import { expect, test } from "vitest";
import type { TestAccount } from "../../support/service.ts";
import { ask, expectOk, unique } from "../calls.ts";
import { useSpec } from "../spec.ts";
import { eraseAll, exported, imported } from "../transfers/transfers.ts";

const spec = useSpec();

const partOf = (text: string, { start, end }: { start: number; end: number }) =>
  [...text].slice(start, end).join("");

/** The citation of the one memory that was written. */
async function cited(account: TestAccount) {
  const question = unique("What is there?");
  spec.script.answers.set(question, () => "😀 This [mem-1]. That, too [mem-1].");
  const answer = await ask(account, question);
  expect(answer.citations).toHaveLength(1);
  const [citation] = answer.citations;
  for (const start of citation.answer_offsets) {
    const marker = partOf(answer.answer_with_citations, { start, end: start + 7 });
    expect(marker).toBe("[mem-1]");
  }
  expect(citation.answer_offsets).toEqual([7, 26]);
  return citation;
}

async function writeMessage(account: TestAccount, content: string): Promise<void> {
  const body = { messages: [{ role: "user", content }] };
  expectOk(await account.rest("POST", "/agent/memories", { body }));
}

test.each([
  ["as it stands there", "my  dog is Rex 🐕", "my  dog is Rex 🐕"],
  ["but for case, blanks and punctuation", "My dog, is REX", "my  dog is Rex"],
  ["nowhere", "my cat is Rex", null],
  ["empty", " ", null],
])("D12d: a quote that is in its message %s", async (_, quote, part) => {
  const account = await spec.service.createAccount();
  const content = unique("😀 Hello! my  dog is Rex 🐕, and that is");
  spec.script.extractions.set(content, () => [{ decision: "The user has a dog, Rex", quote }]);
  await writeMessage(account, content);
  const { span } = await cited(account);
  expect(span && partOf(content, span)).toBe(part);
});

test("D12d: the local extractor gives its sentence, word for word, and exports keep it", async () => {
  const account = await spec.service.createAccount();
  const content = "🎉 Good news everyone!\n- I live in Oslo  now. See you soon :)";
  await writeMessage(account, content);
  const { span } = await cited(account);
  expect(partOf(content, span)).toBe("I live in Oslo  now");
  const { text } = await exported(spec, account);
  await eraseAll(account);
  await imported(account, text);
  expect((await cited(account)).span).toEqual(span);
});

test("D12d: content is all of what it was taken from", async () => {
  const account = await spec.service.createAccount();
  const content = "😀 Ada lives in Paris";
  expectOk(await account.rest("POST", "/agent/memories", { body: { content } }));
  expect((await cited(account)).span).toEqual({ start: 0, end: 20 });
});
