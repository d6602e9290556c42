import {
  FieldRulesSchema,
  JsonFieldSchema,
  json_field,
  rules,
} from "@agent-memory/gen/transcoding/v1/options_pb";
import { type DescField, type DescMethod, getOption, toJsonString } from "@bufbuild/protobuf";
import { jsonNameOf } from "../json/field.ts";
import { eventsOf } from "../stream-response.ts";
import { GenerationError } from "./http-bindings.ts";

/** Checks that the messages of an RPC can be events. Throws a GenerationError. */
export function checkEvents(rpc: DescMethod): void {
  try {
    eventsOf(rpc.output);
  } catch (error) {
    throw new GenerationError(rpc, error instanceof Error ? error.message : String(error));
  }
}

/**
 * Checks that two RPCs read the same from a request: what a caller may send must not
 * depend on what it accepts. Throws a GenerationError.
 */
export function checkSameRequest(rpc: DescMethod, unary: DescMethod): void {
  const others = new Map(unary.input.fields.map((field) => [field.name, field]));
  for (const field of rpc.input.fields) {
    const other = others.get(field.name);
    if (other === undefined || shapeOf(field) !== shapeOf(other)) {
      const problem = `the field "${field.name}" is not as in ${unary.input.name}`;
      throw new GenerationError(rpc, problem);
    }
    others.delete(field.name);
  }
  for (const name of others.keys()) {
    throw new GenerationError(rpc, `the field "${name}" of ${unary.input.name} is missing`);
  }
}

/** Equal for fields that are read alike. */
function shapeOf(field: DescField): string {
  return JSON.stringify([
    jsonNameOf(field),
    field.fieldKind,
    field.fieldKind === "list" ? field.listKind : null,
    field.fieldKind === "map" ? [field.mapKey, field.mapKind] : null,
    field.scalar ?? null,
    field.message?.typeName ?? null,
    field.presence,
    toJsonString(FieldRulesSchema, getOption(field, rules)),
    toJsonString(JsonFieldSchema, getOption(field, json_field)),
  ]);
}
