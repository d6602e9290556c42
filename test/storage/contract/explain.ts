import { CompiledQuery } from "kysely";
import type { Executor } from "../../../src/storage/schema.ts";

/** What Postgres gives a statement by default, and what the service asks for. */
export const WORK_MEMORY = ["work_mem = '4MB'", "work_mem = '16MB'"];

/** How a planner means to run a statement, with settings such as `work_mem = '4MB'`. */
export type Explain = (
  db: Executor,
  query: CompiledQuery,
  ...settings: readonly string[]
) => Promise<string>;

/** The plan for its values. */
export const planOf: Explain = (db, { sql: text, parameters }, ...settings) =>
  explained(db, settings, async (run) => run(`explain ${text}`, parameters));

/** The plan that a connection keeps for a statement that it has prepared, whatever the values. */
export const genericPlanOf: Explain = (db, { sql: text, parameters }, ...settings) =>
  explained(db, [...settings, "plan_cache_mode = force_generic_plan"], async (run) => {
    const nulls = parameters.map(() => "null").join(", ");
    await run(`prepare explained as ${text}`);
    try {
      return await run(`explain execute explained(${nulls})`);
    } finally {
      await run("deallocate explained");
    }
  });

type Run = (text: string, parameters?: readonly unknown[]) => Promise<{ rows: PlanLine[] }>;
interface PlanLine {
  readonly "QUERY PLAN": string;
}

function explained(
  db: Executor,
  settings: readonly string[],
  explain: (run: Run) => Promise<{ rows: PlanLine[] }>,
): Promise<string> {
  return db.connection().execute(async (connection) => {
    const run: Run = (text, parameters = []) =>
      connection.executeQuery(CompiledQuery.raw(text, [...parameters]) as CompiledQuery<PlanLine>);
    for (const setting of settings) await run(`set ${setting}`);
    try {
      const { rows } = await explain(run);
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    } finally {
      for (const setting of settings) await run(`reset ${setting.split(" ", 1)[0]}`);
    }
  });
}
