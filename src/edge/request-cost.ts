import { type DescMessage, isMessage, type Message } from "@bufbuild/protobuf";
import { type ContextValues, createContextKey, type Interceptor } from "@connectrpc/connect";
import type { KnownCaller } from "../service/context.ts";
import { costOfBody, costOfRows, type RateLimiter } from "./rate-limit.ts";

/** Charges a call, beyond the token that admitted it, for what turns out to be heavy about it. */
export class RequestCost {
  readonly #charge: (tokens: number) => void;
  #ofBody = 0;
  #rows = 0;
  #ofRows = 0;

  /** `tell` learns of each charge. */
  constructor(limiter: RateLimiter, caller: KnownCaller, tell: (tokens: number) => void) {
    this.#charge = (tokens) => {
      if (tokens === 0) return;
      limiter.charge(caller, tokens);
      tell(tokens);
    };
  }

  /** The body is of so many bytes at least; what was charged for fewer counts. */
  body(bytes: number): void {
    const more = costOfBody(bytes) - this.#ofBody;
    if (more <= 0) return;
    this.#ofBody += more;
    this.#charge(more);
  }

  /** The answer is of so many rows more. */
  rows(count: number): void {
    this.#rows += count;
    const more = costOfRows(this.#rows) - this.#ofRows;
    this.#ofRows += more;
    this.#charge(more);
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
  if (cost === null) return next(request);
  const { output } = request.method;
  const charge = (message: Message) => cost.rows(rowsOf(output, message));
  const response = await next(request);
  if (response.stream) return { ...response, message: noted(response.message, charge) };
  charge(response.message);
  return response;
};

async function* noted<T>(messages: AsyncIterable<T>, note: (message: T) => void) {
  for await (const message of messages) {
    note(message);
    yield message;
  }
}

/** The entries of its lists of messages, and of those of the message that is all of it. */
function rowsOf({ members }: DescMessage, message: Message): number {
  const fieldsOf = message as Message & Readonly<Record<string, unknown>>;
  const [only] = members;
  if (members.length === 1 && only?.kind === "oneof") {
    const { case: arm, value } = fieldsOf[only.localName] as { case?: string; value?: unknown };
    const type = only.fields.find(({ localName }) => localName === arm)?.message;
    return type !== undefined && isMessage(value) ? rowsOf(type, value) : 0;
  }
  return members
    .filter((field) => field.kind === "field")
    .filter((field) => field.fieldKind === "list" && field.listKind === "message")
    .reduce((rows, { localName }) => rows + (fieldsOf[localName] as readonly unknown[]).length, 0);
}
