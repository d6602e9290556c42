import { message_rules, type RequestForm } from "@agent-memory/gen/transcoding/v1/options_pb";
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
      return defined({ description: descriptionOf(desc), oneOf, ...discriminator(desc) });
    });
  }

  /** A reference to the object that a request is read from, or to each that it may be. */
  request(desc: DescMessage, reading: RequestReading): JsonSchema {
    const suffix = reading.isPatch ? "Patch" : this.#isResponse(desc) ? "Input" : "";
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
