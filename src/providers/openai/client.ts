import { upstreamFetch } from "../upstream/exchange.ts";
import type { RemoteModel } from "../upstream/upstream.ts";

export const OPENAI_BASE_URL = "https://api.openai.com/v1";

/** A refusal by an endpoint. */
class Refusal extends Error {
  /** The parameter at fault if the endpoint names it, else what it says. */
  readonly about: string;

  constructor(status: number, body: string) {
    super(`HTTP status ${status}`);
    const { error } = (jsonOf(body) ?? {}) as { error?: { param?: string; message?: string } };
    this.about = status === 400 || status === 422 ? error?.param || error?.message || body : "";
  }
}

/** Throws for a refusal. */
async function post({ baseUrl, apiKey }: RemoteModel, path: string, body: object) {
  const response = await upstreamFetch(`${baseUrl}${path}`, {
    method: "POST",
    headers: {
      accept: "application/json",
      "content-type": "application/json",
      "user-agent": "agent-memory",
      ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify(body),
  });
  if (response.status >= 400) throw new Refusal(response.status, await response.text());
  return response;
}

/** undefined: the text is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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

/**
 * Posts requests to `path`, and learns which parameters the endpoint refuses. After a refusal of
 * one of `parameters` it sends the request again without that one. The next request begins with
 * the successful choice. `omitted` are those that are known to be refused.
 */
export function createPost(
  model: RemoteModel,
  path: string,
  parameters: readonly OptionalParameter[],
  omitted: readonly OptionalParameter[] = [],
) {
  let known: ReadonlySet<OptionalParameter> = new Set(omitted);
  return async (bodyWithout: (omitted: typeof known) => object): Promise<Response> => {
    // Each iteration omits one more.
    for (let omitted = known; ; ) {
      try {
        const answer = await post(model, path, bodyWithout(omitted));
        known = omitted;
        return answer;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const isAbout = (name: OptionalParameter) => REFUSALS[name].test(error.about);
        const refused = parameters.find((name) => !omitted.has(name) && isAbout(name));
        if (refused === undefined) throw error;
        omitted = new Set([...omitted, refused]);
      }
    }
  };
}
