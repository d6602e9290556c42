import { authorityOf, type NodeRequest } from "@agent-memory/transcoding/node-http";
import { SESSION_DAYS } from "../domain/session.ts";
import { authenticate, authenticateSession } from "../service/authenticate.ts";
import type { KnownCaller, ServiceContext } from "../service/context.ts";
import type { Admission } from "./admission.ts";

/** What the pages of the dashboard send with each call, and a form of another page cannot. */
export const DASHBOARD_HEADER = "x-dashboard";

/**
 * Who calls: the owner of the API key in the headers or, where there is none and the
 * dashboard itself calls, of the session in their cookie.
 *
 * Throws `unauthenticated` and `too_many_refusals`.
 */
export function identifyCaller(
  context: ServiceContext,
  headers: Headers,
  admission: Admission,
): Promise<KnownCaller> {
  const token = headers.has("authorization") ? null : sessionTokenOf(headers, admission);
  return token !== null && isOfDashboard(headers, admission)
    ? authenticateSession(context, token, admission.address)
    : authenticate(context, bearerToken(headers), admission.address);
}

/**
 * Whether a page of the service itself sent a call. Browsers send cookies with what any
 * page sends; they say whose it is, and let no other page set this header.
 */
export function isOfDashboard(headers: Headers, { request }: Pick<Admission, "request">): boolean {
  if (!headers.has(DASHBOARD_HEADER)) return false;
  const site = headers.get("sec-fetch-site");
  // Over plain HTTP beyond loopback browsers do not say it.
  return site === null ? isOwnOrigin(request) : site === "same-origin";
}

/** Whether a request names as its origin the host that it is sent to. */
export function isOwnOrigin(request: NodeRequest): boolean {
  const origin = URL.parse(request.headers.origin ?? "");
  return origin !== null && origin.host === authorityOf(request);
}

/**
 * The token of `Authorization: Bearer TOKEN` (RFC 6750); the scheme in any case.
 * null: no such header, another scheme, or more than one token.
 */
export function bearerToken(headers: Headers): string | null {
  return tokenIn(headers.get("authorization") ?? "");
}

/** As `bearerToken`, of the header's value. */
export function tokenIn(authorization: string): string | null {
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null;
}

const SESSION_COOKIE = "agent_memory_session";
/** Over TLS: browsers take a cookie of such a name of this very host alone (RFC 6265bis, section 4.1.3.2). */
const SECURE_PREFIX = "__Host-";
const TOKEN = /^[\w-]{43}$/;

type Security = Pick<Admission, "isSecure">;

/** The token of the session whose cookie a request brought; null: it brought none. */
export function sessionTokenOf(headers: Headers, origin: Security): string | null {
  const token = cookieOf(headers.get("cookie") ?? "", SESSION_COOKIE, origin);
  return TOKEN.test(token) ? token : null;
}

/** A header `Set-Cookie` that begins a session, which no other site sends along. */
export function sessionCookie(token: string, origin: Security): string {
  const maxAgeSeconds = SESSION_DAYS * 24 * 60 * 60;
  return setCookie(SESSION_COOKIE, token, { maxAgeSeconds, sameSite: "Strict" }, origin);
}

/** A header `Set-Cookie` that takes the session's away. */
export function endedSessionCookie(origin: Security): string {
  return setCookie(SESSION_COOKIE, "", { maxAgeSeconds: 0, sameSite: "Strict" }, origin);
}

/** The value of a cookie; "": there is none. */
export function cookieOf(header: string | undefined, name: string, origin: Security): string {
  const start = `${nameOf(name, origin)}=`;
  const cookies = header?.split(";").map((each) => each.trim()) ?? [];
  return cookies.find((each) => each.startsWith(start))?.slice(start.length) ?? "";
}

/** A header `Set-Cookie` of a cookie that no script reads. */
export function setCookie(
  name: string,
  value: string,
  { maxAgeSeconds, sameSite }: { maxAgeSeconds: number; sameSite: "Strict" | "Lax" },
  origin: Security,
): string {
  const rules = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=${sameSite}`;
  return `${nameOf(name, origin)}=${value}; ${rules}${origin.isSecure ? "; Secure" : ""}`;
}

function nameOf(name: string, { isSecure }: Security): string {
  return isSecure ? SECURE_PREFIX + name : name;
}
