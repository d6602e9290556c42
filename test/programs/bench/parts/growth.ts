import type { Bench } from "../bench.ts";
import type { Findings } from "../findings.ts";
import { measureChains } from "./chains.ts";
import { measureEmbeddedTenants } from "./embedded-tenants.ts";
import { measureTenants } from "./one-tenant.ts";
import { measureNeighbours } from "./other-tenants.ts";

/** What becomes of the times where a tenant, its neighbours or a chain grow. */
export async function measureGrowth(bench: Bench): Promise<Findings> {
  const parts = [
    await measureTenants(bench),
    await measureEmbeddedTenants(bench),
    await measureNeighbours(bench),
    await measureChains(bench),
  ];
  return {
    tables: parts.flatMap(({ tables }) => tables),
    ratios: parts.flatMap(({ ratios }) => ratios),
    plots: parts.flatMap(({ plots }) => plots),
  };
}
