import type { Readable, Writable } from "node:stream";
import { Command, CommanderError, InvalidArgumentError } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { type ApiAddress, TransferError } from "./api.ts";
import { type ExportOptions, exportFile } from "./export-file.ts";
import type { ForeignSystem } from "./foreign-records.ts";
import { type ImportOptions, importFile } from "./import-file.ts";
import { type ForeignImportOptions, importForeign } from "./import-foreign.ts";
import { MEM0 } from "./mem0.ts";
import { ZEP } from "./zep.ts";

const { version } = packageJson;

export const EXIT_OK = 0;
/** The service refused, could not be reached, or did not get all of it. */
export const EXIT_FAILED = 1;
/** The command or the environment was not understood. */
export const EXIT_USAGE = 2;

/** Where the command line reads and writes. */
export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
  /** For people: what is done, and what is wrong. */
  tell(line: string): void;
}

type Environment = Readonly<Record<string, string | undefined>>;

const ENVIRONMENT = `
Environment:
  AGENT_MEMORY_URL  where the service is; http://127.0.0.1:8080 by default
  AGENT_MEMORY_KEY  an API key of the account`;

/**
 * The command line that moves memories into an account and out of it, over the API; returns
 * the exit code.
 */
export async function runTransfer(
  args: readonly string[],
  env: Environment,
  streams: Streams,
): Promise<number> {
  let code = EXIT_OK;
  try {
    const failed = () => {
      code = EXIT_FAILED;
    };
    await program(env, streams, failed).parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_OK : EXIT_USAGE;
    if (error instanceof UsageError) {
      streams.tell(`error: ${error.message}`);
      return EXIT_USAGE;
    }
    if (!(error instanceof TransferError)) throw error;
    streams.tell(`error: ${error.message}`);
    return EXIT_FAILED;
  }
}

class UsageError extends Error {}

function program(env: Environment, streams: Streams, failed: () => void): Command {
  const { input, output, tell } = streams;
  const transfer = new Command("transfer")
    .description("Exports and imports of an account's memories.")
    .version(version, "--version", "Print the version.")
    .addHelpText("after", ENVIRONMENT)
    .configureOutput({
      writeOut: (text) => void output.write(text),
      writeErr: (text) => tell(text.trimEnd()),
    })
    .showSuggestionAfterError(false)
    .exitOverride();
  transfer
    .command("export")
    .description("Write a tenant, or the account, as lines of JSON.")
    .argument("[file]", "where to; left out: standard output")
    .option("--tenant <tenant>", "the tenant; left out: the default one")
    .option("--whole-account", "every tenant")
    .action((file: string | undefined, options: ExportOptions) =>
      exportFile(addressIn(env), options, file, output, tell),
    );
  transfer
    .command("import")
    .description("Import what was exported; the same again skips what is there.")
    .argument("[file]", "where from; left out: standard input")
    .option("--tenant <tenant>", "the tenant of all of them; left out: as each one says")
    .option("--new-ids", "a copy beside what was exported: each memory gets an ID of its own")
    .action((file: string | undefined, options: ImportOptions) =>
      importFile(addressIn(env), options, file, input, tell),
    );
  addForeign(
    "import-mem0",
    "memories of mem0: what its get_all answers, or OpenMemory's backup",
    MEM0,
  );
  addForeign("import-zep", "facts of Zep or Graphiti: the edges of a graph, as JSON", ZEP);
  return transfer;

  function addForeign(name: string, what: string, system: ForeignSystem): void {
    transfer
      .command(name)
      .description(`Import ${what}.`)
      .argument("<file>", "the file")
      .option("--tenant <tenant>", "the tenant of all of them; left out: as each one says")
      .option("--from <number>", "the first record to import, counted from 1", position, 1)
      .action(async (file: string, options: ForeignImportOptions) => {
        const { imported, leftOut, deleted } = await importForeign(
          addressIn(env),
          system,
          file,
          options,
          tell,
        );
        const gone = deleted === 0 ? "" : `, ${deleted} were deleted there`;
        tell(`done: ${imported} imported, ${leftOut} left out${gone}`);
        if (leftOut > 0) failed();
      });
  }
}

function position(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("It must be a number from 1.");
  return Number(text);
}

/** Throws a UsageError. */
function addressIn(env: Environment): ApiAddress {
  const { AGENT_MEMORY_URL: url = "http://127.0.0.1:8080", AGENT_MEMORY_KEY: key } = env;
  if (key === undefined || key === "" || !URL.canParse(url)) {
    throw new UsageError(
      "AGENT_MEMORY_KEY must be an API key, and AGENT_MEMORY_URL the address of the service",
    );
  }
  return { url: new URL(url), key };
}
