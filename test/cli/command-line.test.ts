import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { runCommandLine } from "../../src/cli/command-line.ts";
import { ENVIRONMENT } from "../../src/config/variables.ts";
import { isWellFormedApiKey } from "../../src/domain/api-key.ts";
import { formatInstant, type Instant } from "../../src/domain/instant.ts";
import { readCertificate } from "../../src/edge/http/certificate.ts";
import { authenticate } from "../../src/service/authenticate.ts";
import { CallerCache } from "../../src/service/caller-cache.ts";
import {
  ADDRESS,
  type AdminOptions,
  freshCompanyId,
  startAdmin,
  testContext,
} from "../admin/admin-fixture.ts";
import { createTestCertificate } from "../support/certificate.ts";
import { openTestDatabase, TEST_ENGINES } from "../support/database.ts";
import { forThisFile } from "../support/for-this-file.ts";
import { startTestService } from "../support/service.ts";
import { PROCESS_VARIABLES } from "../support/service-process.ts";

const TOKEN = "token-of-the-operator";

const store = await forThisFile(openTestDatabase(TEST_ENGINES.at(-1)));

interface Result {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command line in this process: to start one takes longer than all that it does. */
function admin(port: number, args: readonly string[], token = ""): Promise<Result> {
  return adminWith({ ADMIN_PORT: String(port), ADMIN_TOKEN: token }, args);
}

async function adminWith(variables: NodeJS.ProcessEnv, args: readonly string[]): Promise<Result> {
  let [out, err] = ["", ""];
  const code = await runCommandLine(args, variables, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return { code, out, err };
}

/** Runs it as operators do. */
function adminProcess(variables: NodeJS.ProcessEnv, args: readonly string[]): Promise<Result> {
  const env = { ...PROCESS_VARIABLES, ...variables };
  return new Promise((resolve) => {
    execFile(process.execPath, ["src/cli/main.ts", ...args], { env }, (error, out, err) =>
      resolve({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, out, err }),
    );
  });
}

async function startOperator(options: AdminOptions = {}) {
  const context = testContext(store.database.db);
  const { port } = await startAdmin(context, options);
  /** A call that must succeed; what it printed. */
  const ok = async (...args: string[]) => {
    const { code, out, err } = await admin(port, args, options.token);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    return out;
  };
  return { context, port, ok };
}

/** With an account. */
async function startWithAccount() {
  const operator = await startOperator();
  const companyId = freshCompanyId();
  await operator.ok("account", "create", companyId);
  return { ...operator, companyId };
}

/** As protobuf writes it in JSON: 0, 3 or 6 digits of a second. */
function jsonTime(instant: Instant): string {
  return formatInstant(instant)
    .replace(/(\.000)?000Z$/, "Z")
    .replace(/\.Z$/, "Z");
}

describe("admin account", () => {
  test("create, update, show and list", async () => {
    const { context, ok } = await startOperator();
    const companyId = freshCompanyId();
    expect(await ok("account", "create", companyId, "--tier", "pro")).toContain(companyId);
    await ok("account", "update", companyId, "--status", "past_due", "--writes-limit", "5");
    await ok("account", "update", companyId, "--grace-days", "3", "--rate", "2.5", "--burst", "9");
    await ok("account", "update", companyId, "--period-start", "2026-01-31T12:00:00+02:00");
    await ok("account", "update", companyId, "--grace-ends", "2026-04-05T06:07:08.000009Z");

    const shown = JSON.parse(await ok("account", "show", companyId, "--json"));
    expect(shown).toEqual({
      company_id: companyId,
      org_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      plan_tier: "pro",
      plan_status: "past_due",
      own_limits: ["writes_limit", "grace_days", "rate", "burst"],
      writes_used: 0,
      writes_limit: 5,
      writes_remaining: 5,
      period_start: expect.stringMatching(/^\d{4}-\d\d-\d\dT10:00:00Z$/),
      grace_days: 3,
      grace_ends_at: "2026-04-05T06:07:08.000009Z",
      rate: 2.5,
      burst: 9,
      created_at: jsonTime(context.time),
      in_grace_period: false,
      blocked: false,
      suspended_at: null,
      memories: 0,
      tenants: 0,
    });
    const { memories, tenants, ...account } = shown;
    const listed = JSON.parse(await ok("account", "list", "--json"));
    expect(listed).toContainEqual(account);

    expect(await ok("account", "show", companyId)).toMatch(/^plan_status +past_due$/m);
    expect(await ok("account", "list")).toMatch(
      new RegExp(`^${companyId} +pro +past_due +0 +5 `, "m"),
    );
  });

  test("a rate that does not apply is none", async () => {
    const companyId = freshCompanyId();
    const { ok } = await startOperator({ unlimitedId: companyId });
    await ok("account", "create", companyId);
    const shown = await ok("account", "show", companyId);
    for (const line of [/^rate +none$/m, /^burst +none$/m]) expect(shown).toMatch(line);
    await ok("account", "update", companyId, "--rate", "2.5");
    expect(await ok("account", "show", companyId)).toMatch(/^rate +2.5$/m);
  });

  test("`default` clears a limit of the account's own, and nothing else", async () => {
    const { ok } = await startOperator();
    const companyId = freshCompanyId();
    await ok("account", "create", companyId, "--writes-limit", "5");
    await ok("account", "update", companyId, "--grace-days", "3", "--rate", "2.5", "--burst", "9");
    await ok("account", "update", companyId, "--grace-ends", "2026-04-05T06:07:08Z");
    await ok("account", "update", companyId, "--writes-limit", "default", "--burst", "default");
    const show = async () => JSON.parse(await ok("account", "show", companyId, "--json"));
    expect(await show()).toMatchObject({
      writes_limit: 10_000,
      grace_days: 3,
      rate: 2.5,
      burst: 40,
      own_limits: ["grace_days", "rate"],
      grace_ends_at: "2026-04-05T06:07:08Z",
    });
    expect(await ok("account", "show", companyId)).toMatch(/^own_limits +grace_days, rate$/m);
    await ok("account", "update", companyId, "--grace-ends", "default");
    await ok("account", "update", companyId, "--grace-days", "default", "--rate", "default");
    expect(await show()).toMatchObject({ grace_ends_at: null, rate: 10, own_limits: [] });
    expect(await ok("account", "show", companyId)).toMatch(/^own_limits +-$/m);
  });

  test("suspend and unsuspend", async () => {
    const { context, port, ok, companyId } = await startWithAccount();
    const show = async () => JSON.parse(await ok("account", "show", companyId, "--json"));
    expect(await ok("account", "suspend", companyId)).toBe(`suspended ${companyId}\n`);
    expect(await show()).toMatchObject({ suspended_at: jsonTime(context.time) });
    expect(await ok("account", "unsuspend", companyId)).toContain(companyId);
    expect(await show()).toMatchObject({ suspended_at: null });
    const unknown = await admin(port, ["account", "suspend", freshCompanyId()]);
    expect(unknown).toMatchObject({ code: 1, err: expect.stringMatching(/^error: no account/) });
  });

  test("show tells how many memories and tenants there are, and delete how far it is", async () => {
    const service = await startTestService();
    onTestFinished(() => service.close());
    const { companyId, rest } = await service.createAccount();
    for (const tenant_id of ["a", "b"]) {
      for (let batch = 0; batch < 3; batch++) {
        const memories = Array.from({ length: 500 }, (_, index) => ({
          content: `Fact ${index}`,
          tenant_id,
        }));
        const { status } = await rest("POST", "/agent/memories:batch", { body: { memories } });
        expect(status).toBe(200);
      }
    }
    const show = await admin(service.adminPort, ["account", "show", companyId]);
    expect(show.out).toMatch(/^memories +3000$/m);
    expect(show.out).toMatch(/^tenants +2$/m);
    const { code, out } = await admin(service.adminPort, [
      ...["account", "delete", companyId],
      ...["--confirm", companyId],
    ]);
    expect(code).toBe(0);
    expect(out).toBe(`erased 2,000 memories\ndeleted ${companyId} with 3000 memories\n`);
  });

  test("delete wants to be meant, and then erases the account", async () => {
    const { port, ok, companyId } = await startWithAccount();
    for (const confirm of [[], ["--confirm", "another"]]) {
      const { code, err } = await admin(port, ["account", "delete", companyId, ...confirm]);
      expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/--confirm/) });
    }
    expect(await ok("account", "delete", companyId, "--confirm", companyId)).toContain(
      `deleted ${companyId} with 0 memories`,
    );
    expect((await admin(port, ["account", "show", companyId])).code).toBe(1);
  });

  test("a refusal of the service is one line and exit code 1", async () => {
    const { port, companyId } = await startWithAccount();
    const again = await admin(port, ["account", "create", companyId]);
    expect(again).toEqual({
      code: 1,
      out: "",
      err: `error: an account with the company_id ${companyId} exists\n`,
    });
  });
});

describe("admin erase and retention", () => {
  test("D43, D44: count first, and do it with --yes", async () => {
    const { context, ok, port, companyId } = await startWithAccount();
    const before = ["--created-before", "2026-01-01T00:00:00Z"];
    const tenant = ["--tenant", "red", "--metadata", "a=1", ...before];
    expect(await ok("erase", companyId, ...tenant)).toContain("would erase 0 memories");
    const memory = ["--memory", context.newId()];
    for (const yes of [[], ["--yes"]]) {
      const { code, err } = await admin(port, ["erase", companyId, ...memory, ...yes]);
      expect([code, err]).toEqual([1, `error: ${companyId} has no memory ${memory[1]}\n`]);
    }
    for (const given of [["--source", "crm"], [], [...memory, "--source", "crm"]]) {
      const refused = await admin(port, ["erase", companyId, ...given, "--yes"]);
      expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("--tenant")]);
    }

    const rule = ["retention", "set", companyId, "--source", "crm", "--all-days", "30"];
    expect(await ok(...rule)).toContain("would erase 0 memories today; --yes sets it");
    expect(await ok("retention", "list", companyId, "--json")).toBe("[]\n");
    await ok(...rule, "--yes");
    expect(JSON.parse(await ok("retention", "list", companyId, "--json"))).toEqual([
      { tenant_id: null, source: "crm", ended_after_days: null, all_after_days: 30 },
    ]);
    const removal = rule.slice(0, -2);
    expect(await ok(...removal)).toBe("would remove the rule; --yes does it\n");
    expect(await ok(...removal, "--yes")).toBe("no such rule is left\n");
    expect(await ok("retention", "list", companyId, "--json")).toBe("[]\n");
  });
});

describe("admin key", () => {
  test("create prints the key alone, and it works", async () => {
    const { context, ok, companyId } = await startWithAccount();
    const out = await ok("key", "create", companyId);
    const key = out.trimEnd();
    expect(out).toBe(`${key}\n`);
    expect(isWellFormedApiKey(key)).toBe(true);
    const caller = await authenticate(
      { ...context, callers: new CallerCache(() => performance.now()) },
      key,
      ADDRESS,
    );
    expect(caller.companyId).toBe(companyId);
  });

  test("D48: a key has a name, an end, rights and tenants where they are given", async () => {
    const { context, ok, companyId } = await startWithAccount();
    const end = jsonTime(context.time + 60_000_000n);
    const limits = ["--rights", "import,read", "--tenants", "own, team-*"];
    await ok("key", "create", companyId, "--name", "the crawler", "--expires", end, ...limits);
    const [listed] = JSON.parse(await ok("key", "list", companyId, "--json"));
    expect(listed).toMatchObject({
      name: "the crawler",
      expires_at: end,
      rights: ["read", "import"],
      tenants: ["own", "team-*"],
    });
  });

  test("list and revoke", async () => {
    const { context, ok, companyId } = await startWithAccount();
    const first = await ok("key", "create", companyId);
    context.time += 1n;
    const second = await ok("key", "create", companyId);
    const list = async () => JSON.parse(await ok("key", "list", companyId, "--json"));
    const row = (key: string, createdAt: Instant) => ({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      company_id: companyId,
      prefix: key.slice(0, 12),
      name: null,
      created_at: jsonTime(createdAt),
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
      rights: ["read", "write", "delete"],
      tenants: [],
    });
    const listed = await list();
    expect(listed).toEqual([row(first, context.time - 1n), row(second, context.time)]);

    expect(await ok("key", "revoke", listed[0].id)).toContain(listed[0].id);
    expect((await list())[0].revoked_at).toBe(jsonTime(context.time));
    expect(await ok("key", "list", companyId)).toContain(listed[1].id);
  });
});

describe("admin", () => {
  test.each([
    [[]],
    [["account"]],
    [["account", "create"]],
    [["account", "create", "a", "b"]],
    [["account", "create", "a", "--tier", "gold"]],
    [["account", "update", "a"]],
    [["account", "update", "a", "--writes-limit", "-1"]],
    [["account", "update", "a", "--writes-limit", "2147483648"]],
    [["account", "update", "a", "--rate", "fast"]],
    [["account", "update", "a", "--period-start", "2026-01-31"]],
    [["account", "update", "a", "--unknown"]],
    [["key", "rotate", "a"]],
  ])("%j is not understood: exit code 2", async (args) => {
    const { code, out, err } = await admin(1, args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).not.toBe("");
  });

  test.each([[["--help"]], [["account", "update", "--help"]]])(
    "%j is an answer, with the environment that counts",
    async (args) => {
      const { code, out, err } = await admin(1, args);
      expect({ code, err }).toEqual({ code: 0, err: "" });
      expect(out).toContain(args.length === 1 ? "backup" : "--period-start <ISO>");
      const [, environment = ""] = out.split("\nEnvironment:\n");
      const names = [...environment.matchAll(/\b[A-Z][A-Z_]+\b(?=[,= ])/g)].map(([name]) => name);
      expect(names).toEqual(expect.arrayContaining(["ADMIN_HOST", "ADMIN_PORT", "ADMIN_TOKEN"]));
      const known = [...Object.keys(ENVIRONMENT.shape), "NODE_EXTRA_CA_CERTS", "HTTP"];
      expect(names.filter((name) => !known.includes(name))).toEqual([]);
    },
  );

  test("--version is the version", async () => {
    expect(await adminProcess({}, ["--version"])).toEqual({
      code: 0,
      out: `${packageJson.version}\n`,
      err: "",
    });
  });

  test("every command is on the operator's page", async () => {
    const page = readFileSync(new URL("../../docs/operate.md", import.meta.url), "utf8");
    const commandsOf = async (...args: string[]) => {
      const { out } = await admin(1, [...args, "--help"]);
      const listed = out.split("\nCommands:\n")[1]?.split("\n\n")[0] ?? "";
      return [...listed.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = ""]) => name);
    };
    const told = (command: string) =>
      expect(page).toMatch(new RegExp(`^npm run -s (?:admin -- )?${command}\\b`, "m"));
    for (const group of await commandsOf()) {
      if (group === "help") continue;
      const commands = await commandsOf(group);
      if (commands.length === 0) told(group);
      for (const name of commands) if (name !== "help") told(`${group} ${name}`);
    }
  });

  test("says so when the service does not run", async () => {
    const { code, out, err } = await adminProcess({ ADMIN_PORT: "1" }, ["account", "list"]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toBe(
      "error: cannot reach the admin service at 127.0.0.1:1: is the service running?\n",
    );
  });

  test("says so where another service answers, as that of the API", async () => {
    const service = await startTestService();
    onTestFinished(() => service.close());
    const { code, err } = await admin(Number(new URL(service.url).port), ["account", "list"]);
    expect([code, err]).toEqual([1, expect.stringContaining("is not the admin service")]);
  });

  test("a backup into a folder that takes none ends with an error", async () => {
    expect(await admin(1, ["backup", "/proc/backup"])).toMatchObject({ code: 1 });
  });

  test("sends ADMIN_TOKEN", async () => {
    const { port, ok } = await startOperator({ token: TOKEN });
    await ok("account", "create", freshCompanyId());
    const { code, err } = await admin(port, ["account", "list"], "another-token-entirely");
    expect(code).toBe(1);
    expect(err).toContain("authorization: Bearer TOKEN");
  });

  test("D35: speaks TLS to an ADMIN_URL of https, and only with whom its name is", async () => {
    const certificate = await createTestCertificate();
    onTestFinished(() => certificate.remove());
    const tls = await readCertificate(certificate.tls);
    const context = testContext(store.database.db);
    const { port } = await startAdmin(context, { host: "0.0.0.0", token: TOKEN, tls });
    const list = (url: string, variables: NodeJS.ProcessEnv = {}) =>
      adminProcess({ ADMIN_URL: url, ADMIN_TOKEN: TOKEN, ...variables }, ["account", "list"]);
    const trust = { NODE_EXTRA_CA_CERTS: certificate.tls.certFile };
    expect(await list(`https://localhost:${port}`, trust)).toMatchObject({ code: 0, err: "" });
    for (const refused of [
      await list(`https://localhost:${port}`),
      await list(`https://127.0.0.2:${port}`, trust),
      await list(`http://127.0.0.1:${port}`),
    ]) {
      expect(refused).toMatchObject({ code: 1, out: "" });
    }
  });

  test.each<NodeJS.ProcessEnv>([
    { ADMIN_HOST: "192.0.2.1" },
    { ADMIN_URL: "http://192.0.2.1:8081" },
  ])("D35: does not send the token where others can read it: %j", async (variables) => {
    const { code, out, err } = await adminWith({ ...variables, ADMIN_TOKEN: TOKEN }, [
      "account",
      "list",
    ]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^error: [^\n]*ADMIN_URL: must be https[^\n]*192\.0\.2\.1[^\n]*\n$/);
  });

  test("a broken environment is one line and exit code 2", async () => {
    const { code, err } = await admin(-1, ["account", "list"]);
    expect(code).toBe(2);
    expect(err).toMatch(/^error: [^\n]*ADMIN_PORT[^\n]*\n$/);
  });
});
