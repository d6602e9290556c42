import { parseTimestamp } from "@agent-memory/text/instant";
import { at, createJsonReaderCompiler, jsonNameOf } from "@agent-memory/transcoding/json";
import { RestError } from "@agent-memory/transcoding/rest-error";
import { type DescMessage, fromJson, fromJsonString, toJson } from "@bufbuild/protobuf";
import { type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { MemorySchema } from "../../gen/agentmemory/v1/memory_pb.ts";

/** That of any time. */
const readTime = createJsonReaderCompiler({ parseTimestamp }).field(MemorySchema.field.createdAt);

/**
 * Reads messages as protobuf's JSON, but times as REST does (D3). The RPC library takes days that
 * do not exist for others, and does not name the field of a time that it refuses.
 */
export function createJsonParser(desc: DescMessage) {
  // Without fields it reads no value. It refuses what is no object, and a name that is there twice.
  const outline = { ...desc, fields: [], members: [], oneofs: [] };
  return (bytes: Uint8Array) => {
    const text = new TextDecoder().decode(bytes);
    try {
      fromJsonString(outline, text, { ignoreUnknownFields: true });
      const json = JSON.parse(text);
      withTimes(desc, json, null);
      return fromJson(desc, json);
    } catch (error) {
      throw error instanceof RestError ? error : ConnectError.from(error, Code.InvalidArgument);
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
