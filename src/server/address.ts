import type { Config } from "../config/config.ts";
import { resolveHost } from "../loopback.ts";

/** The address that a host means now. Throws where others would reach plain HTTP at it unawares. */
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

/** Where browsers and clients on this machine reach the API, without a path. */
export function urlOf({ host, tls }: Config, port: number): string {
  return `${tls === null ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
