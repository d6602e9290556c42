import { type Command, InvalidArgumentError } from "commander";
import { addressIn, type Environment } from "../program/environment.ts";
import { type ExportOptions, exportFile } from "./export-file.ts";
import type { ForeignSystem } from "./foreign-records.ts";
import { MEM0, ZEP } from "./foreign-systems.ts";
import { type ImportOptions, importFile } from "./import-file.ts";
import { type ForeignImportOptions, importForeign } from "./import-foreign.ts";

/** For people: what is done, and what is wrong. */
const tell = (line: string) => void process.stderr.write(`${line}\n`);

/** The commands that move memories into an account and out of it, over the API. */
export function addTransferCommands(transfer: Command, env: Environment): void {
  transfer
    .command("export")
    .description("Write a tenant, or the account, as lines of JSON.")
    .argument("[file]", "where to; left out: standard output")
    .option("--tenant <tenant>", "the tenant; left out: the default one")
    .option("--whole-account", "every tenant")
    .action((file: string | undefined, options: ExportOptions) =>
      exportFile(addressIn(env), options, file, process.stdout, tell),
    );
  transfer
    .command("import")
    .description("Import what was exported; the same again skips what is there.")
    .argument("[file]", "where from; left out: standard input")
    .option("--tenant <tenant>", "the tenant of all of them; left out: as each one says")
    .option("--new-ids", "a copy beside what was exported: each memory gets an ID of its own")
    .action((file: string | undefined, options: ImportOptions) =>
      importFile(addressIn(env), options, file, process.stdin, tell),
    );
  const mem0 = "memories of mem0: what its get_all answers, or OpenMemory's backup";
  addForeign("import-mem0", mem0, MEM0);
  addForeign("import-zep", "facts of Zep or Graphiti: the edges of a graph, as JSON", ZEP);

  function addForeign(name: string, what: string, system: ForeignSystem): void {
    transfer
      .command(name)
      .description(`Import ${what}.`)
      .argument("<file>", "the file")
      .option("--tenant <tenant>", "the tenant of all of them; left out: as each one says")
      .option("--from <number>", "the first record to import, counted from 1", position, 1)
      .action(async (file: string, options: ForeignImportOptions) => {
        const ended = await importForeign(addressIn(env), system, file, options, tell);
        const { imported, leftOut, deleted } = ended;
        const gone = deleted === 0 ? "" : `, ${deleted} were deleted there`;
        tell(`done: ${imported} imported, ${leftOut} left out${gone}`);
        if (leftOut > 0) process.exitCode = 1;
      });
  }
}

function position(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("It must be a number from 1.");
  return Number(text);
}
