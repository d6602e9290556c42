import type { Message } from "@bufbuild/protobuf";
import {
  type ContextValues,
  createContextKey,
  type Interceptor,
  type UnaryResponse,
} from "@connectrpc/connect";
import type { KnownCaller } from "../service/context.ts";
import { costOfBody, costOfRows, type RateLimiter } from "./rate-limit.ts";

/** Charges a call, beyond the token that admitted it, for what turns out to be heavy about it. */
export class RequestCost {
  readonly #charge: (tokens: number) => void;
  #ofBody = 0;

  constructor(limiter: RateLimiter, caller: KnownCaller) {
    this.#charge = (tokens) => limiter.charge(caller, tokens);
  }

  /** The body is of so many bytes at least; what was charged for fewer counts. */
  body(bytes: number): void {
    const more = costOfBody(bytes) - this.#ofBody;
    if (more <= 0) return;
    this.#ofBody += more;
    this.#charge(more);
  }

  /** The answer is of so many rows. */
  rows(count: number): void {
    this.#charge(costOfRows(count));
  }
}

/** null: nobody counts. */
const costKey = createContextKey<RequestCost | null>(null, { description: "what it costs" });

/** Has the call pay for itself, in `chargeForRows` and wherever else its cost shows. */
export function setCost(values: ContextValues, cost: RequestCost): void {
  values.set(costKey, cost);
}

/** Charges for a response by its rows. */
export const chargeForRows: Interceptor = (next) => async (request) => {
  const cost = request.contextValues.get(costKey);
  const response = await next(request);
  if (cost !== null && !response.stream) cost.rows(rowsOf(response));
  return response;
};

/** The entries of its lists of messages. */
function rowsOf({ method, message }: UnaryResponse): number {
  const entriesOf = (name: string) =>
    (message as Message & Readonly<Record<string, unknown>>)[name] as readonly unknown[];
  return method.output.fields
    .filter((field) => field.fieldKind === "list" && field.listKind === "message")
    .reduce((rows, { localName }) => rows + entriesOf(localName).length, 0);
}
