import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { type Command, Option } from "commander";
import { PlanStatus, PlanTier } from "../../gen/agentmemory/admin/v1/account_service_pb.ts";
import { addAccountIndexCommand } from "./account-index-command.ts";
import {
  decimalNumber,
  type OrDefault,
  orDefault,
  ownValue,
  time,
  wholeNumber,
} from "./arguments.ts";
import { allPages, type Run } from "./client.ts";
import { accountRow, accountTable, detailsText, jsonText } from "./output.ts";

const TIERS = { starter: PlanTier.STARTER, pro: PlanTier.PRO };
const STATUSES = {
  active: PlanStatus.ACTIVE,
  past_due: PlanStatus.PAST_DUE,
  canceled: PlanStatus.CANCELED,
};

interface CreateOptions {
  readonly tier?: keyof typeof TIERS;
  readonly writesLimit?: OrDefault<number>;
}

interface UpdateOptions extends CreateOptions {
  readonly status?: keyof typeof STATUSES;
  readonly periodStart?: Timestamp;
  readonly graceEnds?: OrDefault<Timestamp>;
  readonly graceDays?: OrDefault<number>;
  readonly rate?: OrDefault<number>;
  readonly burst?: OrDefault<number>;
}

/** What the service calls the field of an option. */
const MASK_PATHS: { readonly [option in keyof UpdateOptions]-?: string } = {
  tier: "plan_tier",
  status: "plan_status",
  periodStart: "period_start",
  graceEnds: "grace_ends_at",
  writesLimit: "own_limits.writes_limit",
  graceDays: "own_limits.grace_days",
  rate: "own_limits.rate",
  burst: "own_limits.burst",
};

interface ShowOptions {
  readonly json?: boolean;
}

/** Memories that one call erases, in about a second. */
const DELETE_STEP = 2_000;

/** `account create | update | list | show | suspend | unsuspend | delete | index`. */
export function addAccountCommand(
  admin: Command,
  run: Run,
  progress: (line: string) => void,
): void {
  const account = admin.command("account").description("Accounts and their plans.");
  addCreate(account, run);
  addUpdate(account, run);
  addList(account, run);
  addShow(account, run);
  addSuspend(account, run);
  addDelete(account, run, progress);
  addAccountIndexCommand(account, run, progress);
}

function addCreate(account: Command, run: Run): void {
  account
    .command("create")
    .description("Create an account. What is left out comes from the tier.")
    .argument("<COMPANY_ID>")
    .addOption(tierOption())
    .addOption(writesLimitOption())
    .action((companyId: string, options: CreateOptions) =>
      run(async ({ accounts }) => {
        const created = await accounts.createAccount({ account: accountOf(companyId, options) });
        return detailsText(accountRow(created.account));
      }),
    );
}

function addUpdate(account: Command, run: Run): void {
  const update = account
    .command("update")
    .description(
      "Change an account. It takes effect within one second, on every server. A limit that is " +
        "`default` follows the tier again.",
    )
    .argument("<COMPANY_ID>")
    .addOption(tierOption())
    .addOption(new Option("--status <STATUS>", "Status of the plan.").choices(keysOf(STATUSES)))
    .addOption(writesLimitOption())
    .option(
      "--period-start <ISO>",
      "Count billing periods from here, not in the future. Usage starts at 0 unless a period of that very start had some.",
      time,
    )
    .option(
      "--grace-ends <ISO|default>",
      "End of grace in the current billing period, in place of the grace days.",
      orDefault(time),
    )
    .option(
      "--grace-days <N|default>",
      "Days of grace after the quota is reached.",
      orDefault(wholeNumber),
    )
    .option("--rate <N|default>", "Requests a second for each key.", orDefault(decimalNumber))
    .option(
      "--burst <N|default>",
      "Requests that a key may make at once after a pause.",
      orDefault(wholeNumber),
    );
  update.action((companyId: string, options: UpdateOptions) => {
    const paths = keysOf(options).map((option) => MASK_PATHS[option]);
    if (paths.length === 0) update.error("error: nothing to change was given");
    return run(async ({ accounts }) => {
      const updated = await accounts.updateAccount({
        account: accountOf(companyId, options),
        updateMask: { paths },
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
      run(async ({ accounts }) => {
        const all = await allPages(async (pageToken) => {
          const page = await accounts.listAccounts({ pageToken });
          return { entries: page.accounts, nextPageToken: page.nextPageToken };
        });
        const rows = all.map(accountRow);
        return json ? jsonText(rows) : accountTable(rows);
      }),
    );
}

function addShow(account: Command, run: Run): void {
  account
    .command("show")
    .description("Show an account, its limits, what it has used and how much it has stored.")
    .argument("<COMPANY_ID>")
    .option("--json", "Print an object.")
    .action((companyId: string, { json }: ShowOptions) =>
      run(async ({ accounts }) => {
        const { account, memories, tenants } = await accounts.getAccount({ companyId });
        const row = { ...accountRow(account), memories, tenants };
        return json ? jsonText(row) : detailsText(row);
      }),
    );
}

function addSuspend(account: Command, run: Run): void {
  account
    .command("suspend")
    .description(
      "Refuse every request of an account's keys, within one second, on every server. What it " +
        "has stays as it is.",
    )
    .argument("<COMPANY_ID>")
    .action((companyId: string) =>
      run(async ({ accounts }) => {
        await accounts.suspendAccount({ companyId });
        return `suspended ${companyId}`;
      }),
    );
  account
    .command("unsuspend")
    .description("Lift the suspension of an account.")
    .argument("<COMPANY_ID>")
    .action((companyId: string) =>
      run(async ({ accounts }) => {
        await accounts.unsuspendAccount({ companyId });
        return `${companyId} is served again`;
      }),
    );
}

function addDelete(account: Command, run: Run, progress: (line: string) => void): void {
  const erase = account
    .command("delete")
    .description(
      "Erase an account for good: its keys, its memories with their history, its settings and " +
        "its usage. Nothing brings it back.",
    )
    .argument("<COMPANY_ID>")
    .requiredOption("--confirm <COMPANY_ID>", "The same once more, as this is meant.");
  erase.action((companyId: string, { confirm }: { readonly confirm: string }) => {
    if (confirm !== companyId) erase.error("error: --confirm must repeat the COMPANY_ID");
    return run(async ({ accounts }) => {
      let erased = 0n;
      for (;;) {
        const step = await accounts.deleteAccount({ companyId, maxMemories: DELETE_STEP });
        erased += step.deletedCount;
        if (!step.isPartial) return `deleted ${companyId} with ${erased} memories`;
        progress(`erased ${erased.toLocaleString("en")} memories`);
      }
    });
  });
}

/** The account that the options describe. */
function accountOf(companyId: string, options: UpdateOptions) {
  const { tier, status, periodStart, graceEnds, writesLimit, graceDays, rate, burst } = options;
  return {
    companyId,
    planTier: tier && TIERS[tier],
    planStatus: status && STATUSES[status],
    periodStart,
    graceEndsAt: ownValue(graceEnds),
    ownLimits: {
      writesLimit: ownValue(writesLimit),
      graceDays: ownValue(graceDays),
      rate: ownValue(rate),
      burst: ownValue(burst),
    },
  };
}

function tierOption(): Option {
  return new Option("--tier <TIER>", "Tier of the plan.").choices(keysOf(TIERS));
}

function writesLimitOption(): Option {
  return new Option("--writes-limit <N|default>", "Writes in a billing period.").argParser(
    orDefault(wholeNumber),
  );
}

function keysOf<T extends object>(object: T): (keyof T & string)[] {
  return Object.keys(object) as (keyof T & string)[];
}
