/**
 * Copies the third-party protos that ours import from npm packages into
 * `.protos/`, which git ignores, so that buf finds them without a network; or into
 * another folder that it is given. The folder is made anew.
 */
import { cp, mkdir, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/** Files by the npm package and the folder in it that have them. */
const PROTOS = [
  {
    from: ["google-proto-files", "."],
    files: [
      "google/api/annotations.proto",
      "google/api/http.proto",
      "google/rpc/error_details.proto",
      "google/rpc/status.proto",
    ],
  },
  { from: ["grpc-health-check", "proto"], files: ["health/v1/health.proto"], to: "grpc" },
  {
    from: ["@grpc/reflection", "build/proto"],
    files: ["grpc/reflection/v1/reflection.proto", "grpc/reflection/v1alpha/reflection.proto"],
  },
] as const;

const root = join(import.meta.dirname, "..");
const target = resolve(process.argv[2] ?? join(root, ".protos"));

await rm(target, { recursive: true, force: true });
for (const { from, files, ...placed } of PROTOS) {
  const source = join(root, "node_modules", ...from);
  for (const file of files) {
    const copy = join(target, "to" in placed ? placed.to : "", file);
    await mkdir(dirname(copy), { recursive: true });
    await cp(join(source, file), copy);
  }
}
