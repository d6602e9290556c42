import { DAY, earlier, HOUR, type Instant, type Microseconds } from "./instant.ts";

/** A session that nobody uses for so long has ended. */
export const SESSION_IDLE_HOURS = 12;
/** And one that is used all the time after so many days. */
export const SESSION_DAYS = 7;
/** The sessions of one account. Another sign-in ends the one that was used least recently. */
export const MAX_SESSIONS = 20;
/** A link that signs in is good for so long. */
export const SIGN_IN_LINK_MINUTES = 10;
/** 256 bits: beyond guessing, as of an API key. */
export const SESSION_TOKEN_BYTES = 32;

/** Of what the identity provider calls a sign-in there; one that is longer is not kept. */
export const MAX_PROVIDER_SESSION_ID_CHARACTERS = 256;
/** One that is longer is not kept: who signs out here then stays signed in at the provider. */
export const MAX_ID_TOKEN_CHARACTERS = 16 * 1024;
/** A provider's logout token is good for so long, and remembered until it is not. */
export const LOGOUT_TOKEN_MINUTES = 5;

const IDLE: Microseconds = BigInt(SESSION_IDLE_HOURS) * HOUR;
const LIFETIME: Microseconds = BigInt(SESSION_DAYS) * DAY;

export interface Session {
  /** UUID. */
  readonly id: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant;
}

/** The identity provider's names for a sign-in, by which each side ends the other's. */
export interface ProviderSession {
  /** The provider's ID of the session; null: it gave none. */
  readonly sessionId: string | null;
  /** By which it knows who signs out; null: it is too long to keep. */
  readonly idToken: string | null;
}

/** A sign-out at the identity provider, as it reports it: of a user, of one session, or of both. */
export interface ProviderLogout {
  /** The user's ID there; null: the session says who. */
  readonly subject: string | null;
  /** The provider's ID of the session; null: every session of the user has ended. */
  readonly sessionId: string | null;
  /** The ID of the logout token. Each token is accepted once. */
  readonly tokenId: string;
}

/** The first moment at which a session is refused, unless it is used before. */
export function endOfSession({ createdAt, lastUsedAt }: Session): Instant {
  return earlier(lastUsedAt + IDLE, createdAt + LIFETIME);
}
