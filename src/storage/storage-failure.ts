import pg from "pg";
import { Failure } from "../domain/failure.ts";

/** The wait that a caller is asked for when the database does not answer. */
const RETRY_AFTER_SECONDS = 2;

/** They speak of the server's state: the same request may succeed a moment later. */
const UNAVAILABLE_SQLSTATES: readonly string[] = [
  "08", // connection exception
  "25006", // read only: connected to a standby after a failover
  "25P03", // idle in transaction for too long
  "53", // insufficient resources: connections, memory, disk
  "55P03", // a lock was not available in time
  "57014", // statement timeout
  "57P", // shutdown, crash, starting up, terminated by an administrator
  "58", // system error: input or output failed
];

/**
 * Of a distributed database, whose coordinator lost a worker in the middle of a transaction:
 * it says so in words only, its own or those of its client library.
 */
const WORKER_LOST =
  /^(?:failure on connection marked as essential|could not commit transaction for shard|connection not open|no connection to the server|server closed the connection unexpectedly|could not (?:receive data from|send data to) server|$)/;
const INTERNAL_ERROR = "XX000";

/** After these the server closes, or may have closed, the connection. */
const CONNECTION_LOST_SQLSTATES: readonly string[] = ["08", "25P03", "57P"];

export function storageUnavailable(cause: unknown): Failure {
  return new Failure(
    "storage_unavailable",
    "the database does not answer at the moment; try again",
    { retryAfterSeconds: RETRY_AFTER_SECONDS, cause },
  );
}

const FOREIGN_KEY_VIOLATION = "23503";

/** They refuse what a call writes whose account was deleted while it ran. */
const OF_ACCOUNT_CONSTRAINTS: readonly string[] = [
  "write_usage_company_id_fkey",
  "api_keys_company_id_fkey",
  "api_key_settings_company_id_api_key_id_fkey",
  "rejected_facts_company_id_fkey",
];

export function accountDeleted(cause?: unknown): Failure {
  return new Failure("unauthenticated", "the account of the API key was deleted", { cause });
}

/**
 * The one place that decides which errors of a statement mean that the database
 * is unavailable, or the account gone. Every other error stays as it is: a defect of ours.
 */
export function asStorageFailure(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    if (OF_ACCOUNT_CONSTRAINTS.some((name) => violates(error, name))) return accountDeleted(error);
    return isUnavailable(error) ? storageUnavailable(error) : error;
  }
  return isProgrammingError(error) || error instanceof Failure ? error : storageUnavailable(error);
}

/** For the operator: what a Failure keeps from callers, and each try of several. */
export function reasonOf(error: unknown): string {
  if (error instanceof Failure) return reasonOf(error.cause);
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}

export function breaksConnection(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return hasSqlState(error, CONNECTION_LOST_SQLSTATES);
  return !isProgrammingError(error);
}

/** The five characters of a database error, e.g. `40P01`; undefined: it is none. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** Whether the same transaction may succeed: serialization failure, deadlock detected. */
export function isTransient(error: unknown): boolean {
  return ["40001", "40P01"].includes(sqlStateOf(error) ?? "");
}

/** A distributed database's worker names a constraint, with its shard, in the sentence alone. */
function violates({ code = "", constraint, message }: pg.DatabaseError, name: string): boolean {
  if (constraint !== undefined) return constraint === name;
  const isViolation = [FOREIGN_KEY_VIOLATION, INTERNAL_ERROR].includes(code);
  return isViolation && new RegExp(`\\b${name}_\\d+\\b`).test(message);
}

function isUnavailable(error: pg.DatabaseError): boolean {
  return (
    hasSqlState(error, UNAVAILABLE_SQLSTATES) ||
    (error.code === INTERNAL_ERROR && WORKER_LOST.test(error.message))
  );
}

function hasSqlState(error: pg.DatabaseError, states: readonly string[]): boolean {
  return states.some((state) => error.code?.startsWith(state));
}

/** What pg throws for a parameter that it can't write, or what our own parsers throw. */
function isProgrammingError(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError;
}
