import { runTransfer } from "./command-line.ts";

process.exitCode = await runTransfer(process.argv.slice(2), process.env, {
  input: process.stdin,
  output: process.stdout,
  tell: (line) => process.stderr.write(`${line}\n`),
});
