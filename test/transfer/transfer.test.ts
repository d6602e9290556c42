/** The command line that moves memories in and out, as a process of its own. */
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { lstat, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Command } from "commander";
import { gzipSync, strToU8, zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { addTransferCommands } from "../../packages/client/src/transfer/command-line.ts";
import { list, remember } from "../spec/calls.ts";
import { unimported } from "../spec/transfers/transfers.ts";
import type { TestAccount, TestService } from "../support/service.ts";
import { PROCESS_VARIABLES } from "../support/service-process.ts";
import { serviceTest } from "../support/shared-service.ts";

const PROGRAM = "packages/client/src/program/bin.ts";

let service: TestService;
serviceTest.beforeAll(async ({ sharedService }) => {
  service = sharedService;
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "agent-memory-transfer-"));
});
afterAll(() => rm(folder, { recursive: true }));

interface Result {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const environment = ({ key }: Pick<TestAccount, "key">, url = service.url) => {
  return { ...PROCESS_VARIABLES, AGENT_MEMORY_URL: url, AGENT_MEMORY_KEY: key };
};

function transfer(env: NodeJS.ProcessEnv, ...args: string[]): Promise<Result> {
  return new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, "transfer", ...args], { env }, (error, out, err) =>
      resolve({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, out, err }),
    );
  });
}

/** The same in this process: to start one takes longer than all that it does. */
async function transferHere(env: NodeJS.ProcessEnv, ...args: string[]) {
  let err = "";
  const write = vi.spyOn(process.stderr, "write").mockImplementation((line) => {
    err += line;
    return true;
  });
  process.exitCode = 0;
  const command = new Command();
  addTransferCommands(command, env);
  await command.parseAsync(args, { from: "user" }).catch(({ message }: Error) => {
    process.exitCode = 1;
    err += `error: ${message}\n`;
  });
  write.mockRestore();
  const code = process.exitCode;
  process.exitCode = undefined;
  return { code, err };
}

let files = 0;
async function fileOf(content: unknown): Promise<string> {
  const path = join(folder, `${files++}.json`);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const all = async (account: TestAccount, query: Record<string, string> = {}) =>
  (await list(account, { limit: "1000", include_superseded: "true", ...query })).memories;

describe("export and import", () => {
  test("from one account to another, by a file, and again", async () => {
    const [from, to] = [await service.createAccount(), await service.createAccount()];
    const ids = [await remember(from, "One"), await remember(from, "Two", { tenant_id: "t" })];
    const file = join(folder, "whole.ndjson");
    const done = await transfer(environment(from), "export", "--whole-account", file);
    expect(done).toEqual({ code: 0, out: "", err: "exported 2 memories\n" });
    expect(existsSync(`${file}.part`)).toBe(false);
    expect((await lstat(file)).mode & 0o777).toBe(0o600);
    const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
    expect(lines.slice(1).map((line) => JSON.parse(line).id)).toEqual(ids);

    const refused = await transferHere(environment(to), "import", file);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("memory_exists") });
    await from.rest("DELETE", "/agent/memories");
    expect(await transfer(environment(to), "import", file)).toEqual({
      code: 0,
      out: "",
      err: "imported 2, skipped 0 that were there already\n",
    });
    expect((await transferHere(environment(to), "import", file)).err).toBe(
      "imported 0, skipped 2 that were there already\n",
    );
    const tenant = await transfer(environment(to), "export", "--tenant", "t");
    expect(unimported(tenant.out)).toBe(`${[lines[0], lines[2]].join("\n")}\n`);
  });

  test("a tenant is copied within its service, and the same copy again skips what is there", async () => {
    const account = await service.createAccount();
    const old = await remember(account, "Ada lives in Rome", { tenant_id: "t" });
    const fresh = await remember(account, "Ada lives in Oslo", { tenant_id: "t" });
    await account.rest("POST", `/memories/${old}/supersede`, { body: { superseded_by: fresh } });
    const file = join(folder, "tenant.ndjson");
    await transferHere(environment(account), "export", "--tenant", "t", file);
    const copy = ["import", file, "--new-ids", "--tenant", "copy"] as const;
    expect(await transferHere(environment(account), ...copy)).toMatchObject({
      code: 0,
      err: "imported 2, skipped 0 that were there already\n",
    });
    expect((await transferHere(environment(account), ...copy)).err).toContain("skipped 2 that");
    const [newer, older] = await all(account, { tenant_id: "copy" });
    expect([newer.decision, older.decision]).toEqual(["Ada lives in Oslo", "Ada lives in Rome"]);
    expect(older.superseded_by).toBe(newer.id);
    expect([newer.id, older.id]).not.toContain(fresh);
    const { body } = await account.rest("GET", `/memories/${older.id}/audit`);
    expect(JSON.stringify(body)).not.toContain(fresh);
    expect(await all(account, { tenant_id: "t" })).toHaveLength(2);
  });

  test("a symbolic link and a FIFO stay what they are, with the export behind them", async () => {
    const account = await service.createAccount();
    await remember(account, "One");
    const [link, fifo] = [join(folder, "link"), join(folder, "fifo")];
    await symlink(await fileOf("old"), link);
    execFileSync("mkfifo", [fifo]);
    for (const path of [link, fifo]) {
      const reading = path === fifo ? readFile(path, "utf8") : null;
      const before = (await lstat(path)).ino;
      expect(await transferHere(environment(account), "export", path)).toMatchObject({ code: 0 });
      expect((await lstat(path)).ino).toBe(before);
      expect(await (reading ?? readFile(path, "utf8"))).toContain("One");
    }
  });

  test.each([
    ["export", "none/export.ndjson"],
    ["export", "."],
    ["export", ""],
    ["import", "."],
    ["import-mem0", "."],
  ])("%s %j, which is no file: one line says so", async (command, file) => {
    const account = await service.createAccount();
    const { code, err } = await transfer(environment(account), command, file);
    expect([code, err]).toEqual([1, expect.stringMatching(/^error: [^\n]+\n$/)]);
    expect(err).not.toMatch(/ENOENT|\.part/);
  });

  test("by standard output and input", async () => {
    const [from, to] = [await service.createAccount(), await service.createAccount()];
    await remember(from, "One");
    const { out } = await transfer(environment(from), "export");
    await from.rest("DELETE", "/agent/memories");
    const child = spawn(process.execPath, [PROGRAM, "transfer", "import"], {
      env: environment(to),
    });
    child.stdin.end(out);
    const [err, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining("imported 1,") });
    expect(await all(to)).toHaveLength(1);
  });

  test("a refusal is told in a line, with what was done before it", async () => {
    const account = await service.createAccount();
    await remember(account, "One");
    const { out } = await transfer(environment(account), "export");
    const file = await fileOf(`${out}{"id": "x"}\n`);
    expect(await transfer(environment(account), "import", file)).toEqual({
      code: 1,
      out: "",
      err:
        "imported 0, skipped 1 that were there already\n" +
        "error: line 3: `provenance` is required (invalid_field)\n",
    });
  });

  /** A service that answers each request as the next of these says; "lost": not at all. */
  async function scripted(
    ...answers: ("lost" | { status: number; headers?: object; body: string })[]
  ) {
    const bodies: string[] = [];
    const server = createServer(async (request, response) => {
      bodies.push(await text(request));
      const answer = answers.shift() ?? { status: 500, body: "{}" };
      if (answer === "lost") return response.destroy();
      const { status, headers = {}, body } = answer;
      response.writeHead(status, { ...headers });
      response.end(body);
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies };
  }

  test("what passes is waited for, and the file is sent again", async () => {
    const reason = JSON.stringify({ detail: "wait", reason: "overloaded" });
    const done = JSON.stringify({ imported_count: 2, skipped_count: 1 });
    const { url, bodies } = await scripted(
      { status: 503, headers: { "retry-after": "0" }, body: reason },
      // Of a proxy, whose date has passed.
      { status: 502, headers: { "retry-after": new Date(0).toUTCString() }, body: "<html>" },
      { status: 200, body: done },
    );
    const file = await fileOf("one\ntwo\n");
    const result = await transferHere(environment({ key: "k" }, url), "import", file);
    expect(result).toMatchObject({ code: 0, err: expect.stringMatching(/^answered 503/) });
    expect(bodies).toEqual(["one\ntwo\n", "one\ntwo\n", "one\ntwo\n"]);
  });

  test("an address where nothing ever answered is given up soon, any other is waited for", async () => {
    const wait = { status: 503, headers: { "retry-after": "0" }, body: "{}" };
    const done = { status: 200, body: '{"imported_count":1,"skipped_count":0}' };
    const { url } = await scripted(wait, wait, "lost", done);
    const file = await fileOf("one\n");
    const [found, wrong] = await Promise.all([
      transfer(environment({ key: "k" }, url), "import", file),
      transfer(environment({ key: "k" }, "http://127.0.0.1:1"), "import", file),
    ]);
    expect(found.err).toMatch(/^no answer; again in 8 s\nimported 1,/m);
    expect(wrong).toEqual({
      code: 1,
      out: "",
      err:
        "no answer; again in 2 s\nno answer; again in 4 s\n" +
        "error: cannot reach the memory service at http://127.0.0.1:1\n",
    });
  });

  const noService = "error: what answered is no memory service: check AGENT_MEMORY_URL\n";
  const brokeOff = "error: the export broke off before its end; export again\n";
  const FORMAT = '{"format":"agent-memory","version":1}\n';
  const error = JSON.stringify({ error: { detail: "gone", reason: "internal" } });

  test.each([
    ["with an error", `${FORMAT}${error}\n`, "error: the export broke off: gone (internal)\n"],
    ["within a line", `${FORMAT}{"id":"0`, brokeOff],
    ["before its first line", "", brokeOff],
    ["never, because a page answered", "<html>\n", noService],
  ])("an export that ends %s leaves the older file", async (_, body, err) => {
    const { url } = await scripted({ status: 200, body });
    const file = await fileOf("older");
    const result = await transferHere(environment({ key: "k" }, url), "export", file);
    expect(result).toEqual({ code: 1, err });
    expect(await readFile(file, "utf8")).toBe("older");
  });

  test.each([
    ["a page that answers", { status: 200, body: "<html>" }, [], noService],
    [
      "a line that is not JSON",
      { status: 200, body: "{}" },
      ["--tenant", "t"],
      /line 1 is not JSON/,
    ],
    [
      "a redirect",
      { status: 308, headers: { location: "https://there.example/" }, body: "" },
      [],
      /redirects to https:\/\/there\.example\/: use that/,
    ],
  ])("%s ends an import at once", async (_, answer, options, err) => {
    const { url } = await scripted(answer);
    const args = ["import", await fileOf("one\n"), ...options];
    const result = await transferHere(environment({ key: "k" }, url), ...args);
    const text = typeof err === "string" ? err : expect.stringMatching(err);
    expect(result).toEqual({ code: 1, err: text });
    expect(result.err).not.toContain("again");
  });
});

describe("import-mem0", () => {
  const RECORDS = [
    {
      id: "m1",
      memory: "Alice lives in Berlin",
      hash: "x",
      user_id: "alice",
      agent_id: "helper",
      run_id: "chat-7",
      metadata: { project: "apollo", depth: 3, tags: ["a", "b"], nothing: null },
      categories: ["home", "places"],
      created_at: "2024-03-01T10:00:00.123456-07:00",
      updated_at: "2024-04-01T03:00:00.123456-07:00",
      expiration_date: null,
    },
    { id: "m2", memory: "Alice likes tea", user_id: "alice", created_at: "2024-03-02 10:00:00" },
    { id: "m3", memory: "Until new year", created_at: null, expiration_date: "2100-01-01" },
  ];

  test.each<[string, unknown]>([
    ["a list", RECORDS],
    ["an answer of get_all", { count: 3, next: null, results: RECORDS }],
    ["a line each", RECORDS.map((record) => JSON.stringify(record)).join("\n")],
    [
      "pages, a line each",
      RECORDS.map((record) => JSON.stringify({ results: [record] })).join("\n"),
    ],
  ])("%s", async (_, content) => {
    const account = await service.createAccount();
    const file = await fileOf(content);
    expect(await transferHere(environment(account), "import-mem0", file)).toEqual({
      code: 0,
      err:
        "record 1 (m1): it holds from its update, not from before\n" +
        "imported 3 of 3\ndone: 3 imported, 0 left out\n",
    });
    expect(await all(account, { tenant_id: "alice" })).toMatchObject([
      { decision: "Alice likes tea", topic: "General", valid_from: "2024-03-02T10:00:00.000000Z" },
      {
        decision: "Alice lives in Berlin",
        topic: "home",
        source: "mem0",
        valid_from: "2024-04-01T10:00:00.123456Z",
        valid_to: null,
        metadata: {
          mem0_id: "m1",
          project: "apollo",
          depth: "3",
          tags: '["a","b"]',
          agent_id: "helper",
          categories: "home, places",
          created_at: "2024-03-01T10:00:00.123456-07:00",
        },
      },
    ]);
    expect(await all(account)).toMatchObject([
      { decision: "Until new year", valid_to: "2100-01-01T00:00:00.000000Z" },
    ]);
  });

  const AT = (month: number) => `2025-0${month}-01T00:00:00+00:00`;
  const LATER = (month: number) => `2025-0${month}-01T00:00:00.000000Z`;
  const row = (id: string, content: string, more: object): Record<string, unknown> => {
    const metadata = { tone: "dry" };
    const of = { user_id: "3f1b", app_id: "a1", category_ids: ["c1"], metadata };
    return { ...of, id, content, state: content.toLowerCase(), created_at: AT(1), ...more };
  };
  const BACKUP = {
    user: { id: "3f1b", user_id: "alice", name: null },
    apps: [{ id: "a1", name: "cursor" }],
    categories: [{ id: "c1", name: "health" }],
    status_history: [
      { memory_id: "3", old_state: "active", new_state: "paused", changed_at: AT(6) },
    ],
    memories: [
      row("1", "Kept", { state: "active", updated_at: AT(1) }),
      row("2", "Archived", { archived_at: AT(5) }),
      row("3", "Paused", {}),
      row("4", "Changed", { state: "active", updated_at: AT(4) }),
      row("5", "Deleted", { deleted_at: AT(2) }),
    ],
  };
  const UNSAID = { user_id: undefined, app_id: undefined, category_ids: undefined };
  const LINES = BACKUP.memories.map((memory) => ({
    ...{ ...memory, ...UNSAID, archived_at: undefined, app: "cursor", categories: ["health"] },
    updated_at: memory.updated_at ?? AT(5),
  }));
  const lines = () => gzipSync(strToU8(LINES.map((line) => JSON.stringify(line)).join("\n")));

  const archive = () =>
    zipSync({ "memories.json": strToU8(JSON.stringify(BACKUP)), "memories.jsonl.gz": lines() });

  test.each<[string, () => string | Uint8Array, string]>([
    ["memories.json", () => JSON.stringify(BACKUP), LATER(6)],
    ["memories.jsonl.gz", lines, LATER(5)],
    ["the archive that is downloaded", archive, LATER(6)],
  ])(
    "a backup of OpenMemory, %s: what ended there is not current",
    async (name, content, paused) => {
      const account = await service.createAccount();
      const tenant = name.endsWith(".gz") ? ["--tenant", "alice"] : [];
      const file = join(folder, `backup-${files++}`);
      await writeFile(file, content());
      const { code, err } = await transferHere(
        environment(account),
        "import-mem0",
        file,
        ...tenant,
      );
      expect(err).toContain("record 4 (4): it holds from its update, not from before\n");
      expect(err).toContain("done: 4 imported, 0 left out, 1 were deleted there\n");
      expect(code).toBe(0);
      const found = await all(account, { tenant_id: "alice" });
      const metadata = { mem0_id: expect.any(String), tone: "dry", app_id: "cursor" };
      expect(found.toReversed()).toMatchObject([
        { decision: "Kept", topic: "health", valid_from: LATER(1), valid_to: null, metadata },
        { decision: "Archived", valid_from: LATER(1), valid_to: LATER(5) },
        { decision: "Paused", valid_from: LATER(1), valid_to: paused },
        { decision: "Changed", valid_from: LATER(4), valid_to: null },
      ]);
    },
  );

  test("a file that is broken, holds nothing, or says no time of an end, is told so", async () => {
    const account = await service.createAccount();
    const told = async (content: string | Uint8Array) => {
      const file = join(folder, `broken-${files++}`);
      await writeFile(file, content);
      return transferHere(environment(account), "import-mem0", file);
    };
    expect(await told(lines().subarray(0, 40))).toMatchObject({ code: 1 });
    const empty = zipSync({ "readme.txt": strToU8("none") });
    expect((await told(empty)).err).toContain("has no JSON file in it");
    const paused = { id: "1", memory: "Paused", state: "paused", created_at: AT(1) };
    expect((await told(JSON.stringify([paused]))).err).toContain("no time says since when");
  });

  test("the same file again writes nothing twice", async () => {
    const account = await service.createAccount();
    const file = await fileOf(RECORDS);
    for (let time = 0; time < 2; time++) {
      expect((await transferHere(environment(account), "import-mem0", file)).code).toBe(0);
    }
    expect(await all(account, { tenant_id: "alice" })).toHaveLength(2);
  });

  test("bad records are named and left out, and the rest is imported", async () => {
    const account = await service.createAccount();
    const records = [
      ...Array.from({ length: 150 }, (_, index) => ({ id: `n${index}`, memory: `Fact ${index}` })),
      "text",
      { id: "empty", memory: " " },
      { id: "long", memory: "x".repeat(33_000) },
      { id: "late", memory: "Late", created_at: "2999-01-01T00:00:00Z" },
      { id: "odd", memory: "Odd", metadata: { note: "y".repeat(257) } },
    ];
    const { code, err } = await transferHere(
      environment(account),
      "import-mem0",
      await fileOf(records),
    );
    expect(code).toBe(1);
    expect(err.trimEnd().split("\n")).toEqual([
      "record 151 was left out: it is not an object",
      "record 152 (empty) was left out: it has no text in `memory` or `content`",
      "record 155 (odd): `note` was not kept: it is too long",
      "imported 100 of 155",
      expect.stringMatching(/^record 153 \(long\) was left out: `memories\[50\]\.content` must /),
      expect.stringMatching(
        /^record 154 \(late\) was left out: `memories\[50\]\.valid_from` must /,
      ),
      "imported 151 of 155",
      "done: 151 imported, 4 left out",
    ]);
    expect(await all(account)).toHaveLength(151);
  });

  test("where the quota ends, it says where to go on", async () => {
    const account = await service.createAccount({ writesLimit: 120 });
    const records = Array.from({ length: 150 }, (_, index) => ({
      id: `n${index}`,
      memory: `F ${index}`,
    }));
    const file = await fileOf(records);
    const { code, err } = await transferHere(environment(account), "import-mem0", file);
    expect(code).toBe(1);
    expect(err).toContain("stopped before record 121 (n120); to go on there: --from 121\n");
    expect(err).toMatch(/error: .* \(write_quota_exceeded\)\n$/);
    await service.updateAccount(account.companyId, { writesLimit: 1_000 });
    const rest = await transferHere(environment(account), "import-mem0", file, "--from", "121");
    expect(rest.err).toContain("done: 30 imported, 0 left out\n");
    const decisions = (await all(account)).map(({ decision }: { decision: string }) => decision);
    expect(new Set(decisions).size).toBe(150);
    expect(decisions).toHaveLength(150);
  });
});

describe("import-zep", () => {
  const EDGE = {
    uuid: "e1",
    fact: "Alice lives in Berlin",
    name: "LIVES_IN",
    source_node_uuid: "n1",
    target_node_uuid: "n2",
    episodes: ["x"],
    attributes: { since: 2024 },
    created_at: "2024-03-05T00:00:00Z",
    valid_at: "2024-03-01T00:00:00Z",
    invalid_at: "2025-01-01T00:00:00Z",
    expired_at: "2025-01-02T00:00:00Z",
  };

  test.each<[string, unknown]>([
    ["edges", [EDGE]],
    ["an answer of the graph", { edges: [EDGE] }],
    ["facts of a session", { facts: [{ ...EDGE, fact: undefined, content: EDGE.fact }] }],
  ])("%s", async (_, content) => {
    const account = await service.createAccount();
    const file = await fileOf(content);
    const result = await transferHere(
      environment(account),
      "import-zep",
      file,
      "--tenant",
      "alice",
    );
    expect(result).toMatchObject({ code: 0 });
    expect(await all(account, { tenant_id: "alice" })).toMatchObject([
      {
        decision: "Alice lives in Berlin",
        source: "zep",
        valid_from: "2024-03-01T00:00:00.000000Z",
        valid_to: "2025-01-01T00:00:00.000000Z",
        metadata: {
          zep_uuid: "e1",
          relation: "LIVES_IN",
          since: "2024",
          source_node: "n1",
          target_node: "n2",
          created_at: "2024-03-05T00:00:00Z",
        },
      },
    ]);
  });

  test("the group of a graph is the tenant, and what never held is left out", async () => {
    const account = await service.createAccount();
    const edges = [
      { ...EDGE, group_id: "g", valid_at: null, invalid_at: null, expired_at: null },
      { ...EDGE, uuid: "e2", invalid_at: EDGE.valid_at },
    ];
    const { code, err } = await transferHere(
      environment(account),
      "import-zep",
      await fileOf(edges),
    );
    expect(code).toBe(1);
    expect(err).toContain("record 2 (e2) was left out: it ends before it begins\n");
    expect(await all(account, { tenant_id: "g" })).toMatchObject([
      { valid_from: "2024-03-05T00:00:00.000000Z", valid_to: null },
    ]);
    const newest = await fileOf({ edges: [{ ...EDGE, graph_uuid: "of-uuid" }] });
    expect(await transferHere(environment(account), "import-zep", newest)).toMatchObject({
      code: 0,
    });
    expect(await all(account, { tenant_id: "of-uuid" })).toHaveLength(1);
  });
});

describe("the command line", () => {
  test.each<[string, string[], string]>([
    ["an unknown command", ["move"], "unknown command"],
    ["a file that is not there", ["import-mem0", "/none"], "cannot read /none"],
    ["no file", ["import-zep"], "missing required argument"],
    ["a first record that is none", ["import-mem0", "x", "--from", "0"], "a number from 1"],
  ])("%s", async (_, args, message) => {
    const { code, err } = await transfer(environment({ key: "k" }), ...args);
    expect(code).toBeGreaterThan(0);
    expect(err).toContain(message);
  });

  test.each<[string, string]>([
    ["{", "line 1 is not JSON"],
    ['{"other": []}', 'has no list of mem0\'s: neither by itself nor as "results", "memories"'],
  ])("a file that holds %s", async (content, message) => {
    const file = await fileOf(content);
    const { code, err } = await transferHere(environment({ key: "k" }), "import-mem0", file);
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining(message) });
  });

  test("what it asks for, and its help", async () => {
    const without = await transfer({ ...PROCESS_VARIABLES }, "export");
    expect(without).toMatchObject({ code: 2, err: expect.stringContaining("AGENT_MEMORY_KEY") });
    const help = await transfer({ ...PROCESS_VARIABLES }, "--help");
    expect(help.code).toBe(0);
    for (const word of ["export", "import-mem0", "import-zep"]) {
      expect(help.out).toContain(word);
    }
    const unreachable = await transfer(environment({ key: "k" }, "http://127.0.0.1:1"), "import");
    expect(unreachable).toMatchObject({ code: 1, err: expect.stringContaining("cannot reach") });
  });
});
