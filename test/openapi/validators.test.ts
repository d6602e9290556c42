/** Two validators that share nothing accept the document. */
import { createConfig, lint } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { DOCUMENT_PATH } from "../support/openapi-document.ts";

test("the document is one of OpenAPI 3.1, by its own schema", async () => {
  const validator = new Validator();
  expect(await validator.validate(DOCUMENT_PATH)).toEqual({ valid: true });
  expect(validator.version).toBe("3.1");
});

test("the document has no error and no warning, by the rules of a linter", async () => {
  const config = await createConfig({
    extends: ["recommended-strict"],
    rules: {
      // Examples are held against their schemas.
      "no-invalid-schema-examples": "error",
      "no-invalid-parameter-examples": "error",
    },
  });
  const problems = await lint({ ref: DOCUMENT_PATH, config });
  expect(
    problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
  ).toEqual([]);
});
