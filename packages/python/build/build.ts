/**
 * Builds the Python package: `build.ts FOLDER`, which is made anew and can be given to pip.
 * Its code is `agent_memory`, with the messages that `protoc` makes of the protos, and with
 * methods, RPCs and tools that are those of the TypeScript client.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isFlat } from "@agent-memory/transcoding/json";
import { createFileRegistry, type DescMessage, fromBinary, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { TOOLS } from "agent-memory/internal";
import { pythonDescriptors } from "./descriptors.ts";
import { constantOf, pythonModules } from "./methods.ts";

const root = join(import.meta.dirname, "../../..");

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: build.ts FOLDER");
  process.exit(2);
}
build(resolve(folder));

function build(out: string): void {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const file of ["pyproject.toml", "agent_memory"]) {
    const isSource = (path: string) => !path.includes("__pycache__");
    cpSync(join(import.meta.dirname, "..", file), join(out, file), {
      recursive: true,
      filter: isSource,
    });
  }
  const scratch = mkdtempSync(join(tmpdir(), "python-package-"));
  try {
    const descriptors = readDescriptors(scratch);
    compileMessages(descriptors, scratch, out);
    writeModules(descriptors, join(out, "agent_memory"));
  } finally {
    rmSync(scratch, { recursive: true });
  }
  writeFileSync(join(out, "agent_memory/tools.json"), `${JSON.stringify(tools(), null, 2)}\n`);
  writeFileSync(join(out, "README.md"), readme());
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  writeFileSync(join(out, "VERSION"), `${version}\n`);
  cpSync(join(root, "LICENSE"), join(out, "LICENSE"));
}

function readDescriptors(scratch: string): Uint8Array {
  const protos = join(scratch, "protos");
  execFileSync(process.execPath, [join(root, ".ci/assemble-protos.ts"), protos]);
  cpSync(join(root, "proto"), protos, { recursive: true });
  const output = join(scratch, "protos.binpb");
  const buf = join(root, "node_modules/.bin/buf");
  execFileSync(buf, ["build", protos, "--as-file-descriptor-set", "--output", output]);
  return readFileSync(output);
}

function compileMessages(descriptors: Uint8Array, scratch: string, out: string): void {
  const set = pythonDescriptors(descriptors);
  const input = join(scratch, "python.binpb");
  writeFileSync(input, toBinary(FileDescriptorSetSchema, set));
  const files = set.file.map(({ name }) => name).filter((name) => name.startsWith("agent_memory/"));
  execFileSync(
    "protoc",
    [`--descriptor_set_in=${input}`, `--python_out=${out}`, `--pyi_out=${out}`, ...files],
    { stdio: ["ignore", "inherit", "inherit"] },
  );
  for (const file of files) {
    // What newer compilers write runs with protobuf of their own version or a later one only.
    const code = readFileSync(join(out, file.replace(".proto", "_pb2.py")), "utf8");
    if (!code.includes("ValidateProtobufRuntimeVersion")) continue;
    throw new Error("this `protoc` binds its code to a version of protobuf: use one of 21 to 25");
  }
  writeFileSync(join(out, "agent_memory/v1/__init__.py"), "");
}

function writeModules(descriptors: Uint8Array, place: string): void {
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, descriptors));
  const files = [...registry.files]
    .filter(({ proto }) => proto.package === "agentmemory.v1")
    .toSorted((one, other) => one.name.localeCompare(other.name));
  for (const [name, code] of Object.entries(pythonModules(files))) {
    writeFileSync(join(place, `${name}.py`), code);
  }
}

function tools(): object[] {
  return TOOLS.map(({ name, description, inputSchema, rpc, answer }) => ({
    name,
    description,
    input_schema: inputSchema,
    rpc: constantOf(rpc),
    answer,
    flat: [...new Set(flatIn(rpc.output))],
  }));
}

/** The fields whose own fields stand in the JSON of the message that has them. */
function flatIn({ fields }: DescMessage): string[] {
  return fields.flatMap((field) => {
    if (field.message === undefined) return [];
    if (isFlat(field)) return [field.name, ...flatIn(field.message)];
    return field.fieldKind === "list" ? flatIn(field.message) : [];
  });
}

/** The part on Python of the page on clients, without links to what the package does not hold. */
function readme(): string {
  const page = readFileSync(join(root, "docs/clients.md"), "utf8");
  const [, part = ""] = /^(## Python\n[\s\S]*?)(?=^## )/m.exec(page) ?? [];
  return part
    .replace("## Python", "# agent-memory")
    .replace(/^`npm run pack:python`.*? It needs/m, "`pip install agent-memory` needs")
    .replace(/\[([^\]]+)\]\((?!https:)[^)]*\)/g, "$1");
}
