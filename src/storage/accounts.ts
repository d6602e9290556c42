import type { Account } from "../domain/account.ts";
import type { Executor } from "./schema.ts";

/** false: an account of this company_id exists, and nothing was stored. */
export declare function insertAccount(db: Executor, account: Account): Promise<boolean>;

export declare function findAccount(db: Executor, companyId: string): Promise<Account | null>;

/** As findAccount, locked for an update that depends on what was read. */
export declare function lockAccount(trx: Executor, companyId: string): Promise<Account | null>;

/** Stores every changeable field of an account that exists. */
export declare function updateAccount(trx: Executor, account: Account): Promise<void>;

/** By company_id, behind `afterCompanyId` (null: from the first). */
export declare function listAccounts(
  db: Executor,
  page: { readonly afterCompanyId: string | null; readonly limit: number },
): Promise<Account[]>;
