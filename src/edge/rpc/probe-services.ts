import { setTimeout as sleep } from "node:timers/promises";
import { type DescFile, type DescService, toBinary } from "@bufbuild/protobuf";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import {
  Code,
  ConnectError,
  createServiceImplSpec,
  type ServiceImplSpec,
} from "@connectrpc/connect";
import {
  Health,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from "../../../gen/grpc/health/v1/health_pb.ts";
import {
  ServerReflection,
  type ServerReflectionRequest,
} from "../../../gen/grpc/reflection/v1/reflection_pb.ts";
import {
  ServerReflection as OlderReflection,
  type ServerReflectionRequest as OlderRequest,
} from "../../../gen/grpc/reflection/v1alpha/reflection_pb.ts";
import type { Readiness } from "../http/health.ts";
import type { AddService } from "../rpc-handler.ts";

/** Adds health and reflection beside these services. */
export function addProbes(
  add: AddService,
  services: readonly ServiceImplSpec[],
  readiness: Readiness,
  options: Parameters<AddService>[1],
): void {
  const served = services.map(({ service }) => service);
  const names = served.map(({ typeName }) => typeName);
  add(createHealthService(readiness, names), options);
  const reflection = createReflectionService([...served, Health, ServerReflection]);
  add(createServiceImplSpec<typeof ServerReflection>(ServerReflection, reflection), options);
  // Many tools ask the older one alone. The two differ in their names.
  add(createServiceImplSpec<typeof OlderReflection>(OlderReflection, reflection), options);
}

/** How often the readiness is looked at for those who watch it. */
const WATCH_INTERVAL_MS = 5_000;

/** `grpc.health.v1.Health`: each service, and "" for the server, is as `/readyz` says. */
function createHealthService(readiness: Readiness, services: readonly string[]) {
  const known = ["", ...services];
  const status = async () =>
    (await readiness()) === null ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
  return createServiceImplSpec<typeof Health>(Health, {
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
  });
}

/** More than any client asks in one call. */
const MAX_REQUESTS_A_CALL = 1_000;
const MAX_ASKED_CHARACTERS = 200;

type ReflectionRequest = Pick<ServerReflectionRequest | OlderRequest, "host" | "messageRequest">;

/**
 * The handler of `grpc.reflection.v1.ServerReflection` and its v1alpha: tells tools such as
 * `grpcurl` and `buf curl` the contract, so that they need no protos. Files come with all that
 * they import, and with them every extension that the services use.
 */
function createReflectionService(services: readonly DescService[]) {
  const files = services.flatMap(({ file }) => withDependencies(file));
  const byName = new Map(files.map((file) => [file.proto.name, file]));
  const bySymbol = new Map(files.flatMap((file) => symbolsOf(file).map((name) => [name, file])));
  // Whoever asks has no key: a file is written once.
  const written = new Map<DescFile, Uint8Array[]>();
  return {
    async *serverReflectionInfo<R extends ReflectionRequest>(requests: AsyncIterable<R>) {
      let count = 0;
      for await (const originalRequest of requests) {
        if (++count > MAX_REQUESTS_A_CALL) {
          const rule = `a call may ask ${MAX_REQUESTS_A_CALL} questions`;
          throw new ConnectError(rule, Code.ResourceExhausted);
        }
        const { host: validHost, messageRequest } = originalRequest;
        yield { validHost, originalRequest, messageResponse: answer(messageRequest) };
      }
    },
  };

  function answer({ case: asked, value }: ReflectionRequest["messageRequest"]) {
    switch (asked) {
      case "listServices":
        return {
          case: "listServicesResponse" as const,
          value: { service: services.map(({ typeName: name }) => ({ name })) },
        };
      case "fileByFilename":
        return filesOf(byName.get(value), value);
      case "fileContainingSymbol":
        return filesOf(bySymbol.get(value), value);
      default:
        return problem(Code.Unimplemented, "files and symbols are told, and nothing else");
    }
  }

  function filesOf(file: DescFile | undefined, asked: string) {
    if (file === undefined) {
      const name = asked.slice(0, MAX_ASKED_CHARACTERS);
      return problem(Code.NotFound, `${name} is not served here`);
    }
    const fileDescriptorProto =
      written.get(file) ??
      withDependencies(file).map(({ proto }) => toBinary(FileDescriptorProtoSchema, proto));
    written.set(file, fileDescriptorProto);
    return { case: "fileDescriptorResponse" as const, value: { fileDescriptorProto } };
  }
}

/** The full names of its types, their fields and its methods. */
function symbolsOf(file: DescFile): string[] {
  return [...nestedTypes(file)].flatMap((type) => {
    const members = type.kind === "service" ? type.methods : "fields" in type ? type.fields : [];
    return [type.typeName, ...members.map(({ name }) => `${type.typeName}.${name}`)];
  });
}

/** A file behind those that it imports. */
function withDependencies(file: DescFile): DescFile[] {
  return [...new Set([...file.dependencies.flatMap(withDependencies), file])];
}

function problem(errorCode: Code, errorMessage: string) {
  return { case: "errorResponse" as const, value: { errorCode, errorMessage } };
}
