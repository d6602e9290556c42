import { isIPv6 } from "node:net";

/** Names that no public address may have: the resolver of one's own network answers them. */
const PRIVATE_SUFFIXES = [".localhost", ".local", ".internal", ".home.arpa"];

/**
 * The one way to write a host, so that two spellings of an address can't pass for
 * two hosts: IPv4 in any base or length and IPv4 within IPv6 as four decimal
 * numbers, IPv6 without brackets in its shortest form, names in lower case and
 * Punycode without a dot at the end. null: it is no host.
 */
export function normalizeHost(text: string): string | null {
  // The URL standard does most of it; it takes IPv6 in brackets only.
  const bracketed = isIPv6(text) ? `[${text}]` : text;
  if (/[/?#@\\\s]/.test(text) || !URL.canParse(`http://${bracketed}`)) return null;
  const { hostname, port } = new URL(`http://${bracketed}`);
  const host = hostname.replace(/^\[|\]$|\.+$/g, "");
  if (host === "" || port !== "") return null;
  return embeddedIPv4(host) ?? host;
}

const MAPPED_IPV4 = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

function embeddedIPv4(host: string): string | null {
  const mapped = MAPPED_IPV4.exec(host);
  if (mapped === null) return null;
  return [mapped[1], mapped[2]]
    .map((group) => Number.parseInt(group ?? "", 16))
    .flatMap((group) => [group >> 8, group & 0xff])
    .join(".");
}

/** Whether a name, normalized and no IP address, can only be one of a private network. */
export function isPrivateName(host: string): boolean {
  return !host.includes(".") || PRIVATE_SUFFIXES.some((suffix) => host.endsWith(suffix));
}
