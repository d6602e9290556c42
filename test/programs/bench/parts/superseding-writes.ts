import { fillTenant, madeContents } from "../filled.ts";
import type { Extent } from "../findings.ts";
import type { RunningService } from "../service.ts";
import type { Scenario } from "../turns.ts";

export const SUPERSEDING_WRITE = "write, automatic supersession, REST";
export const WRITE_WITHOUT = "write beside it, without, REST";
const MEMORIES = { full: 500, short: 20 };
/** Texts of the load, of which none is written twice. */
const TEXTS = 4_000;

/** The same writes into two tenants of 500 memories: with automatic supersession, and without. */
export async function supersedingWrites(
  service: Pick<RunningService, "url" | "pid">,
  key: string,
  extent: Extent,
): Promise<Scenario[]> {
  const memories = MEMORIES[extent];
  const contents = madeContents(memories + TEXTS);
  const scenarios: Scenario[] = [];
  for (const [name, isOn] of [
    [SUPERSEDING_WRITE, true],
    [WRITE_WITHOUT, false],
  ] as const) {
    await fillTenant(service, key, name, contents.slice(0, memories));
    const requests = contents.slice(memories).map((content) => ({
      ...({ method: "POST", path: "/agent/memories" } as const),
      body: { content, tenant_id: name, auto_supersede: isOn },
    }));
    const work = { kind: "http", url: service.url, key, requests } as const;
    scenarios.push({ name, work, serving: service.pid });
  }
  return scenarios;
}
