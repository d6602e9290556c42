import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { PROCESS_VARIABLES } from "./test/support/service-process.ts";

// Of workers and of what they start: what one has compiled, the next need not.
process.env.NODE_COMPILE_CACHE ??= PROCESS_VARIABLES.NODE_COMPILE_CACHE;

/** Twenty seconds or more each, whatever their size: begun last, one would run alone to the end. */
const LONG = [
  "backup/embedded",
  "client/package",
  "dashboard/pages",
  "dashboard/restarts-page",
  "dashboard/truth-page",
  "edge/largest-answers",
  "faults/memory",
  "faults/overload",
  "grpc/transports",
  "mcp/inspector",
  "programs/histories/histories",
  "programs/neighbours/neighbours",
  "programs/quality/changes",
  "providers/failures",
  "providers/text/token-count",
  "python/package",
  "reembed/moving",
  "spec/8/outstanding",
  "spec/transfers/import",
  "storage/faults/pglite",
  "transfer/transfer",
].map((name) => `/test/${name}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isShort = ({ moduleId }: TestSpecification) =>
      Number(!LONG.some((name) => moduleId.endsWith(name)));
    return (await super.sort(files)).toSorted((a, b) => isShort(a) - isShort(b));
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "packages/*/test/**/*.test.ts"],
    // Files of a worker share its process, and so what they have loaded and the
    // services and databases of worker-scoped fixtures.
    isolate: false,
    // Node runs the files as it runs the service: nothing is transformed, and no module replaced.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: LongestFirst },
    // By default one core is left idle, which is half of a small machine.
    maxWorkers: "100%",
    // No test is about time: what is slow on a busy machine is not wrong.
    testTimeout: 120_000,
    // A file whose hook fails is not tried once more.
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
