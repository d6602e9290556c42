import fc from "fast-check";
import { createRestClient } from "../../support/rest-client.ts";
import { encode, type Sender, type WireRequest, withMemoryIds } from "./encode.ts";
import { violationOf } from "./judge.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import { Quiet } from "./quiet.ts";
import { lossOf } from "./read-back.ts";
import { type FuzzedRequest, PROTOCOLS, type Protocol, requests } from "./requests.ts";
import { openWire, type Wire, type WireAnswer } from "./wire.ts";

/** Longer than this an answer may not take, when nothing else goes on. */
export const HANG_MS = 2_000;
/** A machine that others use is slow now and then. */
const LONE_ATTEMPTS = 3;
/** When an answer is given up. */
const PATIENCE_MS = 20_000;
/** Requests of one seed: what a replay goes through at most. */
const REQUESTS_PER_SEED = 200;
const SHRINK_TIMEOUT_MS = 120_000;
const MAX_MEMORY_IDS = 6;
/** A service that fails this often is known to fail. */
const MAX_FAILURES = 10;

/** What to send, and to whom. */
export interface CampaignOptions {
  readonly url: string;
  /** One for each sender at work side by side: an account of its own, with many writes. */
  readonly keys: readonly string[];
  /** Cookies of sessions, one for each key; a sender without one calls no page. */
  readonly cookies?: readonly string[];
  /** A well-formed key that nobody has. */
  readonly unknownKey: string;
  /** The ID of a memory of somebody else. */
  readonly foreignMemoryId: string;
  readonly count: number;
  readonly seed: number;
  /** Goes on with the requests of one seed as a failure printed them. */
  readonly path?: string;
  readonly maxMs: number;
  /** Which of the generated requests are sent; all by default. */
  readonly requests?: (request: FuzzedRequest) => boolean;
}

/** A law that was broken, and the smallest request that breaks it. */
export interface CampaignFailure {
  readonly violation: string;
  readonly request: FuzzedRequest;
  readonly seed: number;
  /** Of the generation and of the shrinking, for fast-check. */
  readonly path: string;
}

export interface CampaignResult {
  readonly sent: Readonly<Record<Protocol, number>>;
  readonly served: number;
  readonly refused: number;
  /** Refused with a wait, which is no failure: 503. */
  readonly unavailable: number;
  readonly readBack: number;
  /** Slow or without an answer beside others, and asked again alone. */
  readonly askedAgain: number;
  readonly slowestMs: number;
  readonly failures: readonly CampaignFailure[];
  readonly durationMs: number;
}

type Tally = { -readonly [name in Exclude<keyof CampaignResult, "sent">]: CampaignResult[name] } & {
  sent: Record<Protocol, number>;
  failures: CampaignFailure[];
};

/** Sends generated requests from several accounts at once, and judges every answer. */
export async function runCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const start = performance.now();
  const tally: Tally = {
    sent: Object.fromEntries(PROTOCOLS.map((each) => [each, 0])) as Record<Protocol, number>,
    served: 0,
    refused: 0,
    unavailable: 0,
    readBack: 0,
    askedAgain: 0,
    slowestMs: 0,
    failures: [],
    durationMs: 0,
  };
  const quiet = new Quiet();
  const generated = requests.filter(options.requests ?? (() => true));
  let remaining = options.count;
  let nextSeed = options.seed;

  async function work(key: string, index: number): Promise<void> {
    const cookie = options.cookies?.[index] ?? "";
    const sender = new CampaignSender(options, { key, cookie }, quiet, tally);
    while (remaining > 0 && performance.now() - start < options.maxMs) {
      if (tally.failures.length >= MAX_FAILURES) break;
      const numRuns = Math.min(REQUESTS_PER_SEED, remaining);
      remaining -= numRuns;
      const seed = nextSeed++;
      const property = fc.asyncProperty(generated, (request) => sender.run(request));
      const details = await fc.check(property, {
        seed,
        numRuns,
        path: options.path,
        interruptAfterTimeLimit: SHRINK_TIMEOUT_MS,
      });
      if (details.failed && details.counterexample !== null) {
        tally.failures.push({
          violation: String((details.errorInstance as Error | null)?.message),
          request: details.counterexample[0],
          seed,
          path: details.counterexamplePath ?? "",
        });
      }
    }
    sender.close();
  }

  await Promise.all(options.keys.map(work));
  return { ...tally, durationMs: performance.now() - start };
}

/** One account that sends one request after the other. */
class CampaignSender {
  readonly #options: CampaignOptions;
  readonly #key: string;
  readonly #cookie: string;
  readonly #quiet: Quiet;
  readonly #tally: Tally;
  readonly #wire: Wire;
  #memoryIds: readonly string[] = [];

  constructor(
    options: CampaignOptions,
    { key, cookie }: { readonly key: string; readonly cookie: string },
    quiet: Quiet,
    tally: Tally,
  ) {
    this.#options = options;
    this.#key = key;
    this.#cookie = cookie;
    this.#quiet = quiet;
    this.#tally = tally;
    this.#wire = openWire(options.url);
  }

  /** Throws what law the answer breaks. */
  async run(request: FuzzedRequest): Promise<void> {
    const sender: Sender = {
      goodKey: this.#key,
      unknownKey: this.#options.unknownKey,
      cookie: this.#cookie,
      memoryIds: [...this.#memoryIds, this.#options.foreignMemoryId],
    };
    const message = withMemoryIds(request.message, sender);
    const answer = await this.#send(encode(request, message, sender));
    const outcome = outcomeOf(request.protocol, request.rpc, answer);
    this.#tally.sent[request.protocol]++;
    const violation = violationOf(request, outcome);
    if (violation !== null) throw new Error(violation);
    await this.#follow(request, message, outcome);
  }

  async #follow(request: FuzzedRequest, message: object, outcome: Outcome): Promise<void> {
    if (outcome.kind !== "served") {
      this.#tally.refused++;
      const isUnavailable = outcome.kind === "refused" && outcome.hasWait;
      if (isUnavailable && /503|UNAVAILABLE/.test(outcome.status)) this.#tally.unavailable++;
      return;
    }
    const { body } = outcome;
    this.#tally.served++;
    // A tool says it in fewer words.
    if (request.protocol === "mcp") return;
    if (request.rpc === "CreateMemories") {
      const ids: string[] = body.memory_ids ?? [body.memory_id];
      this.#memoryIds = [...ids, ...this.#memoryIds].slice(0, MAX_MEMORY_IDS);
    }
    const rest = createRestClient(this.#options.url, this.#key);
    const accepted = { request, message: { ...message }, body, rest };
    const loss = await this.#quiet.beside(() => lossOf(accepted));
    if (loss !== null) throw new Error(loss);
    this.#tally.readBack++;
  }

  /**
   * What is slow, or gets no answer, is asked again when nothing else goes on: a busy
   * machine is no defect, nor is a connection that ends when it was idle.
   */
  async #send(request: WireRequest): Promise<WireAnswer> {
    const first = await this.#quiet.beside(() => this.#timed(request));
    this.#tally.slowestMs = Math.max(this.#tally.slowestMs, first.ms);
    if (first.ms <= HANG_MS && !(first.answer instanceof Error)) return first.answer;
    this.#tally.askedAgain++;
    return this.#quiet.alone(() => this.#sendAlone(request));
  }

  async #sendAlone(request: WireRequest): Promise<WireAnswer> {
    let problem = "";
    for (let attempt = 0; attempt < LONE_ATTEMPTS; attempt++) {
      const { answer, ms } = await this.#timed(request);
      if (ms <= HANG_MS && !(answer instanceof Error)) return answer;
      problem = answer instanceof Error ? answer.message : `${Math.round(ms)} ms`;
    }
    throw new Error(`no answer within ${HANG_MS} ms, also when asked alone: ${problem}`);
  }

  async #timed(request: WireRequest): Promise<{ answer: WireAnswer | Error; ms: number }> {
    const start = performance.now();
    const sent = this.#wire.send(request, PATIENCE_MS);
    const answer = await sent.catch((error: Error) => error);
    return { answer, ms: performance.now() - start };
  }

  close(): void {
    this.#wire.close();
  }
}
