/** A client that a generator makes of the document compiles, and drives the service. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe } from "vitest";
import { DOCUMENT_PATH } from "../support/openapi-document.ts";
import { PROJECT_ROOT } from "../support/project-root.ts";
import { serviceTest } from "../support/shared-service.ts";

const MODULES = join(PROJECT_ROOT, "node_modules");
const GENERATOR = join(MODULES, ".cache/openapi-client/node_modules/.bin/openapi-typescript");
const PROGRAM = join(PROJECT_ROOT, ".ci/openapi-client/client.ts");

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
  "a client (`.ci/install-tool openapi-client` has its generator)",
  () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "agent-memory-client-"));
      await symlink(MODULES, join(folder, "node_modules"));
      await cp(PROGRAM, join(folder, "client.ts"));
      await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
      await writeFile(join(folder, "tsconfig.json"), JSON.stringify(TSCONFIG));
      const types = join(folder, "client-types.ts");
      // A default says what the service does without the field, not that the field is sent.
      const options = ["--default-non-nullable", "false", "--output", types];
      await run(GENERATOR, [DOCUMENT_PATH, ...options]);
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    serviceTest("compiles, and calls every operation", async ({ sharedService }) => {
      await run(join(MODULES, ".bin/tsc"), ["--project", folder]);
      const [one, other] = [
        await sharedService.createAccount(),
        await sharedService.createAccount(),
      ];
      const program = join(folder, "client.ts");
      await run(process.execPath, [program, sharedService.url, one.key, other.key]);
    });
  },
);
