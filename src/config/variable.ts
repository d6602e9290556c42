import { isIP } from "node:net";
import { z } from "zod";

/** What messages and the reference of settings say of a variable, beside its description. */
interface Details {
  /** Completes the sentence "NAME must be …". */
  readonly rule: string;
  readonly unit?: "ms";
  /** Messages leave the value out. URLs are secret too: they may hold a password. */
  readonly isSecret?: boolean;
}

export const DETAILS = z.registry<Details>();

const HOST_NAME = /^(?!-)[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})*$/;
const HOST_AND_PORT = /^(?:\[[^\]]+\]|[^\s/?#@\\:*[\]]+)(?::(?!0+$)\d{1,5})?$/;
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** One variable. A default of null: it may be unset. */
function variable<T, Default extends T | null>(
  schema: z.ZodType<T, string>,
  fallback: Default,
  details: Details,
): z.ZodType<T | Default, string | undefined> {
  // zod returns a default as it is, without a look at what the schema makes of texts.
  return z._default(schema, fallback as z.core.util.NoUndefined<T>).register(DETAILS, details);
}

/** A variable whose text is its value. */
function text<Default extends string | null>(
  fits: (text: string) => boolean,
  fallback: Default,
  details: Details,
) {
  return variable<string, Default>(z.string().refine(fits), fallback, details);
}

export function hostName(fallback: string) {
  const isHost = (host: string) => isIP(host) !== 0 || HOST_NAME.test(host);
  return text(isHost, fallback, { rule: "an IP address or a host name" });
}

export function wholeNumber(min: number, max: number, fallback: number, unit?: Details["unit"]) {
  const digits = z.string().regex(/^\d+$/).transform(Number);
  const rule = `a whole number from ${min} to ${max}`;
  return variable(digits.pipe(z.number().min(min).max(max)), fallback, { rule, unit });
}

export function milliseconds(min: number, max: number, fallback: number) {
  return wholeNumber(min, max, fallback, "ms");
}

export function fraction(fallback: number) {
  const digits = z.string().regex(/^[01]?\.\d+$|^[01]$/);
  const schema = digits.transform(Number).pipe(z.number().max(1));
  return variable(schema, fallback, { rule: "a number from 0 to 1" });
}

/** A default of null depends on other variables. */
export function oneOf<const T extends string, Default extends NoInfer<T> | null>(
  words: readonly T[],
  fallback: Default,
) {
  const schema = z.literal(words) as z.ZodType<T, string>;
  return variable<T, Default>(schema, fallback, { rule: `one of ${words.join(", ")}` });
}

export function visibleText<Default extends string | null>(
  maxCharacters: number,
  fallback: Default,
) {
  const fits = (value: string) => VISIBLE_ASCII.test(value) && value.length <= maxCharacters;
  return text(fits, fallback, { rule: `1 to ${maxCharacters} visible ASCII characters` });
}

export function secret(minCharacters: number) {
  const fits = (value: string) => VISIBLE_ASCII.test(value) && value.length >= minCharacters;
  const rule = `at least ${minCharacters} visible ASCII characters`;
  return text(fits, null, { rule, isSecret: true });
}

export function path<Default extends string | null>(fallback: Default) {
  return text((value) => !value.includes("\0"), fallback, { rule: "a path" });
}

export function url(...schemes: readonly string[]) {
  const starts = schemes.map((scheme) => `${scheme}://`);
  const fits = (value: string) =>
    URL.canParse(value) && starts.some((start) => value.startsWith(start));
  const rule = `a URL that starts with ${starts.join(" or ")}`;
  return text(fits, null, { rule, isSecret: true });
}

/** The address that an API's paths are appended to. */
export function baseUrl() {
  const fits = (value: string) => /^https?:\/\/[^@?#]+$/.test(value) && URL.canParse(value);
  const rule = "a URL that starts with https:// or http://, without user, query and fragment";
  return text(fits, null, { rule, isSecret: true });
}

export function redisUrl() {
  const rule = "redis:// or rediss:// with [user:password@]host[:port][/database], percent-encoded";
  return text(isRedisUrl, null, { rule, isSecret: true });
}

export function hostList(maxHosts: number) {
  const isHost = (item: string) => HOST_AND_PORT.test(item) && URL.canParse(`http://${item}`);
  const rule = `at most ${maxHosts} hosts or host:port, separated by commas, IPv6 in brackets`;
  return variable(list(z.string().refine(isHost), maxHosts), [], { rule });
}

/** Origins as browsers write them: in lower case, without a path and without a default port. */
export function originList(maxOrigins: number) {
  const isOrigin = (item: string) =>
    /^https?:/.test(item) && URL.canParse(item) && new URL(item).origin === item;
  const rule = `at most ${maxOrigins} origins such as https://app.example.com, separated by commas`;
  return variable(list(z.string().refine(isOrigin), maxOrigins), [], { rule });
}

/** `isHeaders`: the values are those of headers, which are secret and in printable ASCII. */
export function nameValueList(maxEntries: number, isHeaders = false) {
  const value = isHeaders ? z.string().regex(/^[\x20-\x7e]*$/) : z.string();
  const entry = z
    .string()
    .transform(readNameValue)
    .pipe(z.tuple([z.string(), value]));
  const schema = list(entry, maxEntries).transform(
    (entries): Readonly<Record<string, string>> => Object.fromEntries(entries),
  );
  const rule = `at most ${maxEntries} of name=value, separated by commas, values percent-encoded`;
  return variable(schema, {}, { rule, isSecret: isHeaders });
}

/** Items separated by commas; white space around them is ignored. */
function list<T>(item: z.ZodType<T, string>, maxItems: number) {
  const items = z.string().transform((value) => value.split(",").map((each) => each.trim()));
  return items.pipe(z.array(item).max(maxItems)).readonly();
}

/** null: it is not `name=value`. */
function readNameValue(item: string): string[] | null {
  const [, name = "", value = ""] = /^([\w.-]+)\s*=\s*([\x21-\x7e]+)$/.exec(item) ?? [];
  return name !== "" && isPercentEncoded(value) ? [name, decodeURIComponent(value)] : null;
}

function isRedisUrl(value: string): boolean {
  if (!/^rediss?:\/\//.test(value) || !URL.canParse(value)) return false;
  const { hostname, username, password, pathname, search, hash } = new URL(value);
  const hasPath = /^(?:\/\d{0,4})?$/.test(pathname) && `${search}${hash}` === "";
  return hostname !== "" && hasPath && [username, password].every(isPercentEncoded);
}

function isPercentEncoded(value: string): boolean {
  try {
    decodeURIComponent(value);
    return true;
  } catch {
    return false;
  }
}
