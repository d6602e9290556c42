/** The Python package, in an empty project, as somebody gets it who installs it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PROJECT_ROOT } from "../support/project-root.ts";
import {
  installWheel,
  NEWEST_PYTHON,
  NO_PACKAGES,
  NO_PYTHON,
  type PythonProject,
  run,
} from "./environment.ts";
import { type ControlledService, startControlledService } from "./service.ts";

/** The programs of a page, in their order. */
function programsOf(page: string): string[] {
  const text = readFileSync(join(PROJECT_ROOT, page), "utf8");
  return [...text.matchAll(/```python\n([\s\S]*?)```/g)].map(([, program = ""]) => program);
}

const because = NO_PACKAGES ? `: ${NO_PACKAGES}` : "";

describe.skipIf(NO_PYTHON)(`the Python package${NO_PYTHON ? `: ${NO_PYTHON}` : ""}`, () => {
  let controlled: ControlledService;
  let project: PythonProject;
  beforeAll(async () => {
    [controlled, project] = await Promise.all([startControlledService(), installWheel()]);
  });
  afterAll(async () => {
    project?.remove();
    await controlled?.close();
  });

  /** Runs Python in the project; resolves with what it printed, and fails with all it said. */
  async function runPython(interpreter: string, args: readonly string[], variables: object = {}) {
    const env = {
      PATH: process.env.PATH,
      PYTHONPATH: project.packages,
      PYTHONDONTWRITEBYTECODE: "1",
      ...controlled.variables,
      ...variables,
    };
    const { stdout } = await run(interpreter, args, { cwd: project.folder, env }).catch((error) => {
      throw new Error(`${error.stdout}${error.stderr}`);
    });
    return stdout;
  }

  function runTests(interpreter: string, pattern: string): Promise<string> {
    const folder = join(PROJECT_ROOT, "test/python");
    const command = ["-m", "unittest", "discover", "--start-directory", folder];
    return runPython(interpreter, ["-W", "error", ...command, "--pattern", pattern]);
  }

  test("holds what clients need, and nothing else", async () => {
    const files = project.files.filter((file) => !file.includes(".dist-info/"));
    await expect(`${files.join("\n")}\n`).toMatchFileSnapshot("../golden/python-package.txt");
  });

  test("needs gRPC and protobuf alone, and LangChain for its tools", () => {
    const [all, langChain] = [/^[^;]+$/, /;/].map((kind) =>
      project.requirements
        .filter((each) => kind.test(each))
        .map((each) => /^[\w-]+/.exec(each)?.[0]),
    );
    expect(all).toEqual(["grpcio", "protobuf"]);
    expect(langChain).toEqual(["langchain-core"]);
  });

  describe.each([
    ["the oldest libraries", () => project.python, null],
    [`the newest libraries${because}`, () => NEWEST_PYTHON ?? "", NEWEST_PYTHON === null],
  ])("with %s", (_, interpreter, isMissing) => {
    test.skipIf(isMissing).each([["client"], ["retries"], ["async"]])("%s", async (file) => {
      await runTests(interpreter(), `test_${file}.py`);
    });
  });

  const [tour = "", errors = "", stream = "", langChain = ""] = programsOf("docs/clients.md");
  const [readme = ""] = programsOf("README.md");
  const programs = { readme, tour, errors, stream, langChain };

  /** Runs a program of a page as it is printed. */
  async function runProgram(interpreter: string, name: keyof typeof programs): Promise<string> {
    const { key } = await controlled.service.createAccount();
    return runPython(interpreter, [writeProgram(name)], { KEY: key });
  }

  function writeProgram(name: keyof typeof programs): string {
    const path = join(project.folder, `${name}.py`);
    expect(programs[name], name).not.toBe("");
    writeFileSync(path, programs[name]);
    return path;
  }

  test.each([
    ["readme", ["Alice lives in Berlin"]],
    ["tour", ["Alice lives in Berlin. ['", "Alice lives in Berlin 2024-03-01 00:00:00+00:00"]],
    ["errors", ["INVALID_ARGUMENT invalid_field memories[1].content"]],
    ["stream", ["[mem-1]", "\ngrounded: True\n0 are new, 1 were there"]],
  ] as const)("programs of the pages do what they say: %s", async (name, expected) => {
    const said = await runProgram(project.python, name);
    for (const text of expected) expect(said).toContain(text);
  });

  describe.skipIf(NO_PACKAGES)(`with LangChain and mypy${because}`, () => {
    const newest = NEWEST_PYTHON ?? "";

    test("langchain", () => runTests(newest, "test_langchain.py"));

    test("the page's program for LangChain does what it says", async () => {
      expect(await runProgram(newest, "langChain")).toContain("peanuts. [mem-1]");
    });

    test("the types of the package are right, and so are programs by them", async () => {
      const names = Object.keys(programs) as (keyof typeof programs)[];
      const mypy = ["-m", "mypy", "--no-incremental"];
      const config = ["--config-file", join(PROJECT_ROOT, "packages/python/pyproject.toml")];
      const checked = [join(project.packages, "agent_memory"), ...names.map(writeProgram)];
      // One mistake, so that it is known that mistakes are found.
      const wrong = join(project.folder, "wrong.py");
      writeFileSync(wrong, "from agent_memory import Client\nClient('').get_memory(memory_id=5)\n");
      const said = runPython(newest, [...mypy, ...config, ...checked, wrong]);
      await expect(said).rejects.toThrow(
        /^\S*wrong\.py:2: error: .* expected "str".*\nFound 1 error in 1 file /,
      );
    });
  });
});
