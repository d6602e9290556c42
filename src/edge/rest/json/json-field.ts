import { type DescField, getOption } from "@bufbuild/protobuf";
import { protoCamelCase } from "@bufbuild/protobuf/reflect";
import { type JsonField, json_field } from "../../../../gen/transcoding/v1/options_pb.ts";

/** The option `(transcoding.v1.json_field)`; its defaults where the field has none. */
export function jsonFieldOf(field: DescField): JsonField {
  return getOption(field, json_field);
}

/**
 * The name of a field in JSON, queries and errors: its `json_name` where the proto
 * file sets one of its own, otherwise its name in the proto file.
 */
export function jsonNameOf({ name, jsonName }: DescField): string {
  return jsonName === protoCamelCase(name) ? name : jsonName;
}
