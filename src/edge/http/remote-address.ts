import { isIP } from "node:net";
import type { NodeRequest } from "@agent-memory/transcoding/node-http";
import ipaddr from "ipaddr.js";

/** Who has one address of an IPv6 network of this length has all of them. */
const IPV6_NETWORK_BITS = 64;
const IPV6_PART_BITS = 16;

/** Who is meant where a socket has no address any more, because it is closed. */
const NOBODY = "unknown";

/**
 * Whom to count by: the remote address, or the network of an IPv6 one. With `trustProxy`
 * it is the address that the proxy saw. A proxy puts it behind what the client itself may
 * have written into `X-Forwarded-For`, so only the last one is believed.
 */
export function remoteAddressOf(request: NodeRequest, trustProxy: boolean): string {
  const forwarded = trustProxy ? lastForwarded(request) : null;
  return networkOf(forwarded ?? request.socket.remoteAddress);
}

/** An address, or the network of an IPv6 one; an IPv4 address inside of IPv6 is that one. */
export function networkOf(address: string | undefined): string {
  const version = isIP(address ?? "");
  if (address === undefined || version === 0) return NOBODY;
  if (version === 4) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const parts = parsed.parts.slice(0, IPV6_NETWORK_BITS / IPV6_PART_BITS);
  return `${parts.map((part) => part.toString(16)).join(":")}::/${IPV6_NETWORK_BITS}`;
}

/** null: there is none, or it is no address. */
function lastForwarded({ headers }: NodeRequest): string | null {
  const { "x-forwarded-for": header } = headers;
  const last = [header ?? []].flat().join(",").split(",").at(-1)?.trim() ?? "";
  // Some proxies write the port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`.
  const { 1: bracketed, 2: plain } = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(last) ?? [];
  const address = bracketed ?? plain ?? last;
  return isIP(address) === 0 ? null : address;
}

/** A host name or address, with a port or without (RFC 9110, section 7.2). */
const AUTHORITY = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/;

/** Whether a text names a host: then a URL can be made with it, and nothing else ends up in that. */
export function isAuthority(text: string): boolean {
  return AUTHORITY.test(text) && URL.canParse(`http://${text}`);
}
