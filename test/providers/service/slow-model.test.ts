/**
 * The longest conversation through a slow model, over HTTP (D27b). The model's time is
 * counted in the tokens that it writes, and `SCALE` times as fast as they would take, so
 * that nothing depends on how fast this machine is.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { FairSemaphore } from "../../../src/concurrency/fair-semaphore.ts";
import { readConfig } from "../../../src/config/config.ts";
import { MAX_EXTRACTED_FACTS, MAX_MESSAGES } from "../../../src/domain/limits.ts";
import { allStated, asksWhatIsStated } from "../../support/checked-facts.ts";
import type { FakeAnswer, FakePrompt } from "../../support/fake-upstream.ts";
import { startTestService } from "../../support/service.ts";
import { choiceOf, startFakeVendor } from "./vendors.ts";

const SCALE = 20;
const TOKENS_PER_SECOND = 40;
const SECONDS_UNTIL_FIRST_TOKEN = 1;
/** Of compact JSON with short texts. */
const CHARACTERS_PER_TOKEN = 3.6;

const { models, modelRequestTimeoutMs } = readConfig({ API_KEY_PEPPER: "x".repeat(32) });

const CITIES = ["Oslo", "Bergen", "Paris", "Lyon", "Rome", "Milan", "Madrid", "Porto"];

/** Two facts of each message of the user's, every tenth in other words than the message. */
function factsOf(message: number): readonly (readonly [quote: string, fact: string])[] {
  const home = `lives in ${CITIES[message % CITIES.length]}`;
  const shed = `keep bike number ${message} in the shed of the allotment`;
  return [
    [`My friend number ${message} ${home}`, `The user's friend number ${message} ${home}`],
    [
      `I ${shed}`,
      message % 20 === 0
        ? `The user cycles and garages vehicle number ${message} elsewhere`
        : `The user ${shed}`,
    ],
  ];
}

/** A model with as many seats as an account may take, each of which writes one answer at a time. */
class SlowModel {
  readonly #freeSince: number[];
  /** When the last answer was written, in its seconds. */
  endsAt = 0;
  slowest = 0;

  constructor(seats: number) {
    this.#freeSince = Array.from({ length: seats }, () => 0);
  }

  readonly answer = async (prompt: FakePrompt): Promise<FakeAnswer> => {
    const whole = contentFor(prompt);
    const text = whole.slice(0, Math.floor(prompt.maxTokens * CHARACTERS_PER_TOKEN));
    const tokens = Math.ceil(text.length / CHARACTERS_PER_TOKEN);
    const seconds = SECONDS_UNTIL_FIRST_TOKEN + tokens / TOKENS_PER_SECOND;
    this.#freeSince.sort((a, b) => a - b);
    const startsAt = this.#freeSince.shift();
    if (startsAt === undefined) throw new Error("more calls at once than an account may make");
    await sleep((1_000 * seconds) / SCALE);
    this.#freeSince.push(startsAt + seconds);
    this.endsAt = Math.max(this.endsAt, startsAt + seconds);
    this.slowest = Math.max(this.slowest, seconds);
    return { text, isCutOff: text.length < whole.length };
  };
}

/** All that there is to say of the numbered messages; of facts in doubt, that they are stated. */
function contentFor({ user, schema }: FakePrompt): string {
  const lines: Record<string, unknown>[] = user.split("\n").map((line) => JSON.parse(line));
  if (asksWhatIsStated(schema)) return JSON.stringify(allStated(user));
  if (schema?.properties.facts === undefined) return "{}";
  const facts = lines.flatMap(({ message, role, text }) =>
    message === undefined || role !== "user"
      ? []
      : factsOf(Number(message))
          .filter(([quote]) => `${text}`.includes(quote))
          .map(([quote, fact]) => ({
            message,
            quote,
            fact,
            kind: "statement",
            from: null,
            until: null,
            topic: "General",
            category: null,
            importance: 5,
          })),
  );
  return JSON.stringify({ facts });
}

test("D27b: the longest conversation, of as many facts as are stored, is read in time and in order", async () => {
  const server = await startFakeVendor("openai");
  const choice = choiceOf("openai", server, { limits: models.limits });
  const service = await startTestService({ config: { models: choice, modelRequestTimeoutMs } });
  onTestFinished(async () => {
    await service.close();
    await server.close();
  });
  const model = new SlowModel(FairSemaphore.shareOfAccount(models.limits.maxInFlight));
  server.chat = model.answer;
  const { rest } = await service.createAccount();
  const messages = Array.from({ length: MAX_MESSAGES }, (_, i) =>
    i % 2 === 0
      ? {
          role: "user",
          content: factsOf(i)
            .map(([quote]) => `${quote}.`)
            .join(" "),
        }
      : { role: "assistant", content: "How nice! Tell me more about them." },
  );
  const { status, body } = await rest("POST", "/agent/memories", { body: { messages } });
  expect({ status, rejected: body.rejected }).toEqual({ status: 200, rejected: [] });
  expect(body.extracted).toEqual(
    messages.flatMap(({ role }, i) => (role === "user" ? factsOf(i).map(([, fact]) => fact) : [])),
  );
  expect(body.saved_count).toBe(MAX_EXTRACTED_FACTS);
  // What follows has a quarter of the request's time.
  expect(model.endsAt).toBeLessThan((0.75 * modelRequestTimeoutMs) / 1_000);
  expect(model.slowest).toBeLessThan(models.limits.timeoutMs / 1_000);
});
