import { authorityOf, type NodeRequest } from "@agent-memory/transcoding/node-http";
import { authenticate, authenticateSession } from "../service/authenticate.ts";
import type { KnownCaller, ServiceContext } from "../service/context.ts";
import type { Admission } from "./admission.ts";
import { sessionTokenOf } from "./session-cookie.ts";

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
