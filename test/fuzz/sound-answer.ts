import { expect } from "vitest";
import { faultOfError } from "./error-form.ts";

/** What an HTTP client sees of an answer. */
export interface SeenAnswer {
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
}

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
  expect(faultOfError(reason, detail), text).toBeNull();
  if (status === 422) expect(detail).toMatch(/^`[\s\S]*`/);
}
