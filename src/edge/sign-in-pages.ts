import { bodyOf, type NodeRequest, type NodeResponse } from "@agent-memory/transcoding/node-http";
import { Failure } from "../domain/failure.ts";
import { type CompanyId, toCompanyId } from "../domain/ids.ts";
import type { IdentityProvider, SignInFlow } from "../identity/identity-provider.ts";
import type { ServiceContext } from "../service/context.ts";
import { logOutByProvider, signInAs } from "../service/sessions.ts";
import type { Admission } from "./admission.ts";
import { toHttpError } from "./error-mapping.ts";
import { cookieOf, sessionCookie, setCookie } from "./gate.ts";
import { type PathHandler, type PathTable, sendError } from "./http/answers.ts";

const BEGIN_PATH = "/dashboard/sign-in";
const CALLBACK_PATH = `${BEGIN_PATH}/callback`;
const DASHBOARD = "/dashboard";
/** How long a person may take to sign in at the provider. */
const FLOW_SECONDS = 10 * 60;
const FLOW_COOKIE = "agent_memory_sign_in";
const FLOW = /^([\w-]{16,128})\.([\w-]{16,128})\.([\w-]{43,128})$/;
/** A sign-in asks the provider, so an address may have fewer of them than of other calls. */
const SIGN_IN_PERMITS = 4;
const MAX_SUBJECT_CHARACTERS = 256;

export interface SignInPagesOptions {
  readonly context: ServiceContext;
  readonly provider: IdentityProvider;
  /** Whether the first sign-in of a user creates an account. */
  readonly signUp: boolean;
}

/** Sends browsers to the identity provider, and begins the session of those who come back (D38). */
export function signInPaths(options: SignInPagesOptions): PathTable<Admission> {
  const { context, provider } = options;

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
    const token = await signInAs(context, companyId, signedIn, options.signUp);
    if (token === null) return fail(admission, "no-account");
    redirect(admission, DASHBOARD, [endedFlowCookie(admission), sessionCookie(token, admission)]);
  }

  async function answer(
    admission: Admission,
    work: (admission: Admission) => Promise<void>,
  ): Promise<void> {
    try {
      admission.countPublic(SIGN_IN_PERMITS);
    } catch (error) {
      const { status, body, headers } = toHttpError(error);
      const { response } = admission;
      return sendError(response, status, String(body.reason), String(body.detail), headers);
    }
    try {
      await work(admission);
    } catch (err) {
      const isRefused = err instanceof Failure && err.reason === "unauthenticated";
      if (!isRefused) context.log.warn({ err }, "a sign-in failed");
      fail(admission, isRefused ? "refused" : "unavailable");
    }
  }

  const page = (work: (admission: Admission) => Promise<void>): PathHandler<Admission> => ({
    kind: "page",
    methods: ["GET"],
    handle: (admission) => answer(admission, work),
  });
  return new Map([
    [BEGIN_PATH, page(begin)],
    [CALLBACK_PATH, page(complete)],
  ]);
}

/** Back to the page, which says why. */
function fail(admission: Admission, why: "refused" | "no-account" | "unavailable"): void {
  redirect(admission, `${DASHBOARD}#/sign-in-failed/${why}`, [endedFlowCookie(admission)]);
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
function flowCookie({ state, nonce, codeVerifier }: SignInFlow, admission: Admission): string {
  const value = [state, nonce, codeVerifier].join(".");
  return setCookie(FLOW_COOKIE, value, { maxAgeSeconds: FLOW_SECONDS, sameSite: "Lax" }, admission);
}

function endedFlowCookie(admission: Admission): string {
  return setCookie(FLOW_COOKIE, "", { maxAgeSeconds: 0, sameSite: "Lax" }, admission);
}

/** null: this browser began no sign-in, or has ended it. */
function flowOf(admission: Admission): SignInFlow | null {
  const cookie = cookieOf(admission.request.headers.cookie, FLOW_COOKIE, admission);
  const [, state, nonce, codeVerifier] = FLOW.exec(cookie) ?? [];
  return state && nonce && codeVerifier ? { state, nonce, codeVerifier } : null;
}

const LOGOUT_PATH = "/dashboard/back-channel-logout";
const MAX_LOGOUT_BYTES = 32 * 1024;
const NOT_KEPT = { "cache-control": "no-store" };

export interface BackChannelLogoutOptions {
  readonly context: ServiceContext;
  readonly provider: IdentityProvider;
}

/**
 * Where the identity provider says that somebody signed out there (OpenID Connect
 * Back-Channel Logout 1.0).
 */
export function backChannelLogoutPaths({
  context,
  provider,
}: BackChannelLogoutOptions): PathTable<Admission> {
  async function logOut(admission: Admission): Promise<void> {
    const { request, response } = admission;
    try {
      admission.countPublic();
      const token = await tokenIn(request);
      await logOutByProvider(context, await provider.readLogoutToken(token));
      response.setHeader("cache-control", "no-store");
      response.end();
    } catch (error) {
      refuse(response, error);
    }
  }

  /** What is wrong with the token is 400, whatever it is, as that specification asks. */
  function refuse(response: NodeResponse, error: unknown): void {
    if (error instanceof Failure && error.reason === "unauthenticated") {
      sendError(response, 400, "invalid_request", error.message, NOT_KEPT);
    } else if (error instanceof Failure) {
      const { status, body, headers } = toHttpError(error);
      sendError(response, status, String(body.reason), String(body.detail), headers);
    } else {
      context.log.warn({ err: error }, "a logout by the identity provider failed");
      sendError(response, 503, "unavailable", "the logout could not be checked", NOT_KEPT);
    }
  }

  return new Map([[LOGOUT_PATH, { kind: "page", methods: ["POST"], handle: logOut }]]);
}

/** Throws `unauthenticated` for a body that is too long, or holds no token. */
async function tokenIn(request: NodeRequest): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of bodyOf(request)) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > MAX_LOGOUT_BYTES) {
      throw new Failure("unauthenticated", `the body is longer than ${MAX_LOGOUT_BYTES} bytes`);
    }
  }
  const token = new URLSearchParams(Buffer.concat(pieces).toString()).get("logout_token");
  if (token === null || token === "") {
    throw new Failure("unauthenticated", "the body must be a form with a `logout_token`");
  }
  return token;
}
