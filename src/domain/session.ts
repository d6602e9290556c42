import { DAY, HOUR, type Instant, type Microseconds } from "./instant.ts";

/** A session that nobody uses for so long has ended. */
export const SESSION_IDLE_HOURS = 12;
/** And one that is used all the time after so many days. */
export const SESSION_DAYS = 7;
/** Of one account; another sign-in ends the one that was used least recently. */
export const MAX_SESSIONS = 20;
/** 256 bits: beyond guessing, as of an API key. */
export const SESSION_TOKEN_BYTES = 32;

const IDLE: Microseconds = BigInt(SESSION_IDLE_HOURS) * HOUR;
const LIFETIME: Microseconds = BigInt(SESSION_DAYS) * DAY;

/** That a person is signed in to the dashboard of an account. */
export interface Session {
  /** UUID. */
  readonly id: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant;
}

/** The first moment at which a session is refused, unless it is used before. */
export function endOfSession({ createdAt, lastUsedAt }: Session): Instant {
  const [idle, absolute] = [lastUsedAt + IDLE, createdAt + LIFETIME];
  return idle < absolute ? idle : absolute;
}
