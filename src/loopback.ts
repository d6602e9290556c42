import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Whether only this machine reaches what listens on a host: an IP address of
 * 127.0.0.0/8 or `::1`, or the name `localhost`.
 *
 * Every other name counts as reachable from outside, since its address may change. So does an
 * address in a form that resolvers read differently, such as `127.1`. A listener must also
 * check the resolved address: see `resolveHost`.
 */
export function isLoopback(host: string): boolean {
  if (host === "localhost") return true;
  return isIP(host) !== 0 && ipaddr.parse(host).range() === "loopback";
}

/**
 * The address to bind for a host, and whether only this machine reaches it. The
 * address that was checked is the one to bind: a name may mean another one later.
 *
 * Rejects where the name does not resolve.
 */
export async function resolveHost(host: string) {
  const { address } = await lookup(host);
  return { address, isLoopback: isLoopback(host) && isLoopback(address) };
}
