/** Runs a command on a Citus cluster of its own, as `.ci/with-citus` says. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { CitusCluster } from "../../support/citus-cluster.ts";

const [command, ...commandArguments] = process.argv.slice(2);
if (command === undefined) throw new Error("Which command is to be run?");

const cluster = await CitusCluster.create();
try {
  const { coordinator, workers } = cluster.nodes;
  const child = spawn(command, commandArguments, {
    stdio: "inherit",
    env: {
      ...process.env,
      TEST_DATABASE_URL: coordinator,
      TEST_CITUS_WORKERS: workers.join(" "),
    },
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => child.kill(signal));
  }
  const [code] = await once(child, "close");
  process.exitCode = code ?? 1;
} finally {
  await cluster.remove();
}
