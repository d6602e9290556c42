import { type DescMessage, type MessageShape, toJson } from "@bufbuild/protobuf";
import type { Command } from "commander";
import {
  type Account,
  type AccountIndex,
  AccountIndexSchema,
  AccountLimitsSchema,
  AccountSchema,
} from "../../gen/agentmemory/admin/v1/account_service_pb.ts";
import type { AdminClient, Shell } from "./client.ts";

/** An object of the output: snake_case names, ISO times with `Z`, null for an unset field. */
export type Row = Readonly<Record<string, unknown>>;

export const ACCOUNT_COLUMNS = [
  "company_id",
  "plan_tier",
  "plan_status",
  "writes_used",
  "writes_limit",
  "period_start",
  "in_grace_period",
  "blocked",
  "suspended_at",
];

export const ACCOUNT_INDEX_COLUMNS = AccountIndexSchema.fields.map(({ name }) => name);

const LIMITS = AccountLimitsSchema.fields.map(({ name }) => name);

/** Of limits that are unset there are none: on a machine of its own "local" has no rate. */
export function accountRow(account: Account | undefined): Row {
  if (account === undefined) return {};
  const { own_limits, limits, ...fields } = row(AccountSchema, account);
  return {
    ...fields,
    plan_tier: word(fields.plan_tier, "PLAN_TIER_"),
    plan_status: word(fields.plan_status, "PLAN_STATUS_"),
    ...Object.fromEntries(LIMITS.map((name) => [name, (limits as Row)[name] ?? "none"])),
    own_limits: LIMITS.filter((name) => Object.hasOwn(own_limits ?? {}, name)),
  };
}

export function accountIndexRow(index: AccountIndex): Row {
  const fields = row(AccountIndexSchema, index);
  return { ...fields, state: word(fields.state, "ACCOUNT_INDEX_STATE_") };
}

/** The lower-case word of a value of an enum. */
function word(value: unknown, prefix: string): string {
  return String(value).replace(prefix, "").toLowerCase();
}

export function row<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): Row {
  const json = toJson(schema, message, {
    useProtoFieldName: true,
    alwaysEmitImplicit: true,
  }) as Row;
  return Object.fromEntries(schema.fields.map(({ name }) => [name, json[name] ?? null]));
}

export function jsonText(value: Row | readonly Row[]): string {
  return JSON.stringify(value, null, 2);
}

/** Makes a command print rows as a table of the columns, or as JSON. */
export function printsRows(
  command: Command,
  { run }: Pick<Shell, "run">,
  columns: readonly string[],
  rowsOf: (client: AdminClient, companyId: string) => Promise<readonly Row[]>,
): void {
  command.option("--json", "Print a JSON array of objects.").action(() =>
    run(async (client) => {
      const rows = await rowsOf(client, command.args[0] ?? "");
      if (command.opts().json) return jsonText(rows);
      return table([columns, ...rows.map((row) => columns.map((name) => row[name]))]);
    }),
  );
}

/** One field a line. */
export function detailsText(row: Row): string {
  return table(Object.entries(row));
}

/** Left-aligned columns, two spaces apart. */
export function table(lines: readonly (readonly unknown[])[]): string {
  const cells = lines.map((line) =>
    line.map((cell) => (Array.isArray(cell) ? cell.join(", ") : String(cell ?? "")) || "-"),
  );
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((line) => line[column]?.length ?? 0)),
  );
  return cells
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
