import type { Fault, FaultKind, Focus, History, Operation, OperationKind } from "./history.ts";
import { Random } from "./random.ts";

type Weights = { readonly [kind in OperationKind]?: number };

/** What every history has a little of. */
const COMMON: Weights = {
  content: 12,
  conversation: 3,
  abandoned: 1,
  batch: 2,
  burst: 2,
  supersede: 4,
  supersede_wrongly: 2,
  restore: 1,
  duel: 1,
  circle: 1,
  merge: 1,
  erase_tenant: 0.4,
  erase_account: 0.15,
  overtake: 0.3,
  overtake_keyed: 0.3,
  erase_scope: 0.5,
  export: 0.5,
  import: 0.5,
  overtake_import: 0.1,
  list: 3,
  pages: 2,
  as_of: 2,
  query: 2,
  timeline: 2,
  audit: 2,
  foreign: 1,
  settings: 1,
  plan: 1,
  change_settings: 0.5,
  new_key: 0.3,
};

/** Without deletions, so that every write can be counted in the end. */
const WITHOUT_DELETIONS: Weights = {
  ...COMMON,
  erase_tenant: 0,
  erase_account: 0,
  overtake: 0,
  overtake_keyed: 0,
  erase_scope: 0,
  overtake_import: 0,
};

const FOCUSES: { readonly [focus in Focus]: { weight: number; kinds: Weights } } = {
  mixed: { weight: 3, kinds: COMMON },
  chains: {
    weight: 3,
    kinds: { ...WITHOUT_DELETIONS, supersede: 12, duel: 5, circle: 6, merge: 5, timeline: 4 },
  },
  automatic: {
    weight: 2,
    kinds: {
      ...WITHOUT_DELETIONS,
      content: 25,
      conversation: 8,
      batch: 4,
      restore: 6,
      timeline: 4,
    },
  },
  deletions: {
    weight: 4,
    kinds: {
      ...COMMON,
      overtake: 8,
      overtake_keyed: 4,
      erase_scope: 6,
      overtake_import: 1,
      erase_tenant: 2,
      erase_account: 1,
    },
  },
  repeats: { weight: 2, kinds: { ...COMMON, burst: 14, overtake_keyed: 2 } },
  quota: {
    weight: 2,
    kinds: { ...WITHOUT_DELETIONS, quota_rush: 6, conversation: 8, batch: 4, import: 1, plan: 3 },
  },
  reads: {
    weight: 2,
    kinds: { ...WITHOUT_DELETIONS, list: 8, pages: 10, as_of: 8, query: 8, foreign: 3 },
  },
  transfers: {
    weight: 2,
    kinds: { ...COMMON, batch: 6, export: 3, import: 6, overtake_import: 2, supersede: 8 },
  },
  operator: {
    weight: 1,
    kinds: {
      ...COMMON,
      new_key: 3,
      revoke_key: 2,
      change_limit: 3,
      change_status: 2,
      change_settings: 4,
      settings: 3,
      plan: 3,
    },
  },
};

const FAULTS: { readonly [engine in "postgres" | "pglite"]: { [kind in FaultKind]?: number } } = {
  postgres: {
    kill_server: 4,
    terminate_server: 2,
    pause_server: 2,
    cut_clients: 2,
    hold_clients: 1,
    kill_database: 3,
    freeze_database: 1,
    end_backends: 4,
    cut_database: 3,
    hold_database: 2,
  },
  pglite: {
    kill_server: 4,
    terminate_server: 2,
    pause_server: 2,
    cut_clients: 2,
    hold_clients: 1,
  },
};

/** The history of a seed: always the same. */
export function generate(
  seed: number,
  engine: "postgres" | "pglite",
  withFaults: boolean,
): History {
  const random = new Random(seed);
  const name = random.weighted(
    Object.fromEntries(Object.entries(FOCUSES).map(([focus, { weight }]) => [focus, weight])) as {
      [focus in Focus]: number;
    },
  );
  const { kinds } = FOCUSES[name];
  const clients = random.between(3, 7);
  const operations = withFaults ? random.between(80, 160) : random.between(20, 60);
  return {
    seed,
    name,
    writesLimit: name === "quota" ? random.between(5, 60) : null,
    autoSupersede: name === "automatic" || random.chance(0.3),
    clients: Array.from({ length: clients }, () =>
      Array.from(
        { length: Math.ceil(operations / clients) },
        (): Operation => ({ kind: random.weighted(kinds), draw: random.seed() }),
      ),
    ),
    faults: withFaults ? drawFaults(random, engine) : [],
    pauseMs: withFaults ? 120 : 0,
    settles: name === "operator" || random.chance(0.02),
  };
}

function drawFaults(random: Random, engine: "postgres" | "pglite"): Fault[] {
  return Array.from({ length: random.between(1, 3) }, () => {
    const kind = random.weighted(FAULTS[engine]);
    return {
      kind,
      server: random.between(0, 2),
      afterMs: random.between(50, 1_500),
      // Some freezes outlast the deadline of a statement.
      durationMs:
        kind === "freeze_database" && random.chance(0.1) ? 12_000 : random.between(50, 1_500),
    };
  });
}
