import { createHash } from "node:crypto";
import {
  create,
  type DescField,
  type DescMessage,
  type DescMethodServerStreaming,
  type DescMethodStreaming,
  type DescMethodUnary,
  type DescService,
  fromBinary,
  isMessage,
  type Message,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import {
  createContextKey,
  createServiceImplSpec,
  type HandlerContext,
  type ServiceImplSpec,
} from "@connectrpc/connect";
import { invalidField } from "../../domain/failure.ts";
import { type Instant, splitInstant } from "../../domain/instant.ts";
import { MAX_IDEMPOTENCY_KEY_CHARACTERS } from "../../domain/limits.ts";
import type { Caller } from "../../service/context.ts";
import type { Answer, IdempotencyRequest } from "../../service/idempotency.ts";

/** Where the gate leaves the caller for the handlers. */
export const callerKey = createContextKey<Caller | null>(null, { description: "who calls" });

/** The caller that the gate admitted. */
export function callerOf(call: HandlerContext): Caller {
  const caller = call.values.get(callerKey);
  if (caller === null) throw new Error("a handler ran without the gate");
  return caller;
}

/** How many values JSON or a message holds at any depth, itself included. */
export function valuesIn(json: unknown): number {
  if (typeof json !== "object" || json === null) return 1;
  return Object.values(json).reduce<number>((sum, value) => sum + valuesIn(value), 1);
}

const IDEMPOTENCY_HEADER = "Idempotency-Key";
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** How the response of a call is written, kept for its idempotency key, and read again. */
export interface ResponseForm<Result, Output extends DescMessage> {
  readonly schema: Output;
  write(result: Result): Plain<MessageShape<Output>>;
}

/**
 * The `Idempotency-Key` of a call with the fingerprint of its request (D33); null where the caller
 * sent none. Equal requests have equal bytes whatever protocol they came by, and whatever order
 * their JSON was in. The fingerprint is stored, so `request` must hold no secret.
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
    const rule = `must have 1 to ${MAX_IDEMPOTENCY_KEY_CHARACTERS} visible ASCII characters`;
    throw invalidField(IDEMPOTENCY_HEADER, rule);
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

/** A message as the domain has it: moments are Instants, and null is what is unset. */
export type Plain<M> = {
  readonly [Name in keyof M as Exclude<Name, "$typeName" | "$unknown">]?: PlainValue<M[Name]>;
};
type PlainValue<T> =
  | (T extends Timestamp
      ? Instant
      : T extends Message
        ? Plain<T>
        : T extends readonly (infer Item)[]
          ? readonly PlainValue<Item>[]
          : T extends { readonly case: infer Case extends string; readonly value: infer Value }
            ? { readonly case: Case; readonly value: PlainValue<Value> }
            : T)
  | T
  | null
  | undefined;

/** A message of what the domain has in its place. */
export function messageOf<Desc extends DescMessage>(
  desc: Desc,
  plain: Plain<MessageShape<Desc>> | MessageShape<Desc>,
): MessageShape<Desc> {
  if (isMessage(plain, desc)) return plain;
  const message = create(desc) as Message & Record<string, unknown>;
  const given = plain as Readonly<Record<string, unknown>>;
  for (const member of desc.members) {
    const value = given[member.localName];
    if (value === null || value === undefined) continue;
    if (member.kind === "field") message[member.localName] = written(member, value);
    else {
      const { case: arm, value: held } = value as { case?: string; value: unknown };
      const field = member.fields.find(({ localName }) => localName === arm);
      if (field !== undefined)
        message[member.localName] = { case: arm, value: written(field, held) };
    }
  }
  return message as unknown as MessageShape<Desc>;
}

function written(field: DescField, value: unknown): unknown {
  if (field.fieldKind === "list") {
    return (value as readonly unknown[]).map((item) => writtenItem(field, item));
  }
  return field.fieldKind === "map" ? value : writtenItem(field, value);
}

function writtenItem({ message }: DescField, value: unknown): unknown {
  if (message === undefined || isMessage(value)) return value;
  if (typeof value === "bigint") return timestamp(value as Instant);
  // A JSON object is that of a `google.protobuf.Struct`.
  if (message.typeName === "google.protobuf.Struct") return value;
  return messageOf(message, value as object);
}

export function timestamp(instant: Instant): Timestamp {
  const { seconds, micros } = splitInstant(instant);
  return create(TimestampSchema, { seconds, nanos: micros * 1_000 });
}

type Answered<Desc extends DescMessage> = Plain<MessageShape<Desc>> | MessageShape<Desc>;

/** The handlers of a service, which answer what the domain has in place of messages. */
export type Handlers<Service extends DescService> = {
  readonly [Name in keyof Service["method"]]: Service["method"][Name] extends DescMethodUnary<
    infer Input,
    infer Output
  >
    ? (
        request: MessageShape<Input>,
        call: HandlerContext,
      ) => Answered<Output> | Promise<Answered<Output>>
    : Service["method"][Name] extends DescMethodServerStreaming<infer Input, infer Output>
      ? (request: MessageShape<Input>, call: HandlerContext) => AsyncIterable<Answered<Output>>
      : Service["method"][Name] extends DescMethodStreaming<infer Input, infer Output>
        ? (
            requests: AsyncIterable<MessageShape<Input>>,
            call: HandlerContext,
          ) => Promise<Answered<Output>>
        : never;
};

type Handler = (request: unknown, call: HandlerContext) => unknown;

/** A service as it is served, whose answers are written as its messages. */
export function implement<Service extends DescService>(
  service: Service,
  handlers: Handlers<Service>,
): ServiceImplSpec {
  const methods = service.methods.map((method) => {
    const handler = (handlers as Readonly<Record<string, Handler>>)[method.localName] as Handler;
    const toMessage = (plain: unknown) => messageOf(method.output, plain as object);
    const implementation: Handler =
      method.methodKind === "server_streaming"
        ? async function* (request, call) {
            for await (const each of handler(request, call) as AsyncIterable<unknown>) {
              yield toMessage(each);
            }
          }
        : async (request, call) => toMessage(await handler(request, call));
    return [method.localName, implementation];
  });
  return createServiceImplSpec(service, Object.fromEntries(methods));
}
