import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Whether only this machine reaches what listens on a host: an IP address of
 * 127.0.0.0/8 or `::1`, or the name `localhost`.
 *
 * Every other name counts as reachable from outside, since what it resolves to may
 * change; so does an address in a form that not every resolver reads alike, such as
 * `127.1`. Whoever binds to `localhost` must check the address it resolved to as well.
 */
export function isLoopback(host: string): boolean {
  if (host === "localhost") return true;
  return isIP(host) !== 0 && ipaddr.parse(host).range() === "loopback";
}
