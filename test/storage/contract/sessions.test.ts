import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Instant } from "../../../src/domain/instant.ts";
import type { ProviderSession, Session } from "../../../src/domain/session.ts";
import { deleteAccountWithoutMemories } from "../../../src/storage/accounts.ts";
import {
  deleteProviderSessions,
  deleteSession,
  deleteSessions,
  deleteSessionsBut,
  findAccountOfProviderSession,
  findSessionByDigest,
  insertSession,
  noteLogoutToken,
  touchSession,
} from "../../../src/storage/sessions.ts";
import { transaction } from "../../../src/storage/transaction.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import { minutes, NOW, newAccount } from "./fixture.ts";
import { useStorage } from "./storage.ts";

describe.for(TEST_ENGINES)("sessions on %s", (engine) => {
  const contract = useStorage(engine, ["findAccountOfProviderSession", "findSessionByDigest"]);

  /** Stores a session of a new account, or of `account`. */
  async function newSession(
    lastUsedAt = NOW,
    account = newAccount(contract.db),
    provider: ProviderSession | null = null,
  ) {
    const { companyId } = await account;
    const db = contract.db.of(companyId);
    const session: Session = { id: randomUUID(), createdAt: NOW, lastUsedAt };
    const digest = new Uint8Array(randomBytes(32));
    await insertSession(db, session, digest, provider);
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

  test("what the identity provider calls a session finds its account, and ends it there", async () => {
    const called = (sessionId: string | null) => ({ sessionId, idToken: `token of ${sessionId}` });
    const [id, otherId] = [randomUUID(), randomUUID()];
    const one = await newSession(NOW, undefined, called(id));
    const account = Promise.resolve(one.account);
    const unnamed = await newSession(NOW, account, called(null));
    const same = await newSession(NOW, account, called(otherId));
    const stranger = await newSession(NOW, undefined, called(null));
    expect(await findAccountOfProviderSession(contract.db, id)).toBe(one.account.companyId);
    expect(await findAccountOfProviderSession(contract.db, randomUUID())).toBeNull();
    await deleteProviderSessions(one.db, id);
    const left = await Promise.all([one, unnamed, same, stranger].map(({ find }) => find()));
    expect(left.map((each) => each !== null)).toEqual([false, false, true, true]);
    expect(await deleteSession(one.db, same.session.id)).toBe(`token of ${otherId}`);
    expect(await deleteSession(one.db, same.session.id)).toBeNull();
  });

  test("a logout token is good once, and forgotten once it has expired", async () => {
    const { db } = await newSession();
    const other = await newSession();
    const token = { digest: new Uint8Array(randomBytes(32)), expiresAt: NOW + minutes(5) };
    const note = (now: Instant, of = db) =>
      transaction(of, (trx) => noteLogoutToken(trx, token, now));
    expect([await note(NOW), await note(NOW), await note(NOW, other.db)]).toEqual([
      true,
      false,
      true,
    ]);
    expect(await note(NOW + minutes(5))).toBe(true);
  });

  test("an account is deleted with its sessions", async () => {
    const { db, find } = await newSession();
    const token = { digest: new Uint8Array(32), expiresAt: NOW + minutes(5) };
    await transaction(db, (trx) => noteLogoutToken(trx, token, NOW));
    expect(await transaction(db, deleteAccountWithoutMemories)).toBe(true);
    expect(await find()).toBeNull();
  });
});
