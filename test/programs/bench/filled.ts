import { callOf } from "./load/operations.ts";
import type { RunningService } from "./service.ts";

const MEMORIES_A_CALL = 500;

/** Of a topic of profiles: 286 of 1,000 memories. */
const isStanding = (index: number) => index % 7 < 2;

/** Writes so many memories into a tenant as a user would, in batches. */
export async function fillTenant(
  service: Pick<RunningService, "url">,
  key: string,
  tenantId: string,
  contents: readonly string[],
): Promise<void> {
  for (let start = 0; start < contents.length; start += MEMORIES_A_CALL) {
    const memories = contents.slice(start, start + MEMORIES_A_CALL).map((content, i) => {
      const topic = isStanding(start + i) ? "work" : null;
      return { content, tenant_id: tenantId, topic };
    });
    const answer = await fetch(`${service.url}/agent/memories:batch`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ memories }),
    });
    if (!answer.ok)
      throw new Error(`A batch was answered with ${answer.status}: ${await answer.text()}`);
  }
}

/** Contents as the writes of the load have them. */
export function madeContents(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const { body } = callOf("write", "any", index).rest;
    return (body as { readonly content: string }).content;
  });
}
