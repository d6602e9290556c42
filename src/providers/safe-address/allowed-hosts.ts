import type { LookupAddress } from "node:dns";
import { isIPv6, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import type { Dispatcher } from "undici";
import { invalidField } from "../../domain/failure.ts";

const FIELD = "llm.base_url";
const DEFAULT_PORTS: Readonly<Record<string, number>> = { "https:": 443, "http:": 80 };

interface Entry {
  readonly host: string;
  /** null: the default port of the scheme. */
  readonly port: number | null;
}

/**
 * The allowed addresses of callers' own models (D27). `entries` are hosts or host:port, IPv6 in
 * brackets. An entry without a port allows the default port of the scheme. Throws an Error for an
 * entry that is neither.
 */
export function createAllowedHosts(entries: readonly string[]) {
  const allowed = entries.map(readEntry);

  function isAllowed(host: string, port: number, defaultPort: number): boolean {
    return allowed.some((entry) => entry.host === host && (entry.port ?? defaultPort) === port);
  }

  return {
    /**
     * Checks the `base_url` of a caller's model, and returns it without a slash at its end.
     * Throws `invalid_field` for a host that the operator did not allow, and for plain HTTP to a
     * host that is not private.
     */
    checkBaseUrl(baseUrl: string): string {
      if (!URL.canParse(baseUrl)) throw invalidField(FIELD, "must be a URL");
      const url = new URL(baseUrl);
      const defaultPort = DEFAULT_PORTS[url.protocol];
      if (defaultPort === undefined) throw invalidField(FIELD, "must be a URL with https");
      if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
        throw invalidField(FIELD, "must not have a user, a password, a query or a fragment");
      }
      const host = normalizeHost(url.hostname);
      const port = url.port === "" ? defaultPort : Number(url.port);
      if (host === null || !isAllowed(host, port, defaultPort)) {
        throw invalidField(FIELD, "must be on a host that the operator of this server allows");
      }
      if (url.protocol === "http:" && !isPrivateHost(host)) {
        throw invalidField(FIELD, "must be a URL with https");
      }
      return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
    },

    /**
     * Whether a connection may go to an address of a name. A public one may. A private one may
     * where the operator allowed it, or a name of private networks. A special one may where the
     * operator allowed it.
     */
    permits(host: string, address: string): boolean {
      const name = normalizeHost(host);
      const normalized = normalizeHost(address);
      if (name === null || normalized === null) return false;
      const kind = addressKind(normalized);
      if (kind === "public" || allowed.some((entry) => entry.host === normalized)) return true;
      return (
        kind === "private" && isPrivateName(name) && allowed.some((entry) => entry.host === name)
      );
    },
  };
}

function isPrivateHost(host: string): boolean {
  return isAddress(host) ? addressKind(host) === "private" : isPrivateName(host);
}

function readEntry(entry: string): Entry {
  const parts = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(entry);
  const host = normalizeHost((parts?.[1] ?? "").replace(/^\[|\]$/g, ""));
  if (host === null) throw new Error(`"${entry}" is not a host or host:port`);
  return { host, port: parts?.[2] === undefined ? null : Number(parts[2]) };
}

export type ResolveHost = (host: string) => Promise<readonly LookupAddress[]>;

/**
 * Opens connections to checked addresses only. A name is resolved once, each of its addresses
 * is checked, and the connection goes to one of them: nothing can change in between. One bad
 * address makes the name bad. The first use loads the library.
 */
export function createGuardedDispatcher(
  allowedHosts: ReturnType<typeof createAllowedHosts>,
  resolve: ResolveHost,
): () => Promise<Dispatcher> {
  const lookup: LookupFunction = (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        const isGood = addresses.every(({ address }) => allowedHosts.permits(host, address));
        if (first === undefined || !isGood) {
          callback(invalidField(FIELD, "must not be on a host with a private address"), "");
        } else if (options.all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, ""),
    );
  };
  let agent: Promise<Dispatcher> | undefined;
  return () => {
    agent ??= import("undici").then(({ Agent }) => new Agent({ connect: { lookup } }));
    return agent;
  };
}

/** Names that only the resolver of a private network answers. */
const PRIVATE_SUFFIXES = [".localhost", ".local", ".internal", ".home.arpa"];

/**
 * The canonical form of a host, so that two spellings cannot pass for two hosts. IPv4, in any
 * base or within IPv6, becomes four decimal numbers. IPv6 has its shortest form without
 * brackets. Names are in lower case and Punycode, without a final dot. null: it is no host.
 */
function normalizeHost(text: string): string | null {
  // The URL standard does most of it, and wants IPv6 in brackets.
  const bracketed = isIPv6(text) ? `[${text}]` : text;
  if (/[/?#@\\\s]/.test(text) || !URL.canParse(`http://${bracketed}`)) return null;
  const { hostname, port } = new URL(`http://${bracketed}`);
  const host = hostname.replace(/^\[|\]$|\.+$/g, "");
  if (host === "" || port !== "") return null;
  return isAddress(host) ? ipaddr.process(host).toString() : host;
}

/** Whether a host, normalized, is an IP address rather than a name. */
function isAddress(host: string): boolean {
  return ipaddr.isValid(host);
}

/** Whether a name, normalized, can only be one of a private network. */
function isPrivateName(host: string): boolean {
  return !host.includes(".") || PRIVATE_SUFFIXES.some((suffix) => host.endsWith(suffix));
}

/**
 * `public`: on the internet. `private`: on this machine or its network. `special`: an address
 * without a host, or one for this machine alone, such as the metadata service of a cloud.
 */
type AddressKind = "public" | "private" | "special";

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
function addressKind(address: string): AddressKind {
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
