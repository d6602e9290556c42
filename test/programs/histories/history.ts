/** What a client does next. All that is open about it is drawn from `draw` when it is done. */
export interface Operation {
  readonly kind: OperationKind;
  readonly draw: number;
}

export const OPERATION_KINDS = [
  // Writes, one at a time.
  "content",
  "conversation",
  "abandoned",
  "batch",
  // The same write several times at once.
  "burst",
  // Supersessions: a plain one, a wrong one, and several at once.
  "supersede",
  "supersede_wrongly",
  "restore",
  "duel",
  "circle",
  "merge",
  // Deletions: alone, and with what races them.
  "erase_tenant",
  "erase_account",
  "overtake",
  "overtake_keyed",
  "erase_scope",
  // Transfers: alone, and with what races them.
  "export",
  "import",
  "overtake_import",
  // Writes that meet at the end of the quota.
  "quota_rush",
  // Reads.
  "list",
  "pages",
  "as_of",
  "query",
  "timeline",
  "audit",
  "foreign",
  "settings",
  "plan",
  // The operator and the key's own settings.
  "change_settings",
  "new_key",
  "revoke_key",
  "change_limit",
  "change_status",
] as const;
export type OperationKind = (typeof OPERATION_KINDS)[number];

export type FaultKind =
  | "kill_server"
  | "terminate_server"
  | "pause_server"
  | "cut_clients"
  | "hold_clients"
  | "kill_database"
  | "freeze_database"
  | "end_backends"
  | "cut_database"
  | "hold_database";

/** Something that breaks while clients work. */
export interface Fault {
  readonly kind: FaultKind;
  /** Which server, modulo how many there are. */
  readonly server: number;
  readonly afterMs: number;
  readonly durationMs: number;
}

/** What several clients of one account do, each its own operations in order, all at once. */
export interface History {
  readonly seed: number;
  readonly name: Focus;
  /** Quota of the accounts; null: that of the tier. */
  readonly writesLimit: number | null;
  readonly autoSupersede: boolean;
  readonly clients: readonly (readonly Operation[])[];
  readonly faults: readonly Fault[];
  /** How long a client waits between operations at most, where faults need time to work. */
  readonly pauseMs: number;
  /** Whether it waits at the end until what the operator changed must be followed. */
  readonly settles: boolean;
}

/** What a history is most about. */
export type Focus =
  | "mixed"
  | "chains"
  | "automatic"
  | "deletions"
  | "repeats"
  | "quota"
  | "reads"
  | "operator"
  | "transfers";

export function operationsOf({ clients }: History): number {
  return clients.reduce((count, operations) => count + operations.length, 0);
}
