/** What was said in conversations and came to nothing, as the account reviews it. */
import { expect, onTestFinished, test } from "vitest";
import { ReviewService } from "../../gen/agentmemory/dashboard/v1/review_service_pb.ts";
import {
  MAX_REJECTED_FACT_CHARACTERS,
  MAX_REJECTED_MESSAGE_CHARACTERS,
} from "../../src/domain/rejected-fact.ts";
import { expectOk, unique, write } from "../spec/calls.ts";
import { useSpec } from "../spec/spec.ts";
import { tablesWithText } from "../spec/stored-text.ts";
import { accountClient } from "../support/dashboard-client.ts";
import { startTestService, type TestAccount, type TestService } from "../support/service.ts";

const spec = useSpec();

const reviewOf = (service: TestService, account: TestAccount) =>
  accountClient(ReviewService, service, account);

const says = (content: string) => ({ role: "user", content });

/** Writes a conversation of which these are rejected, and nothing is stored. */
async function reject(
  account: TestAccount,
  facts: readonly (string | null)[],
  {
    message = unique("Nothing of it"),
    ...more
  }: { message?: string; [field: string]: unknown } = {},
) {
  spec.script.extractions.set(message, () => []);
  spec.script.rejections.set(
    message,
    facts.map((fact) => ({ fact, isRetraction: false, messageIndex: 0, reason: "subject" })),
  );
  expectOk(await write(account, { messages: [says(message)], ...more }));
  return message;
}

test("each is listed with where it comes from, newest first", async () => {
  const account = await spec.service.createAccount();
  const review = await reviewOf(spec.service, account);
  const first = await reject(account, ["One", null]);
  const said = "2026-05-04T03:02:01Z";
  const second = await reject(account, ["Three"], {
    tenant_id: "acme",
    session_id: "chat-7",
    source: "crm",
    metadata: { user: "7" },
    valid_from: said,
  });
  const { rejectedFacts } = await review.listRejectedFacts({});
  const own = { reason: "subject", messageIndex: 0, isFactCut: false, isRetraction: false };
  expect(rejectedFacts).toMatchObject([
    {
      ...own,
      fact: "Three",
      message: second,
      tenantId: "acme",
      sessionId: "chat-7",
      source: "crm",
      metadata: { user: "7" },
      saidAt: { seconds: BigInt(Date.parse(said) / 1_000) },
    },
    { ...own, message: first },
    { ...own, fact: "One", message: first, source: "agent_session" },
  ]);
  const [, unread, ofDefault] = rejectedFacts;
  expect([unread?.fact, ofDefault?.tenantId, ofDefault?.sessionId]).toEqual(
    Array(3).fill(undefined),
  );
  expect(ofDefault?.saidAt).toEqual(ofDefault?.rejectedAt);
});

test("a page holds 20; one that is dismissed is gone, by its own account alone", async () => {
  const account = await spec.service.createAccount();
  const review = await reviewOf(spec.service, account);
  await reject(
    account,
    Array.from({ length: 23 }, (_, index) => `Fact ${index}`),
  );
  const first = await review.listRejectedFacts({});
  const { nextPageToken: pageToken } = first;
  const second = await review.listRejectedFacts({ pageToken });
  expect([first.rejectedFacts.length, second.rejectedFacts.length]).toEqual([20, 3]);
  expect(second.nextPageToken).toBeUndefined();
  await expect(review.listRejectedFacts({ pageToken: "x" })).rejects.toThrow("page_token");
  const [{ id } = { id: "" }] = second.rejectedFacts;
  const other = await reviewOf(spec.service, await spec.service.createAccount());
  await other.dismissRejectedFact({ id });
  expect((await other.listRejectedFacts({})).rejectedFacts).toEqual([]);
  expect((await other.listRejectedFacts({ pageToken })).rejectedFacts).toEqual([]);
  expect((await review.listRejectedFacts({ pageToken })).rejectedFacts).toHaveLength(3);
  await review.dismissRejectedFact({ id });
  await review.dismissRejectedFact({ id });
  expect((await review.listRejectedFacts({ pageToken })).rejectedFacts).toHaveLength(2);
  await expect(review.dismissRejectedFact({ id: "x" })).rejects.toThrow("id");
});

test("of what is long the beginning is kept, in whole characters", async () => {
  const account = await spec.service.createAccount();
  const review = await reviewOf(spec.service, account);
  const [fact, longer] = ["a", "b"].map((letter) => letter.repeat(MAX_REJECTED_FACT_CHARACTERS));
  const message = `${unique("Long")}${"🌊".repeat(MAX_REJECTED_MESSAGE_CHARACTERS)}`;
  await reject(account, [`${fact}`, `${longer}b`], { message });
  const [cut, whole] = (await review.listRejectedFacts({})).rejectedFacts;
  expect(whole).toMatchObject({ fact, isFactCut: false });
  expect(cut).toMatchObject({ fact: `${longer?.slice(1)}…`, isFactCut: true });
  expect(cut?.message?.length).toBeGreaterThan(MAX_REJECTED_MESSAGE_CHARACTERS - 2);
  expect(message.startsWith(cut?.message?.replace(/…$/, "") ?? " ")).toBe(true);
  expect(cut?.message?.isWellFormed()).toBe(true);
});

test("a write that fails keeps nothing, and a repeat keeps nothing twice", async () => {
  const account = await spec.service.createAccount({ writesLimit: 0 });
  const review = await reviewOf(spec.service, account);
  const message = unique("Beyond the quota");
  spec.script.extractions.set(message, () => [{ decision: "One" }]);
  spec.script.rejections.set(message, [
    { fact: "Two", isRetraction: false, messageIndex: 0, reason: "words" },
  ]);
  const send = () =>
    write(account, { messages: [says(message)] }, { "idempotency-key": "once-and-again" });
  expect((await send()).status).toBe(429);
  expect((await review.listRejectedFacts({})).rejectedFacts).toEqual([]);
  await spec.service.updateAccount(account.companyId, { writesLimit: 10 });
  for (let count = 0; count < 2; count++) expectOk(await send());
  expect((await review.listRejectedFacts({})).rejectedFacts).toMatchObject([{ fact: "Two" }]);
});

test("nothing is kept where there is no dashboard to show it", async () => {
  const service = await startTestService({ config: { dashboard: null } });
  onTestFinished(() => service.close());
  const account = await service.createAccount();
  const content = `Ich wohne seit drei Jahren in Hamburg, ${unique("genauer")}.`;
  const { body } = await write(account, { messages: [says(content)] });
  expect(body.rejected).toHaveLength(1);
  expect(await tablesWithText(service, content)).toEqual([]);
});
