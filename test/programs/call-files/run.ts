/**
 * Prints how many files of ours each of some warm calls over REST passes, by folder:
 * `npm run call-files [-- --list | --json]`. `--list` names the files; `--json` prints nothing
 * but them.
 */
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { countCallFiles } from "./call-files.ts";

const { values: options } = parseArgs({
  options: { list: { type: "boolean" }, json: { type: "boolean" } },
});
const counted = await countCallFiles();
if (options.json) console.log(JSON.stringify(Object.fromEntries(counted)));
else {
  for (const [name, files] of counted) {
    console.log(`${String(files.length).padStart(4)}  ${name}`);
    const folders = [...Map.groupBy(files, (file) => dirname(file))];
    const lines = options.list
      ? files
      : folders.map(([name, inside]) => `${inside.length} ${name}`);
    for (const line of lines) console.log(`      ${line}`);
  }
}
