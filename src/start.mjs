// What `npm start` runs: plain JavaScript, so that an older Node.js can say what is missing.
import module from "node:module";
import { fileURLToPath } from "node:url";

const MIN_NODE_MAJOR = 24;

if (Number(process.versions.node.split(".")[0]) < MIN_NODE_MAJOR) {
  console.error(
    `This service needs Node.js ${MIN_NODE_MAJOR} or later; this is ${process.version}.`,
  );
  process.exit(1);
}
// What was compiled is kept, which takes a third off the next start. Beside the packages, where
// nobody else writes; where this process cannot either, it starts all the same.
module.enableCompileCache(
  fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)),
);
await import("./main.ts");
