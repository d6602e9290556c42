import { setImmediate } from "node:timers/promises";
import {
  create,
  type DescField,
  type DescMessage,
  isMessage,
  type Message,
  toBinary,
  toJsonString,
} from "@bufbuild/protobuf";
import { type ContextValues, createContextKey, type Interceptor } from "@connectrpc/connect";
import type { UniversalServerResponse } from "@connectrpc/connect/protocol";

/** Connect writes shorter answers, at once and whole. */
const MIN_LARGE_CHARACTERS = 256 * 1024;
const PIECE_BYTES = 64 * 1024;

interface HeldBack {
  answer: { readonly schema: DescMessage; readonly message: Message } | null;
}

const heldBackKey = createContextKey<HeldBack | null>(null, { description: "a large answer" });

/** Gives a call the place for an answer that is held back, and returns that. */
export function placeForLarge(values: ContextValues): HeldBack {
  const place: HeldBack = { answer: null };
  values.set(heldBackKey, place);
  return place;
}

/**
 * Holds a large message back, and lets Connect write an empty one in its place: it would
 * write the whole in one stretch, in which nobody else is served.
 */
export const holdBackLarge: Interceptor = (next) => async (request) => {
  const response = await next(request);
  const place = request.contextValues.get(heldBackKey);
  if (place === null || response.stream) return response;
  const { output } = response.method;
  if (charactersOf(response.message) < MIN_LARGE_CHARACTERS) return response;
  place.answer = { schema: output, message: response.message };
  return { ...response, message: create(output) };
};

/** The answer with the message that was held back, which is written as it is taken, uncompressed. */
export function withLarge(
  answer: UniversalServerResponse,
  { answer: held }: HeldBack,
): UniversalServerResponse {
  const { body, status } = answer;
  if (held === null || status !== 200 || body === undefined) return answer;
  const header = new Headers(answer.header);
  const type = header.get("content-type") ?? "";
  const isJson = type.endsWith("json");
  const pieces = () => inPieces(isJson ? jsonOf(held) : binaryOf(held));
  if (type.startsWith("application/grpc")) {
    return { ...answer, body: enveloped(body, pieces) };
  }
  header.delete("content-length");
  return { ...answer, header, body: pieces() };
}

type HeldAnswer = NonNullable<HeldBack["answer"]>;
type Fields = Message & Readonly<Record<string, unknown>>;

/** Of all its texts, however deep they are. */
function charactersOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  let characters = 0;
  for (const each of Object.values(value)) characters += charactersOf(each);
  return characters;
}

function messageLists({ fields }: DescMessage) {
  return fields.filter(
    (field): field is DescField & { fieldKind: "list"; listKind: "message" } =>
      field.fieldKind === "list" && field.listKind === "message",
  );
}

function elementsOf(message: Message, { localName }: DescField): readonly Message[] {
  const list = (message as Fields)[localName];
  return Array.isArray(list) ? list.filter((each) => isMessage(each)) : [];
}

/** The message without its lists of messages. */
function withoutLists({ schema, message }: HeldAnswer): Message {
  const empty = messageLists(schema).map(({ localName }) => [localName, []]);
  return Object.assign(create(schema), message, Object.fromEntries(empty));
}

/** Messages in binary that follow one another are one message: lists go on. */
function* binaryOf(held: HeldAnswer): Generator<Uint8Array> {
  const { schema, message } = held;
  yield toBinary(schema, withoutLists(held));
  for (const list of messageLists(schema)) {
    for (const element of elementsOf(message, list)) {
      yield toBinary(schema, Object.assign(create(schema), { [list.localName]: [element] }));
    }
  }
}

function* jsonOf(held: HeldAnswer): Generator<Uint8Array> {
  const { schema, message } = held;
  const others = toJsonString(schema, withoutLists(held)).slice(0, -1);
  let before = others === "{" ? "" : ",";
  yield Buffer.from(others);
  for (const list of messageLists(schema)) {
    const elements = elementsOf(message, list);
    if (elements.length === 0) continue;
    before += `${JSON.stringify(list.jsonName)}:[`;
    for (const element of elements) {
      yield Buffer.from(before + toJsonString(list.message, element));
      before = ",";
    }
    yield Buffer.from("]");
  }
  yield Buffer.from("}");
}

/** Puts parts together until they are a piece; others have their turn between two pieces. */
async function* inPieces(parts: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let piece: Uint8Array[] = [];
  let length = 0;
  for (const part of parts) {
    piece.push(part);
    length += part.length;
    if (length < PIECE_BYTES) continue;
    yield Buffer.concat(piece);
    piece = [];
    length = 0;
    await setImmediate();
  }
  yield Buffer.concat(piece);
}

const ENVELOPE_PREFIX_BYTES = 5;

/**
 * The body of gRPC or gRPC-Web, whose envelope of the empty message becomes that of the
 * pieces. Its length stands before it, so they are made twice rather than kept.
 */
async function* enveloped(
  body: AsyncIterable<Uint8Array>,
  pieces: () => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    // What has a flag is the trailer of gRPC-Web.
    if (chunk[0] !== 0) {
      yield chunk;
      continue;
    }
    let length = 0;
    for await (const piece of pieces()) length += piece.length;
    const prefix = Buffer.alloc(ENVELOPE_PREFIX_BYTES);
    prefix.writeUInt32BE(length, 1);
    yield prefix;
    yield* pieces();
  }
}
