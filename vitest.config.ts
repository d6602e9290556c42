import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "packages/*/test/**/*.test.ts"],
    // Files of a worker share its process, and so what they have loaded and the
    // services and databases of worker-scoped fixtures.
    isolate: false,
    // By default one core is left idle, which is half of a small machine.
    maxWorkers: "100%",
    // No test is about time: what is slow on a busy machine is not wrong.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
