import { BlockList, isIPv4, isIPv6 } from "node:net";

/**
 * `public`: of the internet. `private`: of this machine or its network.
 * `special`: nothing to talk to, or what only this machine may ask, such as the
 * metadata service of a cloud.
 */
export type AddressKind = "public" | "private" | "special";

const METADATA = blockList(["168.63.129.16/32", "100.100.100.200/32", "fd00:ec2::254/128"]);

const PRIVATE = blockList([
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "::1/128",
  "fc00::/7",
]);

/** From the registries of special-purpose addresses; with it all of IPv6 but 2000::/3. */
const SPECIAL = blockList([
  "0.0.0.0/8",
  "169.254.0.0/16",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
]);

const GLOBAL_IPV6 = blockList(["2000::/3"]);

/** IPv4 addresses as IPv6 sees them through a translator; the last 32 bits are the address. */
const TRANSLATED_IPV4 = /^64:ff9b::(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4})$/;

/** What an IP address, normalized, is good for. What is no IP address is `special`. */
export function addressKind(address: string): AddressKind {
  if (isIPv4(address)) return kindIn(address, "ipv4") ?? "public";
  if (!isIPv6(address)) return "special";
  const translated = TRANSLATED_IPV4.exec(address);
  if (translated !== null) {
    const groups = [translated[1] ?? "0", translated[2] ?? "0"].map((group) =>
      Number.parseInt(group, 16),
    );
    return addressKind(groups.flatMap((group) => [group >> 8, group & 0xff]).join("."));
  }
  const isGlobal = GLOBAL_IPV6.check(address, "ipv6");
  return kindIn(address, "ipv6") ?? (isGlobal ? "public" : "special");
}

function kindIn(address: string, family: "ipv4" | "ipv6"): AddressKind | null {
  if (METADATA.check(address, family) || SPECIAL.check(address, family)) return "special";
  return PRIVATE.check(address, family) ? "private" : null;
}

function blockList(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = "", prefix] = subnet.split("/");
    list.addSubnet(network, Number(prefix), isIPv4(network) ? "ipv4" : "ipv6");
  }
  return list;
}
