/** The package of the clients, in an empty project, as somebody gets it who installs it. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import {
  credentials,
  type Client as GrpcClient,
  loadPackageDefinition,
  Metadata,
} from "@grpc/grpc-js";
import { loadFileDescriptorSetFromBuffer } from "@grpc/proto-loader";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import serviceConfig from "agent-memory/grpc-service-config.json" with { type: "json" };
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PROJECT_ROOT } from "../support/project-root.ts";
import type { TestService } from "../support/service.ts";
import { serviceTest } from "../support/shared-service.ts";
import { type InstalledPackage, installPackage, run } from "./installed-package.ts";

let service: TestService;
let installed: InstalledPackage;
serviceTest.beforeAll(async ({ sharedService }) => {
  service = sharedService;
  installed = await installPackage();
});
afterAll(() => installed?.remove());

/** The programs of a page, in their order. */
function programsOf(page: string): string[] {
  const text = readFileSync(join(PROJECT_ROOT, page), "utf8");
  return [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, program = ""]) => program);
}

const [readme = ""] = programsOf("README.md");
const [
  tour = "",
  errors = "",
  stream = "",
  exports = "",
  pages = "",
  rest = "",
  grpcJs = "",
  aiSdk = "",
  langChain = "",
] = programsOf("docs/clients.md");

const [aiSdkAgent = "", langGraphAgent = "", openAiAgent = ""] = programsOf(
  "docs/give-an-agent-memory.md",
);

/** Compressed, with all that it imports. */
const MOST_REST_BYTES = 5_000;

const compiler = join(PROJECT_ROOT, "node_modules/.bin/tsc");
/** As every Node.js runs what is in JavaScript; older ones than ours strip no types at all. */
const WITHOUT_TYPES = ["--no-experimental-strip-types"];

async function runProgram(file: string): Promise<string> {
  const { key } = await service.createAccount();
  const { stdout } = await run(process.execPath, [...WITHOUT_TYPES, file], {
    cwd: installed.folder,
    env: { ...process.env, URL: service.url, KEY: key },
  });
  return stdout;
}

test("it holds what clients need, and nothing else", async () => {
  // What is made of the protos grows with them.
  const [generated, own] = [/^(?:gen|protos)\//, /^(?!gen\/|protos\/)/].map((folder) =>
    installed.files.filter((file) => folder.test(file)),
  );
  await expect(`${own?.join("\n")}\n`).toMatchFileSnapshot("../golden/client-package.txt");
  const kinds = generated?.map((file) => file.replace(/^(\w+)\/.*?(\.[a-z.]+)$/, "$1: $2"));
  expect(new Set(kinds)).toEqual(
    new Set(["gen: .d.ts", "gen: .js", "gen: .json", "protos: .proto"]),
  );
});

const PUBLINT = join(PROJECT_ROOT, "node_modules/.cache/checkers/node_modules/publint/src/cli.js");

test.skipIf(!existsSync(PUBLINT))("publint finds nothing wrong with it", async () => {
  const { stdout } = await run(process.execPath, [PUBLINT, "--strict", installed.path("")]);
  expect(stdout).toContain("All good!");
});

test("its README is for who installs it: each link in it leads somewhere", () => {
  const text = readFileSync(installed.path("README.md"), "utf8");
  expect(text).toMatch(/^# agent-memory\n/);
  expect(text).toContain("npm install agent-memory");
  expect(text).not.toMatch(/npm run|pip install|import agent_memory/);
  const anchors = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => link);
  const lost = links.filter(
    (link) => !link.startsWith("https:") && !anchors.includes(link.replace(/^#/, "")),
  );
  expect(lost).toEqual([]);
});

test("the registry of MCP servers finds in it what its entry says", () => {
  const read = (path: string) => JSON.parse(readFileSync(path, "utf8"));
  const server = read(join(PROJECT_ROOT, "packages/client/server.json"));
  const { name, version, mcpName } = read(installed.path("package.json"));
  expect(server).toMatchObject({
    name: mcpName,
    version,
    packages: [{ registryType: "npm", identifier: name, version, transport: { type: "stdio" } }],
  });
  expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(server.description.length).toBeLessThanOrEqual(100);
});

test("its protos are those of its callers, not of the operator and the dashboard", () => {
  const protos = installed.files.filter((file) => file.startsWith("protos/"));
  expect(protos).toContain("protos/agentmemory/v1/memory_service.proto");
  expect(protos.filter((file) => /admin|dashboard/.test(file))).toEqual([]);
  expect(readFileSync(installed.path("protos.binpb"), "latin1")).not.toContain("agentmemory.admin");
});

describe("without what only some of its entries need", () => {
  test("every transport of the client reaches the service", async () => {
    const program = `
      import { createClient } from "agent-memory";
      for (const transport of ["connect", "grpc-web", "grpc", "rest"]) {
        const client = createClient({ url: process.env.URL, apiKey: process.env.KEY, transport });
        const content = transport + " is a transport";
        await client.memories.createMemories({ content });
        const { memories } = await client.memories.listMemories({ limit: 1 });
        console.log(memories[0].decision);
        client.close();
      }
    `;
    const said = await runProgram(installed.write("transports.mjs", program));
    expect(said.trim().split("\n")).toEqual(
      ["connect", "grpc-web", "grpc", "rest"].map((transport) => `${transport} is a transport`),
    );
  });

  test("bundlers for browsers find nothing of Node.js", async () => {
    const input = installed.write("page.mjs", 'export * from "agent-memory/client";\n');
    const bundle = await rolldown({ input, platform: "browser" });
    const { output } = await bundle.generate();
    await bundle.close();
    expect(output).toHaveLength(1);
    expect(output[0].imports).toEqual([]);
    expect(output[0].code).not.toMatch(/from "node:|require\(/);
    expect(output[0].code).toContain("grpc-web");
  });

  test("the client of the REST paths is small in a page", async () => {
    const input = installed.write("small.mjs", 'export * from "agent-memory/client/rest";\n');
    const bundle = await rolldown({ input, platform: "browser" });
    const { output } = await bundle.generate({ minify: true });
    await bundle.close();
    expect(output[0].imports).toEqual([]);
    expect(gzipSync(output[0].code).length).toBeLessThan(MOST_REST_BYTES);
  });

  test("its program serves the Model Context Protocol", async () => {
    const { key } = await service.createAccount();
    const client = new Client({ name: "test", version: "1" });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [...WITHOUT_TYPES, installed.path("bin/agent-memory.js"), "mcp"],
        env: { AGENT_MEMORY_URL: service.url, AGENT_MEMORY_KEY: key },
      }),
    );
    try {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain("remember_conversation");
      const content = "Alice lives in Berlin";
      await client.callTool({ name: "remember", arguments: { content } });
      const found = await client.callTool({ name: "search", arguments: { question: "Alice?" } });
      expect(found.content).toMatchObject([{ text: expect.stringContaining(content) }]);
      expect(client.getServerVersion()).toMatchObject({ name: "agent-memory" });
    } finally {
      await client.close();
    }
  });

  test("a command that it does not have is refused", async () => {
    const failed = run(process.execPath, [installed.path("bin/agent-memory.js"), "serve"]);
    await expect(failed).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("unknown command"),
    });
  });

  test("a client that knows nothing but its descriptors calls the service", async () => {
    const { key } = await service.createAccount();
    const descriptors = readFileSync(installed.path("protos.binpb"));
    // biome-ignore lint/suspicious/noExplicitAny: types are generated, or there are none
    const root = loadPackageDefinition(loadFileDescriptorSetFromBuffer(descriptors)) as any;
    const { PlanService } = root.agentmemory.v1;
    const plan = new PlanService(`127.0.0.1:${service.port}`, credentials.createInsecure());
    const metadata = new Metadata();
    metadata.set("authorization", `Bearer ${key}`);
    const status = await new Promise((resolve, reject) => {
      plan.getPlanStatus({}, metadata, (error: Error | null, answer: object) =>
        error === null ? resolve(answer) : reject(error),
      );
    }).finally(() => (plan as GrpcClient).close());
    expect(status).toMatchObject({ plan_tier: "starter" });
  });

  test("its protos are whole: they build in a folder of their own", async () => {
    const buf = join(PROJECT_ROOT, "node_modules/.bin/buf");
    await run(buf, ["build", installed.path("protos"), "--output", "built.binpb"], {
      cwd: installed.folder,
    });
    expect(existsSync(join(installed.folder, "built.binpb"))).toBe(true);
  });

  test("what it exports beside programs is to be found by name", async () => {
    const program = `
      import config from "agent-memory/grpc-service-config.json" with { type: "json" };
      import document from "agent-memory/openapi.json" with { type: "json" };
      console.log(JSON.stringify({ config, openapi: document.openapi }));
      for (const file of ["protos.binpb", "protos/agentmemory/v1/memory.proto", "package.json"]) {
        import.meta.resolve("agent-memory/" + file);
      }
    `;
    const said = await runProgram(installed.write("files.mjs", program));
    expect(JSON.parse(said)).toEqual({
      config: serviceConfig,
      openapi: expect.stringMatching(/^3\.1\./),
    });
  });
});

describe("the programs of the README and of the page on clients", () => {
  const programs = {
    ...{ readme, tour, errors, stream, exports, pages, rest, grpcJs, aiSdk, langChain },
    ...{ aiSdkAgent, langGraphAgent, openAiAgent },
  };
  beforeAll(() => {
    installed.installPeers();
    for (const [name, program] of Object.entries(programs)) {
      expect(program, name).not.toBe("");
      installed.write(`${name}.ts`, program);
    }
  });

  test.each([
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ])("are right by their types: module %s, resolution %s", async (module, moduleResolution) => {
    const options = {
      module,
      moduleResolution,
      target: "es2022",
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      types: ["node"],
      outDir: ".",
    };
    // One mistake, so that it is known that mistakes are found.
    const wrong = 'import { createClient } from "agent-memory/client";\ncreateClient({ url: 5 });';
    installed.write("wrong.ts", wrong);
    const files = [...Object.keys(programs), "wrong"].map((name) => `${name}.ts`);
    const config = JSON.stringify({ compilerOptions: options, files });
    const path = installed.write(`tsconfig.${moduleResolution}.json`, config);
    const { stdout } = await run(compiler, ["--project", path]).catch((failed) => failed);
    expect(stdout.match(/^\S.*: error .*$/gm)).toEqual([
      expect.stringMatching(/wrong\.ts\(2,\d+\): error TS2322/),
    ]);
  });

  test.each([
    ["the README", "readme.js", ["Alice lives in Berlin"]],
    ["the small client", "rest.js", ["Alice lives in Berlin"]],
    ["the tour", "tour.js", ["Berlin", "allergic to peanuts"]],
    ["errors", "errors.js", ["true invalid_field memories[1].content"]],
    ["an answer while it comes", "stream.js", ["of 1 memories:\n", "[mem-1]", "\ngrounded: true"]],
    ["exports and imports", "exports.js", ["0 are new, 1 were there"]],
    ["pages and times", "pages.js", ["Alice worked at Siemens 2020-01-01T00:00:00.000Z"]],
    ["grpc-js", "grpcJs.js", ["starter 10000"]],
    ["the AI SDK", "aiSdk.js", []],
    ["LangChain", "langChain.js", []],
  ])("do what they say: %s", async (_, file, expected) => {
    const said = await runProgram(join(installed.folder, file));
    for (const text of expected) expect(said).toContain(text);
  });

  const CONVERSATIONS = [
    ["user-1", "I am allergic to peanuts."],
    ["user-1", "What am I allergic to?"],
    ["user-2", "What am I allergic to?"],
  ];
  const MODELS = {
    aiSdkAgent: `
      import { MockLanguageModelV4 } from "ai/test";
      const usage = { inputTokens: {}, outputTokens: {} };
      const finishReason = { unified: "stop" };
      const content = [{ type: "text", text: "Noted." }];
      const model = new MockLanguageModelV4({
        doGenerate: async ({ prompt }) => {
          told.push(prompt);
          return { content, finishReason, usage, warnings: [] };
        },
      });`,
    langGraphAgent: `
      import { FakeListChatModel } from "@langchain/core/utils/testing";
      class Heard extends FakeListChatModel {
        async _generate(messages, ...more) {
          told.push(messages.map(({ content }) => content));
          return super._generate(messages, ...more);
        }
      }
      const model = new Heard({ responses: ["Noted."] });`,
    openAiAgent: `
      import { setTracingDisabled, Usage } from "@openai/agents-core";
      setTracingDisabled(true);
      const content = [{ type: "output_text", text: "Noted." }];
      const output = [{ type: "message", role: "assistant", status: "completed", content }];
      const model = {
        getResponse: async ({ input }) => {
          told.push(input);
          return { usage: new Usage(), output, responseId: "one" };
        },
      };`,
  };

  test.each(Object.entries(MODELS))(
    "an agent remembers from the page alone: %s",
    async (name, model) => {
      const program = `
      import { tell } from "./${name}.js";
      const told = [];
      ${model}
      process.env.AGENT_MEMORY_URL = process.env.URL;
      process.env.AGENT_MEMORY_KEY = process.env.KEY;
      for (const [user, text] of ${JSON.stringify(CONVERSATIONS)}) {
        const said = await tell(model, user, text);
        if (said !== "Noted.") throw new Error(said);
      }
      console.log(JSON.stringify(told.map((prompt) => JSON.stringify(prompt))));
    `;
      const said = await runProgram(installed.write(`${name}-run.mjs`, program));
      const [first, second, other] = JSON.parse(said);
      expect(first).not.toContain("[mem-");
      expect(second).toContain("peanuts");
      expect(other).not.toContain("peanuts");
    },
  );

  const hasCompilers = ["protoc", "protoc-gen-go", "protoc-gen-go-grpc"].every((program) =>
    existsSync(`/usr/bin/${program}`),
  );
  test.skipIf(!hasCompilers)("and Go is generated as the page says", async () => {
    const page = readFileSync(join(PROJECT_ROOT, "docs/clients.md"), "utf8");
    const [, commands = ""] = /```sh\ncd dist\/client\n([\s\S]*?)```/.exec(page) ?? [];
    const cwd = installed.path("");
    await run("bash", ["-euo", "pipefail", "-c", commands], { cwd });
    const generated = readFileSync(join(cwd, "memory-go/agentmemory/v1/memory.pb.go"), "utf8");
    expect(generated).toContain("package agentmemoryv1");
    expect(generated).toContain('"example.com/you/memory-go/transcoding/v1"');
  });
});
