import { fromBinary, type Message } from "@bufbuild/protobuf";
import {
  type DescriptorProto,
  type FileDescriptorProto,
  type FileDescriptorSet,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";

const PLACE = "agent_memory/v1";
/** The folders of which files are taken, by what their package is called in Python. */
const TAKEN: Readonly<Record<string, string>> = {
  "agentmemory/v1": "agentmemory.v1",
  // Under a name of its own: others bring the same files under Google's.
  "google/rpc": "agentmemory.rpc",
};
const RUNTIME = "google/protobuf/";

/**
 * The descriptors of all messages of the API, and of the details of errors, as they are to be
 * compiled for Python: in one package, which is named after where it is installed, and without
 * the options that only the service reads.
 */
export function pythonDescriptors(whole: Uint8Array): FileDescriptorSet {
  const set = fromBinary(FileDescriptorSetSchema, whole);
  set.file = set.file.filter(({ name }) => isTaken(name) || name.startsWith(RUNTIME));
  for (const file of set.file) {
    if (isTaken(file.name)) adapt(file);
  }
  return set;
}

export function moduleOf(proto: string): string {
  return `${placeOf(proto).replace(".proto", "_pb2").replaceAll("/", ".")}`;
}

function isTaken(proto: string): boolean {
  return proto.slice(0, proto.lastIndexOf("/")) in TAKEN;
}

function placeOf(proto: string): string {
  return isTaken(proto) ? `${PLACE}/${proto.split("/").at(-1)}` : proto;
}

function adapt(file: FileDescriptorProto): void {
  const before = file.package;
  const after = TAKEN[file.name.slice(0, file.name.lastIndexOf("/"))] ?? before;
  file.name = placeOf(file.name);
  file.package = after;
  file.dependency = file.dependency
    .filter((name) => isTaken(name) || name.startsWith(RUNTIME))
    .map(placeOf);
  file.options = undefined;
  for (const message of file.messageType) adaptMessage(message, `.${before}.`, `.${after}.`);
  for (const { method } of file.service) for (const { options } of method) withoutUnknown(options);
}

function adaptMessage(message: DescriptorProto, before: string, after: string): void {
  withoutUnknown(message.options);
  for (const field of message.field) {
    withoutUnknown(field.options);
    if (field.typeName.startsWith(before)) {
      field.typeName = after + field.typeName.slice(before.length);
    }
  }
  for (const nested of message.nestedType) adaptMessage(nested, before, after);
}

/** Extensions of options are what their own file does not know. */
function withoutUnknown(options: Message | undefined): void {
  if (options !== undefined) delete options.$unknown;
}
