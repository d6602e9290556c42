import { readFileSync } from "node:fs";
import type { OpenApiOptions } from "@agent-memory/transcoding/openapi";
import { MAX_IDEMPOTENCY_KEY_CHARACTERS } from "../../src/domain/limits.ts";
import { type ErrorReason, FAILURE_STATUS } from "../../src/edge/error-mapping.ts";
import {
  BODY_FAILURES,
  COMMON_FAILURES,
  RPC_FAILURES,
  TRANSPORT_FAILURES,
  WAITING_FAILURES,
} from "./failures.ts";

const { version, license }: { version: string; license: string } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
);

/** What the OpenAPI document of the API says beside its protos. */
export const OPENAPI_OPTIONS: OpenApiOptions = {
  info: {
    title: "Agent Memory",
    version,
    description:
      "Long-term memory for agents: atomic facts with provenance and two times, answered with citations. " +
      "In a request null is the same as leaving a field out (but in a PATCH, where it is refused), and unknown fields and parameters are refused. " +
      "A response has every field: what is not set is null. " +
      "Times are ISO 8601: read with `Z` or an offset, seconds and fraction optional; written in UTC with microseconds. " +
      "Lengths are Unicode code points; `x-max-bytes` are bytes of UTF-8.",
    license: { name: license, identifier: license },
  },
  servers: [{ url: "/", description: "The service that this document came from" }],
  security: {
    name: "apiKey",
    scheme: {
      type: "http",
      scheme: "bearer",
      bearerFormat: "svc_...",
      description: "An API key of the account, as `Authorization: Bearer svc_...`.",
    },
  },
  idempotencyKey: {
    description:
      "Makes a retry safe: for 24 hours the same key with the same request answers the first response again and writes nothing.",
    schema: {
      type: "string",
      minLength: 1,
      maxLength: MAX_IDEMPOTENCY_KEY_CHARACTERS,
      pattern: "^[\\u0021-\\u007e]+$",
      examples: ["9f1c7e0a-5b0e-4a53-8f0e-0d3a4c5b6e7f"],
    },
    rpcs: ["CreateMemories", "BatchCreateMemories", "SupersedeMemory"],
  },
  answerHeaders: {
    "RateLimit-Policy": {
      description:
        "What the key may ask for, where it has a limit: `q` requests at once, and as many again in `w` seconds. A large body or a long list counts as several.",
      schema: { type: "string" },
      example: '"default";q=40;w=4',
    },
    RateLimit: {
      description:
        "Where the key stands after this request: it has `r` requests left, and no more than those for `t` seconds.",
      schema: { type: "string" },
      example: '"default";r=39;t=1',
    },
  },
  failures: failures(),
  commonFailures: COMMON_FAILURES,
  bodyFailures: BODY_FAILURES,
  rpcFailures: RPC_FAILURES,
  transportFailures: TRANSPORT_FAILURES,
};

/** Those of the API, in the order of the one table. */
function failures(): OpenApiOptions["failures"] {
  const own = Object.values(RPC_FAILURES).flatMap(({ more = [] }) => more);
  const told = new Set<ErrorReason>([...COMMON_FAILURES, ...BODY_FAILURES, ...own]);
  const rows = Object.entries(FAILURE_STATUS)
    .map(([reason, { http }]) => ({ reason: reason as ErrorReason, status: http }))
    .filter(({ reason }) => told.has(reason))
    .map(({ reason, status }) => {
      return [reason, { status, waits: WAITING_FAILURES.includes(reason) }] as const;
    });
  return Object.fromEntries(rows);
}
