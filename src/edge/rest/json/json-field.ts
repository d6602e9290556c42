import { type DescField, getOption } from "@bufbuild/protobuf";
import { type JsonField, json_field } from "../../../../gen/transcoding/v1/options_pb.ts";

/** The option `(transcoding.v1.json_field)`; its defaults where the field has none. */
export function jsonFieldOf(field: DescField): JsonField {
  return getOption(field, json_field);
}
