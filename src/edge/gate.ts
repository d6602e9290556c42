import type { HttpError } from "@agent-memory/transcoding";
import { authorityOf, headersOf, type NodeRequest } from "@agent-memory/transcoding/node-http";
import type { HandlerContext } from "@connectrpc/connect";
import { SessionService } from "../../gen/agentmemory/dashboard/v1/session_service_pb.ts";
import { PlanService } from "../../gen/agentmemory/v1/plan_service_pb.ts";
import { isWellFormedApiKey } from "../domain/api-key.ts";
import { Failure } from "../domain/failure.ts";
import type { CompanyId } from "../domain/ids.ts";
import { SESSION_DAYS } from "../domain/session.ts";
import {
  authenticate,
  authenticateGrant,
  authenticateSession,
  findKnownAccount,
  type Grant,
} from "../service/authenticate.ts";
import type { KnownCaller, MemoryContext, ServiceContext } from "../service/context.ts";
import { type Admission, admissionOf } from "./admission.ts";
import { allowMoreStreams } from "./http/connections.ts";
import { noteCaller, noteMethod } from "./observed-calls.ts";

const GET_PLAN_STATUS = PlanService.method.getPlanStatus;
const SIGN_OUT = SessionService.method.signOut;

export interface GateOptions {
  /** false: there is no dashboard, and only keys are taken. */
  readonly takesSessions: boolean;
  /** What an access token grants that comes by the Model Context Protocol; null: none is taken. */
  readonly readGrant: ((token: string) => Promise<Grant | null>) | null;
}

/** As the calls of that protocol name it. */
export const MCP_PROTOCOL = "mcp";

/** Runs before the body of a call is read. Throws to refuse the call. */
export type Gate = (call: HandlerContext) => Promise<void>;

/**
 * The gate of every call that takes a key or a session: first who calls (401), then the rate
 * (429), as D13b orders them, the requests that the account has in progress (429), and
 * whether the account is suspended (403).
 */
export function createGate(
  context: MemoryContext,
  { takesSessions, readGrant }: GateOptions,
): Gate {
  function identify({ requestHeader, protocolName }: HandlerContext, admission: Admission) {
    const token = bearerToken(requestHeader);
    return readGrant !== null &&
      protocolName === MCP_PROTOCOL &&
      token !== null &&
      !isWellFormedApiKey(token)
      ? authenticateGrant(context, token, admission.address, readGrant)
      : identifyCaller(context, requestHeader, admission);
  }

  async function admit(call: HandlerContext): Promise<void> {
    const admission = admissionOf(call.values);
    const caller = await identify(call, admission);
    if (caller.credential === "session" && !takesSessions) {
      throw new Failure("unauthenticated", "there is no dashboard here, and so no session");
    }
    noteCaller(caller);
    allowMoreStreams(admission.request);
    // The plan says why other calls are refused, so that call is always free.
    // Who leaves a shared machine is never kept by what others called.
    const isSignOut = call.method === SIGN_OUT;
    await admission.known(caller, isSignOut || call.method === GET_PLAN_STATUS, !isSignOut);
  }

  return (call) => {
    noteMethod(call);
    return context.tracer.span("gate", {}, () => admit(call));
  };
}

/** An answer of 401 says how to authenticate. */
export function withChallenge(error: HttpError, request: NodeRequest): HttpError {
  if (error.status !== 401) return error;
  const challenge = challengeTo(headersOf(request));
  return { ...error, headers: { ...error.headers, "www-authenticate": challenge } };
}

/**
 * The `WWW-Authenticate` of a 401: how to authenticate, and whether the key that was
 * presented is the reason (RFC 6750, section 3).
 */
export function challengeTo(requestHeader: Headers): string {
  return bearerToken(requestHeader) === null ? "Bearer" : 'Bearer error="invalid_token"';
}

/** The account whose key a request has, as far as it is known without a look-up; null: it is not. */
export function knownAccountOf(context: ServiceContext, request: NodeRequest): CompanyId | null {
  const token = tokenIn(request.headers.authorization ?? "");
  return token === null ? null : findKnownAccount(context, token);
}

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
