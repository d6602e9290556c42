/** What an export holds, and of which moment it is (D42b). */
import { connect } from "node:http2";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { v7 as uuidv7 } from "uuid";
import { describe, expect, test } from "vitest";
import { MemoryService } from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import { SECOND } from "../../../src/domain/instant.ts";
import { MAX_CONTENT_BYTES } from "../../../src/domain/limits.ts";
import { revokeApiKey } from "../../../src/service/admin/api-keys.ts";
import type { TestAccount } from "../../support/service.ts";
import { scriptedFacts, writeFact } from "../4.1/scripted-facts.ts";
import {
  eventually,
  expectFailure,
  expectInvalid,
  expectOk,
  idsOf,
  iso,
  list,
  remember,
  rememberMany,
  supersede,
  TIMESTAMP,
  UUID_V7,
} from "../calls.ts";
import { useSpec } from "../spec.ts";
import { eraseAll, exported, FORMAT, imported, lineOf, textOf, unimported } from "./transfers.ts";

const spec = useSpec();
const { fact, classifies } = scriptedFacts(spec);

const exporting = ({ rest }: Pick<TestAccount, "rest">, query: Record<string, string>) =>
  rest("GET", "/agent/export", { query });

describe("what is exported", () => {
  test("D42b, D2: exactly these fields, each of them there", async () => {
    const account = await spec.service.createAccount();
    await remember(account, "Ada lives in Paris");
    const { memories } = await exported(spec, account);
    expect(memories).toEqual([
      {
        id: expect.stringMatching(UUID_V7),
        tenant_id: null,
        decision: "Ada lives in Paris",
        summary: "Ada lives in Paris",
        topic: "General",
        importance_score: 5,
        source: "agent",
        metadata: {},
        created_at: expect.stringMatching(TIMESTAMP),
        valid_from: expect.stringMatching(TIMESTAMP),
        valid_to: null,
        superseded_by: null,
        superseded_at: null,
        stated_at: expect.stringMatching(TIMESTAMP),
        category: null,
        provenance: {
          mode: "content",
          session_id: null,
          original_message: "Ada lives in Paris",
          message_index: null,
          extraction: null,
          span: null,
        },
        history: [
          {
            event: "created",
            at: memories[0].created_at,
            actor: account.apiKeyId,
            detail: expect.objectContaining({ mode: "content" }),
          },
        ],
      },
    ]);
  });

  test("D42b, D22: the default tenant, a tenant, or every one in order", async () => {
    const account = await spec.service.createAccount();
    const [b, none, a] = [
      await remember(account, "In b", { tenant_id: "b" }),
      await remember(account, "In none"),
      await remember(account, "In a", { tenant_id: "a" }),
    ];
    await remember(await spec.service.createAccount(), "Of another account");
    const ids = async (query: Record<string, string>) =>
      idsOf((await exported(spec, account, query)).memories);
    expect(await ids({})).toEqual([none]);
    expect(await ids({ whole_account: "false" })).toEqual([none]);
    expect(await ids({ tenant_id: "b" })).toEqual([b]);
    expect(await ids({ tenant_id: "c" })).toEqual([]);
    expect(await ids({ whole_account: "true" })).toEqual([none, a, b]);
  });

  test("D42b, D8, D7: a scope that is not one is refused", async () => {
    const account = await spec.service.createAccount();
    const both = { tenant_id: "a", whole_account: "true" };
    expectInvalid(await exporting(account, both), "whole_account");
    expectInvalid(await exporting(account, { whole_account: "yes" }), "whole_account");
    expectInvalid(await exporting(account, { tenant_id: "" }), "tenant_id");
    expectInvalid(await exporting(account, { tenant_id: "x".repeat(257) }), "tenant_id");
    expectInvalid(await exporting(account, { tenantId: "a" }), "tenantId");
  });

  test("D42b, D30: a blocked account exports nothing", async () => {
    const account = await spec.service.createAccount({ writesLimit: 1, graceDays: 0 });
    await remember(account);
    expectFailure(await exporting(account, {}), 429, "plan_blocked");
  });

  test("D42b: chain after chain from its head, so that each beginning is an export", async () => {
    const account = await spec.service.createAccount();
    const [a, b, c, d, e] = (await rememberMany(account, 5)) as [
      string,
      string,
      string,
      string,
      string,
    ];
    for (const [old, fresh] of [
      [b, a],
      [d, c],
      [a, e],
      [c, a],
    ] as const) {
      expectOk(await supersede(account, old, { superseded_by: fresh }));
    }
    const { text, memories } = await exported(spec, account);
    expect(idsOf(memories)).toEqual([e, a, b, c, d]);
    await eraseAll(account);
    for (let count = 0; count <= memories.length; count++) {
      const to = await spec.service.createAccount();
      const part = text
        .split("\n")
        .slice(0, count + 1)
        .join("\n");
      expect(await imported(to, part)).toEqual({ imported: count, skipped: 0 });
      expect(unimported((await exported(spec, to)).text)).toBe(textOf([part]));
      await eraseAll(to);
    }
  });
});

describe("the moment of an export", () => {
  /** Takes the text of an export piece by piece. */
  async function* taking({ key }: TestAccount): AsyncGenerator<string> {
    // HTTP/2 lets 64 KiB wait between the two; what the system buffers of HTTP/1 has no such limit.
    const client = connect(spec.service.url);
    try {
      yield* client
        .request({ ":path": "/agent/export", authorization: `Bearer ${key}` })
        .setEncoding("utf8");
    } finally {
      client.destroy();
    }
  }

  const COUNT = 120;

  /** An account of so much text that who reads an export is long behind when its end is read from storage. */
  async function filledAccount(): Promise<TestAccount> {
    const account = await spec.service.createAccount();
    const at = iso(spec.service.clock.now());
    const original_message = "x".repeat(MAX_CONTENT_BYTES);
    const provenance = {
      mode: "messages",
      session_id: null,
      original_message,
      message_index: 0,
      extraction: { provider: "local", model: "m", byo_llm: false },
    };
    const lines = Array.from({ length: COUNT }, () =>
      lineOf(uuidv7({ msecs: Number(spec.service.clock.now() / 1_000n) }), at, { provenance }),
    );
    await imported(account, lines);
    return account;
  }

  let unchanged: Promise<TestAccount> | undefined;
  /** One of these for all tests that leave it as it is. */
  const unchangedAccount = () => {
    unchanged ??= filledAccount();
    return unchanged;
  };

  test("D42b moment: what is written behind its first line does not show, nor later what was", async () => {
    const account = await filledAccount();
    const { text: before } = await exported(spec, account);
    const pieces = taking(account);
    let text = (await pieces.next()).value ?? "";
    const { memories } = await list(account, { limit: "1000" });
    const fresh = await remember(account, "Fresh");
    for (const { id } of [memories[0], memories.at(-1)]) {
      expectOk(await supersede(account, id, { superseded_by: fresh }));
    }
    for await (const piece of pieces) text += piece;
    expect(text).toBe(before);
    expect((await exported(spec, account)).memories).toHaveLength(COUNT + 1);
  });

  test("D42b moment: writes at the same time are in it whole, or not at all", async () => {
    const account = await spec.service.createAccount();
    // Each replaces the one before, in one transaction.
    const direction = Math.random();
    const replace = async () => {
      const content = fact("Version", direction, 1);
      classifies(content);
      await writeFact(account, content);
    };
    await replace();
    let isOver = false;
    const writing = (async () => {
      while (!isOver) await replace();
    })();
    const texts: string[] = [];
    for (let count = 0; count < 15; count++) {
      const { text, memories } = await exported(spec, account);
      const current = memories.filter(({ superseded_at: at }) => at === null);
      expect(current).toHaveLength(1);
      const [head, ...old] = memories;
      expect(head).toEqual(current[0]);
      const known = new Set(idsOf(memories));
      expect(old.every(({ superseded_by: by }) => known.has(by))).toBe(true);
      expect(memories.every(({ history }) => history.length <= 3)).toBe(true);
      texts.push(text);
    }
    isOver = true;
    await writing;
    expect(new Set(texts).size).toBeGreaterThan(1);
    const last = texts.at(-1) ?? "";
    await eraseAll(account);
    await imported(account, last);
    expect(unimported((await exported(spec, account)).text)).toBe(last);
  });

  test("D42b moment: what is erased meanwhile is left out, and the rest is an export or ends with an error", async () => {
    const account = await filledAccount();
    const pieces = taking(account);
    let text = (await pieces.next()).value ?? "";
    await eraseAll(account);
    for await (const piece of pieces) text += piece;
    const lines = text.trimEnd().split("\n");
    expect(lines[0]).toBe(FORMAT);
    expect(lines.length).toBeLessThan(COUNT + 1);
    const { error } = JSON.parse(lines.at(-1) ?? "");
    // A memory was there whose replacement was not.
    if (error !== undefined) return expect(error.reason).toBe("overloaded");
    expect(await imported(account, text)).toEqual({ imported: lines.length - 1, skipped: 0 });
  });

  test("D42b, D36: a key that is revoked ends it, and the end is told", async () => {
    const { companyId } = await unchangedAccount();
    const account = await spec.service.createKey(companyId);
    const pieces = taking(account);
    let text = (await pieces.next()).value ?? "";
    await revokeApiKey(spec.service.context, spec.service.context.db, account.apiKeyId);
    spec.service.clock.advance(2n * SECOND);
    for await (const piece of pieces) text += piece;
    const last = JSON.parse(text.trimEnd().split("\n").at(-1) ?? "");
    expect(last).toEqual({ error: { detail: expect.any(String), reason: "unauthenticated" } });
  });

  test("D42b: a client that leaves ends the work, which the log tells", async () => {
    const account = await unchangedAccount();
    const before = spec.logged.length;
    const told = () =>
      spec.logged
        .slice(before)
        .filter(
          (line) => line.includes("memories were exported") && line.includes(account.companyId),
        );
    const pieces = taking(account);
    await pieces.next();
    await pieces.return(undefined);
    await eventually(() => told().length).toBe(1);
    expect(told()[0]).not.toContain(`exportedCount: ${COUNT}`);
    // As every other line of the log names them.
    expect(told()[0]).toContain(`account: '${account.companyId}'`);
    expect(told()[0]).toContain(`key_id: '${account.apiKeyId}'`);
    const baseUrl = spec.service.url;
    const client = createClient(MemoryService, createGrpcTransport({ baseUrl }));
    const headers = { authorization: `Bearer ${account.key}` };
    for await (const _ of client.exportMemories({}, { headers })) break;
    await eventually(() => told().length).toBe(2);
  });
});
