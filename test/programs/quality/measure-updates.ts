import { startTestService, type TestService } from "../../support/service.ts";
import { type MeasuredProviders, type Rates, ratesOf } from "./measure.ts";

/** Facts that are stored, what is said after them, and which of them that ends. */
export interface LabelledChange {
  readonly stored: readonly string[];
  readonly said: string;
  readonly ends: readonly number[];
  /** A stored fact that may end too, as it is said again. */
  readonly sameAgain?: number;
}

export interface ChangeRates extends Rates {
  /** Of what is said, how much ended something that is still true. */
  readonly falseEnds: number;
  readonly changes: number;
}

/** Writes of a month, where an account has a tenant for each change. */
export const MANY = 1_000_000;

/** How a user's words reach the service. */
export type SaidAs = "messages" | "content";

/**
 * Runs work with a service of its own, whole but for its models, which are the ones to
 * measure.
 */
export async function withService<T>(
  models: MeasuredProviders,
  work: (service: TestService) => Promise<T>,
): Promise<T> {
  const service = await startTestService({ models });
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}

/** What ends of all that was stored, the whole way from a request to the list (D23, D25a). */
export async function measureChanges(
  service: TestService,
  changes: readonly LabelledChange[],
  saidAs: SaidAs,
): Promise<ChangeRates> {
  const counts = { expected: 0, produced: 0, right: 0 };
  const mistakes: string[] = [];
  let falseEnds = 0;
  const { rest } = await service.createAccount({ writesLimit: MANY });
  for (const [number, { stored, said, ends, sameAgain }] of changes.entries()) {
    const tenant_id = `change ${number}`;
    const memories = stored.map((content, day) => {
      const valid_from = `2026-04-${String(day + 1).padStart(2, "0")}T12:00:00Z`;
      return { content, tenant_id, valid_from };
    });
    const batch = await rest("POST", "/agent/memories:batch", { body: { memories } });
    const ids: readonly string[] = batch.body.memory_ids;
    const message =
      saidAs === "messages" ? { messages: [{ role: "user", content: said }] } : { content: said };
    const valid_from = "2026-05-06T12:00:00Z";
    const body = { ...message, tenant_id, auto_supersede: true, valid_from };
    const written = await rest("POST", "/agent/memories", { body });
    const list = await rest("GET", "/agent/memories", { query: { tenant_id } });
    const current = new Set<string>(
      list.body.memories.flatMap(({ id, decision }: Record<string, string>) => [id, decision]),
    );
    // What was said again in the same words holds on, under another ID.
    const ended = [...ids.entries()]
      .filter(([index, id]) => !current.has(id) && !current.has(stored[index] ?? ""))
      .map(([index]) => index)
      .filter((index) => index !== sameAgain);
    const right = ended.filter((index) => ends.includes(index)).length;
    counts.expected += ends.length;
    counts.produced += ended.length;
    counts.right += right;
    falseEnds += Number(right < ended.length);
    if (right < ends.length || right < ended.length) {
      mistakes.push(
        `${said}\n    stored   ${stored.join("; ")}\n    expected ${ends.join()}\n    ended    ${ended.join()}\n    extracted ${written.body.extracted?.join("; ")}`,
      );
    }
  }
  return { ...ratesOf(counts), mistakes, falseEnds, changes: changes.length };
}
