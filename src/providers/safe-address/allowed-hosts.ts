import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import type { Dispatcher } from "undici";
import { type Failure, invalidField } from "../../domain/failure.ts";
import { addressKind, isAddress, isPrivateName, normalizeHost } from "./host.ts";

const FIELD = "llm.base_url";
const DEFAULT_PORTS: Readonly<Record<string, number>> = { "https:": 443, "http:": 80 };

/** The allowed addresses of callers' own models (D27). */
export interface AllowedHosts {
  /**
   * Checks the `base_url` of a caller's model, and returns it without a slash at its end.
   * Throws `invalid_field` for a host that the operator did not allow, and for plain HTTP to a
   * host that is not private.
   */
  checkBaseUrl(baseUrl: string): string;
  /**
   * Whether a connection may go to an address that a host's name resolved to. A public address
   * is permitted. A private one is permitted when the operator allowed that address, or a name
   * that only a private network can have. A special one is permitted when the operator allowed
   * that address.
   */
  permits(host: string, address: string): boolean;
}

interface Entry {
  readonly host: string;
  /** null: the default port of the scheme. */
  readonly port: number | null;
}

/**
 * `entries` are hosts or host:port, IPv6 in brackets. An entry without a port allows
 * the default port of the scheme. Throws an Error for an entry that is neither.
 */
export function createAllowedHosts(entries: readonly string[]): AllowedHosts {
  const allowed = entries.map(readEntry);

  function isAllowed(host: string, port: number, defaultPort: number): boolean {
    return allowed.some((entry) => entry.host === host && (entry.port ?? defaultPort) === port);
  }

  return {
    checkBaseUrl(baseUrl) {
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

    permits(host, address) {
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

/** Resolves a name to all of its addresses. */
export type ResolveHost = (host: string) => Promise<readonly LookupAddress[]>;

/**
 * Opens connections to checked addresses only. A name is resolved once, each of its addresses
 * is checked, and the connection goes to one of them: nothing can change in between. One bad
 * address makes the name bad. The first use loads the library.
 */
export function createGuardedDispatcher(
  allowedHosts: AllowedHosts,
  resolve: ResolveHost,
): () => Promise<Dispatcher> {
  const lookup: LookupFunction = (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        const isGood = addresses.every(({ address }) => allowedHosts.permits(host, address));
        if (first === undefined || !isGood) callback(refusedAddress(), "");
        else if (options.all) callback(null, [...addresses]);
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

/** For an allowed name that resolved to an address that is not permitted. */
function refusedAddress(): Failure {
  return invalidField(FIELD, "must not be on a host with a private address");
}
