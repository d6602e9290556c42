// `npm start` runs this plain JavaScript, so that an older Node.js can report its version.
import module from "node:module";
import { fileURLToPath } from "node:url";

const MIN_NODE_MAJOR = 24;

if (Number(process.versions.node.split(".")[0]) < MIN_NODE_MAJOR) {
  console.error(
    `This service needs Node.js ${MIN_NODE_MAJOR} or later; this is ${process.version}.`,
  );
  process.exit(1);
}
// Node.js caches compiled code beside the packages, which saves a third of the next start. Where
// the folder is read-only, the service starts without the cache.
module.enableCompileCache(
  fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)),
);
await import("./main.ts");
