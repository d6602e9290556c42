/**
 * Makes zod validators of an OpenAPI document by three generators, and lints it by Spectral:
 * `node generate-validators.mjs DOCUMENT FOLDER`. Throws where a generator fails, and for an
 * error of the linter.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createClient } from "@hey-api/openapi-ts";
import { build } from "@kubb/core";
import { pluginOas } from "@kubb/plugin-oas";
import { pluginZod } from "@kubb/plugin-zod";
import spectral from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";
import { generate } from "orval";

const [document, folder] = process.argv.slice(2);

const linter = new spectral.Spectral();
linter.setRuleset({ extends: [[rulesets.oas, "recommended"]] });
const ERROR = 0;
const found = await linter.run(await readFile(document, "utf8"));
assert.deepEqual(
  found.filter(({ severity }) => severity === ERROR),
  [],
);

await generate({
  input: document,
  output: { client: "zod", mode: "single", target: `${folder}/orval.ts` },
});
await createClient({
  input: document,
  output: `${folder}/hey-api`,
  plugins: ["zod"],
  logs: { level: "silent" },
});
const { error } = await build({
  config: {
    root: folder,
    input: { path: document },
    output: { path: `${folder}/kubb` },
    plugins: [pluginOas({ generators: [] }), pluginZod({ output: { path: "zod.ts" } })],
  },
});
if (error) throw error;
