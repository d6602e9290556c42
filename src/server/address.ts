import type { Config } from "../config/config.ts";
import { resolveHost } from "../loopback.ts";

/** Resolves a host. Throws where others could reach it by plain HTTP without the operator's consent. */
export async function addressOf(
  host: string,
  { tls, trustProxy, insecureHttp }: Config,
): Promise<{ readonly address: string; readonly isLoopback: boolean }> {
  const resolved = await resolveHost(host);
  const { address, isLoopback } = resolved;
  if (isLoopback || tls !== null || trustProxy || insecureHttp) return resolved;
  throw new Error(
    `${host} (${address}) is not loopback: plain HTTP there takes TRUST_PROXY=1 or INSECURE_HTTP=1`,
  );
}

/** The address of the API for browsers and clients on this machine, without a path. */
export function urlOf({ host, tls }: Config, port: number): string {
  return `${tls === null ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
