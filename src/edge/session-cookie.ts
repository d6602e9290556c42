import { SESSION_DAYS } from "../domain/session.ts";
import type { Admission } from "./admission.ts";

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
