/** A schema of JSON Schema 2020-12, as OpenAPI 3.1 holds it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The same, or null. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type, const: only, enum: words, $ref, ...rest } = schema;
  if (Array.isArray(schema.anyOf)) {
    return { ...schema, anyOf: [...schema.anyOf, { type: "null" }] };
  }
  if ($ref !== undefined) return { anyOf: [{ $ref }, { type: "null" }], ...rest };
  return {
    type: [type, "null"],
    ...(only !== undefined && { enum: [only, null] }),
    ...(Array.isArray(words) && { enum: [...words, null] }),
    ...rest,
  };
}

/** The same with properties left out that are undefined. */
export function defined(object: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
