import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { type Command, Option } from "commander";
import { PLAN_TIERS } from "../domain/plan.ts";
import type { AdminClient } from "./admin-client.ts";
import { decimalNumber, time, wholeNumber } from "./arguments.ts";
import { accountRow, accountTable, detailsText, jsonText, type Row } from "./output.ts";
import type { Run } from "./run.ts";

interface CreateOptions {
  readonly tier?: string;
  readonly writesLimit?: number;
}

interface UpdateOptions extends CreateOptions {
  readonly status?: string;
  readonly periodStart?: Timestamp;
  readonly graceEnds?: Timestamp;
  readonly graceDays?: number;
  readonly rate?: number;
  readonly burst?: number;
}

interface ShowOptions {
  readonly json?: boolean;
}

/** `account create | update | list | show`. */
export function addAccountCommand(admin: Command, run: Run): void {
  const account = admin.command("account").description("Accounts and their plans.");
  addCreate(account, run);
  addUpdate(account, run);
  addList(account, run);
  addShow(account, run);
}

function addCreate(account: Command, run: Run): void {
  account
    .command("create")
    .description("Create an account. What is left out comes from the tier.")
    .argument("<COMPANY_ID>")
    .addOption(tierOption())
    .addOption(writesLimitOption())
    .action((companyId: string, { tier, writesLimit }: CreateOptions) =>
      run(async ({ accounts }) => {
        const created = await accounts.createAccount({ companyId, planTier: tier, writesLimit });
        return detailsText(accountRow(created.account));
      }),
    );
}

function addUpdate(account: Command, run: Run): void {
  const update = account
    .command("update")
    .description("Change an account. It takes effect within one second, on every server.")
    .argument("<COMPANY_ID>")
    .addOption(tierOption())
    .addOption(
      new Option("--status <STATUS>", "Status of the plan.").choices([
        "active",
        "past_due",
        "canceled",
      ]),
    )
    .addOption(writesLimitOption())
    .option(
      "--period-start <ISO>",
      "Count billing periods from here, not in the future. Usage starts at 0 unless a period of that very start had some.",
      time,
    )
    .option(
      "--grace-ends <ISO>",
      "End of grace in the current billing period, in place of the grace days.",
      time,
    )
    .option("--grace-days <N>", "Days of grace after the quota is reached.", wholeNumber)
    .option("--rate <N>", "Requests a second for each key.", decimalNumber)
    .option("--burst <N>", "Requests that a key may make at once after a pause.", wholeNumber);
  update.action((companyId: string, { tier, status, graceEnds, ...options }: UpdateOptions) => {
    if (Object.keys(update.opts()).length === 0) update.error("error: nothing to change was given");
    return run(async ({ accounts }) => {
      const updated = await accounts.updateAccount({
        companyId,
        planTier: tier,
        planStatus: status,
        graceEndsAt: graceEnds,
        ...options,
      });
      return detailsText(accountRow(updated.account));
    });
  });
}

function addList(account: Command, run: Run): void {
  account
    .command("list")
    .description("List all accounts.")
    .option("--json", "Print an array of accounts.")
    .action(({ json }: ShowOptions) =>
      run(async (client) => {
        const rows = await allAccounts(client);
        return json ? jsonText(rows) : accountTable(rows);
      }),
    );
}

function addShow(account: Command, run: Run): void {
  account
    .command("show")
    .description("Show an account, its limits and what it has used.")
    .argument("<COMPANY_ID>")
    .option("--json", "Print an object.")
    .action((companyId: string, { json }: ShowOptions) =>
      run(async ({ accounts }) => {
        const row = accountRow((await accounts.getAccount({ companyId })).account);
        return json ? jsonText(row) : detailsText(row);
      }),
    );
}

async function allAccounts({ accounts }: AdminClient): Promise<Row[]> {
  const rows: Row[] = [];
  let pageToken: string | undefined;
  do {
    const page = await accounts.listAccounts({ pageToken });
    rows.push(...page.accounts.map(accountRow));
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
  return rows;
}

function tierOption(): Option {
  return new Option("--tier <TIER>", "Tier of the plan.").choices(Object.keys(PLAN_TIERS));
}

function writesLimitOption(): Option {
  return new Option("--writes-limit <N>", "Writes in a billing period.").argParser(wholeNumber);
}
