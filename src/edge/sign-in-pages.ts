import { Failure } from "../domain/failure.ts";
import { toCompanyId } from "../domain/ids.ts";
import type { IdentityProvider, SignInFlow } from "../identity/identity-provider.ts";
import type { ServiceContext } from "../service/context.ts";
import { signInAs } from "../service/sessions.ts";
import type { Admission } from "./admission.ts";
import { toHttpError } from "./error-mapping.ts";
import { sendError } from "./http/answers.ts";
import type { PathHandler, PathTable } from "./http/path-handler.ts";
import { cookieOf, sessionCookie, setCookie } from "./session-cookie.ts";

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
    if (!isCompanyId(signedIn.subject)) return fail(admission, "refused");
    const companyId = toCompanyId(signedIn.subject);
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

function isCompanyId(subject: string): boolean {
  return /^\P{Cc}+$/u.test(subject) && [...subject].length <= MAX_SUBJECT_CHARACTERS;
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
