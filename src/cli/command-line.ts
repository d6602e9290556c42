import { Command, CommanderError } from "commander";
import { ConfigError, readConfig } from "../config.ts";
import { addAccountCommand } from "./account-command.ts";
import { type AdminAddress, createAdminClient, type Run, sentenceOf } from "./client.ts";
import { addKeyCommand } from "./key-command.ts";
import { addReembedCommand } from "./reembed-command.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export const EXIT_OK = 0;
/** The service refused, or could not be reached. */
export const EXIT_FAILED = 1;
/** The command or the environment was not understood. */
export const EXIT_USAGE = 2;

/** Where the command line writes. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
}

/**
 * The operator's command line: reads the arguments, calls the admin service at
 * ADMIN_HOST and ADMIN_PORT with ADMIN_TOKEN, and returns the exit code. Results
 * go to `out`; an error is one line on `err`.
 */
export async function runCommandLine(
  args: readonly string[],
  env: Environment,
  output: Output,
): Promise<number> {
  try {
    const address = adminAddress(env);
    const run: Run = async (calls) => {
      try {
        output.out(`${await calls(createAdminClient(address))}\n`);
      } catch (error) {
        throw new Error(sentenceOf(error, address), { cause: error });
      }
    };
    await program(output, run).parseAsync(args, { from: "user" });
    return EXIT_OK;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_OK : EXIT_USAGE;
    const message = error instanceof Error ? error.message : String(error);
    output.err(`error: ${message.replace(/\s*\n\s*/g, " ")}\n`);
    return error instanceof ConfigError ? EXIT_USAGE : EXIT_FAILED;
  }
}

function program(output: Output, run: Run): Command {
  const admin = new Command("admin")
    .description("Accounts, plans, API keys and embeddings of the running service.")
    .configureOutput({ writeOut: output.out, writeErr: output.err })
    .showSuggestionAfterError(false)
    .exitOverride();
  addAccountCommand(admin, run);
  addKeyCommand(admin, run);
  addReembedCommand(admin, run, (line) => output.out(`${line}\n`));
  return admin;
}

/** The rest of the environment is the service's own, and may belong to another machine. */
function adminAddress({ PORT, ADMIN_HOST, ADMIN_PORT, ADMIN_TOKEN }: Environment): AdminAddress {
  return readConfig({ PORT, ADMIN_HOST, ADMIN_PORT, ADMIN_TOKEN }).admin;
}
