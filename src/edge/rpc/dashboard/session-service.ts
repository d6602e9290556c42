import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import {
  type SessionService,
  SignInService,
} from "../../../../gen/agentmemory/dashboard/v1/session_service_pb.ts";
import { Failure } from "../../../domain/failure.ts";
import type { IdentityProvider } from "../../../identity/identity-provider.ts";
import { isLoopback } from "../../../loopback.ts";
import type { ServiceContext } from "../../../service/context.ts";
import type { SignInLink } from "../../../service/sessions.ts";
import { closeSession, openSession } from "../../../service/sessions.ts";
import { admissionOf } from "../../admission.ts";
import { endedSessionCookie, isOfDashboard, sessionCookie } from "../../credentials.ts";
import { callerOf } from "../call.ts";

/**
 * Runs before the body of a call of SignInService is read. A page of the dashboard alone may
 * sign in, and on this machine alone. Throws `unauthenticated`.
 */
export function checkSignIn(call: HandlerContext, link: SignInLink | null): void {
  if (call.method !== SignInService.method.signIn) return;
  const admission = admissionOf(call.values);
  if (
    link === null ||
    !isLoopback(admission.address) ||
    !isOfDashboard(call.requestHeader, admission)
  ) {
    throw notFromHere();
  }
}

function notFromHere(): Failure {
  return new Failure("unauthenticated", "nobody signs in by a link from here");
}

/** The handler of SignInService, behind `checkSignIn`. `link`: null where nobody signs in by one. */
export function createSignInService(
  context: ServiceContext,
  link: SignInLink | null,
  hasProvider: boolean,
): ServiceImpl<typeof SignInService> {
  return {
    getSignInMethods: () => ({ hasProvider, hasLink: link !== null }),
    async signIn({ token }, { values, responseHeader }) {
      if (link === null) throw notFromHere();
      const session = await openSession(context, link.redeem(token));
      responseHeader.set("set-cookie", sessionCookie(session, admissionOf(values)));
      return {};
    },
  };
}

/** The handlers of SessionService. `provider`: null where none signs in. */
export function createSessionService(
  context: ServiceContext,
  provider: IdentityProvider | null,
): ServiceImpl<typeof SessionService> {
  /** A session that the provider did not begin is none of its business. */
  async function endSessionUrl(idToken: string | null): Promise<string | undefined> {
    if (idToken === null) return undefined;
    try {
      return (await provider?.endSessionUrl(idToken)) ?? undefined;
    } catch (err) {
      context.log.warn({ err }, "nobody could be signed out at the identity provider");
      return undefined;
    }
  }

  return {
    getSession: (_, call) => ({ companyId: callerOf(call).companyId }),
    async signOut(_, call) {
      const idToken = await closeSession(context, callerOf(call));
      call.responseHeader.set("set-cookie", endedSessionCookie(admissionOf(call.values)));
      return { endSessionUrl: await endSessionUrl(idToken) };
    },
  };
}
