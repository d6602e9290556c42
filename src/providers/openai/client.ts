import type { APIError, OpenAI } from "openai";
import { once } from "../memoized.ts";
import { upstreamFetch } from "../upstream/exchange.ts";
import type { RemoteModel } from "../upstream/upstream.ts";

export const OPENAI_BASE_URL = "https://api.openai.com/v1";

/** Returns the library's client. The first call loads the library. */
export type OpenAiClient = () => Promise<OpenAI>;

export function createOpenAiClient(model: RemoteModel): OpenAiClient {
  return once(() => loadClient(model));
}

/**
 * Every value that the library would read from the environment is given, so that nothing of
 * the operator's reaches a caller's own model (D27). Its retries and its log are off: the
 * upstream has both.
 */
async function loadClient({ apiKey, baseUrl }: RemoteModel): Promise<OpenAI> {
  // A tenth of everything that a start would load; most services call no such model.
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

/** Parameters that some endpoints or models refuse, and the words of such a refusal. */
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
   * Sends a request. After a refusal of one of the parameters it sends the request again
   * without that one. The next request begins with the successful choice.
   */
  send<T>(request: (omitted: ReadonlySet<OptionalParameter>) => Promise<T>): Promise<T>;
}

/** `omitted` are those that are known to be refused. */
export function createParameterChoice(
  parameters: readonly OptionalParameter[],
  omitted: readonly OptionalParameter[] = [],
): ParameterChoice {
  let known: ReadonlySet<OptionalParameter> = new Set(omitted);
  return {
    async send(request) {
      // Each iteration omits one more.
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

/** The endpoint names the parameter at fault; else its message does. */
function isRefusal({ status, param, message }: APIError, parameter: OptionalParameter): boolean {
  if (status !== 400 && status !== 422) return false;
  return REFUSALS[parameter].test(param || message);
}
