/** compose.yaml, the image and the unit say what the service can do with, as far as that can be told without them. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import packageJson from "../../package.json" with { type: "json" };
import { readConfig } from "../../src/config/config.ts";
import { ENVIRONMENT, type VariableName } from "../../src/config/variables.ts";
import { NODE_FLAGS, PROCESS_VARIABLES } from "../support/service-process.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

const dockerfile = read("Dockerfile");
const unit = read("deploy/systemd/agent-memory.service");
const compose: Compose = parse(read("compose.yaml"));

interface Compose {
  readonly services: Readonly<Record<"memory" | "db", ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}
interface ComposeService {
  readonly image: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt: readonly string[];
  readonly mem_limit?: string;
  readonly stop_grace_period: string;
}

const VARIABLES = Object.keys(ENVIRONMENT.shape);
const defaults = readConfig({});
const GRACE_SECONDS = defaults.shutdownGraceMs / 1_000;

/** The values of a directive of the unit, in order. */
function directives(name: string): string[] {
  return [...unit.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value = ""]) => value);
}

/** What docker makes of `${NAME:-default}`; throws for `${NAME:?…}` where it is unset or empty. */
function withEnvironment(text: string, env: Readonly<Record<string, string>> = {}): string {
  return text.replaceAll(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name, operator, rest) => {
    const value = env[name] || null;
    if (value === null && operator === "?") throw new Error(`${name}: ${rest}`);
    return value ?? rest;
  });
}

describe("compose.yaml", () => {
  const { memory, db } = compose.services;

  test("gives the service variables that it reads, with values that it takes", () => {
    const names = Object.keys(memory.environment);
    expect(names.filter((name) => !VARIABLES.includes(name))).toEqual([]);
    for (const [name, value] of Object.entries(memory.environment)) {
      const given = withEnvironment(value, { POSTGRES_PASSWORD: "0123456789abcdef" });
      const variable = ENVIRONMENT.shape[name as VariableName];
      if (given !== "") expect(variable.safeParse(given).success, name).toBe(true);
    }
  });

  test("starts nothing without a password, and knows none", () => {
    const texts = [memory, db].flatMap(({ environment }) => Object.values(environment));
    const withPassword = texts.filter((text) => text.includes("PASSWORD"));
    expect(withPassword).toHaveLength(2);
    for (const text of withPassword) {
      expect(() => withEnvironment(text)).toThrow("POSTGRES_PASSWORD");
      expect(() => withEnvironment(text, { POSTGRES_PASSWORD: "" })).toThrow("POSTGRES_PASSWORD");
    }
    expect(read(".gitignore")).toMatch(/^\.env$/m);
  });

  test("names the same database on both sides", () => {
    const url = withEnvironment(memory.environment.DATABASE_URL ?? "", { POSTGRES_PASSWORD: "p" });
    const { hostname, username, pathname } = new URL(url);
    expect(Object.keys(compose.services)).toContain(hostname);
    expect(db.environment).toMatchObject({
      POSTGRES_USER: username,
      POSTGRES_DB: pathname.slice(1),
    });
    expect(db.healthcheck?.test.join(" ")).toContain(
      `--username ${username} --dbname ${pathname.slice(1)}`,
    );
    expect(withEnvironment(db.image)).toMatch(/^pgvector\/pgvector:/);
  });

  test("publishes the API on loopback alone, and the database nowhere", () => {
    expect(memory.ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:\d+:8080$/)]);
    expect(db.ports).toBeUndefined();
  });

  test("lets the service do little: no root file system to write to, no capability", () => {
    expect(memory).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
    expect(memory.volumes).toBeUndefined();
    for (const { security_opt } of [memory, db]) {
      expect(security_opt).toContain("no-new-privileges:true");
    }
    expect(db.volumes?.map((volume) => volume.split(":")[0])).toEqual(Object.keys(compose.volumes));
  });

  test("has the patience to let requests in flight finish", () => {
    expect(Number.parseInt(memory.stop_grace_period, 10)).toBeGreaterThan(GRACE_SECONDS);
  });
});

/** Without what an image and a unit have by other means: the settings of a file. */
const npmStart = packageJson.scripts.start.replace(" --env-file-if-exists=.env", "");

describe("the Dockerfile", () => {
  test("copies what there is, and .dockerignore lets it through", () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from=)(.+) \S+$/gm)].flatMap(
      ([, files = ""]) => files.split(" "),
    );
    const allowed = read(".dockerignore")
      .match(/^!.+$/gm)
      ?.map((line) => line.slice(1));
    expect(copied).not.toEqual([]);
    for (const path of copied) {
      expect(existsSync(join(ROOT, path)), path).toBe(true);
      expect(allowed).toContain(path.split("/")[0]);
    }
  });

  test("sets variables that the service reads, and publishes its ports", () => {
    const [, variables = ""] = /^ENV (.+)$/m.exec(dockerfile) ?? [];
    const names = variables.split(" ").map((each) => each.split("=")[0] ?? "");
    expect(names.filter((name) => !VARIABLES.includes(name))).toEqual([]);
    expect(dockerfile).toMatch(new RegExp(`^EXPOSE ${defaults.port} ${defaults.admin.port}$`, "m"));
  });
});

test("npm, the image and the unit start the process alike, as the tests do", () => {
  const command = ["node", ...NODE_FLAGS, "src/start.mjs"];
  const { MALLOC_ARENA_MAX } = PROCESS_VARIABLES;
  expect(npmStart).toContain(`MALLOC_ARENA_MAX=${MALLOC_ARENA_MAX} exec ${command.join(" ")}`);
  expect(dockerfile).toContain(`\nENV MALLOC_ARENA_MAX=${MALLOC_ARENA_MAX}\n`);
  expect(dockerfile).toMatch(/^USER (?!root\b)\w+$/m);
  expect(dockerfile).toContain(`\nCMD [${command.map((each) => `"${each}"`).join(", ")}]\n`);
  expect(directives("Environment")).toContain(`MALLOC_ARENA_MAX=${MALLOC_ARENA_MAX}`);
  expect(directives("ExecStart")).toEqual([["/usr/bin/env", ...command].join(" ")]);
});

describe("the unit of systemd", () => {
  test("sets variables that the service reads, and keeps its data in its own folder", () => {
    const variables = Object.fromEntries(
      directives("Environment").map((each) => [each.split("=")[0], each.split("=")[1]]),
    );
    // Read by the C library.
    const { PATH, MALLOC_ARENA_MAX: _, ...ours } = variables;
    expect(PATH).toContain("/node_modules/.bin:");
    expect(Object.keys(ours).filter((name) => !VARIABLES.includes(name))).toEqual([]);
    expect(ours.DATA_DIR).toBe(`/var/lib/${directives("StateDirectory")[0]}`);
  });

  test("has the patience to let requests in flight finish", () => {
    expect(Number(directives("TimeoutStopSec")[0])).toBeGreaterThan(GRACE_SECONDS);
  });
});
