import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { AccountIndexState } from "../../gen/agentmemory/admin/v1/account_service_pb.ts";
import type { AdminClient, Run } from "./client.ts";
import { ACCOUNT_INDEX_COLUMNS, accountIndexRow, rowsText } from "./output.ts";

const POLL_INTERVAL_MS = 1_000;
/** Time between two lines of progress. */
const PROGRESS_STEP_SECONDS = 60;

interface TenantOptions {
  readonly tenant?: string;
}

/** `account index create | drop | list`. */
export function addAccountIndexCommand(
  account: Command,
  run: Run,
  progress: (line: string) => void,
): void {
  const index = account
    .command("index")
    .description(
      "Approximate indexes of tenants that are so large that questions take too long. Answers " +
        "by one say so; all others stay exact.",
    );
  index
    .command("create")
    .description(
      "Make an index for one tenant of an account, and wait until it is ready. Reads and writes go on.",
    )
    .argument("<COMPANY_ID>")
    .option("--tenant <ID>", "The tenant, in place of the default tenant.")
    .action((companyId: string, { tenant }: TenantOptions) =>
      run(({ accounts }) => create(accounts, { companyId, tenantId: tenant }, progress)),
    );
  index
    .command("drop")
    .description("Remove the index of a tenant: its questions are answered exactly again.")
    .argument("<COMPANY_ID>")
    .option("--tenant <ID>", "The tenant, in place of the default tenant.")
    .action((companyId: string, { tenant }: TenantOptions) =>
      run(async ({ accounts }) => {
        const { deletedCount } = await accounts.deleteAccountIndex({ companyId, tenantId: tenant });
        return deletedCount === 0 ? "there is no such index" : `removed the index of ${companyId}`;
      }),
    );
  index
    .command("list")
    .description("List all such indexes.")
    .option("--json", "Print an array of indexes.")
    .action(({ json }: { readonly json?: boolean }) =>
      run(async ({ accounts }) => {
        const { indexes } = await accounts.listAccountIndexes({});
        return rowsText(indexes.map(accountIndexRow), ACCOUNT_INDEX_COLUMNS, json);
      }),
    );
}

async function create(
  accounts: AdminClient["accounts"],
  owner: { readonly companyId: string; readonly tenantId: string | undefined },
  progress: (line: string) => void,
): Promise<string> {
  let { index } = await accounts.createAccountIndex(owner);
  for (let seconds = 0; index?.state === AccountIndexState.BUILDING; seconds++) {
    if (seconds % PROGRESS_STEP_SECONDS === 0) progress("the index is being made");
    await sleep(POLL_INTERVAL_MS);
    const { indexes } = await accounts.listAccountIndexes({});
    index = indexes.find(
      (each) =>
        each.active && each.companyId === owner.companyId && each.tenantId === owner.tenantId,
    );
  }
  if (index?.state === AccountIndexState.READY) return `the index of ${owner.companyId} is ready`;
  throw new Error("the index could not be made; the log of the service says why");
}
