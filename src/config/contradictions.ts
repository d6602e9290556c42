import { DEFAULT_EMBEDDING_DIMENSIONS } from "../domain/embedding.ts";
import { isLoopback } from "../loopback.ts";
import type { VariableName, Variables } from "./variables.ts";

/** A broken rule between variables. */
interface Contradiction {
  /** Where one of these has a mistake of its own, that mistake alone is reported. */
  readonly about: readonly VariableName[];
  readonly problem: string;
}

/** The first variable must be set where the second one is. */
const NEEDED: readonly (readonly [needed: VariableName, where: VariableName])[] = [
  ["TLS_KEY_FILE", "TLS_CERT_FILE"],
  ["TLS_CERT_FILE", "TLS_KEY_FILE"],
  ["OIDC_CLIENT_ID", "OIDC_ISSUER"],
  ["DASHBOARD_URL", "OIDC_ISSUER"],
  ["OIDC_ISSUER", "OIDC_CLIENT_ID"],
  ["OIDC_ISSUER", "OIDC_CLIENT_SECRET"],
  ["GEMINI_API_KEY", "GEMINI_BASE_URL"],
  ["NEXT_EMBEDDING_PROVIDER", "NEXT_EMBEDDING_MODEL"],
];

/** Everything that is wrong between variables. */
export function* contradictions(values: Variables): Generator<Contradiction> {
  for (const [needed, where] of NEEDED) {
    if (values[needed] !== null || values[where] === null) continue;
    yield { about: [needed, where], problem: `${needed}: must be set when ${where} is` };
  }
  yield* reachableInPlain(values);
  const { PORT, ADMIN_PORT, ADMIN_HOST, OIDC_ISSUER } = values;
  if (ADMIN_PORT === PORT && PORT !== 0) {
    const problem = `ADMIN_PORT: must differ from PORT (got ${PORT} for both)`;
    yield { about: ["ADMIN_PORT", "PORT"], problem };
  }
  if (!isLoopback(ADMIN_HOST) && values.ADMIN_TOKEN === null) {
    const problem = `ADMIN_TOKEN: must be set when ADMIN_HOST is not loopback (got ${ADMIN_HOST})`;
    yield { about: ["ADMIN_TOKEN", "ADMIN_HOST"], problem };
  }
  if (OIDC_ISSUER?.startsWith("http:") && !isLoopback(new URL(OIDC_ISSUER).hostname)) {
    const problem = "OIDC_ISSUER: must start with https:// where it is not on loopback";
    yield { about: ["OIDC_ISSUER"], problem };
  }
  yield* unservedModels(values);
  if (values.MODEL_REQUEST_TIMEOUT_MS < values.MODEL_TIMEOUT_MS) {
    const problem = "MODEL_REQUEST_TIMEOUT_MS: must not be less than MODEL_TIMEOUT_MS";
    yield { about: ["MODEL_REQUEST_TIMEOUT_MS", "MODEL_TIMEOUT_MS"], problem };
  }
}

/** Plain HTTP beyond loopback is a risk that the operator takes by name (D35). */
function* reachableInPlain(values: Variables): Generator<Contradiction> {
  const hasTls = values.TLS_CERT_FILE !== null || values.TLS_KEY_FILE !== null;
  if (hasTls || values.TRUST_PROXY === "1" || values.INSECURE_HTTP === "1") return;
  for (const name of ["HOST", "ADMIN_HOST"] as const) {
    if (isLoopback(values[name])) continue;
    yield {
      about: [name, "TLS_CERT_FILE", "TLS_KEY_FILE", "TRUST_PROXY", "INSECURE_HTTP"],
      problem: `TLS_CERT_FILE: must be set when ${name} is not loopback, or TRUST_PROXY=1 where a proxy ends TLS, or INSECURE_HTTP=1 to do without (got ${values[name]})`,
    };
  }
}

/** A provider without its key, and a model or a length of vectors that the provider lacks. */
function* unservedModels(values: Variables): Generator<Contradiction> {
  const fallback = defaultProvider(values);
  const choices = [
    ["CHAT_PROVIDER", fallback, "CHAT_MODEL", null],
    ["EMBEDDING_PROVIDER", fallback, "EMBEDDING_MODEL", "EMBEDDING_DIMENSIONS"],
    ["NEXT_EMBEDDING_PROVIDER", null, "NEXT_EMBEDDING_MODEL", "NEXT_EMBEDDING_DIMENSIONS"],
  ] as const;
  for (const [choice, byDefault, model, dimensions] of choices) {
    const provider = values[choice] ?? byDefault;
    // Where nothing is chosen, the key decides.
    const chosenBy = [choice, values[choice] === null ? "GEMINI_API_KEY" : choice] as const;
    const wrong = (name: VariableName, rule: string, when: string): Contradiction => ({
      about: [name, ...chosenBy, "OPENAI_BASE_URL"],
      problem: `${name}: ${rule} when ${choice} is ${when}`,
    });
    const hasUrl = values.OPENAI_BASE_URL !== null;
    if (provider === "gemini" && values.GEMINI_API_KEY === null) {
      yield wrong("GEMINI_API_KEY", "must be set", "gemini");
    }
    if (provider === "openai" && values.OPENAI_API_KEY === null && !hasUrl) {
      yield wrong("OPENAI_API_KEY", "or OPENAI_BASE_URL must be set", "openai");
    }
    if (provider === "openai" && hasUrl && values[model] === null) {
      yield wrong(model, "must be set", "openai and OPENAI_BASE_URL is set");
    }
    if (provider === "local" && values[model] !== null) {
      yield wrong(model, "must not be set", "local");
    }
    const length = dimensions && values[dimensions];
    if (provider === "local" && dimensions && length !== DEFAULT_EMBEDDING_DIMENSIONS) {
      yield wrong(dimensions, `must be ${DEFAULT_EMBEDDING_DIMENSIONS}`, "local");
    }
  }
}

/** Gemini is the default vendor (D26), once there is a key for it. */
export function defaultProvider({ GEMINI_API_KEY }: Variables): "gemini" | "local" {
  return GEMINI_API_KEY === null ? "local" : "gemini";
}
