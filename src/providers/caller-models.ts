import { lookup } from "node:dns/promises";
import { LruMap } from "../concurrency/bounds.ts";
import { invalidField } from "../domain/failure.ts";
import type { Llm } from "../domain/memory-write.ts";
import type { ChatModel } from "./chat-model.ts";
import {
  createAllowedHosts,
  createGuardedDispatcher,
  type ResolveHost,
} from "./safe-address/allowed-hosts.ts";
import {
  createUpstream,
  type ModelHabit,
  type Upstream,
  type UpstreamLimits,
} from "./upstream/upstream.ts";
import { VENDORS } from "./vendors.ts";

/** The Gemini API puts the model's name into the path, so a name must not change the path. */
const GEMINI_MODEL = /^(?:models\/)?[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Models that callers brought, and what calls have shown of them. */
const MAX_KNOWN_MODELS = 1_000;

/** The characters of a header. The interface limits the length (D8). */
const API_KEY = /^[\x21-\x7e]+$/;

export interface CallerModelOptions {
  /** Hosts that callers' models may be on, besides the vendors' own addresses. */
  readonly allowedHosts: readonly string[];
  /** Each host has its own. */
  readonly limits: UpstreamLimits;
  monotonicMs(): number;
  /** Default: the system's resolver. */
  readonly resolve?: ResolveHost;
}

/**
 * Makes chat models as callers describe them, each for one call (D27). The returned function
 * throws `invalid_field` for an impossible name or key, and for a `base_url` on a host that is not
 * allowed. Only the returned model holds the caller's key.
 */
export function createCallerModels(options: CallerModelOptions): (llm: Llm) => ChatModel {
  const { limits, monotonicMs } = options;
  const allowedHosts = createAllowedHosts(options.allowedHosts);
  const dispatcher = createGuardedDispatcher(
    allowedHosts,
    options.resolve ?? ((host) => lookup(host, { all: true })),
  );
  // The allowed hosts and the vendors' own addresses bound it.
  const upstreams = new Map<string, Upstream>();
  const habits = new LruMap<string, ModelHabit>(MAX_KNOWN_MODELS);

  function upstreamOf(provider: Llm["provider"], { origin }: URL): Upstream {
    const name = `${provider} ${origin}`;
    const known = upstreams.get(name);
    if (known !== undefined) return known;
    const upstream = createUpstream({
      ...limits,
      provider,
      dispatcher,
      breaksCircuit: false,
      monotonicMs,
    });
    upstreams.set(name, upstream);
    return upstream;
  }

  return ({ provider, model, apiKey, baseUrl: given }) => {
    if (provider === "gemini" && !GEMINI_MODEL.test(model)) {
      throw invalidField("llm.model", "must be the name of a Gemini model");
    }
    if (!API_KEY.test(apiKey)) {
      throw invalidField("llm.api_key", "must have visible ASCII characters only");
    }
    const { baseUrl: vendorsOwn, createChatModel } = VENDORS[provider];
    const baseUrl = given === null ? vendorsOwn : allowedHosts.checkBaseUrl(given);
    const upstream = upstreamOf(provider, new URL(baseUrl));
    const name = `${provider} ${baseUrl} ${model}`;
    const habit = habits.get(name) ?? { thinksWithinLimit: false };
    habits.set(name, habit);
    return createChatModel({ apiKey, baseUrl, model, upstream, habit });
  };
}
