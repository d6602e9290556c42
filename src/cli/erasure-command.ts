import { create, fromJson } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { InvalidArgumentError } from "commander";
import { RetentionRuleSchema } from "../../gen/agentmemory/admin/v1/erasure_service_pb.ts";
import { DeleteMemoriesRequestSchema } from "../../gen/agentmemory/v1/memory_service_pb.ts";
import { time, wholeNumber } from "./arguments.ts";
import type { Shell } from "./client.ts";
import { printsRows, row } from "./output.ts";

interface EraseOptions {
  readonly memory?: string;
  readonly tenant?: string;
  readonly session?: string;
  readonly source?: string;
  readonly topic?: string;
  readonly createdBefore?: string;
  readonly metadata?: Record<string, string>;
  readonly yes?: boolean;
}

interface RuleOptions {
  readonly tenant?: string;
  readonly source?: string;
  readonly endedDays?: number;
  readonly allDays?: number;
  readonly yes?: boolean;
}

const YES = "Do it. Without this it is only counted.";

/** `erase` and `retention list | set`. */
export function addErasureCommands({ admin, run, progress }: Shell): void {
  const erase = admin
    .command("erase <COMPANY_ID>")
    .description("Erase one memory, or of a tenant those of which all options hold, for good.")
    .option("--memory <ID>", "This memory alone.")
    .option("--tenant <NAME>", "Memories of this tenant.")
    .option("--session <ID>", "Of it, those of this conversation.")
    .option("--source <NAME>", "Of it, those of this source.")
    .option("--topic <NAME>", "Of it, those of this topic.")
    .option("--created-before <ISO>", "Of it, those learned before this time.", time)
    .option("--metadata <KEY=TEXT>", "Of it, those with this text; may be repeated.", keyAndText)
    .option("--yes", YES);
  erase.action((companyId: string, { memory: memoryId, yes = false, ...given }: EraseOptions) => {
    const { tenant: tenantId, session: sessionId, createdBefore, ...rest } = given;
    const isClear = memoryId ? Object.keys(given).length === 0 : tenantId;
    if (!isClear) erase.error("error: --memory alone, or --tenant, must be given");
    return run(async ({ erasures }) => {
      const before = createdBefore && fromJson(TimestampSchema, createdBefore);
      const fields = { ...rest, tenantId, sessionId, createdBefore: before || undefined };
      const scope = memoryId ? undefined : create(DeleteMemoriesRequestSchema, fields);
      const request = { companyId, memoryId, scope, confirmed: yes };
      for (let erased = 0; ; ) {
        const { memoryCount, rejectedFactCount, isPartial } = await erasures.eraseMemories(request);
        erased += memoryCount;
        if (memoryId && erased === 0) throw new Error(`${companyId} has no memory ${memoryId}`);
        if (!yes)
          return `would erase ${erased} memories and ${rejectedFactCount} rejected facts; --yes does it`;
        if (!isPartial) return `erased ${erased} memories`;
        progress(`erased ${erased.toLocaleString("en")} memories`);
      }
    });
  });

  const retention = admin
    .command("retention")
    .description("After how long memories of an account are erased by themselves.");
  const list = retention
    .command("list <COMPANY_ID>")
    .description("List the rules of an account, by tenant and source.");
  const columns = RetentionRuleSchema.fields.map(({ name }) => name);
  printsRows(list, { run }, columns, async ({ erasures }, companyId) =>
    (await erasures.listRetentionRules({ companyId })).rules.map((rule) =>
      row(RetentionRuleSchema, rule),
    ),
  );
  retention
    .command("set <COMPANY_ID>")
    .description("Set the rule of a tenant and source. Without days it is removed.")
    .option("--tenant <NAME>", "Its memories alone. Every tenant's otherwise.")
    .option("--source <NAME>", "Memories of this source alone. Of every source otherwise.")
    .option("--ended-days <N>", "Erase what has ended after so many days.", wholeNumber)
    .option("--all-days <N>", "Erase everything after so many days.", wholeNumber)
    .option("--yes", YES)
    .action((companyId: string, { tenant, source, endedDays, allDays, yes }: RuleOptions) =>
      run(async ({ erasures }) => {
        const { dueCount } = await erasures.setRetentionRule({
          companyId,
          rule: { tenantId: tenant, source, endedAfterDays: endedDays, allAfterDays: allDays },
          confirmed: yes === true,
        });
        const hasDays = endedDays !== undefined || allDays !== undefined;
        if (!hasDays) return yes ? "no such rule is left" : "would remove the rule; --yes does it";
        const due = `would erase ${dueCount} memories today`;
        return yes ? `set; it ${due}` : `it ${due}; --yes sets it`;
      }),
    );
}

function keyAndText(entry: string, before: Record<string, string> = {}): Record<string, string> {
  const [key = "", ...text] = entry.split("=");
  if (text.length === 0) throw new InvalidArgumentError("It must be KEY=TEXT.");
  return { ...before, [key]: text.join("=") };
}
