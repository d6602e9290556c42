import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { distributeDatabase } from "../../../../src/storage/distribution.ts";
import { CitusCluster } from "../../../support/citus-cluster.ts";
import { Cluster } from "../../../support/postgres-cluster.ts";
import type { Bench } from "../bench.ts";
import { fillTenant, madeContents } from "../filled.ts";
import type { Findings } from "../findings.ts";
import type { Operation } from "../load/operations.ts";
import { FILLED_TENANT, operationScenario } from "../operation-scenario.ts";
import { compare } from "../samples.ts";
import { startService } from "../service.ts";
import { measureByClients, of, type Scenario } from "../turns.ts";

const INSTALL = join(import.meta.dirname, "../../../../.ci/install-citus");
const MEMORIES = 1_000;
const CLIENTS = [1, 8];
const OPERATIONS: readonly Operation[] = ["write", "ask", "list"];
const TURNS = { rounds: 5, milliseconds: 200, warmUpMs: 300 };

/** Calls on a Citus cluster beside the same calls on one Postgres server, in turns. */
export async function measureCitus({ load }: Bench): Promise<Findings> {
  execFileSync(INSTALL, { stdio: "inherit" });
  const cluster = await CitusCluster.create();
  await distributeDatabase(cluster.coordinator.url);
  const server = await Cluster.create(["shared_buffers=64MB"]);
  const places = { Citus: cluster.coordinator.url, "one server": server.url };
  const services = [];
  const scenarios: Scenario[] = [];
  for (const [place, url] of Object.entries(places)) {
    const location = { engine: "postgres", url, maxConnections: 10 } as const;
    const service = await startService({ location });
    services.push(service);
    const { key } = await service.newAccount("bench");
    await fillTenant(service, key, FILLED_TENANT, madeContents(MEMORIES));
    for (const operation of OPERATIONS) {
      const scenario = operationScenario(service, key, operation, "rest");
      scenarios.push({ ...scenario, name: nameOf(operation, place) });
    }
  }
  const measured = await measureByClients(load, scenarios, CLIENTS, TURNS);
  for (const each of [...services, server, cluster]) {
    await ("close" in each ? each.close() : each.remove());
  }
  return {
    tables: [
      {
        title: "A Citus cluster beside one server",
        note:
          `A tenant of ${MEMORIES} memories, over REST. The cluster has a coordinator and two workers. ` +
          "All nodes, the one server, both services and the load share the machine; none of the nodes waits for its disk.",
        columns: ["", "clients", "Citus p50 ms", "one server p50 ms", "times", "Citus calls/s"],
        rows: OPERATIONS.flatMap((operation) =>
          [...measured].map(([clients, byName]) => {
            const citus = of(byName, nameOf(operation, "Citus"));
            const one = of(byName, nameOf(operation, "one server"));
            const times = compare(citus, one, (a, b) => a.p50Ms / b.p50Ms).measured;
            return [operation, clients, citus.p50Ms, one.p50Ms, times, citus.callsASecond];
          }),
        ),
      },
    ],
    ratios: [],
    plots: [],
  };
}

const nameOf = (operation: Operation, place: string) => `${operation} on ${place}`;
