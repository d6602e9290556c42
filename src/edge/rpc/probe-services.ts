import { setTimeout as sleep } from "node:timers/promises";
import {
  createRegistry,
  type DescExtension,
  type DescFile,
  type DescService,
  type Registry,
  toBinary,
} from "@bufbuild/protobuf";
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
        // The client leaves, or the server ends: both end the wait.
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

/** An index of everything that the services name. */
interface FileIndex {
  readonly services: readonly string[];
  readonly types: Registry;
  /** Each file as bytes, with all that it imports: who asks has none of them. */
  readonly files: ReadonlyMap<DescFile, Uint8Array[]>;
}

function indexOf(services: readonly DescService[]): FileIndex {
  const files = [...new Set(services.flatMap(({ file }) => withDependencies(file)))];
  const written = (file: DescFile) =>
    withDependencies(file).map(({ proto }) => toBinary(FileDescriptorProtoSchema, proto));
  return {
    services: services.map(({ typeName }) => typeName),
    types: createRegistry(...files),
    files: new Map(files.map((file) => [file, written(file)])),
  };
}

/** The file of a type, a method or a field, by its full name. */
function fileOfSymbol({ types }: FileIndex, symbol: string): DescFile | undefined {
  const type = types.get(symbol);
  if (type !== undefined) return type.file;
  const dot = symbol.lastIndexOf(".");
  const parent = types.get(symbol.slice(0, dot));
  const members =
    parent?.kind === "service" ? parent.methods : parent?.kind === "message" ? parent.fields : [];
  return members.some(({ name }) => name === symbol.slice(dot + 1)) ? parent?.file : undefined;
}

/** The extensions of a message. */
function extensionsOf({ types }: FileIndex, message: string): DescExtension[] {
  return [...types]
    .filter((type) => type.kind === "extension")
    .filter(({ extendee }) => extendee.typeName === message);
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
    case "fileByFilename": {
      const named = [...index.files.keys()].find(({ proto }) => proto.name === value);
      return filesOf(index, named, value);
    }
    case "fileContainingSymbol":
      return filesOf(index, fileOfSymbol(index, value), value);
    case "fileContainingExtension": {
      const { containingType, extensionNumber } = value;
      const found = extensionsOf(index, containingType).find(
        ({ number }) => number === extensionNumber,
      );
      return filesOf(index, found?.file, `${containingType} ${extensionNumber}`);
    }
    case "allExtensionNumbersOfType": {
      const extensionNumber = extensionsOf(index, value).map(({ number }) => number);
      if (extensionNumber.length === 0 && index.types.get(value) === undefined) {
        return notFound(value);
      }
      return {
        case: "allExtensionNumbersResponse" as const,
        value: { baseTypeName: value, extensionNumber },
      };
    }
    default:
      return problem(Code.InvalidArgument, "`message_request` must be set");
  }
}

function filesOf({ files }: FileIndex, file: DescFile | undefined, asked: string) {
  const fileDescriptorProto = file && files.get(file);
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
