import { isIP } from "node:net";

/**
 * One environment variable: how it is documented and how its text is read.
 * `Default` is null for a variable that may be unset.
 */
export interface ConfigVariable<T, Default extends string | null> {
  /** As it would be written in the environment. */
  readonly default: Default;
  readonly meaning: string;
  /** Completes the sentence "NAME …". */
  readonly rule: string;
  /** Its value never appears in a message. URLs count: they may hold a password. */
  readonly secret: boolean;
  /** Returns the value, or null where the text breaks the rule. */
  readonly parse: (text: string) => T | null;
}

/** What is read from a set of variables. */
export type ValuesOf<Variables> = {
  readonly [Name in keyof Variables]: Variables[Name] extends ConfigVariable<infer T, infer Default>
    ? T | (Default & null)
    : never;
};

const HOST_NAME = /^(?!-)[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})*$/;

export function host(fallback: string, meaning: string): ConfigVariable<string, string> {
  return {
    default: fallback,
    meaning,
    rule: "must be an IP address or a host name",
    secret: false,
    parse: (text) => (isIP(text) !== 0 || HOST_NAME.test(text) ? text : null),
  };
}

export function wholeNumber(
  fallback: number,
  min: number,
  max: number,
  meaning: string,
): ConfigVariable<number, string> {
  return {
    default: String(fallback),
    meaning,
    rule: `must be a whole number from ${min} to ${max}`,
    secret: false,
    parse: (text) => {
      const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? value : null;
    },
  };
}

export function fraction(fallback: number, meaning: string): ConfigVariable<number, string> {
  return {
    default: String(fallback),
    meaning,
    rule: "must be a number from 0 to 1",
    secret: false,
    parse: (text) => (/^(?:0|1|[01]?\.\d+)$/.test(text) && Number(text) <= 1 ? Number(text) : null),
  };
}

/** `fallback` is null when the default depends on other variables. */
export function oneOf<T extends string, Default extends NoInfer<T> | null>(
  fallback: Default,
  words: readonly T[],
  meaning: string,
): ConfigVariable<T, Default> {
  return {
    default: fallback,
    meaning,
    rule: `must be one of ${words.join(", ")}`,
    secret: false,
    parse: (text) => words.find((word) => word === text) ?? null,
  };
}

export function visibleText(maxCharacters: number, meaning: string): ConfigVariable<string, null> {
  return {
    default: null,
    meaning,
    rule: `must be 1 to ${maxCharacters} visible ASCII characters`,
    secret: false,
    parse: (text) => (text.length <= maxCharacters && /^[\x21-\x7e]+$/.test(text) ? text : null),
  };
}

export function path<Default extends string | null>(
  fallback: Default,
  meaning: string,
): ConfigVariable<string, Default> {
  return {
    default: fallback,
    meaning,
    rule: "must be a path",
    secret: false,
    parse: (text) => (text.includes("\0") ? null : text),
  };
}

export function secretText(minCharacters: number, meaning: string): ConfigVariable<string, null> {
  return {
    default: null,
    meaning,
    rule: `must be at least ${minCharacters} visible ASCII characters`,
    secret: true,
    parse: (text) => (text.length >= minCharacters && /^[\x21-\x7e]+$/.test(text) ? text : null),
  };
}

export function url(schemes: readonly string[], meaning: string): ConfigVariable<string, null> {
  const starts = schemes.map((scheme) => `${scheme}://`);
  return {
    default: null,
    meaning,
    rule: `must be a URL that starts with ${starts.join(" or ")}`,
    secret: true,
    parse: (text) =>
      URL.canParse(text) && starts.some((start) => text.startsWith(start)) ? text : null,
  };
}

/** `redis://`, or `rediss://` over TLS, with the number of a database as its path or none. */
export function redisUrl(meaning: string): ConfigVariable<string, null> {
  return {
    default: null,
    meaning,
    rule: "must be redis:// or rediss:// with [user:password@]host[:port][/database], percent-encoded",
    secret: true,
    parse: (text) => (isRedisUrl(text) ? text : null),
  };
}

/** The address that an API's paths are appended to. It is kept secret because people put keys into URLs. */
export function baseUrl(meaning: string): ConfigVariable<string, null> {
  return {
    default: null,
    meaning,
    rule: "must be a URL that starts with https:// or http://, without user, query and fragment",
    secret: true,
    parse: (text) => (/^https?:\/\/[^@?#]+$/.test(text) && URL.canParse(text) ? text : null),
  };
}

/** Hosts separated by commas; white space around them is ignored. */
export function hostList(
  maxHosts: number,
  meaning: string,
): ConfigVariable<readonly string[], null> {
  return {
    default: null,
    meaning,
    rule: `must be at most ${maxHosts} hosts or host:port, separated by commas, IPv6 in brackets`,
    secret: false,
    parse: (text) => {
      const hosts = text.split(",").map((host) => host.trim());
      return hosts.length <= maxHosts && hosts.every(isHostAndPort) ? hosts : null;
    },
  };
}

/** Origins separated by commas; white space around them is ignored. */
export function originList(
  maxOrigins: number,
  meaning: string,
): ConfigVariable<readonly string[], null> {
  return {
    default: null,
    meaning,
    rule: `must be at most ${maxOrigins} origins such as https://app.example.com, separated by commas`,
    secret: false,
    parse: (text) => {
      const origins = text.split(",").map((origin) => origin.trim());
      return origins.length <= maxOrigins && origins.every(isOrigin) ? origins : null;
    },
  };
}

/** `name=value`, separated by commas; values are percent-encoded. */
export function nameValueList(
  maxEntries: number,
  meaning: string,
): ConfigVariable<Readonly<Record<string, string>>, null> {
  return {
    default: null,
    meaning,
    rule: `must be at most ${maxEntries} of name=value, separated by commas, values percent-encoded`,
    secret: false,
    parse: (text) => readNameValues(text, maxEntries),
  };
}

/** The same for headers of requests, whose values are secret. */
export function headerList(
  maxHeaders: number,
  meaning: string,
): ConfigVariable<Readonly<Record<string, string>>, null> {
  return {
    ...nameValueList(maxHeaders, meaning),
    secret: true,
    parse(text) {
      const headers = readNameValues(text, maxHeaders);
      const values = Object.values(headers ?? {});
      return values.every((value) => /^[\x20-\x7e]+$/.test(value)) ? headers : null;
    },
  };
}

function readNameValues(text: string, maxEntries: number): Record<string, string> | null {
  const entries = text.split(",").map(readNameValue);
  const read = entries.flatMap((entry) => (entry === null ? [] : [entry]));
  const isRead = read.length === entries.length && read.length <= maxEntries;
  return isRead ? Object.fromEntries(read) : null;
}

function readNameValue(text: string): [string, string] | null {
  const [, name, value = ""] = /^\s*([\w.-]+)\s*=\s*([\x21-\x7e]+)\s*$/.exec(text) ?? [];
  try {
    return name === undefined ? null : [name, decodeURIComponent(value)];
  } catch {
    return null;
  }
}

/** As browsers write it: without a path, in lower case, without a port that goes without saying. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

function isRedisUrl(text: string): boolean {
  if (!/^rediss?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { hostname, username, password, pathname, search, hash } = new URL(text);
  return (
    hostname !== "" &&
    /^(?:\/\d{0,4})?$/.test(pathname) &&
    `${search}${hash}` === "" &&
    [username, password].every(isPercentEncoded)
  );
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function isHostAndPort(text: string): boolean {
  return (
    /^(?:\[[^\]]+\]|[^\s/?#@\\:*[\]]+)(?::(?!0+$)\d{1,5})?$/.test(text) &&
    URL.canParse(`http://${text}`)
  );
}
