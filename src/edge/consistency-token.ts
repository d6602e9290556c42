import type { ContextValues } from "@connectrpc/connect";
import { invalidField } from "../domain/failure.ts";
import type { CompanyId } from "../domain/ids.ts";
import type { ServiceContext } from "../service/context.ts";
import { originOf } from "./origin.ts";

type ServiceDb = ServiceContext["db"];

/**
 * How far the database was when a call had written: a caller that sends it along reads what
 * it wrote from any server, whichever replica answers.
 */
export const CONSISTENCY_TOKEN_HEADER = "consistency-token";

/** A position in the log of the database, which nobody has to know. */
const TOKEN = /^[\da-f]{1,16}$/;

/** null: none was sent. Throws `invalid_field` for what no answer can have said. */
export function readConsistencyToken(requestHeader: Headers): bigint | null {
  const token = requestHeader.get(CONSISTENCY_TOKEN_HEADER);
  if (token === null) return null;
  if (TOKEN.test(token)) return BigInt(`0x${token}`);
  throw invalidField("Consistency-Token", "must be one that an answer of the service gave");
}

/** What a call writes, as far as it matters to those who read replicas. */
export class CallWrites {
  readonly #db: ServiceDb;
  readonly #companyId: CompanyId;
  readonly #values: ContextValues;
  #hasCommitted = false;

  constructor(db: ServiceDb, companyId: CompanyId, values: ContextValues) {
    this.#db = db;
    this.#companyId = companyId;
    this.#values = values;
  }

  /** Says with the answer how far the commit is; of several the last one is the furthest. */
  readonly noteCommit = (position: bigint | null): void => {
    if (position === null) return;
    this.#hasCommitted = true;
    this.#tell(position);
  };

  /** A call that should write has ended. One that found it written may have been another server's. */
  async noteEnd(): Promise<void> {
    if (this.#hasCommitted || !this.#db.hasReplica) return;
    const position = await this.#db.position(this.#companyId);
    if (position !== null) this.#tell(position);
  }

  #tell(position: bigint): void {
    const { response } = originOf(this.#values);
    if (!response.headersSent) {
      response.setHeader(CONSISTENCY_TOKEN_HEADER, position.toString(16));
    }
  }
}
