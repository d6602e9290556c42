import { expect, test } from "vitest";
import { readRetryAfter } from "../../../src/providers/upstream/retry-after.ts";

const DATE = "Wed, 21 Oct 2026 07:28:00 GMT";

test.each([
  [{}, null],
  [{ "retry-after": "0" }, 0],
  [{ "retry-after": "120" }, 120_000],
  [{ "retry-after": "Wed, 21 Oct 2026 07:28:30 GMT", date: DATE }, 30_000],
  [{ "retry-after": "Wed, 21 Oct 2026 07:27:00 GMT", date: DATE }, 0],
  // Whose clock would it be?
  [{ "retry-after": "Wed, 21 Oct 2026 07:28:30 GMT" }, null],
  [{ "retry-after": "soon", date: DATE }, null],
  [{ "retry-after": "-5", date: DATE }, null],
  [{ "retry-after": "99999999999999999999" }, null],
] as const)("%j", (headers, waitMs) => {
  expect(readRetryAfter(new Headers(headers))).toBe(waitMs);
});
