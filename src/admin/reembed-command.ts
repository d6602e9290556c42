import { setTimeout as sleep } from "node:timers/promises";
import { type Command, InvalidArgumentError, Option } from "commander";
import { wholeNumber } from "./arguments.ts";
import { reembed } from "./reembed.ts";
import type { Output, Run } from "./run.ts";

const DEFAULT_RATE = 50;
const MAX_RATE = 10_000;

/** `reembed`. */
export function addReembedCommand(admin: Command, run: Run, output: Output): void {
  admin
    .command("reembed")
    .description(
      "Move the database to the next embedding model while the service runs. It may be stopped " +
        "and started again at any time.",
    )
    .addOption(
      new Option("--rate <N>", "Memories that are embedded in a second, at most.")
        .argParser(rate)
        .default(DEFAULT_RATE),
    )
    .action((options: { readonly rate: number }) =>
      run((client) =>
        reembed(client, {
          ...options,
          progress: (line) => output.out(`${line}\n`),
          wait: (ms) => sleep(ms),
        }),
      ),
    );
}

function rate(text: string): number {
  const value = wholeNumber(text);
  if (value < 1 || value > MAX_RATE) {
    throw new InvalidArgumentError(`It must be from 1 to ${MAX_RATE.toLocaleString("en")}.`);
  }
  return value;
}
