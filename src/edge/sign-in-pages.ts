import {
  endOf,
  type NodeRequest,
  type NodeResponse,
  pathOf,
} from "@agent-memory/transcoding/node-http";
import { Failure } from "../domain/failure.ts";
import { toCompanyId } from "../domain/ids.ts";
import type { IdentityProvider, SignInFlow } from "../identity/identity-provider.ts";
import type { ServiceContext } from "../service/context.ts";
import { signInAs } from "../service/sessions.ts";
import { toHttpError } from "./error-mapping.ts";
import { sendError } from "./http/answers.ts";
import { type Origin, originOfRequest } from "./origin.ts";
import { RequestsInFlight } from "./requests-in-flight.ts";
import { cookieOf, sessionCookie, setCookie } from "./session-cookie.ts";

const BEGIN_PATH = "/dashboard/sign-in";
const CALLBACK_PATH = `${BEGIN_PATH}/callback`;
const DASHBOARD = "/dashboard";
/** How long a person may take to sign in at the provider. */
const FLOW_SECONDS = 10 * 60;
const FLOW_COOKIE = "agent_memory_sign_in";
const FLOW = /^([\w-]{16,128})\.([\w-]{16,128})\.([\w-]{43,128})$/;
const MAX_SIGN_INS_PER_ADDRESS = 8;
const MAX_SUBJECT_CHARACTERS = 256;

export interface SignInPagesOptions {
  readonly context: ServiceContext;
  readonly provider: IdentityProvider;
  /** Whether the first sign-in of a user creates an account. */
  readonly signUp: boolean;
  readonly trustProxy: boolean;
}

/**
 * Sends browsers to the identity provider, and begins the session of those who come back.
 * Answers false to a request for anything else.
 */
export function createSignInPages(
  options: SignInPagesOptions,
): (request: NodeRequest, response: NodeResponse) => boolean {
  const { context, provider, trustProxy } = options;
  const open = new RequestsInFlight(
    MAX_SIGN_INS_PER_ADDRESS,
    `an address may have ${MAX_SIGN_INS_PER_ADDRESS} sign-ins open at once`,
  );

  async function begin(origin: Origin): Promise<void> {
    const { url, flow } = await provider.begin();
    redirect(origin, url, [flowCookie(flow, origin)]);
  }

  async function complete(origin: Origin): Promise<void> {
    const flow = flowOf(origin);
    const { url } = origin.request;
    if (flow === null || url === undefined) return fail(origin, "refused");
    const signedIn = await provider.complete(url.slice(url.indexOf("?")), flow);
    if (!isCompanyId(signedIn.subject)) return fail(origin, "refused");
    const companyId = toCompanyId(signedIn.subject);
    const token = await signInAs(context, companyId, signedIn, options.signUp);
    if (token === null) return fail(origin, "no-account");
    redirect(origin, DASHBOARD, [endedFlowCookie(origin), sessionCookie(token, origin)]);
  }

  async function answer(origin: Origin, work: (origin: Origin) => Promise<void>): Promise<void> {
    const { request, response, address } = origin;
    try {
      open.admit(address, endOf(request, response));
    } catch (error) {
      const { status, body, headers } = toHttpError(error);
      return sendError(response, status, String(body.reason), String(body.detail), headers);
    }
    try {
      await work(origin);
    } catch (err) {
      const isRefused = err instanceof Failure && err.reason === "unauthenticated";
      if (!isRefused) context.log.warn({ err }, "a sign-in failed");
      fail(origin, isRefused ? "refused" : "unavailable");
    }
  }

  return (request, response) => {
    const path = pathOf(request);
    if (path !== BEGIN_PATH && path !== CALLBACK_PATH) return false;
    if (request.method === "GET") {
      const origin = originOfRequest(request, response, trustProxy);
      void answer(origin, path === BEGIN_PATH ? begin : complete);
    } else {
      sendError(response, 405, "method_not_allowed", `${path} answers GET only`, { allow: "GET" });
    }
    return true;
  };
}

/** Back to the page, which says why. */
function fail(origin: Origin, why: "refused" | "no-account" | "unavailable"): void {
  redirect(origin, `${DASHBOARD}#/sign-in-failed/${why}`, [endedFlowCookie(origin)]);
}

function redirect({ response }: Origin, location: string, cookies: readonly string[]): void {
  response.statusCode = 303;
  response.setHeader("location", location);
  response.setHeader("set-cookie", cookies);
  response.setHeader("cache-control", "no-store");
  response.setHeader("referrer-policy", "no-referrer");
  response.end();
}

function isCompanyId(subject: string): boolean {
  return /^\P{Cc}+$/u.test(subject) && [...subject].length <= MAX_SUBJECT_CHARACTERS;
}

/** The browser holds the flow: sign-ins that nobody ends take no memory. `Lax`, since the provider leads back. */
function flowCookie({ state, nonce, codeVerifier }: SignInFlow, origin: Origin): string {
  const value = [state, nonce, codeVerifier].join(".");
  return setCookie(FLOW_COOKIE, value, { maxAgeSeconds: FLOW_SECONDS, sameSite: "Lax" }, origin);
}

function endedFlowCookie(origin: Origin): string {
  return setCookie(FLOW_COOKIE, "", { maxAgeSeconds: 0, sameSite: "Lax" }, origin);
}

/** null: this browser began no sign-in, or has ended it. */
function flowOf(origin: Origin): SignInFlow | null {
  const cookie = cookieOf(origin.request.headers.cookie, FLOW_COOKIE, origin);
  const [, state, nonce, codeVerifier] = FLOW.exec(cookie) ?? [];
  return state && nonce && codeVerifier ? { state, nonce, codeVerifier } : null;
}
