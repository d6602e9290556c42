import { runCommandLine } from "./command-line.ts";

const code = await runCommandLine(process.argv.slice(2), process.env, {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
// All output is written by then. A connection that the other end keeps open does not count.
process.stderr.write("", () => process.stdout.write("", () => process.exit(code)));
