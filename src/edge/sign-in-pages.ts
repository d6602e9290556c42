import { bodyOf, type NodeRequest, type NodeResponse } from "@agent-memory/transcoding/node-http";
import { readAllBytes } from "@connectrpc/connect/protocol";
import { Failure } from "../domain/failure.ts";
import { type CompanyId, toCompanyId } from "../domain/ids.ts";
import { SESSION_DAYS } from "../domain/session.ts";
import type { IdentityProvider, SignInFlow } from "../identity/openid.ts";
import type { ServiceContext } from "../service/context.ts";
import { logOutByProvider, signInAs } from "../service/sessions.ts";
import type { Admission } from "./admission.ts";
import { toHttpError } from "./error-mapping.ts";
import { type PathHandler, sendError, sendJson } from "./http/answers.ts";

const BEGIN_PATH = "/dashboard/sign-in";
const CALLBACK_PATH = `${BEGIN_PATH}/callback`;
const LOGOUT_PATH = "/dashboard/back-channel-logout";
const MAX_LOGOUT_BYTES = 32 * 1024;
const NOT_KEPT = { "cache-control": "no-store" };
const DASHBOARD = "/dashboard";
/** How long a person may take to sign in at the provider. */
const FLOW_SECONDS = 10 * 60;
const FLOW_COOKIE = "agent_memory_sign_in";
const FLOW = /^([\w-]{16,128})\.([\w-]{16,128})\.([\w-]{43,128})$/;
/** So that an address has fewer sign-ins in progress than other calls. */
export const SIGN_IN_PERMITS = 4;
const MAX_SUBJECT_CHARACTERS = 256;

/**
 * Sends browsers to the identity provider, and begins the session of those who come back (D38).
 * The provider says there who signed out of it (OpenID Connect Back-Channel Logout 1.0).
 * `signUp`: whether the first sign-in of a user creates an account.
 */
export function signInPaths(context: ServiceContext, provider: IdentityProvider, signUp: boolean) {
  async function begin(admission: Admission): Promise<void> {
    const { url, flow } = await provider.begin();
    redirect(admission, url, [flowCookie(flow, admission)]);
  }

  async function complete(admission: Admission): Promise<void> {
    const flow = flowOf(admission);
    const { url } = admission.request;
    if (flow === null || url === undefined) return fail(admission, "refused");
    const signedIn = await provider.complete(url.slice(url.indexOf("?")), flow);
    const companyId = accountOf(signedIn.subject);
    if (companyId === null) return fail(admission, "refused");
    const token = await signInAs(context, companyId, signedIn, signUp);
    if (token === null) return fail(admission, "no-account");
    redirect(admission, DASHBOARD, [flowCookie(null, admission), sessionCookie(token, admission)]);
  }

  function page(work: (admission: Admission) => Promise<void>): PathHandler<Admission> {
    async function handle(admission: Admission): Promise<void> {
      try {
        admission.countPublic(SIGN_IN_PERMITS);
      } catch (error) {
        return sendFailure(admission.response, error);
      }
      try {
        await work(admission);
      } catch (err) {
        const isRefused = err instanceof Failure && err.reason === "unauthenticated";
        if (!isRefused) context.log.warn({ err }, "a sign-in failed");
        fail(admission, isRefused ? "refused" : "unavailable");
      }
    }
    return { kind: "page", methods: ["GET"], handle };
  }

  async function logOut(admission: Admission): Promise<void> {
    const { request, response } = admission;
    try {
      admission.countPublic();
      const token = await tokenIn(request);
      await logOutByProvider(context, await provider.readLogoutToken(token));
      response.setHeader("cache-control", "no-store");
      response.end();
    } catch (error) {
      if (!(error instanceof Failure)) {
        context.log.warn({ err: error }, "a logout by the identity provider failed");
        sendError(response, 503, "unavailable", "the logout could not be checked", NOT_KEPT);
      } else if (error.reason === "unauthenticated") {
        // That specification asks for 400, whatever is wrong with the token.
        sendError(response, 400, "invalid_request", error.message, NOT_KEPT);
      } else sendFailure(response, error);
    }
  }

  return new Map<string, PathHandler<Admission>>([
    [BEGIN_PATH, page(begin)],
    [CALLBACK_PATH, page(complete)],
    [LOGOUT_PATH, { kind: "page", methods: ["POST"], handle: logOut }],
  ]);
}

function sendFailure(response: NodeResponse, error: unknown): void {
  const { status, body, headers } = toHttpError(error);
  sendJson(response, status, body, headers);
}

/** Back to the page, which says why. */
function fail(admission: Admission, why: "refused" | "no-account" | "unavailable"): void {
  redirect(admission, `${DASHBOARD}#/sign-in-failed/${why}`, [flowCookie(null, admission)]);
}

function redirect({ response }: Admission, location: string, cookies: readonly string[]): void {
  response.statusCode = 303;
  response.setHeader("location", location);
  response.setHeader("set-cookie", cookies);
  response.setHeader("cache-control", "no-store");
  response.setHeader("referrer-policy", "no-referrer");
  response.end();
}

/** The account of a user of the provider; null: the user's ID names none. */
export function accountOf(subject: string): CompanyId | null {
  const isName = /^\P{Cc}+$/u.test(subject) && [...subject].length <= MAX_SUBJECT_CHARACTERS;
  return isName ? toCompanyId(subject) : null;
}

/** The browser holds the flow: sign-ins that nobody ends take no memory. `Lax`, since the provider leads back. */
function flowCookie(flow: SignInFlow | null, admission: Admission): string {
  const value = flow === null ? "" : [flow.state, flow.nonce, flow.codeVerifier].join(".");
  return setCookie(FLOW_COOKIE, value, FLOW_SECONDS, "Lax", admission);
}

/** null: this browser began no sign-in, or has ended it. */
function flowOf(admission: Admission): SignInFlow | null {
  const cookie = cookieOf(admission.request.headers.cookie, FLOW_COOKIE, admission);
  const [, state, nonce, codeVerifier] = FLOW.exec(cookie) ?? [];
  return state && nonce && codeVerifier ? { state, nonce, codeVerifier } : null;
}

/** Throws `unauthenticated` for a body that is too long, or holds no token. */
async function tokenIn(request: NodeRequest): Promise<string> {
  const body = await readAllBytes(bodyOf(request), MAX_LOGOUT_BYTES).catch((cause: unknown) => {
    const sentence = `the body is longer than ${MAX_LOGOUT_BYTES} bytes`;
    throw new Failure("unauthenticated", sentence, { cause });
  });
  const token = new URLSearchParams(Buffer.from(body).toString()).get("logout_token");
  if (token === null || token === "") {
    throw new Failure("unauthenticated", "the body must be a form with a `logout_token`");
  }
  return token;
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

/** A header `Set-Cookie` that begins a session, which no other site sends along. "": it ends it. */
export function sessionCookie(token: string, origin: Security): string {
  return setCookie(SESSION_COOKIE, token, SESSION_DAYS * 24 * 60 * 60, "Strict", origin);
}

/** The value of a cookie; "": there is none. */
function cookieOf(header: string | undefined, name: string, origin: Security): string {
  const start = `${nameOf(name, origin)}=`;
  const cookies = header?.split(";").map((each) => each.trim()) ?? [];
  return cookies.find((each) => each.startsWith(start))?.slice(start.length) ?? "";
}

/** A header `Set-Cookie` of a cookie that no script reads. One without a value is taken away. */
function setCookie(
  name: string,
  value: string,
  maxAgeSeconds: number,
  sameSite: "Strict" | "Lax",
  origin: Security,
): string {
  const maxAge = value === "" ? 0 : maxAgeSeconds;
  const rules = `Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=${sameSite}`;
  return `${nameOf(name, origin)}=${value}; ${rules}${origin.isSecure ? "; Secure" : ""}`;
}

function nameOf(name: string, { isSecure }: Security): string {
  return isSecure ? SECURE_PREFIX + name : name;
}
