/** Streams through every protocol: part by part as they come, and however they end. */
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { CitedAnswer } from "../../src/domain/citations.ts";
import { Failure } from "../../src/domain/failure.ts";
import { SECOND } from "../../src/domain/instant.ts";
import { revokeApiKey } from "../../src/service/admin/api-keys.ts";
import { citeAnswer } from "../support/cite-answer.ts";
import { forThisFile } from "../support/for-this-file.ts";
import { startTestService, type TestAccount } from "../support/service.ts";
import type { ApiClient, Streamed } from "./clients/api-client.ts";
import { ALL_CLIENTS } from "./clients/index.ts";

/** An answerer that says what a test has it say. */
interface Saying {
  readonly signal: AbortSignal;
  show(text: string): void;
  end(text: string): void;
  fail(error: Error): void;
}

let asked = Promise.withResolvers<Saying>();
const service = await forThisFile(
  startTestService({
    models: {
      answerer: {
        answer({ memories }, { signal }, show = () => {}) {
          const { promise, resolve, reject } = Promise.withResolvers<CitedAnswer>();
          signal.addEventListener("abort", () => reject(signal.reason));
          asked.resolve({
            signal,
            show,
            end: (text) => resolve(citeAnswer(text, memories.length)),
            fail: reject,
          });
          return promise;
        },
      },
    },
  }),
);
afterEach(() => {
  asked = Promise.withResolvers();
});

const question = "Where does Ada live?";
const FIRST = "In Paris [mem-1]";

/** Many bytes in three texts, each of which is more than is written at once. */
const LONG = "Ada lives in Paris. ".repeat(1_600);

describe.each(Object.entries(ALL_CLIENTS))("%s", (name, createClient) => {
  let client: ApiClient;
  let account: TestAccount;
  beforeAll(async () => {
    client = createClient(service.url);
    account = await service.createAccount();
    await account.rest("POST", "/agent/memories", { body: { content: "Ada lives in Paris" } });
  });
  afterAll(() => client.close());

  /** A stream whose first words have come. */
  async function begun(key = account.key) {
    const left = new AbortController();
    onTestFinished(() => left.abort());
    const messages: Streamed[] = [];
    const options = { key, signal: left.signal };
    const outcome = client.stream("StreamQueryMemories", { question }, options, (message) => {
      messages.push(message);
    });
    outcome.catch(() => {});
    const answer = await asked.promise;
    answer.show(FIRST);
    const kinds = () => messages.map(({ event }) => event);
    await expect.poll(kinds).toEqual(["memories", "text"]);
    return { messages, outcome, answer, leave: () => left.abort(new Error("left")) };
  }

  test("4.4 stream: each part is there when it comes, and the end follows", async () => {
    const { messages, outcome, answer } = await begun();
    expect(messages[1]?.data).toEqual({ text: FIRST });
    answer.show(", I think");
    await expect.poll(() => messages.at(-1)?.data).toEqual({ text: ", I think" });
    const text = `${FIRST}, I think.`;
    answer.end(text);
    expect((await outcome).error).toBeNull();
    expect(messages.slice(3)).toEqual([
      { event: "text", data: { text: "." } },
      { event: "answer", data: expect.objectContaining({ answer_with_citations: text }) },
    ]);
  });

  test("4.4 stream errors: what fails behind the beginning ends it with the reason", async () => {
    const { messages, outcome, answer } = await begun();
    answer.fail(new Failure("model_unavailable", "it broke off", { retryAfterSeconds: 5 }));
    const { error } = await outcome;
    expect(error).toMatchObject({ reason: "model_unavailable", detail: "it broke off" });
    if (client.protocol === "rpc") {
      // Over REST the wait is a header, and those are gone when a stream ends.
      const retryAfterSeconds = name === "the client over REST" ? null : 5;
      expect(error).toMatchObject({ code: "UNAVAILABLE", retryAfterSeconds });
    }
    expect(messages).toHaveLength(2);
  });

  test("4.4 stream abandoned: a caller that hangs up ends the work at once", async () => {
    const { answer, outcome, leave } = await begun();
    expect(answer.signal.aborted).toBe(false);
    leave();
    await expect(outcome).rejects.toThrow();
    await expect.poll(() => answer.signal.aborted).toBe(true);
  });

  test("D36 stream: a key that is revoked in the middle ends it", async () => {
    const { companyId } = account;
    const other = await service.createKey(companyId);
    const { messages, outcome, answer } = await begun(other.key);
    await revokeApiKey(service.context, service.context.db, other.apiKeyId);
    service.clock.advance(SECOND);
    answer.show(", I think");
    expect((await outcome).error).toMatchObject({ reason: "unauthenticated" });
    expect(messages).toHaveLength(2);
    // Nobody pays for what nobody is told.
    await expect.poll(() => answer.signal.aborted).toBe(true);
  });

  test("4.4 stream: what is large comes as it would in one answer", async () => {
    const long = await service.createAccount();
    const tenant_id = "long";
    for (let n = 0; n < 3; n++) {
      const body = { content: `${n} ${LONG}`, tenant_id };
      await long.rest("POST", "/agent/memories", { body });
    }
    const request = { question, tenant_id };
    const streamed = client.stream("StreamQueryMemories", request, { key: long.key });
    const text = "In Paris [mem-2][mem-1][mem-3].";
    (await asked.promise).end(text);
    asked = Promise.withResolvers();
    const whole = client.call("QueryMemories", request, { key: long.key });
    (await asked.promise).end(text);
    const outcome = await whole;
    if (!outcome.ok) throw new Error("it is answered");
    const {
      question: _q,
      company_id,
      memories,
      memories_searched,
      approximate,
      ...answer
    } = outcome.body;
    const uncited = memories.map((each: object) => ({ ...each, cited_by_llm: false }));
    expect(await streamed).toEqual({
      messages: [
        {
          event: "memories",
          data: { question, company_id, memories: uncited, memories_searched, approximate },
        },
        { event: "text", data: { text: "In Paris [mem-1][mem-2][mem-3]." } },
        { event: "answer", data: answer },
      ],
      error: null,
    });
  });
});
