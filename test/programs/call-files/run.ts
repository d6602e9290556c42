/**
 * Prints how many files of ours each of some warm calls over REST passes, by folder:
 * `npm run call-files [-- --list]`; `--list` names the files.
 */
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { countCallFiles } from "../../support/call-files.ts";

const { values: options } = parseArgs({ options: { list: { type: "boolean", default: false } } });
for (const [name, files] of await countCallFiles()) {
  console.log(`${String(files.length).padStart(4)}  ${name}`);
  if (options.list) {
    for (const file of files) console.log(`      ${file}`);
    continue;
  }
  const folders = Map.groupBy(files, dirname);
  for (const [folder, inside] of folders) {
    console.log(`      ${String(inside.length).padStart(4)}  ${folder}`);
  }
}
process.exit();
