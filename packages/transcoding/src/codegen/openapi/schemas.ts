import {
  type FieldRules,
  json_field,
  message_rules,
  type RequestForm,
  rules,
} from "@agent-memory/gen/transcoding/v1/options_pb";
import {
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescOneof,
  type DescService,
  getOption,
} from "@bufbuild/protobuf";
import { getComments } from "@bufbuild/protoplugin";
import {
  type FlatArms,
  flatArmsOf,
  isFlat,
  type JsonType,
  jsonNameOf,
  requestTypeOf,
  responseTypeOf,
  textReplacedBy,
} from "../../json/field.ts";
import { jsonNamesOf } from "../../json/writer.ts";
import { GenerationError } from "../service-routes.ts";

/** A schema of JSON Schema 2020-12, as OpenAPI 3.1 holds it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The same, or null. */
function orNull(schema: JsonSchema): JsonSchema {
  const { type, const: only, enum: words, $ref, ...rest } = schema;
  if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: [...schema.anyOf, { type: "null" }] };
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

/** The comment of a declaration as CommonMark, a line for each paragraph and item; or undefined. */
export function descriptionOf(
  desc: DescField | DescMessage | DescMethod | DescService,
): string | undefined {
  const comment = getComments(desc).leading?.replaceAll(/^ /gm, "").trim();
  if (!comment) return undefined;
  return comment.replaceAll(/(?<!\n)\n(?!\n|- )\s*/g, " ");
}

/** The first sentence of a description, without its full stop. */
export function summaryOf(description: string): string {
  const [paragraph = ""] = description.split("\n");
  return /^.*?(?=\.(?:\s|$))/.exec(paragraph)?.[0] ?? paragraph;
}

export function rulesOf(field: DescField): FieldRules {
  return getOption(field, rules);
}

/** The schema of a value, or of each text in a map, without what its rules say. */
const SIMPLE_SCHEMAS: Readonly<Record<Exclude<JsonType, DescMessage>, JsonSchema>> = {
  string: { type: "string" },
  bool: { type: "boolean" },
  int32: { type: "integer", format: "int32" },
  double: { type: "number", format: "double" },
  timestamp: { type: "string", format: "date-time" },
  field_mask: { type: "string" },
  text_map: { type: "string" },
  struct: { type: "object", additionalProperties: true },
};

/** The schema of a field, a list or a map whose values have the schema or simple type `value`. */
export function valueSchema(
  field: DescField,
  value: Exclude<JsonType, DescMessage> | JsonSchema,
): JsonSchema {
  const ofField = rulesOf(field);
  const simple = typeof value === "string" ? SIMPLE_SCHEMAS[value] : value;
  const element = { ...simple, ...elementRules(ofField) };
  if (field.fieldKind === "map") {
    const { maxItems: maxProperties, maxKeyLength: maxLength } = ofField;
    const names = { minLength: 1, maxLength, pattern: NO_CONTROL_CHARACTERS };
    const propertyNames = maxLength === undefined ? undefined : names;
    return defined({ type: "object", additionalProperties: element, propertyNames, maxProperties });
  }
  if (field.fieldKind !== "list") return element;
  return defined({
    type: "array",
    items: element,
    minItems: getOption(field, json_field).rejectEmpty ? 1 : undefined,
    maxItems: ofField.maxItems,
  });
}

export function annotations(field: DescField): JsonSchema {
  const { exampleJson } = rulesOf(field);
  return defined({
    examples: exampleJson === "" ? undefined : [parsed(field, exampleJson)],
    deprecated: field.deprecated || undefined,
  });
}

/** The default of a field that was left out. */
export function defaultOf(field: DescField): JsonSchema {
  const { defaultJson } = rulesOf(field);
  return defaultJson === "" ? {} : { default: parsed(field, defaultJson) };
}

/** Portable to the regular expressions of most languages. */
const NOT_BLANK = String.raw`\S`;
const NO_CONTROL_CHARACTERS = String.raw`^[^\u0000-\u001f\u007f-\u009f]*$`;

function elementRules(of: FieldRules): JsonSchema {
  const patterns = [
    of.notBlank ? NOT_BLANK : "",
    of.noControlCharacters ? NO_CONTROL_CHARACTERS : "",
    of.pattern,
  ].filter((pattern) => pattern !== "");
  return defined({
    const: of.words.length === 1 ? of.words[0] : undefined,
    enum: of.words.length > 1 ? of.words : undefined,
    minLength: of.minLength,
    // A character is a byte at least.
    maxLength: of.maxLength ?? of.maxBytes,
    "x-max-bytes": of.maxBytes,
    pattern: patterns.length === 1 ? patterns[0] : undefined,
    allOf: patterns.length > 1 ? patterns.map((pattern) => ({ pattern })) : undefined,
    format: of.format === "" ? undefined : of.format,
    minimum: of.minimum,
    maximum: of.maximum,
  });
}

function parsed(field: DescField, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new GenerationError(field, `${json} is not JSON`);
  }
}

/** How a request is read: see `createJsonReaderCompiler`. */
export interface RequestReading {
  /** Fields that are read from elsewhere, by their names in the proto file. */
  readonly without: ReadonlySet<string>;
  /** Null is refused, and a field that is left out stays as it is. */
  readonly isPatch: boolean;
}

type Properties = Record<string, JsonSchema>;

/**
 * The schemas of messages, each once, under `components`. Responses must be asked for
 * before requests: where a message is both, that of the request has a name of its own.
 */
export class MessageSchemas {
  readonly #components = new Map<string, { readonly of: string; schema: JsonSchema }>();

  /** By name, in order of names. */
  components(): Readonly<Record<string, JsonSchema>> {
    const byName = [...this.#components].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(byName.map(([name, { schema }]) => [name, schema]));
  }

  /** A reference to the object that a response writes for a message. */
  response(desc: DescMessage): JsonSchema {
    return this.#reference(desc.name, `response ${desc.typeName}`, desc, () => {
      const arms = flatArmsOf(desc);
      if (arms === null) return objectSchema(desc, this.#responseProperties(desc));
      const oneOf = arms.map(({ message }) => this.response(message));
      return defined({ description: descriptionOf(desc), oneOf, ...discriminator(arms) });
    });
  }

  /** A reference to the object that a request is read from, or to each that it may be. */
  request(desc: DescMessage, reading: RequestReading): JsonSchema {
    const isResponse = this.#components.get(desc.name)?.of === `response ${desc.typeName}`;
    const suffix = reading.isPatch ? "Patch" : isResponse ? "Input" : "";
    const excluded = [...reading.without].join();
    const identity = `request ${desc.typeName} ${reading.isPatch} ${excluded}`;
    return this.#reference(`${desc.name}${suffix}`, identity, desc, () => {
      const { forms } = getOption(desc, message_rules);
      const oneOf =
        flatArmsOf(desc)?.map(({ message }) => this.request(message, reading)) ??
        forms.map((form) =>
          this.#reference(form.name, `${identity} ${form.name}`, desc, () =>
            this.#closedObject(desc, reading, form),
          ),
        );
      if (oneOf.length === 0) return this.#closedObject(desc, reading, null);
      return defined({ description: descriptionOf(desc), oneOf });
    });
  }

  /** `form`: null where all requests are of one form. */
  #closedObject(desc: DescMessage, reading: RequestReading, form: RequestForm | null): JsonSchema {
    const fields = desc.fields.filter(
      (field) =>
        !reading.without.has(field.name) &&
        !form?.without.includes(field.name) &&
        textReplacedBy(field) === null,
    );
    if (form !== null && !fields.some(({ name }) => name === form.given)) {
      throw new GenerationError(desc, `the body has no field ${form.given}`);
    }
    const isRequired = (field: DescField) =>
      field.name === form?.given || (!reading.isPatch && rulesOf(field).required);
    const properties = fields.map((field) => [
      jsonNameOf(field),
      this.#input(field, reading, isRequired(field)),
    ]);
    const required = fields.filter(isRequired).map(jsonNameOf);
    return {
      ...objectSchema(desc, Object.fromEntries(properties), required),
      additionalProperties: false,
    };
  }

  #reference(name: string, of: string, desc: DescMessage, make: () => JsonSchema): JsonSchema {
    const known = this.#components.get(name);
    if (known === undefined) {
      // A message may contain itself, so its name is taken before its schema is there.
      const component = { of, schema: {} };
      this.#components.set(name, component);
      component.schema = make();
    } else if (known.of !== of) {
      throw new GenerationError(desc, `OpenAPI has another schema of the name ${name}`);
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  #responseProperties(desc: DescMessage): Properties {
    jsonNamesOf(desc);
    const properties: Properties = {};
    for (const member of desc.members) {
      if (member.kind === "oneof") Object.assign(properties, this.#arms(member));
      else if (isFlat(member) && member.fieldKind === "message") {
        Object.assign(properties, this.#responseProperties(member.message));
      } else properties[jsonNameOf(member)] = this.#output(member, rulesOf(member).nullable);
    }
    return properties;
  }

  /** Every name of a oneof is written; those that are not set are null. */
  #arms({ fields }: DescOneof): Properties {
    const flat = fields.find(isFlat);
    if (flat !== undefined) {
      throw new GenerationError(flat, "OpenAPI carries flat arms only where a message has no more");
    }
    return Object.fromEntries(
      fields.map((field) => [jsonNameOf(field), this.#output(field, true)]),
    );
  }

  #output(field: DescField, nullable: boolean): JsonSchema {
    const type = responseTypeOf(field);
    const schema = valueSchema(field, typeof type === "string" ? type : this.response(type));
    return described(field, nullable ? orNull(schema) : schema);
  }

  #input(field: DescField, reading: RequestReading, isRequired: boolean): JsonSchema {
    const { isPatch } = reading;
    const list = field.parent.fields.find((other) => textReplacedBy(other) === field);
    const value = this.#inputValue(field, reading);
    const schema =
      list === undefined
        ? value
        : { anyOf: [value, described(list, this.#inputValue(list, reading), isPatch)] };
    const told = described(field, isPatch || isRequired ? schema : orNull(schema), isPatch);
    const isByForm = isRequired && !rulesOf(field).required;
    return isByForm ? { ...told, description: `Required. ${told.description}` } : told;
  }

  #inputValue(field: DescField, { isPatch }: RequestReading): JsonSchema {
    const type = requestTypeOf(field);
    const inside = { without: new Set<string>(), isPatch };
    return valueSchema(field, typeof type === "string" ? type : this.request(type, inside));
  }
}

function described(field: DescField, schema: JsonSchema, isPatch = false): JsonSchema {
  return defined({
    description: descriptionOf(field),
    ...schema,
    ...(isPatch ? {} : defaultOf(field)),
    ...annotations(field),
  });
}

/** Every property is required, unless `required` says which are. */
function objectSchema(
  desc: DescMessage,
  properties: Properties,
  required: readonly string[] = Object.keys(properties),
): JsonSchema {
  return defined({
    description: descriptionOf(desc),
    type: "object",
    properties,
    required: required.length === 0 ? undefined : required,
  });
}

/** The discriminator of a oneof: the name that is in all of its arms, with one word in each. */
function discriminator(arms: FlatArms): JsonSchema {
  for (const { name } of arms[0]?.message.fields ?? []) {
    const words = arms.map(({ message }) => {
      const field = message.fields.find((each) => each.name === name);
      return field === undefined ? [] : rulesOf(field).words;
    });
    if (words.every(({ length }) => length === 1) && new Set(words.flat()).size === arms.length) {
      const refs = arms.map(({ message }, index) => [
        words[index]?.[0],
        `#/components/schemas/${message.name}`,
      ]);
      return { discriminator: { propertyName: name, mapping: Object.fromEntries(refs) } };
    }
  }
  return {};
}
