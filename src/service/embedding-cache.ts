import { hash } from "node:crypto";
import { SharedCall } from "../concurrency/shared-call.ts";
import type { Vector } from "../domain/embedding.ts";
import type { CompanyId } from "../domain/ids.ts";
import type { Embedder } from "../providers/embedder.ts";
import type { ModelCall } from "../providers/model-call.ts";
import type { EmbeddingCache } from "./context.ts";

/**
 * How long a vector is kept at most. A deletion clears its account's on the server that it
 * comes to; others keep what was erased for this long, as vectors and digests of texts.
 */
export const CACHED_EMBEDDING_SECONDS = 300;
/** Of all accounts; numbers take 4 bytes each. */
export const MAX_CACHED_EMBEDDING_BYTES = 16 * 1024 * 1024;
/** Of one account: a batch of the largest size, and its repeat. */
export const MAX_CACHED_EMBEDDINGS_OF_ACCOUNT = 1_000;

/** Each vector is kept in one of two generations, and goes with it. */
const GENERATIONS = 2;
const BYTES_A_NUMBER = 4;

/** What was embedded in one stretch of time, by account and by digest. */
interface Generation {
  readonly accounts: Map<string, Map<string, Vector>>;
  bytes: number;
}

/** A text that is being embedded: one of those of a call. */
interface Flight {
  readonly call: SharedCall<readonly Vector[]>;
  readonly index: number;
}

/**
 * Vectors of texts that an account's calls embedded a moment ago, and of those that are
 * being embedded: each text once. Accounts share nothing: whether a text is known would
 * show in the time that it takes.
 */
export class RecentEmbeddings implements EmbeddingCache {
  #recent = newGeneration();
  #older = newGeneration();
  /** By account and digest. An account's map is another one after it was forgotten. */
  readonly #flights = new Map<string, Map<string, Flight>>();
  readonly #timer: NodeJS.Timeout;

  constructor() {
    const generationMs = (CACHED_EMBEDDING_SECONDS / GENERATIONS) * 1_000;
    this.#timer = setInterval(() => this.#age(), generationMs).unref();
  }

  async embed(
    owner: string,
    embedder: Embedder,
    texts: readonly string[],
    purpose: "document" | "query",
    call: ModelCall,
  ): Promise<Vector[]> {
    const digests = texts.map((text) => digestOf(embedder, purpose, text));
    const known = new Map<string, Vector>();
    const missing = new Map<string, string>();
    for (const [index, digest] of digests.entries()) {
      const vector = this.#find(owner, digest);
      if (vector !== undefined) known.set(digest, vector);
      else missing.set(digest, texts[index] ?? "");
    }
    if (missing.size > 0) {
      const flights = this.#begin(owner, embedder, missing, purpose, call);
      const answers = new Map<SharedCall<readonly Vector[]>, Promise<readonly Vector[]>>();
      for (const { call: shared } of flights.values()) {
        if (!answers.has(shared)) answers.set(shared, shared.answerFor(call.signal));
      }
      await Promise.all(answers.values());
      for (const [digest, flight] of flights) {
        const vector = (await answers.get(flight.call))?.[flight.index];
        if (vector !== undefined) known.set(digest, vector);
      }
    }
    return digests.map((digest) => {
      const vector = known.get(digest);
      if (vector === undefined) throw new Error("An embedder left out a text");
      return vector;
    });
  }

  forget(companyId: CompanyId): void {
    this.#flights.delete(companyId);
    for (const generation of [this.#recent, this.#older]) {
      for (const vector of generation.accounts.get(companyId)?.values() ?? []) {
        generation.bytes -= bytesOf(vector);
      }
      generation.accounts.delete(companyId);
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #find(owner: string, digest: string): Vector | undefined {
    return (
      this.#recent.accounts.get(owner)?.get(digest) ?? this.#older.accounts.get(owner)?.get(digest)
    );
  }

  /** The flights of texts, by digest: those under way, and one call for all others. */
  #begin(
    owner: string,
    embedder: Embedder,
    texts: ReadonlyMap<string, string>,
    purpose: "document" | "query",
    call: ModelCall,
  ): Map<string, Flight> {
    const ofAccount = this.#flights.get(owner) ?? new Map<string, Flight>();
    this.#flights.set(owner, ofAccount);
    const joined = new Map<string, Flight>();
    const fresh: [digest: string, text: string][] = [];
    for (const [digest, text] of texts) {
      const flight = ofAccount.get(digest);
      if (flight?.call.isOpen) joined.set(digest, flight);
      else fresh.push([digest, text]);
    }
    if (fresh.length === 0) return joined;
    const shared = new SharedCall((signal) =>
      embedder.embed(
        fresh.map(([, text]) => text),
        purpose,
        { ...call, signal },
      ),
    );
    for (const [index, [digest]] of fresh.entries()) {
      const flight = { call: shared, index };
      ofAccount.set(digest, flight);
      joined.set(digest, flight);
    }
    const land = (vectors: readonly Vector[]) => {
      // Else the account was forgotten meanwhile.
      const isKept = this.#flights.get(owner) === ofAccount;
      for (const [index, [digest]] of fresh.entries()) {
        const vector = vectors[index];
        if (isKept && vector !== undefined) this.#keep(owner, digest, vector);
        if (ofAccount.get(digest)?.call === shared) ofAccount.delete(digest);
      }
      if (isKept && ofAccount.size === 0) this.#flights.delete(owner);
    };
    shared.ended.then(land, () => land([]));
    return joined;
  }

  #keep(owner: string, digest: string, vector: Vector): void {
    const bytes = bytesOf(vector);
    if (this.#recent.bytes + bytes > MAX_CACHED_EMBEDDING_BYTES / GENERATIONS) this.#age();
    const { accounts } = this.#recent;
    const ofAccount = accounts.get(owner) ?? new Map<string, Vector>();
    accounts.set(owner, ofAccount.set(digest, vector));
    this.#recent.bytes += bytes;
    if (ofAccount.size <= MAX_CACHED_EMBEDDINGS_OF_ACCOUNT / GENERATIONS) return;
    const [oldest] = ofAccount;
    if (oldest === undefined) return;
    ofAccount.delete(oldest[0]);
    this.#recent.bytes -= bytesOf(oldest[1]);
  }

  #age(): void {
    this.#older = this.#recent;
    this.#recent = newGeneration();
  }
}

function newGeneration(): Generation {
  return { accounts: new Map(), bytes: 0 };
}

function bytesOf(vector: Vector): number {
  return vector.length * BYTES_A_NUMBER;
}

/** Of a text in an embedding space, as it is stored or as it is searched with. */
function digestOf({ space }: Embedder, purpose: "document" | "query", text: string): string {
  const { provider, model, dimensions } = space;
  return hash("sha256", [provider, model, dimensions, purpose, text].join("\0"), "base64");
}
