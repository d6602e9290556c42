import { setTimeout as sleep } from "node:timers/promises";
import {
  type DescEnum,
  type DescExtension,
  type DescFile,
  type DescMessage,
  type DescService,
  toBinary,
} from "@bufbuild/protobuf";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type ServiceImpl } from "@connectrpc/connect";
import {
  type Health,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from "../../../gen/grpc/health/v1/health_pb.ts";
import type { Readiness } from "../http/health.ts";

/** How often the readiness is looked at for those who watch it. */
const WATCH_INTERVAL_MS = 5_000;

/**
 * The handler of `grpc.health.v1.Health`: the answer of `/readyz` for probes, proxies and
 * clients that speak gRPC. The empty name is the whole server; every service has its state.
 */
export function createHealthService(
  readiness: Readiness,
  services: readonly string[],
): ServiceImpl<typeof Health> {
  const known = ["", ...services];
  const status = async () =>
    (await readiness()) === null ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
  return {
    async check({ service }) {
      if (!known.includes(service)) {
        throw new ConnectError("`service` must be the full name of a service", Code.NotFound);
      }
      return { status: await status() };
    },
    async list() {
      const now = await status();
      return { statuses: Object.fromEntries(known.map((name) => [name, { status: now }])) };
    },
    async *watch({ service }, { signal }) {
      let told: ServingStatus | null = null;
      while (!signal.aborted) {
        const now = known.includes(service) ? await status() : ServingStatus.SERVICE_UNKNOWN;
        if (now !== told) yield { status: now };
        told = now;
        // Who watches leaves, or the server ends: both end the wait.
        await sleep(WATCH_INTERVAL_MS, undefined, { signal }).catch(() => {});
      }
    },
  };
}

/** More than any client asks in one call. */
const MAX_REQUESTS_A_CALL = 1_000;

/** A question, of v1 as of v1alpha, which differ in their names alone. */
interface ReflectionRequest {
  readonly host: string;
  readonly messageRequest:
    | {
        readonly case:
          | "fileByFilename"
          | "fileContainingSymbol"
          | "allExtensionNumbersOfType"
          | "listServices";
        readonly value: string;
      }
    | {
        readonly case: "fileContainingExtension";
        readonly value: { readonly containingType: string; readonly extensionNumber: number };
      }
    | { readonly case: undefined; readonly value?: undefined };
}

/**
 * The handler of `grpc.reflection.v1.ServerReflection` and of its v1alpha: tells tools such
 * as `grpcurl` and `buf curl` the contract, so that they need no protos.
 */
export function createReflectionService(services: readonly DescService[]) {
  const index = indexOf(services);
  return {
    async *serverReflectionInfo<Request extends ReflectionRequest>(
      requests: AsyncIterable<Request>,
    ) {
      let count = 0;
      for await (const originalRequest of requests) {
        if (++count > MAX_REQUESTS_A_CALL) {
          const rule = `a call may ask ${MAX_REQUESTS_A_CALL} questions`;
          throw new ConnectError(rule, Code.ResourceExhausted);
        }
        const { host, messageRequest } = originalRequest;
        yield { validHost: host, originalRequest, messageResponse: answer(index, messageRequest) };
      }
    },
  };
}

/** Where everything that the services name stands. */
interface FileIndex {
  readonly services: readonly string[];
  readonly byName: ReadonlyMap<string, DescFile>;
  readonly bySymbol: ReadonlyMap<string, DescFile>;
  /** By the full name of the message that is extended; then by number. */
  readonly extensions: ReadonlyMap<string, ReadonlyMap<number, DescFile>>;
  /** Each file as bytes, with all that it imports: who asks has none of them. */
  readonly bytes: ReadonlyMap<DescFile, Uint8Array[]>;
}

function indexOf(services: readonly DescService[]): FileIndex {
  const files = [...new Set(services.flatMap(({ file }) => withDependencies(file)))];
  const bySymbol = new Map<string, DescFile>();
  const extensions = new Map<string, Map<number, DescFile>>();
  for (const file of files) {
    for (const type of nestedTypes(file)) {
      bySymbol.set(type.typeName, file);
      for (const member of membersOf(type)) bySymbol.set(member, file);
      if (type.kind !== "extension") continue;
      const ofMessage = extensions.get(type.extendee.typeName) ?? new Map<number, DescFile>();
      extensions.set(type.extendee.typeName, ofMessage.set(type.number, file));
    }
  }
  return {
    services: services.map(({ typeName }) => typeName),
    byName: new Map(files.map((file) => [file.proto.name, file])),
    bySymbol,
    extensions,
    bytes: new Map(
      files.map((file) => [
        file,
        withDependencies(file).map(({ proto }) => toBinary(FileDescriptorProtoSchema, proto)),
      ]),
    ),
  };
}

/** The full names of methods, fields and values. */
function membersOf(type: DescMessage | DescEnum | DescExtension | DescService): string[] {
  if (type.kind === "service") return type.methods.map(({ name }) => `${type.typeName}.${name}`);
  if (type.kind === "message") return type.fields.map(({ name }) => `${type.typeName}.${name}`);
  return [];
}

/** A file behind those that it imports. */
function withDependencies(file: DescFile): DescFile[] {
  return [...new Set([...file.dependencies.flatMap(withDependencies), file])];
}

function answer(index: FileIndex, { case: asked, value }: ReflectionRequest["messageRequest"]) {
  switch (asked) {
    case "listServices":
      return {
        case: "listServicesResponse" as const,
        value: { service: index.services.map((name) => ({ name })) },
      };
    case "fileByFilename":
      return filesOf(index, index.byName.get(value), value);
    case "fileContainingSymbol":
      return filesOf(index, index.bySymbol.get(value), value);
    case "fileContainingExtension": {
      const { containingType, extensionNumber } = value;
      const file = index.extensions.get(containingType)?.get(extensionNumber);
      return filesOf(index, file, `${containingType} ${extensionNumber}`);
    }
    case "allExtensionNumbersOfType": {
      const numbers = [...(index.extensions.get(value)?.keys() ?? [])];
      if (numbers.length === 0 && !index.bySymbol.has(value)) return notFound(value);
      return {
        case: "allExtensionNumbersResponse" as const,
        value: { baseTypeName: value, extensionNumber: numbers },
      };
    }
    default:
      return problem(Code.InvalidArgument, "`message_request` must be set");
  }
}

function filesOf({ bytes }: FileIndex, file: DescFile | undefined, asked: string) {
  const fileDescriptorProto = file && bytes.get(file);
  if (fileDescriptorProto === undefined) return notFound(asked);
  return { case: "fileDescriptorResponse" as const, value: { fileDescriptorProto } };
}

function notFound(asked: string) {
  return problem(Code.NotFound, `${asked.slice(0, MAX_ASKED_CHARACTERS)} is not served here`);
}

const MAX_ASKED_CHARACTERS = 200;

function problem(errorCode: Code, errorMessage: string) {
  return { case: "errorResponse" as const, value: { errorCode, errorMessage } };
}
