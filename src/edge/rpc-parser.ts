import { parseTimestamp } from "@agent-memory/text/instant";
import {
  at,
  createJsonReaderCompiler,
  holdsMoreValues,
  jsonNameOf,
} from "@agent-memory/transcoding/json";
import { RestError, tooManyValues } from "@agent-memory/transcoding/rest-error";
import { type DescMessage, fromBinary, fromJson, fromJsonString, toJson } from "@bufbuild/protobuf";
import { type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { MemorySchema } from "../../gen/agentmemory/v1/memory_pb.ts";
import { Failure } from "../domain/failure.ts";
import { findRecordProblem } from "./rpc/check-records.ts";
import { unreadable } from "./rpc-messages.ts";

/** That of any time. */
const readTime = createJsonReaderCompiler({ parseTimestamp }).field(MemorySchema.field.createdAt);

/**
 * Parses messages. Throws for one that holds more values, has an unknown field, or cannot be read.
 *
 * In JSON it reads times as REST does (D3). The RPC library takes days that do not exist for
 * others, and does not name the field of a time that it refuses.
 */
export function createParser(desc: DescMessage, maxValues: number) {
  // Without fields it reads no value. It refuses what is no object, and a name that is there twice.
  const outline = { ...desc, fields: [], members: [], oneofs: [] };
  const decoder = new TextDecoder();

  function parseJson(bytes: Uint8Array) {
    if (holdsMoreValues(bytes, maxValues)) throw tooManyValues(maxValues);
    const text = decoder.decode(bytes);
    fromJsonString(outline, text, { ignoreUnknownFields: true });
    const json = JSON.parse(text);
    withTimes(desc, json, null);
    return fromJson(desc, json);
  }

  function parseBinary(bytes: Uint8Array) {
    const problem = findRecordProblem(desc, bytes, maxValues);
    if (problem !== null) throw problem;
    return fromBinary(desc, bytes);
  }

  return (bytes: Uint8Array, isBinary: boolean) => {
    try {
      return isBinary ? parseBinary(bytes) : parseJson(bytes);
    } catch (error) {
      if (error instanceof Failure || error instanceof RestError) throw error;
      if (isBinary) throw unreadable("parse binary", error);
      throw ConnectError.from(error, Code.InvalidArgument);
    }
  };
}

/** A value of this type, in which times become what protobuf writes. */
function withTimes(type: DescMessage, json: unknown, place: Parameters<typeof at>[0]): unknown {
  if (json === null) return json;
  if (type.typeName === TimestampSchema.typeName) {
    return toJson(TimestampSchema, readTime(json, place) as Timestamp);
  }
  // In free objects there are no times.
  if (typeof json !== "object" || type.typeName.startsWith("google.protobuf.")) return json;
  for (const [name, value] of Object.entries(json)) {
    const field = type.fields.find((each) => each.name === name || each.jsonName === name);
    if (field?.message === undefined) continue;
    const { message } = field;
    const here = at(place, jsonNameOf(field));
    const read = Array.isArray(value)
      ? value.map((each, index) => withTimes(message, each, at(here, index)))
      : withTimes(message, value, here);
    Object.assign(json, { [name]: read });
  }
  return json;
}
