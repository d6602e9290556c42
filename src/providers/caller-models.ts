import { lookup } from "node:dns/promises";
import type { Llm } from "../domain/conversation.ts";
import { invalidField } from "../domain/failure.ts";
import type { ChatModel } from "./chat-model.ts";
import {
  createAllowedHosts,
  createGuardedDispatcher,
  type ResolveHost,
} from "./safe-address/allowed-hosts.ts";
import { createUpstream, type Upstream, type UpstreamLimits } from "./upstream/upstream.ts";
import { VENDORS } from "./vendors.ts";

/** The Gemini API has the model's name in its path, so a name must not change the path. */
const GEMINI_MODEL = /^(?:models\/)?[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** What a header can carry. The interface limits the length (D8). */
const API_KEY = /^[\x21-\x7e]+$/;

export interface CallerModelOptions {
  /** Hosts that callers' models may be on, besides the vendors' own addresses. */
  readonly allowedHosts: readonly string[];
  /** Each host has these limits to itself. */
  readonly limits: UpstreamLimits;
  monotonicMs(): number;
  /** Default: the system's resolver. */
  readonly resolve?: ResolveHost;
}

/** Chat models that callers bring, for one call each (D27). */
export type CallerModels = (llm: Llm) => ChatModel;

/**
 * Makes the chat models that callers describe. What it returns throws
 * `invalid_field` for a name or a key that can't be one, and for a `base_url` that
 * is not on an allowed host. Only the returned model holds the caller's key.
 */
export function createCallerModels(options: CallerModelOptions): CallerModels {
  const { limits, monotonicMs } = options;
  const allowedHosts = createAllowedHosts(options.allowedHosts);
  const dispatcher = createGuardedDispatcher(
    allowedHosts,
    options.resolve ?? ((host) => lookup(host, { all: true })),
  );
  // Bounded by the allowed hosts and the vendors' own addresses.
  const upstreams = new Map<string, Upstream>();

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
    return createChatModel({ apiKey, baseUrl, model, upstream });
  };
}
