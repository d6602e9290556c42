#!/usr/bin/env node
/** `npx agent-memory`, as the package of the clients has it. */
import { Command, CommanderError } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { TransferError } from "../transfer/api.ts";
import { addTransferCommands } from "../transfer/command-line.ts";
import { CONNECTION_HELP, UsageError } from "./environment.ts";

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

const program = new Command("agent-memory")
  .description("What agents and people do with a memory service from a command line.")
  .version(packageJson.version, "--version", "Print the version.")
  .addHelpText("after", CONNECTION_HELP)
  .exitOverride();
program
  .command("mcp")
  .description("Serve the Model Context Protocol on standard input and output.")
  .action(async () => {
    const { serveMcp } = await import("../mcp/main.ts");
    serveMcp(process.env);
  });
program
  .command("check")
  .description("Ask the questions of a file, and print which answers are not as it says.")
  .argument("<file>", "lines of JSON with `question`, `must_mention`, `must_not_mention`, …")
  .option("--junit <file>", "where a report in JUnit's XML goes")
  .action(async (file: string, options: { readonly junit?: string }) => {
    const { runCheck } = await import("./check.ts");
    if (!(await runCheck(process.env, file, options))) process.exitCode = EXIT_FAILED;
  });
program
  .command("hook")
  .description("A hook of a coding agent: its event comes on standard input.")
  .argument("<what>", "recall, or capture")
  .action(async (what: string) => {
    const { runHook } = await import("./hooks.ts");
    await runHook(what, process.env, process.stdin, process.stdout);
  });
addTransferCommands(
  program.command("transfer").description("Exports and imports of an account's memories."),
  process.env,
);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : EXIT_USAGE);
  // An error of the system, such as a full disk, says all by its message.
  const isTold = error instanceof Error && (error instanceof TransferError || "syscall" in error);
  if (!(error instanceof UsageError || isTold)) throw error;
  console.error(`error: ${error.message}`);
  process.exit(error instanceof UsageError ? EXIT_USAGE : EXIT_FAILED);
}
