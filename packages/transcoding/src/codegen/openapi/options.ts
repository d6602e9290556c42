import type { JsonSchema } from "./json-schema.ts";

/** The part of a document that protos do not state: the service, its keys and its errors. */
export interface OpenApiOptions {
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  /** The one way to authenticate, by its name. */
  readonly security: { readonly name: string; readonly scheme: JsonSchema };
  /** The schema of an `Idempotency-Key`, and the names of the RPCs that take one. */
  readonly idempotencyKey: {
    readonly description: string;
    readonly schema: JsonSchema;
    readonly rpcs: readonly string[];
  };
  /** Headers of answers, by name. Answers to a request without a valid key do not have them. */
  readonly answerHeaders: Readonly<Record<string, AnswerHeader>>;
  /** By reason: its HTTP status, and whether a wait comes with it (`Retry-After`). */
  readonly failures: Readonly<Record<string, { readonly status: number; readonly waits: boolean }>>;
  /** The reasons for which any RPC may fail. */
  readonly commonFailures: readonly string[];
  /** The reasons for which any RPC with a body may fail. */
  readonly bodyFailures: readonly string[];
  /** By the name of an RPC: the reasons that it has beside those, and those that it has not. */
  readonly rpcFailures: Readonly<Record<string, RpcFailures>>;
  /** The reasons of requests that no RPC is called for. */
  readonly transportFailures: readonly string[];
}

export interface AnswerHeader {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example: string;
}

/** How the reasons of one RPC differ from those of all. */
export interface RpcFailures {
  readonly more?: readonly string[];
  readonly never?: readonly string[];
  /**
   * A failure that says what was done in spite of it: the members of that message of the
   * response stand beside the error's own. Without a reason it may be any.
   */
  readonly partial?: { readonly reason?: string; readonly message: string };
}
