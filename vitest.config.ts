import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    isolate: false,
    // By default one core is left idle, which is half of a small machine.
    maxWorkers: "100%",
    // A test file opens its own database folder; the first open takes seconds.
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
