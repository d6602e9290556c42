import { expect } from "vitest";
import { FAILURE_STATUS } from "../../src/edge/error-mapping.ts";

/** What an HTTP client sees of an answer. */
export interface SeenAnswer {
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
}

/** Reasons of the listener, in front of the API. */
const LISTENER_REASONS = ["malformed_request", "headers_too_large", "expectation_failed"];
const REASONS = new Set([...Object.keys(FAILURE_STATUS), ...LISTENER_REASONS]);

/** What callers must never see of the inside: stacks, SQL, proto types, paths, values of JavaScript. */
const INSIDE =
  /\n|\bat .+:\d+|\.ts\b|\.js\b|node_modules|\/src\/|file:|\b(?:select|insert|update|delete)\b.*\b(?:from|into|set)\b|\bpg_|violates|constraint|syntax error|relation |agentmemory\.v1|google\.|Error\b|\bundefined\b|\bNaN\b|\[object/i;
/** Callers may see what they sent: the name of the field at fault. */
const ECHO = /`[\s\S]*`/;

/**
 * Whatever was sent, the answer is JSON that a client can rely on: never a 5xx; an
 * error has a sentence and a known reason, tells nothing of the inside, and a 422
 * names the field (D13, D13a).
 */
export function expectSound({ status, contentType, text }: SeenAnswer): void {
  expect(status, text).toBeLessThan(500);
  expect(contentType).toBe("application/json");
  const body: unknown = JSON.parse(text);
  expect(body).toBeTypeOf("object");
  if (status < 400) return;
  const { detail, reason } = body as { detail: string; reason: string };
  expect(REASONS, text).toContain(reason);
  expect(detail).toMatch(/\w+ \w+/);
  expect(detail.replace(ECHO, "")).not.toMatch(INSIDE);
  if (status === 422) expect(detail).toMatch(/^`[\s\S]*`/);
}
