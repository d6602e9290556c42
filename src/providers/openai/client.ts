import type { APIError, OpenAI } from "openai";
import { once } from "../memoized.ts";
import { upstreamFetch } from "../upstream/exchange.ts";
import type { RemoteModel } from "../upstream/upstream.ts";

export const OPENAI_BASE_URL = "https://api.openai.com/v1";

/** Gives the library's client, which is made, and the library loaded, when it is first asked for. */
export type OpenAiClient = () => Promise<OpenAI>;

export function createOpenAiClient(model: RemoteModel): OpenAiClient {
  return once(() => loadClient(model));
}

/**
 * What the library would read from the environment is given, so that nothing of the
 * operator's reaches a caller's own model (D27), and its retries and its log are off:
 * the upstream has both.
 */
async function loadClient({ apiKey, baseUrl }: RemoteModel): Promise<OpenAI> {
  // A tenth of all that a start would load, and most services call no model of this kind.
  const { OpenAI } = await import("openai");
  return new OpenAI({
    apiKey: apiKey ?? "none",
    defaultHeaders: apiKey === null ? { Authorization: null } : {},
    baseURL: baseUrl,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    logLevel: "off",
    fetch: (url, init) => upstreamFetch(url instanceof Request ? url.url : url, init),
  });
}

/** Parameters that not every endpoint or model takes, and what a refusal calls them. */
const REFUSALS = {
  response_format: /response_format|json_schema/i,
  temperature: /temperature/i,
  max_tokens: /max_tokens|max_completion_tokens/i,
  dimensions: /dimensions|matryoshka/i,
  encoding_format: /encoding_format|base64/i,
  stream_options: /stream_options|include_usage/i,
  stream: /\bstream(?:ing)?\b/i,
} as const;

export type OptionalParameter = keyof typeof REFUSALS;

/** Learns which parameters an endpoint refuses. */
export interface ParameterChoice {
  /**
   * Sends a request; where it is refused for one of the parameters, sends it
   * again without. What then succeeds is how the next one is sent at once.
   */
  send<T>(request: (omitted: ReadonlySet<OptionalParameter>) => Promise<T>): Promise<T>;
}

export function createParameterChoice(parameters: readonly OptionalParameter[]): ParameterChoice {
  let known: ReadonlySet<OptionalParameter> = new Set();
  return {
    async send(request) {
      // Each turn of the loop omits one more.
      for (let omitted = known; ; ) {
        try {
          const answer = await request(omitted);
          known = omitted;
          return answer;
        } catch (error) {
          const { APIError } = await import("openai");
          if (!(error instanceof APIError)) throw error;
          const refused = parameters.find((name) => !omitted.has(name) && isRefusal(error, name));
          if (refused === undefined) throw error;
          omitted = new Set([...omitted, refused]);
        }
      }
    },
  };
}

/** An endpoint that names the parameter at fault is believed; else it is its sentence. */
function isRefusal({ status, param, message }: APIError, parameter: OptionalParameter): boolean {
  if (status !== 400 && status !== 422) return false;
  return REFUSALS[parameter].test(param || message);
}
