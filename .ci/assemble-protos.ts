/**
 * Copies the third-party protos that ours import from npm packages into
 * `.protos/`, which git ignores, so that buf finds them without a network.
 */
import { cp, mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PROTOS = [
  "google/api/annotations.proto",
  "google/api/http.proto",
  "google/rpc/error_details.proto",
  "google/rpc/status.proto",
];

const root = join(import.meta.dirname, "..");
const packageFolder = dirname(
  fileURLToPath(import.meta.resolve("google-proto-files/package.json")),
);
const target = join(root, ".protos");

await rm(target, { recursive: true, force: true });
for (const proto of PROTOS) {
  await mkdir(dirname(join(target, proto)), { recursive: true });
  await cp(join(packageFolder, proto), join(target, proto));
}
