import { message_rules } from "@agent-memory/gen/transcoding/v1/options_pb";
import { type DescField, type DescMessage, type DescOneof, getOption } from "@bufbuild/protobuf";
import {
  flatArmsOf,
  isFlat,
  jsonNameOf,
  requestTypeOf,
  responseTypeOf,
  textReplacedBy,
} from "../../json/field.ts";
import { jsonNamesOf } from "../../json/writer.ts";
import { GenerationError } from "../http-bindings.ts";
import { descriptionOf } from "./comments.ts";
import { annotations, defaultOf, rulesOf, valueSchema } from "./field-schema.ts";
import { defined, type JsonSchema, orNull } from "./json-schema.ts";

/** How a request is read: see `createJsonReaderCompiler`. */
export interface RequestForm {
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
      return defined({ description: descriptionOf(desc), oneOf, ...discriminator(desc) });
    });
  }

  /** A reference to the object that a request is read from. */
  request(desc: DescMessage, form: RequestForm): JsonSchema {
    const suffix = form.isPatch ? "Patch" : this.#isResponse(desc) ? "Input" : "";
    const excluded = [...form.without].join();
    const identity = `request ${desc.typeName} ${form.isPatch} ${excluded}`;
    return this.#reference(`${desc.name}${suffix}`, identity, desc, () => {
      const arms = flatArmsOf(desc);
      if (arms !== null) {
        const oneOf = arms.map(({ message }) => this.request(message, form));
        return defined({ description: descriptionOf(desc), oneOf });
      }
      const fields = desc.fields.filter(
        (field) => !form.without.has(field.name) && textReplacedBy(field) === null,
      );
      const properties = fields.map((field) => [jsonNameOf(field), this.#input(field, form)]);
      const required = fields.filter((field) => !form.isPatch && rulesOf(field).required);
      return defined({
        ...objectSchema(desc, Object.fromEntries(properties), required.map(jsonNameOf)),
        additionalProperties: false,
        ...fieldsTogether(desc, fields),
      });
    });
  }

  #isResponse(desc: DescMessage): boolean {
    return this.#components.get(desc.name)?.of === `response ${desc.typeName}`;
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
      else if (isFlat(member)) {
        Object.assign(properties, this.#responseProperties(flatMessage(member)));
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

  #input(field: DescField, form: RequestForm): JsonSchema {
    const { isPatch } = form;
    const list = field.parent.fields.find((other) => textReplacedBy(other) === field);
    const value = this.#inputValue(field, form);
    const schema =
      list === undefined
        ? value
        : { anyOf: [value, described(list, this.#inputValue(list, form), isPatch)] };
    return described(field, isPatch || rulesOf(field).required ? schema : orNull(schema), isPatch);
  }

  #inputValue(field: DescField, { isPatch }: RequestForm): JsonSchema {
    const type = requestTypeOf(field);
    const inside = { without: new Set<string>(), isPatch };
    return valueSchema(field, typeof type === "string" ? type : this.request(type, inside));
  }
}

function flatMessage(field: DescField): DescMessage {
  if (field.fieldKind === "message") return field.message;
  throw new GenerationError(field, "only a message can be flat");
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

/**
 * The discriminator of a oneof: the name that is in all of its arms, with one word
 * in each.
 */
function discriminator({ fields }: DescMessage): JsonSchema {
  const arms = fields.map(flatMessage);
  const [first] = arms;
  const names = first?.fields.map(({ name }) => name) ?? [];
  for (const name of names) {
    const words = arms.map((arm) => {
      const field = arm.fields.find((each) => each.name === name);
      return field === undefined ? [] : rulesOf(field).words;
    });
    if (words.every(({ length }) => length === 1) && new Set(words.flat()).size === arms.length) {
      const mapping = arms.map(({ name: arm }, index) => [
        words[index]?.[0],
        `#/components/schemas/${arm}`,
      ]);
      return { discriminator: { propertyName: name, mapping: Object.fromEntries(mapping) } };
    }
  }
  return {};
}

/** Which fields of a request exclude or need one another. Null counts as left out. */
function fieldsTogether(desc: DescMessage, fields: readonly DescField[]): JsonSchema {
  const { exactlyOne, atLeastOne } = getOption(desc, message_rules);
  const names = [...exactlyOne, ...atLeastOne];
  if (names.length === 0) return {};
  const choices = names.map((name) => {
    const field = fields.find((each) => each.name === name);
    if (field === undefined) throw new GenerationError(desc, `the body has no field ${name}`);
    const given = { type: field.fieldKind === "list" ? "array" : "string" };
    const others = exactlyOne.filter((other) => other !== name);
    return {
      type: "object",
      properties: {
        [name]: given,
        ...Object.fromEntries(others.map((other) => [other, { type: "null" }])),
      },
      required: [name],
    };
  });
  return { anyOf: choices };
}
