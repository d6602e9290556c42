import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startFakeOpenAi } from "../../support/fake-openai.ts";
import type { FakeModelServer } from "../../support/fake-upstream.ts";

const INTERVAL = "\\(\\d+\\.\\d to \\d+\\.\\d\\)";

let server: FakeModelServer;

beforeAll(async () => {
  server = await startFakeOpenAi();
});
afterAll(() => server.close());

/** What `npm run quality` prints of some measures about the models of an environment. */
async function quality(only: readonly string[], env: Record<string, string>): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, "run.ts"), ...only.flatMap((measure) => ["--only", measure])],
    { env: { PATH: process.env.PATH, ...env } },
  );
  return stdout;
}

test("any provider is measured, by the variables that the service reads", async () => {
  server.chat = ({ schema }) => {
    if (schema === null) return "NO_ANSWER";
    if ("facts" in schema.properties) return '{"facts": []}';
    return '{"verdicts": [{"older": 1, "reason": "r", "verdict": "adds", "confidence": 1}]}';
  };
  const printed = await quality(["extraction", "answers", "supersession"], {
    CHAT_PROVIDER: "openai",
    CHAT_MODEL: "fake",
    EMBEDDING_PROVIDER: "local",
    OPENAI_BASE_URL: `${server.origin}/v1`,
  });
  expect(printed).toContain("Chat openai/fake, embeddings local/");
  for (const what of ["extraction", "answers", "supersession"]) {
    expect(printed).toContain(`| ${what} | precision | nothing to measure |`);
    expect(printed).toMatch(
      new RegExp(`\\| ${what} \\| recall \\| 0\\.0 % ${INTERVAL}, 0 of \\d+ \\|`),
    );
  }
  expect(printed).toMatch(/ended though true \| 0\.0 % \(0\.0 to .+\), 0 of/);
  expect(printed).toContain(`${server.requests.length} calls of models in `);
  expect(printed).toContain("facts not believed: none");
});

test("a call that brings nonsense counts as having found nothing, and the rest is measured", async () => {
  server.chat = ({ schema }) => (schema === null ? "[mem-1]" : "no JSON");
  const printed = await quality(["extraction", "answers"], {
    CHAT_PROVIDER: "openai",
    CHAT_MODEL: "fake",
    EMBEDDING_PROVIDER: "local",
    OPENAI_BASE_URL: `${server.origin}/v1`,
  });
  expect(printed).toMatch(/extraction \| recall \| 0\.0 %/);
  expect(printed).toMatch(/calls of models in .+ s, \d{3} failed/);
});
