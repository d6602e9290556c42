/** What generators make of the document compiles: types that drive the service, and validators. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, test } from "vitest";
import { DOCUMENT_PATH } from "../support/openapi-document.ts";
import { PROJECT_ROOT } from "../support/project-root.ts";
import { serviceTest } from "../support/shared-service.ts";

const MODULES = join(PROJECT_ROOT, "node_modules");
const INSTALLED = join(MODULES, ".cache/openapi-client");
const GENERATOR = join(INSTALLED, "node_modules/.bin/openapi-typescript");
const PROGRAMS = join(PROJECT_ROOT, ".ci/openapi-client");

const run = promisify(execFile);

/** As a project with strict types would have it. */
const TSCONFIG = {
  compilerOptions: {
    target: "es2024",
    module: "nodenext",
    types: ["node"],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  },
};

describe.skipIf(!existsSync(GENERATOR))(
  "what generators make (`.ci/install-tool openapi-client` has them)",
  () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "agent-memory-client-"));
      await symlink(MODULES, join(folder, "node_modules"));
      for (const program of ["client.ts", "validators.ts"]) {
        await cp(join(PROGRAMS, program), join(folder, program));
      }
      await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
      await writeFile(join(folder, "tsconfig.json"), JSON.stringify(TSCONFIG));
      const types = join(folder, "client-types.ts");
      // A default says what the service does without the field, not that the field is sent.
      const options = ["--default-non-nullable", "false", "--output", types];
      await run(GENERATOR, [DOCUMENT_PATH, ...options]);
      // Beside what it imports.
      const generateValidators = join(INSTALLED, "generate-validators.mjs");
      await cp(join(PROGRAMS, "generate-validators.mjs"), generateValidators);
      // One of them writes into the working directory besides.
      await run(process.execPath, [generateValidators, DOCUMENT_PATH, folder], { cwd: folder });
      await run(join(MODULES, ".bin/tsc"), ["--project", folder]);
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    serviceTest("calls every operation", async ({ sharedService }) => {
      const [one, other] = [
        await sharedService.createAccount(),
        await sharedService.createAccount(),
      ];
      const program = join(folder, "client.ts");
      await run(process.execPath, [program, sharedService.url, one.key, other.key]);
    });

    test("validators of three generators keep every field of each form, and check it", () =>
      run(process.execPath, [join(folder, "validators.ts")]));
  },
);
