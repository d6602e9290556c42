import { rm } from "node:fs/promises";
import { type Mutant, mutatedTree } from "../../support/mutants.ts";
import { describeCall } from "./call.ts";
import { generate } from "./generate.ts";
import { openGround } from "./ground.ts";
import { MUTANTS } from "./mutants.ts";
import { Session } from "./session.ts";
import { LAWS, type Law } from "./verdicts.ts";

const FIRST_SEED = 41;

/** What became of a mutant. */
export interface Caught {
  readonly name: string;
  /** The laws that it broke; none: it survived. */
  readonly laws: readonly Law[];
  readonly histories: number;
}

/**
 * Plays histories against each mutant until one finds it, or `maxHistories` did not. `part`
 * of the names of those that are tried; null: all are.
 */
export async function tryMutants(part: string | null, maxHistories: number): Promise<Caught[]> {
  const caught: Caught[] = [];
  for (const mutant of MUTANTS) {
    if (part !== null && !mutant.name.includes(part)) continue;
    caught.push(await tryMutant(mutant, maxHistories));
    const { laws, histories } = caught.at(-1) as Caught;
    console.log(`${mutant.name}: ${laws.join(", ") || "SURVIVED"}, ${histories} histories`);
  }
  return caught;
}

async function tryMutant(mutant: Mutant, maxHistories: number): Promise<Caught> {
  const root = await mutatedTree(mutant, ["src", "gen", "packages", "package.json"]);
  try {
    const ground = await openGround("postgres", false, { root });
    try {
      const session = new Session({
        batch: 1,
        onFailure: async (_, { violations: [first] }) => {
          console.log(`${mutant.name}: ${first?.what}`);
          for (const call of first?.calls ?? []) console.log(`    ${describeCall(call)}`);
        },
      });
      const { tally } = session;
      while (!tally.hasViolations && tally.histories < maxHistories) {
        const history = generate(FIRST_SEED + tally.histories, "postgres", false);
        await session.run(history, ground.arena);
      }
      const laws = LAWS.filter((law) => tally.violations[law] > 0);
      return { name: mutant.name, laws, histories: tally.histories };
    } finally {
      await ground.close();
    }
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
