import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { type Command, Option } from "commander";
import { type Account, AccountSchema } from "../../gen/agentmemory/admin/v1/account_service_pb.ts";
import { DEFAULT, decimalNumber, orDefault, time, wholeNumber } from "./arguments.ts";
import { type AdminClient, pagesOf, type Shell } from "./client.ts";
import {
  ACCOUNT_COLUMNS,
  ACCOUNT_INDEX_COLUMNS,
  accountIndexRow,
  accountRow,
  detailsText,
  jsonText,
  printsRows,
} from "./output.ts";

const TIERS = ["starter", "pro"];
const STATUSES = ["active", "past_due", "canceled"];

/** The options that set fields of an account, and the path of each field. */
const FIELD_PATHS = {
  tier: "plan_tier",
  status: "plan_status",
  periodStart: "period_start",
  graceEnds: "grace_ends_at",
  writesLimit: "own_limits.writes_limit",
  graceDays: "own_limits.grace_days",
  rate: "own_limits.rate",
  burst: "own_limits.burst",
} as const;

type FieldOptions = { readonly [option in keyof typeof FIELD_PATHS]?: string | number };

/** Memories that one call erases. It takes about a second. */
const DELETE_STEP = 2_000;

/** `account create | update | list | show | suspend | unsuspend | delete | index`. */
export function addAccountCommand({ admin, run, progress }: Shell): void {
  const account = admin.command("account").description("Accounts and their plans.");

  account
    .command("create <COMPANY_ID>")
    .description("Create an account. What is left out comes from the tier.")
    .addOption(tierOption())
    .addOption(writesLimitOption())
    .action((companyId: string, options: FieldOptions) =>
      run(async ({ accounts }) => {
        const created = await accounts.createAccount({ account: accountOf(companyId, options) });
        return detailsText(accountRow(created.account));
      }),
    );

  const update = account
    .command("update <COMPANY_ID>")
    .description(
      "Change an account. It takes effect within one second, on every server. A limit that is " +
        "`default` follows the tier again.",
    )
    .addOption(tierOption())
    .addOption(new Option("--status <STATUS>", "Status of the plan.").choices(STATUSES))
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
  update.action((companyId: string, options: FieldOptions) => {
    const paths = fieldsOf(options).map(([path]) => path);
    if (paths.length === 0) update.error("error: nothing to change was given");
    return run(async ({ accounts }) => {
      const updated = await accounts.updateAccount({
        account: accountOf(companyId, options),
        updateMask: { paths },
      });
      return detailsText(accountRow(updated.account));
    });
  });

  const list = account.command("list").description("List all accounts.");
  printsRows(list, { run }, ACCOUNT_COLUMNS, async ({ accounts }) => {
    const pages = pagesOf((pageToken) => accounts.listAccounts({ pageToken }));
    return (await Array.fromAsync(pages)).flatMap((page) => page.accounts.map(accountRow));
  });

  account
    .command("show <COMPANY_ID>")
    .description("Show an account, its limits, what it has used and how much it has stored.")
    .option("--json", "Print an object.")
    .action((companyId: string, { json }: { readonly json?: boolean }) =>
      run(async ({ accounts }) => {
        const { account, memories, tenants } = await accounts.getAccount({ companyId });
        const row = { ...accountRow(account), memories, tenants };
        return json ? jsonText(row) : detailsText(row);
      }),
    );

  account
    .command("suspend <COMPANY_ID>")
    .description("Refuse every request of an account's keys, within one second, on every server.")
    .action((companyId: string) =>
      run(async ({ accounts }) => {
        await accounts.suspendAccount({ companyId });
        return `suspended ${companyId}`;
      }),
    );
  account
    .command("unsuspend <COMPANY_ID>")
    .description("Lift the suspension of an account.")
    .action((companyId: string) =>
      run(async ({ accounts }) => {
        await accounts.unsuspendAccount({ companyId });
        return `${companyId} is served again`;
      }),
    );

  const erase = account
    .command("delete <COMPANY_ID>")
    .description(
      "Erase an account for good: its keys, its memories with their history, its settings and " +
        "its usage. Nothing brings it back.",
    )
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

  addIndexCommand(account, { run });
}

/** The account that the options describe: `default` leaves its field unset. */
function accountOf(companyId: string, options: FieldOptions): Account {
  const limits: JsonObject = {};
  const account: JsonObject = { company_id: companyId, own_limits: limits };
  for (const [path, value] of fieldsOf(options)) {
    const [field = "", limit] = path.split(".");
    if (value === DEFAULT) continue;
    if (limit !== undefined) limits[limit] = value;
    // The values of enums begin with the name of the field.
    else if (/^plan_/.test(field)) account[field] = `${field}_${value}`.toUpperCase();
    else account[field] = value;
  }
  return fromJson(AccountSchema, account);
}

function fieldsOf(options: FieldOptions): [path: string, value: string | number][] {
  return Object.entries(options).map(([option, value]) => [
    FIELD_PATHS[option as keyof FieldOptions],
    value,
  ]);
}

function tierOption(): Option {
  return new Option("--tier <TIER>", "Tier of the plan.").choices(TIERS);
}

function writesLimitOption(): Option {
  return new Option("--writes-limit <N|default>", "Writes in a billing period.").argParser(
    orDefault(wholeNumber),
  );
}

/** `account index create | drop | list`. */
function addIndexCommand(account: Command, { run }: Pick<Shell, "run">): void {
  const index = account
    .command("index")
    .description(
      "Approximate indexes of tenants that are so large that questions take too long. Answers " +
        "by one say so; all others stay exact.",
    );
  const ofTenant = (
    name: string,
    description: string,
    work: (
      client: AdminClient,
      tenant: { companyId: string; tenantId?: string },
    ) => Promise<string>,
  ) =>
    index
      .command(`${name} <COMPANY_ID>`)
      .description(description)
      .option("--tenant <ID>", "The tenant, in place of the default tenant.")
      .action((companyId: string, { tenant }: { readonly tenant?: string }) =>
        run((client) => work(client, { companyId, tenantId: tenant })),
      );
  ofTenant(
    "create",
    "Make an index for one tenant of an account. The list says when it is ready; reads and writes go on.",
    async ({ accounts }, tenant) => {
      await accounts.createAccountIndex(tenant);
      return `the index of ${tenant.companyId} is being made`;
    },
  );
  ofTenant(
    "drop",
    "Remove the index of a tenant: its questions are answered exactly again.",
    async ({ accounts }, tenant) => {
      const { deletedCount } = await accounts.deleteAccountIndex(tenant);
      return deletedCount === 0
        ? "there is no such index"
        : `removed the index of ${tenant.companyId}`;
    },
  );
  const list = index.command("list").description("List all such indexes.");
  printsRows(list, { run }, ACCOUNT_INDEX_COLUMNS, async ({ accounts }) =>
    (await accounts.listAccountIndexes({})).indexes.map(accountIndexRow),
  );
}
