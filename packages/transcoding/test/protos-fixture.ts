import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  createFileRegistry,
  type DescMessage,
  type FileRegistry,
  fromBinary,
} from "@bufbuild/protobuf";
import { type FileDescriptorSet, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import type { ParseTimestamp } from "../src/json/reader.ts";

const root = join(import.meta.dirname, "../../..");
const googleProtos = dirname(fileURLToPath(import.meta.resolve("google-proto-files/package.json")));

/**
 * Compiles protos at run time. The ones in `protos`, those they
 * import, and the given ones, by path.
 */
export function compileProtos(files: Readonly<Record<string, string>> = {}): FileDescriptorSet {
  const folder = mkdtempSync(join(tmpdir(), "protos-"));
  try {
    cpSync(join(import.meta.dirname, "protos"), folder, { recursive: true });
    cpSync(join(root, "proto/transcoding"), join(folder, "transcoding"), { recursive: true });
    for (const proto of ["google/api/annotations.proto", "google/api/http.proto"]) {
      mkdirSync(dirname(join(folder, proto)), { recursive: true });
      cpSync(join(googleProtos, proto), join(folder, proto));
    }
    for (const [path, content] of Object.entries(files)) writeFileSync(join(folder, path), content);
    const image = join(folder, "image.binpb");
    const buf = join(root, "node_modules/.bin/buf");
    execFileSync(buf, ["build", folder, "--as-file-descriptor-set", "--output", image], {
      // buf is a Node script here: it must find the Node that runs the tests.
      env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    });
    return fromBinary(FileDescriptorSetSchema, readFileSync(image));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function registryOf(protos: FileDescriptorSet): FileRegistry {
  return createFileRegistry(protos);
}

/** A message of `protos`, by its short name. */
export function messageOf(registry: FileRegistry, name: string): DescMessage {
  const message = registry.getMessage(`rest.test.v1.${name}`);
  if (message === undefined) throw new Error(`no message ${name}`);
  return message;
}

/** Good enough for tests: the rules of a date-time are not this library's. */
export const parseTestTimestamp: ParseTimestamp = (text) => {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.exec(text);
  if (match === null) return null;
  const ms = Date.parse(`${match[1]}${match[3]}`);
  if (Number.isNaN(ms)) return null;
  const nanos = Number((match[2] ?? ".").slice(1).padEnd(9, "0"));
  return { seconds: BigInt(ms / 1000), nanos };
};
