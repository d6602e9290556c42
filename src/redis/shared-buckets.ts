import { type CommandParser, createClient, defineScript } from "@redis/client";
import { inTime, TookTooLong } from "../concurrency/bounds.ts";
import type { BucketLimits } from "../concurrency/token-buckets.ts";
import type { Taken } from "../edge/rate-limit.ts";
import type { Log } from "../log.ts";

/** For a connection and a first answer, also when the server starts, and for an answer that is late. */
export const REDIS_CONNECT_TIMEOUT_MS = 1_000;
/** After an attempt to reach Redis that failed. */
export const REDIS_RETRY_MS = 1_000;
/** Commands that wait for an answer; further ones fail at once. */
const MAX_WAITING_COMMANDS = 10_000;

const KEY_PREFIX = "agent-memory:rate:";
/** Asks nothing of anybody: that Redis runs the script is what it tells. */
const PROBE: Take = { rate: 1, burst: 1, cost: 0, least: 0, maxDebt: 0 };

export interface RedisOptions {
  readonly url: string;
  /** How long a request waits for Redis; the server then counts by itself. */
  readonly timeoutMs: number;
  readonly connectTimeoutMs?: number;
  readonly retryMs?: number;
}

export type RedisBuckets = ReturnType<typeof createRedisBuckets>;

/**
 * Token buckets in Redis. Nobody waits while another's answer is late. A connection that fails or
 * answers nonsense is given up; a new one is tried every second.
 */
export function createRedisBuckets(options: RedisOptions, log: Log) {
  const { url, timeoutMs, connectTimeoutMs = REDIS_CONNECT_TIMEOUT_MS } = options;
  let client: Client | null = null;
  let isUp = false;
  let fallbacks = 0;
  /** Whether the log has said that Redis is out of reach. */
  let isOutage = false;
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;

  /** Resolves when Redis has answered, or was not reached in time: it is then tried again. */
  async function connect(): Promise<void> {
    const opened = newClient(url, connectTimeoutMs);
    opened.on("error", (error) => giveUp(opened, error));
    client = opened;
    try {
      const answered = opened.connect().then(() => opened.takeTokens(`${KEY_PREFIX}probe`, PROBE));
      readTaken(await inTime(answered, connectTimeoutMs), PROBE);
    } catch (error) {
      giveUp(opened, error);
      return;
    }
    if (client !== opened) return;
    isUp = true;
    isOutage = false;
    log.info({}, "rate limits are shared by Redis");
  }

  async function take(owner: string, wanted: Take): Promise<Taken | null> {
    const asked = client;
    if (asked === null || !isUp) return null;
    const answer = asked
      .takeTokens(KEY_PREFIX + owner, wanted)
      .then((reply) => readTaken(reply, wanted));
    try {
      return await inTime(answer, timeoutMs);
    } catch (error) {
      if (error instanceof TookTooLong) waitFor(asked, answer);
      else giveUp(asked, error);
      return null;
    }
  }

  /** Nobody waits until the answer has come; when it does not, the connection is given up. */
  function waitFor(asked: Client, answer: Promise<Taken>): void {
    if (asked !== client || !isUp) return;
    isUp = false;
    inTime(answer, connectTimeoutMs).then(
      () => {
        if (asked === client) isUp = true;
      },
      (error) => giveUp(asked, error),
    );
  }

  function giveUp(failed: Client, error: unknown): void {
    if (failed.isOpen) failed.destroy();
    if (failed !== client) return;
    client = null;
    isUp = false;
    if (isClosed) return;
    if (!isOutage) {
      isOutage = true;
      const fields = { reason: reasonOf(error) };
      log.warn(fields, "Redis is out of reach: each server counts rate limits by itself");
    }
    retry = setTimeout(() => void connect(), options.retryMs ?? REDIS_RETRY_MS).unref();
  }

  return {
    connect,
    async admit(owner: string, limits: BucketLimits, maxDebt: number): Promise<Taken | null> {
      const taken = await take(owner, { ...limits, cost: 1, least: 1, maxDebt });
      if (taken === null) fallbacks++;
      return taken;
    },
    charge(owner: string, limits: BucketLimits, maxDebt: number, tokens: number): void {
      void take(owner, { ...limits, cost: tokens, least: -maxDebt, maxDebt });
    },
    /** For the operator's metrics. `fallbacks`: requests that this server counted alone. */
    get state() {
      return { isShared: isUp, fallbacks };
    },
    close(): void {
      isClosed = true;
      clearTimeout(retry);
      if (client !== null) giveUp(client, null);
    },
  };
}

type Client = ReturnType<typeof newClient>;

function newClient(url: string, connectTimeout: number) {
  return createClient({
    url,
    scripts: { takeTokens },
    // Every version of Redis and Valkey speaks it.
    RESP: 2,
    maintNotifications: "disabled",
    // Both are this class's: nothing is sent later than it was asked.
    socket: { connectTimeout, reconnectStrategy: false },
    disableOfflineQueue: true,
    commandsQueueMaxLength: MAX_WAITING_COMMANDS,
    commandOptions: { timeout: 0 },
  });
}

/** A word of a system error or of Redis: never what else an error says, which may be a URL. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if ("code" in error && typeof error.code === "string") return error.code;
  return /^[A-Z]+(?= )/.exec(error.message)?.[0] ?? error.name;
}

/** The tokens that are taken from a bucket. */
interface Take extends BucketLimits {
  readonly cost: number;
  /** Nothing is taken where the bucket holds less. */
  readonly least: number;
  /** The bucket owes no more than that. */
  readonly maxDebt: number;
}

/**
 * A bucket as `TokenBuckets` has it, in one step, by the time of Redis. It holds the tokens, their
 * moment and the limits since then. One that has had the time to refill is forgotten, and is full
 * anew.
 */
const SCRIPT = `
local rate, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local cost, least, max_debt = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local time = redis.call('TIME')
local at = time[1] * 1000 + math.floor(time[2] / 1000)
local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'at', 'rate', 'burst')
local tokens = burst
if bucket[1] then
  local refilled = math.max(0, at - bucket[2]) * bucket[3] / 1000
  tokens = math.min(burst, tonumber(bucket[4]), bucket[1] + refilled)
end
tokens = math.max(-max_debt, tokens)
local taken = 0
if tokens >= least then
  taken = 1
  tokens = math.max(-max_debt, tokens - cost)
end
redis.call('HSET', KEYS[1], 'tokens', tokens, 'at', at, 'rate', rate, 'burst', burst)
redis.call('PEXPIRE', KEYS[1], math.ceil((burst - tokens) / rate * 1000) + 1000)
return {taken, string.format('%.17g', tokens)}
`;

/** As a command of the client, which sends its digest, and the text where Redis lacks it. */
const takeTokens = defineScript({
  SCRIPT,
  NUMBER_OF_KEYS: 1,
  parseCommand(parser: CommandParser, key: string, take: Take) {
    const { rate, burst, cost, least, maxDebt } = take;
    parser.pushKey(key);
    parser.push(...[rate, burst, cost, least, maxDebt].map(String));
  },
  transformReply: (reply: unknown) => reply,
});

/** The answer of the script. Throws where that cannot be. */
function readTaken(reply: unknown, { burst, maxDebt }: Take): Taken {
  const [taken, text] = Array.isArray(reply) ? reply : [];
  const tokens = typeof text === "string" ? Number.parseFloat(text) : Number.NaN;
  if ((taken !== 0 && taken !== 1) || !(tokens >= -maxDebt && tokens <= burst)) {
    throw new Error("Redis answered what no bucket can hold");
  }
  return { isAdmitted: taken === 1, tokens };
}
