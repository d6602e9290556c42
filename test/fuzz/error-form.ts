import { FAILURE_STATUS } from "../../src/edge/error-mapping.ts";

/** Reasons of the listener, in front of the API. */
const LISTENER_REASONS = ["malformed_request", "headers_too_large", "expectation_failed"];
const REASONS = new Set([...Object.keys(FAILURE_STATUS), ...LISTENER_REASONS]);

/** What callers must never see of the inside: stacks, SQL, proto types, paths, values of JavaScript. */
const INSIDE =
  /\n|\bat .+:\d+|\.ts\b|\.js\b|node_modules|\/src\/|file:|\b(?:select|insert|update|delete)\b.*\b(?:from|into|set)\b|\bpg_|violates|constraint|syntax error|relation |agentmemory\.v1|google\.|Error\b|\bundefined\b|\bNaN\b|\[object/i;
/** As INSIDE over RPC, where the library speaks too: it names proto types, and repeats what it can't read. */
const INSIDE_OF_RPC =
  /\n\s+at |\bat .+:\d+:\d+|\.ts:\d|node_modules|\/src\/|file:\/\/|\bpg_|violates .*constraint/i;
/** Callers may see what they sent: the name of the field at fault. */
const ECHO = /`[\s\S]*`/;

/** What is wrong with an error as callers are told of it (D13, D13a); null: nothing. */
export function faultOfError(
  reason: unknown,
  detail: unknown,
  isRpc: boolean = false,
): string | null {
  if (typeof reason !== "string" || !REASONS.has(reason)) return `no known reason: ${reason}`;
  if (typeof detail !== "string" || !/\w+ \w+/.test(detail)) return `no sentence: ${detail}`;
  const inside = isRpc ? INSIDE_OF_RPC : INSIDE;
  if (inside.test(detail.replace(ECHO, ""))) return `it tells of the inside: ${detail}`;
  return null;
}
