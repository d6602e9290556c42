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
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { type ContextValues, createContextKey, type Interceptor } from "@connectrpc/connect";
import type { UniversalServerResponse } from "@connectrpc/connect/protocol";

/** Connect writes shorter answers, at once and whole. */
const MIN_LARGE_CHARACTERS = 256 * 1024;
const PIECE_BYTES = 64 * 1024;

/** The messages of a call that are held back, by their positions among those of its answer. */
interface HeldBack {
  readonly held: Map<number, HeldMessage>;
  /** Messages so far. */
  count: number;
}

const heldBackKey = createContextKey<HeldBack | null>(null, { description: "a large answer" });

/** Gives a call the place for what is held back of its answer, and returns that. */
export function placeForLarge(values: ContextValues): HeldBack {
  const place: HeldBack = { held: new Map(), count: 0 };
  values.set(heldBackKey, place);
  return place;
}

/**
 * Holds large messages back, and lets Connect write empty ones in their place: it would
 * write each in one stretch, in which nobody else is served.
 */
export const holdBackLarge: Interceptor = (next) => async (request) => {
  const response = await next(request);
  const place = request.contextValues.get(heldBackKey);
  if (place === null) return response;
  const { output } = response.method;
  const holdBack = (message: Message): Message => {
    const position = place.count++;
    if (charactersOf(message) < MIN_LARGE_CHARACTERS) return message;
    place.held.set(position, heldMessage(output, message));
    return create(output);
  };
  async function* heldBack(messages: AsyncIterable<Message>): AsyncGenerator<Message> {
    for await (const message of messages) yield holdBack(message);
  }
  return response.stream
    ? { ...response, message: heldBack(response.message) }
    : { ...response, message: holdBack(response.message) };
};

/** The answer with the messages that are held back, which are written as they are taken, uncompressed. */
export function withLarge(
  answer: UniversalServerResponse,
  place: HeldBack,
): UniversalServerResponse {
  const { body, status } = answer;
  const header = new Headers(answer.header);
  const type = header.get("content-type") ?? "";
  if (status !== 200 || body === undefined) return answer;
  if (/^application\/(?:grpc|connect\+)/.test(type)) {
    return { ...answer, body: enveloped(body, place, type.endsWith("json")) };
  }
  const held = place.held.get(0);
  if (held === undefined) return answer;
  header.delete("content-length");
  return { ...answer, header, body: piecesOf(held, type.endsWith("json")) };
}

interface HeldMessage {
  readonly schema: DescMessage;
  readonly message: Message;
  /** Of the message that it is the only field of; null: it stands by itself. */
  readonly field: DescField | null;
}

type Fields = Message & Readonly<Record<string, unknown>>;

/** A message; or that of the arm which is all of it, where it is a oneof and nothing else. */
function heldMessage(schema: DescMessage, message: Message): HeldMessage {
  const [only] = schema.members;
  if (schema.members.length === 1 && only?.kind === "oneof") {
    const { case: arm, value } = (message as Fields)[only.localName] as Record<string, unknown>;
    const field = only.fields.find(({ localName }) => localName === arm);
    if (field?.message !== undefined && isMessage(value)) {
      return { schema: field.message, message: value, field };
    }
  }
  return { schema, message, field: null };
}

/** Of all its texts, however deep they are. */
export function charactersOf(value: unknown): number {
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
function withoutLists({ schema, message }: HeldMessage): Message {
  const empty = messageLists(schema).map(({ localName }) => [localName, []]);
  return Object.assign(create(schema), message, Object.fromEntries(empty));
}

/** Messages in binary that follow one another are one message: lists go on. */
function* binaryOf(held: HeldMessage): Generator<Uint8Array> {
  const { schema, message } = held;
  yield toBinary(schema, withoutLists(held));
  for (const list of messageLists(schema)) {
    for (const element of elementsOf(message, list)) {
      yield toBinary(schema, Object.assign(create(schema), { [list.localName]: [element] }));
    }
  }
}

function* jsonOf(held: HeldMessage): Generator<Uint8Array> {
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

/** A message that was held back, in pieces. */
async function* piecesOf(held: HeldMessage, isJson: boolean): AsyncGenerator<Uint8Array> {
  const { field } = held;
  const pieces = () => inPieces(isJson ? jsonOf(held) : binaryOf(held));
  if (field === null) yield* pieces();
  else if (isJson) {
    yield Buffer.from(`{${JSON.stringify(field.jsonName)}:`);
    yield* pieces();
    yield Buffer.from("}");
  } else {
    const length = await lengthOf(pieces());
    yield new BinaryWriter().tag(field.number, WireType.LengthDelimited).uint32(length).finish();
    yield* pieces();
  }
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

async function lengthOf(pieces: AsyncIterable<Uint8Array>): Promise<number> {
  let length = 0;
  for await (const piece of pieces) length += piece.length;
  return length;
}

const ENVELOPE_PREFIX_BYTES = 5;
const COMPRESSED = 1;

/**
 * A body of envelopes, each a chunk, in which those of the empty messages become those of
 * what is held back. Its length stands before each, so it is made twice rather than kept.
 */
async function* enveloped(
  body: AsyncIterable<Uint8Array>,
  { held }: HeldBack,
  isJson: boolean,
): AsyncGenerator<Uint8Array> {
  let position = 0;
  for await (const chunk of body) {
    // What has another flag is the end of the stream.
    const isMessage = ((chunk[0] ?? 0) & ~COMPRESSED) === 0;
    const message = isMessage ? held.get(position) : undefined;
    if (message === undefined) yield chunk;
    else {
      held.delete(position);
      const prefix = Buffer.alloc(ENVELOPE_PREFIX_BYTES);
      prefix.writeUInt32BE(await lengthOf(piecesOf(message, isJson)), 1);
      yield prefix;
      yield* piecesOf(message, isJson);
    }
    if (isMessage) position++;
  }
}
