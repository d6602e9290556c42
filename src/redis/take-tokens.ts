import { type CommandParser, defineScript } from "@redis/client";
import type { BucketLimits } from "../concurrency/token-buckets.ts";
import type { Taken } from "../edge/rate-limit.ts";

/** What is taken from a bucket. */
export interface Take extends BucketLimits {
  readonly cost: number;
  /** Nothing is taken where the bucket holds less. */
  readonly least: number;
  /** The bucket owes no more than that. */
  readonly maxDebt: number;
}

/**
 * A bucket as `TokenBuckets` has it, in one step that no other comes between: what it held,
 * when, and the limits that applied since then. Time is Redis's own, which is the same for
 * all servers. A bucket that has had the time to refill is forgotten: who comes anew has a
 * full one too.
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
export const takeTokens = defineScript({
  SCRIPT,
  NUMBER_OF_KEYS: 1,
  parseCommand(parser: CommandParser, key: string, take: Take) {
    const { rate, burst, cost, least, maxDebt } = take;
    parser.pushKey(key);
    parser.push(...[rate, burst, cost, least, maxDebt].map(String));
  },
  transformReply: (reply: unknown) => reply,
});

/** What the script said. Throws where that cannot be. */
export function readTaken(reply: unknown, { burst, maxDebt }: Take): Taken {
  const [taken, text] = Array.isArray(reply) ? reply : [];
  const tokens = typeof text === "string" ? Number.parseFloat(text) : Number.NaN;
  if ((taken !== 0 && taken !== 1) || !(tokens >= -maxDebt && tokens <= burst)) {
    throw new Error("Redis answered what no bucket can hold");
  }
  return { isAdmitted: taken === 1, tokens };
}
