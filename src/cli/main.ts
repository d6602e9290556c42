import { runCommandLine } from "./command-line.ts";

const code = await runCommandLine(process.argv.slice(2), process.env, {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
// Once all is written, and without waiting for a connection that the other end keeps open.
process.stderr.write("", () => process.stdout.write("", () => process.exit(code)));
