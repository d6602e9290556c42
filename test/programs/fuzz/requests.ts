import type { Route } from "@agent-memory/transcoding/route";
import type { DescMethod } from "@bufbuild/protobuf";
import fc from "fast-check";
import { CallService } from "../../../gen/agentmemory/dashboard/v1/call_service_pb.ts";
import { ChainService } from "../../../gen/agentmemory/dashboard/v1/chain_service_pb.ts";
import { KnownValueService } from "../../../gen/agentmemory/dashboard/v1/known_value_service_pb.ts";
import { ApiKeyService } from "../../../gen/agentmemory/dashboard/v1/own_api_key_service_pb.ts";
import { ErasureService } from "../../../gen/agentmemory/dashboard/v1/own_erasure_service_pb.ts";
import { ReviewService } from "../../../gen/agentmemory/dashboard/v1/review_service_pb.ts";
import {
  SessionService,
  SignInService,
} from "../../../gen/agentmemory/dashboard/v1/session_service_pb.ts";
import { TenantService } from "../../../gen/agentmemory/dashboard/v1/tenant_service_pb.ts";
import { memoryServiceRoutes } from "../../../gen/agentmemory/v1/memory_service_rest.ts";
import { planServiceRoutes } from "../../../gen/agentmemory/v1/plan_service_rest.ts";
import { settingsServiceRoutes } from "../../../gen/agentmemory/v1/settings_service_rest.ts";
import { headerText, targetText } from "../../fuzz/arbitraries.ts";
import { type JsonMessage, messagesOf } from "./messages.ts";

/** One for each HTTP rule; each names its RPC, and so its messages. */
const ROUTES: readonly Route[] = [
  ...memoryServiceRoutes,
  ...settingsServiceRoutes,
  ...planServiceRoutes,
];

/** What pages of the dashboard call, for a session in place of a key. */
const OF_PAGES: readonly DescMethod[] = [
  ChainService,
  KnownValueService,
  ApiKeyService,
  ErasureService,
  ReviewService,
  SessionService,
  SignInService,
  CallService,
  TenantService,
].flatMap(({ methods }) => methods as readonly DescMethod[]);
/** The tools of MCP that take the fields of an RPC. */
export const TOOLS: Readonly<Record<string, readonly string[]>> = {
  CreateMemories: ["remember", "remember_conversation"],
  SearchMemories: ["search"],
  ListMemories: ["list_memories"],
  GetContext: ["context"],
  GetProfile: ["profile"],
  QueryMemories: ["ask"],
  SupersedeMemory: ["supersede"],
  GetMemoryTimeline: ["timeline"],
};

const RPC_PROTOCOLS = ["grpc", "grpc-web", "connect-proto", "connect-json"] as const;
export const PROTOCOLS = ["rest", ...RPC_PROTOCOLS, "mcp"] as const;
export type Protocol = (typeof PROTOCOLS)[number];

/** What is done to the bytes of a body before they are sent. */
export type Damage =
  | { readonly kind: "none" }
  /** One byte replaced. */
  | { readonly kind: "byte"; readonly at: number; readonly byte: number }
  /** Only the first bytes are sent, as if they were all. */
  | { readonly kind: "cut"; readonly at: number }
  /** Bytes that are no request at all. */
  | { readonly kind: "garbage"; readonly bytes: readonly number[] }
  /** The body twice. */
  | { readonly kind: "twice" }
  /** A frame's length that is not its own. */
  | { readonly kind: "length"; readonly length: number };

export type Compression = "none" | "gzip" | "br" | "only said";

/** A request as a failure prints it. */
export interface FuzzedRequest {
  readonly rpc: string;
  readonly protocol: Protocol;
  readonly httpVersion: 1 | 2;
  readonly message: JsonMessage;
  readonly damage: Damage;
  readonly compression: Compression;
  /** Beside those of the protocol; of two with one name this one is sent. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Appended to the path. */
  readonly pathSuffix: string;
  /** Of a call of a page, its session. */
  readonly key: "good" | "unknown" | "none";
}

const damage: fc.Arbitrary<Damage> = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Damage>({ kind: "none" }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("byte" as const), at: fc.nat(), byte: fc.nat(255) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("cut" as const), at: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("garbage" as const),
      bytes: fc.array(fc.nat(255), { maxLength: 60 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Damage>({ kind: "twice" }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("length" as const),
      length: fc.oneof(fc.constantFrom(0, 1, 0x7f_ff_ff_ff, 0xff_ff_ff_ff), fc.nat(5_000)),
    }),
  },
);

const compression: fc.Arbitrary<Compression> = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Compression>("none") },
  { weight: 1, arbitrary: fc.constantFrom<Compression>("gzip", "br", "only said") },
);

const HEADERS = [
  "authorization",
  "content-type",
  "content-encoding",
  "grpc-encoding",
  "idempotency-key",
  "accept",
  "accept-encoding",
  "cookie",
  "x-http-method-override",
  "x-forwarded-proto",
  "connect-protocol-version",
  "connect-timeout-ms",
  "grpc-timeout",
  "user-agent",
];
const KNOWN_VALUES = ["gzip", "identity", "1", "100", "1n", "99999999H", "application/json", "k1"];
const headers = fc.oneof(
  { weight: 6, arbitrary: fc.constant([]) },
  {
    weight: 2,
    arbitrary: fc.array(
      fc.tuple(fc.constantFrom(...HEADERS), fc.oneof(fc.constantFrom(...KNOWN_VALUES), headerText)),
      { maxLength: 3 },
    ),
  },
);

/** Requests of every RPC, also of those of the dashboard, over every protocol that has it. */
export const requests: fc.Arbitrary<FuzzedRequest> = fc
  .oneof(
    { weight: 3, arbitrary: fc.constantFrom(...ROUTES.map(({ rpc }) => rpc)) },
    { weight: 1, arbitrary: fc.constantFrom(...OF_PAGES) },
  )
  .chain(requestsOf);

/** The JSON interface has the most that is its own. */
function protocolsOf(rpc: DescMethod): readonly Protocol[] {
  if (isOfPages({ rpc: rpc.name })) return RPC_PROTOCOLS;
  const tools: readonly Protocol[] = rpc.name in TOOLS ? ["mcp", "mcp"] : [];
  return ["rest", "rest", "rest", "rest", ...RPC_PROTOCOLS, ...tools];
}

function requestsOf(rpc: DescMethod): fc.Arbitrary<FuzzedRequest> {
  return fc.record({
    rpc: fc.constant(rpc.name),
    protocol: fc.constantFrom(...protocolsOf(rpc)),
    httpVersion: fc.constantFrom(1, 2),
    message: messagesOf(rpc.input),
    damage,
    compression,
    headers,
    pathSuffix: fc.oneof(
      { weight: 20, arbitrary: fc.constant("") },
      { weight: 1, arbitrary: targetText },
    ),
    key: fc.oneof(
      // Whoever signs out calls no more.
      { weight: rpc.name === "SignOut" ? 0 : 20, arbitrary: fc.constant<"good">("good") },
      { weight: 1, arbitrary: fc.constantFrom<"unknown" | "none">("unknown", "none") },
    ),
  });
}

type Named = Pick<FuzzedRequest, "rpc">;

/** Whether pages of the dashboard call it, and nobody else. */
export function isOfPages({ rpc }: Named): boolean {
  return OF_PAGES.some(({ name }) => name === rpc);
}

/** The HTTP rule of an RPC. */
export function routeOf({ rpc }: Named): Route {
  const route = ROUTES.find((each) => each.rpc.name === rpc);
  if (route === undefined) throw new Error(`No service has an RPC ${rpc}`);
  return route;
}

export function methodOf({ rpc }: Named): DescMethod {
  return OF_PAGES.find(({ name }) => name === rpc) ?? routeOf({ rpc }).rpc;
}
