import type { ResponseSchema } from "@google/generative-ai";

/** The part of JSON Schema that our prompts are written in. */
interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly [keyword: string]: unknown;
}

/** Keywords that both languages have, with the same meaning. */
const SHARED_KEYWORDS = [
  "description",
  "required",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
] as const;

/**
 * A JSON Schema in the form that Gemini takes: one type and `nullable` instead of
 * a list of types, the order of properties as they are written (else it is
 * alphabetical, and a model that must say why before it says what would not), and
 * an `enum` of strings only. Other keywords narrow what is valid and are left out;
 * the answer is checked all the same.
 */
export function toResponseSchema(schema: object): ResponseSchema {
  return convert(schema as JsonSchema) as unknown as ResponseSchema;
}

function convert(schema: JsonSchema): Record<string, unknown> {
  const types = [schema.type ?? []].flat();
  const { properties, items } = schema;
  const shared = SHARED_KEYWORDS.filter((keyword) => schema[keyword] !== undefined);
  return {
    type: types.find((type) => type !== "null"),
    ...(types.includes("null") && { nullable: true }),
    ...Object.fromEntries(shared.map((keyword) => [keyword, schema[keyword]])),
    ...(schema.enum?.every((value) => typeof value === "string") && {
      format: "enum",
      enum: schema.enum,
    }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, convert(property)]),
      ),
      propertyOrdering: Object.keys(properties),
    }),
    ...(items && { items: convert(items) }),
  };
}
