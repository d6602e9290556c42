import { createHash } from "node:crypto";
import { type DescMessage, type MessageShape, toBinary } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { invalidField } from "../../domain/failure.ts";
import { MAX_IDEMPOTENCY_KEY_CHARACTERS } from "../../domain/limits.ts";
import type { IdempotencyRequest } from "../../service/idempotency.ts";

const HEADER = "Idempotency-Key";
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/**
 * The `Idempotency-Key` of a call with the fingerprint of its request (D33); null
 * where the caller sent none. Equal requests have equal bytes whatever protocol
 * they came by, and whatever order their JSON was in.
 */
export function readIdempotency<Desc extends DescMessage>(
  context: HandlerContext,
  schema: Desc,
  request: MessageShape<Desc>,
): IdempotencyRequest | null {
  const key = context.requestHeader.get(HEADER);
  if (key === null) return null;
  if (key.length > MAX_IDEMPOTENCY_KEY_CHARACTERS || !VISIBLE_ASCII.test(key)) {
    throw invalidField(
      HEADER,
      `must have 1 to ${MAX_IDEMPOTENCY_KEY_CHARACTERS} visible ASCII characters`,
    );
  }
  const fingerprint = createHash("sha256")
    .update(`${context.service.typeName}/${context.method.name}\n`)
    .update(toBinary(schema, request))
    .digest();
  return { key, fingerprint };
}
