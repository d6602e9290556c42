import { authenticate } from "../service/authenticate.ts";
import type { Caller, ServiceContext } from "../service/context.ts";

/**
 * Who sends a request, by its `Authorization` header (section 5). Throws
 * `unauthenticated`.
 */
export async function authenticateRequest(
  context: ServiceContext,
  headers: Headers,
): Promise<Caller> {
  return authenticate(context, bearerToken(headers));
}

/**
 * The token of `Authorization: Bearer TOKEN` (RFC 6750); the scheme in any case.
 * null: no such header, another scheme, or more than one token.
 */
export function bearerToken(headers: Headers): string | null {
  const match = /^Bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "");
  return match?.[1] ?? null;
}
