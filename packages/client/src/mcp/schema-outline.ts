/** The part of `gen/openapi.json` that is read here. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, object>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

interface JsonSchema {
  readonly $ref?: string;
  readonly [keyword: string]: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly responses: {
    readonly 200: { readonly content: { readonly "application/json": { schema: JsonSchema } } };
  };
}

const REF = "#/components/schemas/";
/** Words about a value that a model reads the value itself for. */
const LEFT_OUT = [
  "description",
  "examples",
  "example",
  "title",
  "format",
  "pattern",
  "discriminator",
];

/**
 * The shape of the answer of an RPC as one JSON Schema: types and names alone, since a
 * model pays for each word of it.
 */
export function outlineOf({ paths, components }: OpenApiDocument, rpcName: string) {
  const operations = Object.values(paths).flatMap((path): Operation[] => Object.values(path));
  const operation = operations.find(({ operationId }) => operationId === rpcName);
  if (operation === undefined) throw new Error(`${rpcName} is not in the document`);
  const schema = operation.responses[200].content["application/json"].schema;
  const { properties, ...rest } = outline(schema) as { properties?: object };
  return { type: "object" as const, ...rest, properties: { ...properties } };

  function outline(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(outline);
    if (typeof value !== "object" || value === null) return value;
    const { $ref, ...own } = value as JsonSchema;
    const whole =
      $ref === undefined ? own : { ...components.schemas[$ref.slice(REF.length)], ...own };
    return Object.fromEntries(
      Object.entries(whole)
        .filter(([keyword]) => !LEFT_OUT.includes(keyword))
        .map(([keyword, part]) => [
          keyword,
          // Here names are those of fields, which may be called as a keyword is.
          keyword === "properties" ? mapValues(part as object, outline) : outline(part),
        ]),
    );
  }
}

function mapValues(object: object, map: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));
}
