import { type AgentMemoryClient, createClient } from "../index.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The command, its file or the environment cannot be understood. */
export class UsageError extends Error {}

export const DEFAULT_URL = "http://127.0.0.1:8080";

export const CONNECTION_HELP = `
Environment:
  AGENT_MEMORY_URL     where the service is; ${DEFAULT_URL} by default
  AGENT_MEMORY_KEY     an API key
  AGENT_MEMORY_TENANT  whose memories the hooks take; the default tenant if unset`;

/** Where the service is, and an API key of the account. */
export type ApiAddress = ReturnType<typeof addressIn>;

/** Throws a UsageError. */
export function addressIn(env: Environment) {
  const { AGENT_MEMORY_URL: url = DEFAULT_URL, AGENT_MEMORY_KEY: key } = env;
  if (!key) throw new UsageError("AGENT_MEMORY_KEY must be an API key");
  if (!URL.canParse(url)) throw new UsageError("AGENT_MEMORY_URL must be a URL");
  return { url: new URL(url), key };
}

/** The service that the environment names. Throws a UsageError. */
export function clientIn(env: Environment): AgentMemoryClient {
  const { url, key: apiKey } = addressIn(env);
  return createClient({ url: url.href, apiKey });
}
