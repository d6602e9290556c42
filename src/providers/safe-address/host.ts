import { isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/** Names that only the resolver of a private network answers. */
const PRIVATE_SUFFIXES = [".localhost", ".local", ".internal", ".home.arpa"];

/**
 * The canonical form of a host, so that two spellings cannot pass for two hosts. IPv4, in any
 * base or within IPv6, becomes four decimal numbers. IPv6 has its shortest form without
 * brackets. Names are in lower case and Punycode, without a final dot. null: it is no host.
 */
export function normalizeHost(text: string): string | null {
  // The URL standard does most of it, and wants IPv6 in brackets.
  const bracketed = isIPv6(text) ? `[${text}]` : text;
  if (/[/?#@\\\s]/.test(text) || !URL.canParse(`http://${bracketed}`)) return null;
  const { hostname, port } = new URL(`http://${bracketed}`);
  const host = hostname.replace(/^\[|\]$|\.+$/g, "");
  if (host === "" || port !== "") return null;
  return isAddress(host) ? ipaddr.process(host).toString() : host;
}

/** Whether a host, normalized, is an IP address rather than a name. */
export function isAddress(host: string): boolean {
  return ipaddr.isValid(host);
}

/** Whether a name, normalized, can only be one of a private network. */
export function isPrivateName(host: string): boolean {
  return !host.includes(".") || PRIVATE_SUFFIXES.some((suffix) => host.endsWith(suffix));
}

/**
 * `public`: on the internet. `private`: on this machine or its network. `special`: an address
 * without a host, or one for this machine alone, such as the metadata service of a cloud.
 */
export type AddressKind = "public" | "private" | "special";

/** All other ranges of the library are `special`. */
const KIND_OF_RANGE: Readonly<Partial<Record<string, AddressKind>>> = {
  unicast: "public",
  private: "private",
  carrierGradeNat: "private",
  loopback: "private",
  uniqueLocal: "private",
};

/** Metadata services of clouds within a public or private range. */
const METADATA = ["168.63.129.16/32", "100.100.100.200/32", "fd00:ec2::254/128"].map((subnet) =>
  ipaddr.parseCIDR(subnet),
);

/** The allocated part of IPv6; the library calls the rest unicast too. */
const GLOBAL_IPV6 = ipaddr.parseCIDR("2000::/3");

/** IPv4 addresses behind NAT64; the last 32 bits are the IPv4 address. */
const TRANSLATED_IPV4 = ipaddr.parseCIDR("64:ff9b::/96");

/** The kind of an IP address. A text that is no IP address is `special`. */
export function addressKind(address: string): AddressKind {
  if (!isAddress(address)) return "special";
  const ip = ipaddr.process(address);
  if (isIn(ip, ...METADATA)) return "special";
  if (isIn(ip, TRANSLATED_IPV4)) {
    return addressKind(ipaddr.fromByteArray(ip.toByteArray().slice(-4)).toString());
  }
  const kind = KIND_OF_RANGE[ip.range()] ?? "special";
  return kind === "public" && ip.kind() === "ipv6" && !isIn(ip, GLOBAL_IPV6) ? "special" : kind;
}

type Ip = ReturnType<typeof ipaddr.parse>;

function isIn(ip: Ip, ...subnets: readonly [Ip, number][]): boolean {
  return ipaddr.subnetMatch(ip, { subnets: [...subnets] }, "none") === "subnets";
}
