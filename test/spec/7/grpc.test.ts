/** The same rules over gRPC: codes, details, and what is unset (D2, D5, D15). */
import { randomUUID } from "node:crypto";
import { Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { beforeAll, describe, expect, test } from "vitest";
import { MemoryService } from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import { SettingsService } from "../../../gen/agentmemory/v1/settings_service_pb.ts";
import { ErrorInfoSchema, RetryInfoSchema } from "../../../gen/google/rpc/error_details_pb.ts";
import type { TestAccount } from "../../support/service.ts";
import { eventually, list, remember, unique, write } from "../calls.ts";
import { unavailable, vector } from "../scripted-models.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec({ rateLimit: true });

describe("errors over gRPC", () => {
  function clientOf({ key }: { readonly key: string }) {
    const authenticate: Interceptor = (next) => (request) => {
      if (key !== "") request.header.set("authorization", `Bearer ${key}`);
      return next(request);
    };
    const transport = createGrpcTransport({
      baseUrl: spec.service.url,
      interceptors: [authenticate],
    });
    return {
      memories: createClient(MemoryService, transport),
      settings: createClient(SettingsService, transport),
    };
  }

  describe("errors (D15)", () => {
    let account: TestAccount;
    beforeAll(async () => {
      account = await spec.service.createAccount({ burst: 100_000 });
    });

    type Client = ReturnType<typeof clientOf>;
    type Failing = () => Promise<{ client: Client; call: (client: Client) => Promise<unknown> }>;
    const by =
      (
        caller: () => Promise<{ key: string }>,
        call: (client: Client) => Promise<unknown>,
      ): Failing =>
      async () => ({ client: clientOf(await caller()), call });
    const ours = async () => account;
    const withPlan = (change: object) => () => spec.service.createAccount(change);
    const newContent = ({ memories }: Client) => memories.createMemories({ content: "Ada" });
    const supersedeItself = async ({ memories }: Client) => {
      const memoryId = await remember(account);
      return memories.supersedeMemory({ memoryId, supersededBy: memoryId });
    };
    const withoutModel = ({ memories }: Client) => {
      const content = unique("No model");
      spec.script.vectors.set(content, unavailable);
      return memories.createMemories({ content });
    };
    const withDefect = ({ memories }: Client) => {
      const content = unique("Defect");
      spec.script.vectors.set(content, () => {
        throw new Error("secret");
      });
      return memories.createMemories({ content });
    };
    const ofStranger = async ({ memories }: Client) => {
      const memoryId = await remember(await spec.service.createAccount());
      return memories.getMemoryTimeline({ memoryId });
    };
    const withKeyInUse = async ({ memories }: Client) => {
      const content = unique("Held");
      const released = Promise.withResolvers<readonly number[]>();
      spec.script.vectors.set(content, () => released.promise);
      const headers = { "idempotency-key": content.replaceAll(" ", "-") };
      const first = memories.createMemories({ content }, { headers });
      await eventually(() => spec.script.shown).toContain(content);
      try {
        return await memories.createMemories({ content }, { headers });
      } finally {
        released.resolve(vector(1));
        await first;
      }
    };
    const twice = async ({ memories }: Client) => {
      await memories.listMemories({});
      return memories.listMemories({});
    };

    test.each<[string, Failing, Code, string]>([
      [
        "D15: 400",
        by(ours, ({ memories }) => memories.supersedeMemory({ memoryId: randomUUID() })),
        Code.InvalidArgument,
        "missing_supersession",
      ],
      [
        "D15: 422",
        by(ours, ({ memories }) => memories.createMemories({})),
        Code.InvalidArgument,
        "invalid_field",
      ],
      [
        "D15: 401",
        by(async () => ({ key: "" }), newContent),
        Code.Unauthenticated,
        "unauthenticated",
      ],
      ["D15: 403", by(ours, ofStranger), Code.PermissionDenied, "not_owner"],
      [
        "D15, D31: 403 of the plan",
        by(withPlan({ planStatus: "canceled" }), newContent),
        Code.PermissionDenied,
        "plan_canceled",
      ],
      [
        "D15: 404",
        by(ours, ({ memories }) => memories.getMemoryAudit({ memoryId: randomUUID() })),
        Code.NotFound,
        "memory_not_found",
      ],
      ["D15: 409", by(ours, supersedeItself), Code.FailedPrecondition, "supersedes_itself"],
      [
        "D15 aborted: the key of a call that still runs",
        by(ours, withKeyInUse),
        Code.Aborted,
        "idempotency_key_in_use",
      ],
      [
        "D15: 429",
        by(withPlan({ writesLimit: 0 }), newContent),
        Code.ResourceExhausted,
        "write_quota_exceeded",
      ],
      [
        "D15: 429 of the rate",
        by(withPlan({ rate: 1e-6, burst: 1 }), twice),
        Code.ResourceExhausted,
        "rate_limited",
      ],
      ["D15: 500", by(ours, withDefect), Code.Internal, "internal"],
      ["D15: 503", by(ours, withoutModel), Code.Unavailable, "model_unavailable"],
    ])(
      "%s, with the reason of D13a as ErrorInfo and a wait as RetryInfo",
      async (_, failing, code, reason) => {
        const { client, call } = await failing();
        const error = await call(client).then(
          () => expect.unreachable("the call succeeded"),
          (thrown: unknown) => ConnectError.from(thrown),
        );
        expect(error.code).toBe(code);
        expect(error.findDetails(ErrorInfoSchema)).toMatchObject([{ reason }]);
        const waits = error
          .findDetails(RetryInfoSchema)
          .map(({ retryDelay }) => retryDelay?.seconds);
        const isWait = [Code.Aborted, Code.ResourceExhausted, Code.Unavailable].includes(code);
        expect(waits).toEqual(isWait ? [expect.any(BigInt)] : []);
        expect(error.message).not.toContain("secret");
      },
    );

    test("D29: a partial write carries its response as a detail", async () => {
      const opening = unique("Three facts");
      spec.script.extractions.set(opening, () => [
        { decision: "1" },
        { decision: "2" },
        { decision: "3" },
      ]);
      const { memories } = clientOf(await spec.service.createAccount({ writesLimit: 1 }));
      const error = await memories
        .createMemories({ messages: [{ role: "user", content: opening }] })
        .catch((thrown: unknown) => ConnectError.from(thrown));
      if (!(error instanceof ConnectError)) throw new Error("the call succeeded");
      const [partial] = error.findDetails(MemoryService.method.createMemories.output);
      expect(partial?.result).toMatchObject({
        case: "messages",
        value: { savedCount: 1, extractedCount: 3 },
      });
    });
  });

  test("D2: over gRPC an unset field is unset", async () => {
    const caller = await spec.service.createAccount();
    await remember(caller);
    const { memories } = await clientOf(caller).memories.listMemories({});
    const [memory] = memories;
    expect([memory?.tenantId, memory?.validTo, memory?.supersededBy]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("D5: over gRPC the two responses are the arms of one `oneof`", async () => {
    const { memories } = clientOf(await spec.service.createAccount());
    const content = await memories.createMemories({ content: "Ada" });
    expect(content.result).toMatchObject({ case: "content", value: { status: "saved" } });
    const messages = await memories.createMemories({
      messages: [{ role: "user", content: "Hi!" }],
    });
    expect(messages.result).toMatchObject({ case: "messages", value: { status: "extracted" } });
  });

  test("D8: the limits hold over gRPC too, for what JSON cannot say as well", async () => {
    const { memories } = clientOf(await spec.service.createAccount());
    for (const request of [
      { content: "Ada", tenantId: "" },
      { content: "Ada", source: "" },
      { content: "Ada", topic: "a\nb" },
      { content: "Ada", importanceScore: 11 },
      { content: "Ada", validFrom: { seconds: -(2n ** 62n), nanos: 0 } },
      { content: "Ada", validFrom: { seconds: 0n, nanos: -1 } },
      { content: "a\0b" },
    ]) {
      await expect(memories.createMemories(request)).rejects.toMatchObject({
        code: Code.InvalidArgument,
      });
    }
  });

  test("D33: one idempotency key, whatever the protocol", async () => {
    const caller = await spec.service.createAccount();
    const headers = { "idempotency-key": "both" };
    const first = await write(caller, { content: "Ada" }, headers);
    const again = await clientOf(caller).memories.createMemories({ content: "Ada" }, { headers });
    expect(again.result.value).toMatchObject({ memoryId: first.body.memory_id });
    expect((await list(caller)).count).toBe(1);
  });
});
