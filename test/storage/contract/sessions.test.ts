import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Session } from "../../../src/domain/session.ts";
import { deleteAccountWithoutMemories } from "../../../src/storage/accounts.ts";
import {
  deleteSession,
  deleteSessions,
  deleteSessionsBut,
  findSessionByDigest,
  insertSession,
  touchSession,
} from "../../../src/storage/sessions.ts";
import { transaction } from "../../../src/storage/transaction.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import { minutes, NOW, newAccount } from "./fixture.ts";
import { useStorage } from "./storage.ts";

describe.for(TEST_ENGINES)("sessions on %s", (engine) => {
  const contract = useStorage(engine, ["findSessionByDigest"]);

  /** Stores a session of a new account, or of `account`. */
  async function newSession(lastUsedAt = NOW, account = newAccount(contract.db)) {
    const { companyId } = await account;
    const db = contract.db.of(companyId);
    const session: Session = { id: randomUUID(), createdAt: NOW, lastUsedAt };
    const digest = new Uint8Array(randomBytes(32));
    await insertSession(db, session, digest);
    return {
      db,
      session,
      digest,
      account: await account,
      find: () => findSessionByDigest(contract.db, digest),
    };
  }

  test("a session is found by its digest, with its account", async () => {
    const { session, digest, account, find } = await newSession();
    expect(await find()).toEqual({ session, digest, account });
    expect(await findSessionByDigest(contract.db, new Uint8Array(32))).toBeNull();
  });

  test("of several notes of its use the latest stays", async () => {
    const { db, session, find } = await newSession();
    for (const at of [NOW + minutes(2), NOW + minutes(1)]) await touchSession(db, session.id, at);
    expect((await find())?.session.lastUsedAt).toBe(NOW + minutes(2));
  });

  test("an account ends one of its sessions, or all, and none of another account", async () => {
    const one = await newSession();
    const same = await newSession(NOW, Promise.resolve(one.account));
    const other = await newSession();
    await deleteSession(other.db, one.session.id);
    expect(await one.find()).not.toBeNull();
    await deleteSession(one.db, one.session.id);
    expect([await one.find(), await same.find()]).toEqual([null, expect.anything()]);
    await deleteSessions(one.db);
    expect([await same.find(), await other.find()]).toEqual([null, expect.anything()]);
  });

  test("those that were used last are kept", async () => {
    const oldest = await newSession(NOW);
    const newest = await newSession(NOW + minutes(2), Promise.resolve(oldest.account));
    const middle = await newSession(NOW + minutes(1), Promise.resolve(oldest.account));
    await transaction(oldest.db, (trx) => deleteSessionsBut(trx, 2));
    const found = await Promise.all([oldest, middle, newest].map(({ find }) => find()));
    expect(found.map((each) => each !== null)).toEqual([false, true, true]);
  });

  test("an account is deleted with its sessions", async () => {
    const { db, find } = await newSession();
    expect(await transaction(db, deleteAccountWithoutMemories)).toBe(true);
    expect(await find()).toBeNull();
  });
});
