/**
 * A process of its own that opens a data folder, for the tests of PGlite.
 *
 *   node pglite-process.ts <folder> write   stores accounts for ever, a line for each stored one
 *   node pglite-process.ts <folder> open    opens the folder and does nothing more
 */
import { insertAccount } from "../../../src/storage/accounts.ts";
import { openDatabase } from "../../../src/storage/database.ts";
import { collectGarbage } from "../../support/heap.ts";
import { accountOf, newCompanyId } from "../contract/fixture.ts";

const [dataDir = "", task] = process.argv.slice(2);
const { db } = await openDatabase({ engine: "pglite", dataDir });
while (task === "write") {
  // The folder's lock must stay, though nothing else refers to it.
  collectGarbage();
  const account = accountOf(newCompanyId());
  await insertAccount(db.of(account.companyId), account);
  process.stdout.write(`${account.companyId}\n`);
}
