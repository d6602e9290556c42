import type { ApiRequest, Json, Rpc } from "../../grpc/clients/api-client.ts";

/** What a history calls. */
export type CalledRpc = Rpc | "ExportMemories";

/** What a caller knows of a call that it made. */
export type Outcome =
  | { readonly kind: "done"; readonly body: Json }
  | {
      readonly kind: "refused";
      /** HTTP status; null over gRPC. */
      readonly status: number | null;
      /** null: an answer that is none of the service's. */
      readonly reason: string | null;
      readonly detail: string;
      readonly retryAfterSeconds: number | null;
      /** What was done all the same; null: nothing. */
      readonly partial: Json | null;
    }
  /** No answer came, or the caller did not wait for it. */
  | { readonly kind: "unknown"; readonly why: string };

/** A call as it was made, with what came of it. Times are milliseconds of one monotonic clock. */
export interface Call {
  readonly rpc: CalledRpc;
  readonly request: ApiRequest;
  /** Position in the history's accounts. */
  readonly account: number;
  readonly apiKeyId: string;
  readonly idempotencyKey: string | null;
  readonly server: number;
  readonly protocol: "rest" | "grpc";
  /** Whether the caller meant to hang up before the answer. */
  readonly isAbandoned: boolean;
  /** The walk through the pages of a list that it is a step of; null: of none. */
  readonly walk: number | null;
  /** Whether nothing else was going on, nor ever was again. */
  readonly isQuiet: boolean;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: Outcome;
}

/** What the operator changed. */
export interface Change {
  readonly kind: "limit" | "status" | "revoke";
  readonly account: number;
  /** The new limit or status; of a revocation the key's ID. */
  readonly value: string | number;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Whether the operator was told that it was done. */
  readonly isDone: boolean;
}

export interface RecordedAccount {
  readonly companyId: string;
  /** Of the tier, or the operator's. */
  readonly writesLimit: number;
}

/** All that is known of a history that was played. */
export interface Recording {
  readonly accounts: readonly RecordedAccount[];
  readonly calls: readonly Call[];
  readonly changes: readonly Change[];
  /** Whether something was broken meanwhile. */
  readonly hadFaults: boolean;
  /** How many facts each conversation states, by its first message. */
  readonly factsByConversation: ReadonlyMap<string, number>;
  /** What broke that nobody broke, and waits that took too long: sentences. */
  readonly incidents: readonly string[];
  /** How long each server took until it answered again, in milliseconds. */
  readonly recoveriesMs: readonly number[];
  /** Idempotency keys that were still in use at the end; they are tried again later. */
  readonly openKeys: readonly OpenKey[];
}

/** All that it takes to send its request once more. */
export interface OpenKey {
  readonly rpc: CalledRpc;
  readonly request: ApiRequest;
  readonly idempotencyKey: string;
  /** The API key. */
  readonly secret: string;
  /** When it was last in use. */
  readonly at: number;
}

/** The source of all memories that a request writes; undefined: it writes none. */
export function labelOf({ source, memories, lines }: ApiRequest): string | undefined {
  const [first] = (memories ?? (lines as Json[] | undefined)?.slice(1) ?? []) as Json[];
  return (source as string | undefined) ?? first?.source;
}

/** In words, for whoever reads what went wrong. */
export function describeCall(call: Call): string {
  const { rpc, request, account, server, protocol, idempotencyKey, outcome } = call;
  const key = idempotencyKey === null ? "" : ` key ${idempotencyKey}`;
  const times = `${call.startedAt.toFixed(1)}..${call.endedAt.toFixed(1)} ms`;
  const came =
    outcome.kind === "done"
      ? `200 ${shortened(JSON.stringify(outcome.body))}`
      : outcome.kind === "refused"
        ? `${outcome.status ?? ""} ${outcome.reason}: ${shortened(outcome.detail)}`
        : `unknown (${outcome.why})`;
  return `${times} account ${account} server ${server} ${protocol} ${rpc} ${shortened(JSON.stringify(request))}${key} -> ${came}`;
}

const MAX_SHOWN_CHARACTERS = 600;

function shortened(text: string): string {
  return text.length <= MAX_SHOWN_CHARACTERS ? text : `${text.slice(0, MAX_SHOWN_CHARACTERS)}…`;
}
