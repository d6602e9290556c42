import { expect, test } from "vitest";
import { type ErrorReason, FAILURE_STATUS } from "../../src/edge/error-mapping.ts";
import { SCENARIOS } from "./cases/index.ts";

/** Failures that no scenario can provoke in every protocol, and where they are tested. */
const ELSEWHERE: Partial<Record<ErrorReason, string>> = {
  malformed_body: "REST only: test/spec/7",
  body_too_large: "REST only: test/spec/7",
  unsupported_media_type: "REST only: test/spec/7",
  deadline_exceeded: "RPC only: rpc-only.test.ts",
  path_not_found: "REST only: test/spec/7",
  method_not_allowed: "REST only: test/spec/7",
  too_many_in_flight: "of responses that are not read: test/spec/8/outstanding.test.ts",
  too_many_refusals: "of an address, not of an account: test/edge/made-up-keys.test.ts",
  account_not_found: "of the operator's service: test/admin",
  account_exists: "of the operator's service: test/admin",
  api_key_not_found: "of the operator's service: test/admin",
  no_next_embedding_model: "of the operator's service: test/reembed",
  embeddings_missing: "of the operator's service: test/reembed",
  no_embedded_database: "of the operator's service: test/backup",
  backup_in_progress: "of the operator's service: test/backup",
  no_database_server: "of the operator's service: test/admin/account-indexes.test.ts",
  index_in_progress: "of the operator's service: test/admin/account-indexes.test.ts",
  no_sign_in_link: "of the operator's service: test/dashboard",
};

test("every failure is provoked in every protocol, or it is said why not", () => {
  const provoked = SCENARIOS.flatMap(({ failures = [] }) => failures);
  const covered = [...new Set(provoked), ...Object.keys(ELSEWHERE)];
  expect(covered.sort()).toEqual(Object.keys(FAILURE_STATUS).sort());
});
