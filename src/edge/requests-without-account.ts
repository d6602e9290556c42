import {
  breakOff,
  endOf,
  isAbandoned,
  type NodeHandler,
  type NodeRequest,
  type NodeResponse,
} from "@agent-memory/transcoding/node-http";
import { Failure } from "../domain/failure.ts";
import type { CompanyId } from "../domain/ids.ts";
import { MAX_REQUESTS_WITHOUT_ACCOUNT } from "../domain/limits.ts";
import type { RefusalDelay } from "./refusal-delay.ts";
import { refuse } from "./refuse.ts";
import { RequestsInFlight } from "./requests-in-flight.ts";

/** Of all addresses together; each holds some kilobytes. */
export const MAX_REQUESTS_WITHOUT_ACCOUNT_OF_ALL = 10_000;

export interface RequestsWithoutAccountOptions {
  /** Whom to count by. */
  readonly addressOf: (request: NodeRequest) => string;
  /** The account whose key a request has, as far as this process knows without a look-up. */
  readonly knownAccountOf: (request: NodeRequest) => CompanyId | null;
  /** Default: MAX_REQUESTS_WITHOUT_ACCOUNT_OF_ALL. */
  readonly maxOfAll?: number;
}

interface Open {
  readonly response: NodeResponse;
  readonly leave: () => void;
}

/**
 * The requests that nobody's account answers for: those without a key, those that are
 * refused before it is looked at, and those whose key is still looked up. Each is counted
 * until its response has ended, or the gate has admitted it to an account.
 */
export class RequestsWithoutAccount {
  readonly #options: RequestsWithoutAccountOptions;
  readonly #inFlight = new RequestsInFlight(
    MAX_REQUESTS_WITHOUT_ACCOUNT,
    `an address may have ${MAX_REQUESTS_WITHOUT_ACCOUNT} requests at once that belong to no account, until their responses are read`,
  );
  /** Begun longest ago first. */
  readonly #open = new Map<NodeRequest, Open>();

  constructor(options: RequestsWithoutAccountOptions) {
    this.#options = options;
  }

  /**
   * Counts a request for its address; where that has no place left, for the account whose
   * key is known, so that strangers at one address do not shut out who calls from there.
   * Past the limit of all, the response ends that began longest ago.
   *
   * Throws a Failure `too_many_in_flight`.
   */
  begin(request: NodeRequest, response: NodeResponse): void {
    const { promise: hasAccount, resolve: leave } = Promise.withResolvers<void>();
    const ended = Promise.race([endOf(request, response), hasAccount]);
    this.#admit(request, ended);
    this.#open.set(request, { response, leave });
    void ended.then(() => this.#open.delete(request));
    const { maxOfAll = MAX_REQUESTS_WITHOUT_ACCOUNT_OF_ALL } = this.#options;
    if (this.#open.size > maxOfAll) this.#endFirst();
  }

  /** From now on an account answers for the request. */
  belongsToAccount(request: NodeRequest): void {
    this.#open.get(request)?.leave();
  }

  /** Who is counted, and waits to be refused, where nobody else is known. */
  addressOwnerOf(request: NodeRequest): string {
    return `address ${this.#options.addressOf(request)}`;
  }

  #admit(request: NodeRequest, ended: Promise<void>): void {
    try {
      this.#inFlight.admit(this.addressOwnerOf(request), ended);
    } catch (error) {
      const account = this.#options.knownAccountOf(request);
      if (account === null) throw error;
      this.#inFlight.admit(`account ${account}`, ended);
    }
  }

  #endFirst(): void {
    const [first] = this.#open;
    if (first === undefined) return;
    const [request, { response }] = first;
    this.#open.delete(request);
    breakOff(response);
  }
}

/**
 * Serves as `handler` does as many requests without an account as there may be. Who goes on
 * asking beyond them waits for the refusal.
 */
export function boundWithoutAccount(
  handler: NodeHandler,
  requests: RequestsWithoutAccount,
  refusalDelay: RefusalDelay,
): NodeHandler {
  return async (request, response) => {
    try {
      requests.begin(request, response);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const left = new AbortController();
      response.once("close", () => left.abort(error));
      await refusalDelay.pass(requests.addressOwnerOf(request), left.signal);
      if (!isAbandoned(request, response)) refuse(response, error);
      return;
    }
    await handler(request, response);
  };
}
