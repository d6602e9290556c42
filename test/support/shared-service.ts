import { test } from "vitest";
import { startTestService } from "./service.ts";

/**
 * A service that every file of a worker shares, since its database takes seconds to
 * open, for tests that bring accounts of their own and neither change the service nor
 * its clock: `serviceTest.beforeAll(({ sharedService }) => …)`.
 */
export const serviceTest = test.extend(
  "sharedService",
  { scope: "worker" },
  // biome-ignore lint/correctness/noEmptyPattern: Vitest asks for a pattern here
  async ({}, { onCleanup }) => {
    const service = await startTestService();
    onCleanup(() => service.close());
    return service;
  },
);
