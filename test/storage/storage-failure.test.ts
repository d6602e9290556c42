/** Which errors say that the database, or a part of it, does not answer. */
import pg from "pg";
import { expect, test } from "vitest";
import { asStorageFailure } from "../../src/storage/storage-failure.ts";

function databaseError(code: string, message: string, constraint?: string): pg.DatabaseError {
  const error = new pg.DatabaseError(message, message.length, "error");
  return Object.assign(error, { code, constraint });
}

test.for([
  ["08006", "connection to the remote node postgres@worker:5432 failed"],
  ["57P03", "the database system is starting up"],
  ["53100", 'could not extend file "base/1/2": No space left on device'],
  ["XX000", "failure on connection marked as essential: worker:5432"],
  ["XX000", "could not commit transaction for shard 102029 on at least one active node"],
])("%s %s: unavailable", ([code = "", message = ""]) => {
  expect(asStorageFailure(databaseError(code, message))).toMatchObject({
    reason: "storage_unavailable",
    retryAfterSeconds: expect.any(Number),
  });
});

test("another internal error stays a defect", () => {
  const error = databaseError("XX000", "cache lookup failed for type 4711");
  expect(asStorageFailure(error)).toBe(error);
});

const ACCOUNT = "write_usage_company_id_fkey";

test.for([
  ["by its constraint", databaseError("23503", "violates", ACCOUNT)],
  [
    "by the sentence of a worker",
    databaseError(
      "23503",
      `insert or update on table "write_usage_102019" violates foreign key constraint "${ACCOUNT}_102019"`,
    ),
  ],
  [
    "by the sentence of a worker that rows were copied to",
    databaseError(
      "XX000",
      `insert or update on table "write_usage_102019" violates foreign key constraint "${ACCOUNT}_102019"`,
    ),
  ],
] as const)("a call whose account was deleted is refused: %s", ([, error]) => {
  expect(asStorageFailure(error)).toMatchObject({ reason: "unauthenticated" });
});

test("a text that names a constraint is no violation of it", () => {
  const error = databaseError("22P02", `invalid input: "${ACCOUNT}_102019"`);
  expect(asStorageFailure(error)).toBe(error);
});
