import type { Question, Turn } from "../corpus.ts";
import type { PeerSetup } from "../peers/peer.ts";
import type { Operation } from "./operations.ts";

/** What the process that makes the load is told to do, over and over. */
export type Work = ServiceWork | HttpWork | GrpcEchoWork | SqlWork | PeerWork;

/** Calls of the service, each with texts of its own. */
export interface ServiceWork {
  readonly kind: "service";
  readonly protocol: "rest" | "grpc" | "connect-json";
  readonly url: string;
  readonly key: string;
  readonly operation: Operation;
  readonly tenantId: string;
}

/** Requests over HTTP/1.1, each in turn. */
export interface HttpWork {
  readonly kind: "http";
  /** As far as the port. */
  readonly url: string;
  readonly key: string;
  readonly requests: readonly HttpRequest[];
}

export interface HttpRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: object;
}

/** An empty call of grpc-js, of a server that answers with some bytes. */
export interface GrpcEchoWork {
  readonly kind: "grpc-echo";
  readonly url: string;
}

/** One transaction after the other, by `pg` itself, each client on a connection of its own. */
export interface SqlWork {
  readonly kind: "sql";
  readonly databaseUrl: string;
  /** What a connection begins with: settings, as the service's have them. */
  readonly session: readonly string[];
  /** Of which one is played at a time, in turn; an only statement is sent as it is. */
  readonly transactions: readonly (readonly Statement[])[];
}

/** A library of a peer, called in the process that makes this load. */
export interface PeerWork {
  readonly kind: "peer";
  readonly setup: PeerSetup;
  readonly what:
    | { readonly do: "add"; readonly turns: readonly Turn[] }
    | { readonly do: "add many"; readonly batches: readonly (readonly Turn[])[] }
    | { readonly do: "search"; readonly questions: readonly Question[]; readonly limit: number };
}

/** A prepared statement. */
export interface Statement {
  readonly text: string;
  readonly values: readonly StatementValue[];
}

/** `fresh`: a UUID that is made for each transaction. */
export type StatementValue =
  | { readonly kind: "given"; readonly value: string | number | boolean | null | readonly string[] }
  | { readonly kind: "bytes"; readonly base64: string }
  | { readonly kind: "fresh" };

/** How often, and by how many at a time. */
export interface Round {
  readonly clients: number;
  /** It ends when either is used up. */
  readonly milliseconds: number;
  readonly calls: number;
}

export type LoadRequest =
  | { readonly id: number; readonly do: "open"; readonly handle: number; readonly work: Work }
  | { readonly id: number; readonly do: "run"; readonly handle: number; readonly round: Round }
  | { readonly id: number; readonly do: "close"; readonly handle: number };

export interface Played {
  readonly latenciesMs: readonly number[];
  readonly seconds: number;
  /** Of the process that calls. */
  readonly callerCpuMs: number;
  readonly failures: number;
  /** Of the first failure. */
  readonly failure: string | null;
}

export type LoadReply =
  | { readonly id: number; readonly played: Played | null }
  | { readonly id: number; readonly error: string };
