import { Command, CommanderError } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { ConfigError, readConfig } from "../config/config.ts";
import { isLoopback } from "../loopback.ts";
import { addAccountCommand } from "./account-command.ts";
import { addBackupCommand } from "./backup-command.ts";
import { type AdminAddress, createAdminClient, type Shell, sentenceOf } from "./client.ts";
import { addDatabaseCommand } from "./database-command.ts";
import { addErasureCommands } from "./erasure-command.ts";
import { addKeyCommand } from "./key-command.ts";
import { addReembedCommand } from "./reembed-command.ts";

const { version } = packageJson;
const HTTP_PORT = 80;
const HTTPS_PORT = 443;

type Environment = Readonly<Record<string, string | undefined>>;

export const EXIT_OK = 0;
/** The service refused, or could not be reached. */
export const EXIT_FAILED = 1;
/** The command or the environment is wrong. */
export const EXIT_USAGE = 2;

/** Where the command line writes. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
}

/**
 * The operator's command line. It calls the admin service at ADMIN_URL, or at ADMIN_HOST and
 * ADMIN_PORT, with ADMIN_TOKEN, and returns the exit code. Results go to `out`; an error is one
 * line on `err`.
 */
export async function runCommandLine(args: readonly string[], env: Environment, output: Output) {
  try {
    const address = adminAddress(env);
    const run: Shell["run"] = async (calls) => {
      try {
        output.out(`${await calls(createAdminClient(address))}\n`);
      } catch (error) {
        throw new Error(sentenceOf(error, address), { cause: error });
      }
    };
    await program(output, run, env).parseAsync(args, { from: "user" });
    return EXIT_OK;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_OK : EXIT_USAGE;
    const message = error instanceof Error ? error.message : String(error);
    output.err(`error: ${message.replace(/\s*\n\s*/g, " ")}\n`);
    return error instanceof ConfigError ? EXIT_USAGE : EXIT_FAILED;
  }
}

const DEFAULTS = readConfig({}).admin;
const ENVIRONMENT = `
Environment:
  ADMIN_HOST, ADMIN_PORT  where the service is; ${DEFAULTS.host} and ${DEFAULTS.port} by default
  ADMIN_URL               where it is, with the scheme; in place of the two
  ADMIN_TOKEN             what it asks for, where it is not on loopback
  NODE_EXTRA_CA_CERTS     file of an authority that its certificate is of, beside the usual ones
  INSECURE_HTTP=1         speaks plain HTTP to it also where it is not on loopback
  DATABASE_URL            which database \`database\` works on`;

function program(output: Output, run: Shell["run"], env: Environment): Command {
  const admin = new Command("admin")
    .description(
      "Accounts, plans, API keys, erasure, embeddings, backups and sign-in links of the running service.",
    )
    .version(version, "--version", "Print the version.")
    .addHelpText("afterAll", ENVIRONMENT)
    .configureOutput({ writeOut: output.out, writeErr: output.err })
    .showSuggestionAfterError(false)
    .exitOverride();
  const shell: Shell = { admin, run, progress: (line) => output.out(`${line}\n`) };
  addAccountCommand(shell);
  addKeyCommand(shell);
  addReembedCommand(shell);
  addBackupCommand(shell);
  addDatabaseCommand(shell, env.DATABASE_URL);
  addErasureCommands(shell);
  admin
    .command("sign-in-link")
    .description(
      "Print a link that signs one person in to an account's dashboard, once, within ten minutes. " +
        "The account's link before it ends.",
    )
    .argument("[account]", "the account; left out: local")
    .action((companyId: string | undefined) =>
      run(async ({ signInLinks }) => (await signInLinks.createSignInLink({ companyId })).url),
    );
  return admin;
}

/** Where the admin service is. Throws a ConfigError where others could read the token. */
function adminAddress(env: Environment): AdminAddress {
  const { ADMIN_HOST, ADMIN_PORT, ADMIN_TOKEN, ADMIN_URL } = env;
  const read = { ADMIN_HOST, ADMIN_PORT, ADMIN_TOKEN, ADMIN_URL };
  const here = { PORT: "0", INSECURE_HTTP: "1" };
  const { url, host, port, token } = readConfig({ ...read, ...here }).admin;
  const address = url === null ? { host, port, isEncrypted: false } : addressIn(new URL(url));
  const isPrivate = address.isEncrypted || isLoopback(address.host);
  if (!isPrivate && env.TRUST_PROXY !== "1" && env.INSECURE_HTTP !== "1") {
    throw new ConfigError([
      `ADMIN_URL: must be https://... where the admin service is not on loopback, or INSECURE_HTTP=1 set to do without (got ${address.host})`,
    ]);
  }
  return { ...address, token };
}

function addressIn({ protocol, hostname, port }: URL) {
  const isEncrypted = protocol === "https:";
  const host = hostname.replace(/^\[|\]$/g, "");
  return {
    host,
    port: port === "" ? (isEncrypted ? HTTPS_PORT : HTTP_PORT) : Number(port),
    isEncrypted,
  };
}
