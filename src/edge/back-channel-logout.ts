import { bodyOf, type NodeRequest, type NodeResponse } from "@agent-memory/transcoding/node-http";
import { Failure } from "../domain/failure.ts";
import type { IdentityProvider } from "../identity/identity-provider.ts";
import type { ServiceContext } from "../service/context.ts";
import { logOutByProvider } from "../service/sessions.ts";
import type { Admission } from "./admission.ts";
import { toHttpError } from "./error-mapping.ts";
import { sendError } from "./http/answers.ts";
import type { PathTable } from "./http/path-handler.ts";

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
