import { createHash } from "node:crypto";
import { type DescMessage, fromBinary, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { createContextKey, type HandlerContext } from "@connectrpc/connect";
import { invalidField } from "../../domain/failure.ts";
import { MAX_IDEMPOTENCY_KEY_CHARACTERS } from "../../domain/limits.ts";
import type { Caller } from "../../service/context.ts";
import type { Answer, IdempotencyRequest } from "../../service/idempotency.ts";
import { messageOf, type Plain } from "./messages.ts";

/** Where the gate leaves the caller for the handlers. */
export const callerKey = createContextKey<Caller | null>(null, {
  description: "who calls",
});

/** The caller that the gate admitted. */
export function callerOf(call: HandlerContext): Caller {
  const caller = call.values.get(callerKey);
  if (caller === null) throw new Error("a handler ran without the gate");
  return caller;
}

const IDEMPOTENCY_HEADER = "Idempotency-Key";
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** How the response of a call is written, kept for its idempotency key, and read again. */
export interface ResponseForm<Result, Output extends DescMessage> {
  readonly schema: Output;
  write(result: Result): Plain<MessageShape<Output>>;
}

/**
 * The `Idempotency-Key` of a call with the fingerprint of its request (D33); null
 * where the caller sent none. Equal requests have equal bytes whatever protocol
 * they came by, and whatever order their JSON was in. The fingerprint is stored, so
 * `request` must hold no secret.
 */
export function readIdempotency<Result, Input extends DescMessage, Output extends DescMessage>(
  call: HandlerContext,
  input: Input,
  request: MessageShape<Input>,
  form: ResponseForm<Result, Output>,
): IdempotencyRequest<Result> | null {
  const key = call.requestHeader.get(IDEMPOTENCY_HEADER);
  if (key === null) return null;
  if (key.length > MAX_IDEMPOTENCY_KEY_CHARACTERS || !VISIBLE_ASCII.test(key)) {
    throw invalidField(
      IDEMPOTENCY_HEADER,
      `must have 1 to ${MAX_IDEMPOTENCY_KEY_CHARACTERS} visible ASCII characters`,
    );
  }
  const fingerprint = createHash("sha256")
    .update(`${call.service.typeName}/${call.method.name}\n`)
    .update(toBinary(input, request))
    .digest();
  const encode = (result: Result) =>
    toBinary(form.schema, messageOf(form.schema, form.write(result)));
  return { key, fingerprint, encode };
}

/** The response of a call: of its result, or as its first call got it. */
export function responseOf<Result, Output extends DescMessage>(
  answer: Answer<Result>,
  form: ResponseForm<Result, Output>,
): MessageShape<Output> {
  return answer.kind === "repeated"
    ? fromBinary(form.schema, answer.response.message)
    : messageOf(form.schema, form.write(answer.result));
}
