/** What an account is told of its own calls. */
import { expect } from "vitest";
import { UsageService } from "../../gen/agentmemory/dashboard/v1/usage_service_pb.ts";
import { clientOf, PAGE_HEADERS, signIn } from "../support/dashboard-client.ts";
import { serviceTest } from "../support/shared-service.ts";

serviceTest(
  "calls of the own account are counted by day, errors too",
  async ({ sharedService: service }) => {
    const account = await service.createAccount();
    const other = await service.createAccount();
    const write = { body: { content: "Alice lives in Berlin" } };
    await account.rest("POST", "/agent/memories", write);
    await account.rest("POST", "/agent/memories", write);
    await account.rest("POST", "/agent/memories", { body: {} });
    await other.rest("GET", "/agent/memories");
    const headers = { ...PAGE_HEADERS, cookie: await signIn(service, account) };
    const usage = clientOf(UsageService, service, headers);
    const written = async () =>
      (await usage.getUsage({ days: 2 })).calls
        .filter(({ rpc }) => rpc === "CreateMemories" || rpc === "ListMemories")
        .reduce(
          (sum, { calls, failures }) => ({
            calls: sum.calls + calls,
            failures: sum.failures + failures,
          }),
          {
            calls: 0,
            failures: 0,
          },
        );
    // A call has ended a moment after its answer is read.
    await expect.poll(written).toEqual({ calls: 3, failures: 1 });
    await expect(usage.getUsage({ days: 91 })).rejects.toThrow("days");
  },
);
