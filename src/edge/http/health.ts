import { inTime } from "../../concurrency/bounds.ts";
import type { Log } from "../../log.ts";
import { type PathHandler, type PathTable, sendAtOnce } from "./answers.ts";

const NO_STORE = { "cache-control": "no-store" };

/** `/healthz`: the process lives. `/readyz`: it can serve. Nothing that others do keeps them waiting. */
export function healthPaths(readiness: Readiness): PathTable {
  // Monitors and balancers also ask by HEAD.
  const probe = (failing: Readiness): PathHandler => ({
    kind: "page",
    methods: ["GET", "HEAD"],
    async handle({ response }) {
      const name = await failing();
      if (name === null) return sendAtOnce(response, 200, { status: "ok" }, NO_STORE);
      const detail = `Not ready: ${name} failed`;
      sendAtOnce(response, 503, { status: "unavailable", detail, reason: "not_ready" }, NO_STORE);
    },
  });
  return new Map([
    ["/healthz", probe(async () => null)],
    ["/readyz", probe(readiness)],
  ]);
}

/** How long a check may take before the service counts as not ready. */
export const READINESS_TIMEOUT_MS = 1_000;

/** One thing that must hold for the service to answer requests. */
export interface ReadinessCheck {
  /** Completes the sentence "Not ready: … failed". */
  readonly name: string;
  /** Resolves when it holds. Why it rejects is logged and not told to callers. */
  check(): Promise<unknown>;
}

/** Name of the first check, in the order given, that rejects or takes too long; null: every one holds. */
export type Readiness = () => Promise<string | null>;

/** Anybody can ask, so requests at the same time share one run of the checks. */
export function createReadiness(checks: readonly ReadinessCheck[], log: Log): Readiness {
  let running: Promise<string | null> | null = null;
  async function firstFailing(): Promise<string | null> {
    const results = await Promise.all(checks.map((check) => holds(check, log)));
    running = null;
    return checks[results.indexOf(false)]?.name ?? null;
  }
  return () => {
    running ??= firstFailing();
    return running;
  };
}

async function holds({ name, check }: ReadinessCheck, log: Log): Promise<boolean> {
  try {
    await inTime(check(), READINESS_TIMEOUT_MS);
    return true;
  } catch (err) {
    log.warn({ err, check: name }, "a readiness check failed");
    return false;
  }
}
