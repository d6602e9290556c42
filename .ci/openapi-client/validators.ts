/** Holds the validators that generators make of the document to what the service takes. */
import assert from "node:assert/strict";
import type { z } from "zod";
import { zCreateMemoriesRequest, zSupersedeMemoryRequest } from "./hey-api/zod.gen.ts";
import { createMemoriesRequestSchema, supersedeMemoryRequestSchema } from "./kubb/zod.ts";
import { createMemoriesBody, supersedeMemoryBody } from "./orval.ts";

const VALIDATORS: readonly (readonly [create: z.ZodType, supersede: z.ZodType])[] = [
  [createMemoriesBody, supersedeMemoryBody],
  [zCreateMemoriesRequest, zSupersedeMemoryRequest],
  [createMemoriesRequestSchema, supersedeMemoryRequestSchema],
];
const at = "2026-05-04T03:02:01Z";
const scope = { tenant_id: "customer-42", metadata: { project: "apollo" }, valid_from: at };
const content = { content: "Alice lives in Berlin", topic: "Home", ...scope };
const conversation = { messages: [{ role: "user", content: "I moved to Munich." }], ...scope };
const end = { superseded_by: "019a2f70-11e2-7a44-8c3f-2b9d5e6f7a80", valid_to: at };

for (const [create, supersede] of VALIDATORS) {
  // Defaults may stand beside what was given.
  for (const body of [content, conversation])
    assert.partialDeepStrictEqual(create.parse(body), body);
  for (const body of [end, { valid_to: at }]) assert.deepEqual(supersede.parse(body), body);
  for (const body of [scope, { ...content, importance_score: 99 }, { ...content, tenant_id: 5 }]) {
    assert.equal(create.safeParse(body).success, false);
  }
  assert.equal(supersede.safeParse({}).success, false);
}
