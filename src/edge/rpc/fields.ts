import {
  create,
  createRegistry,
  type DescField,
  getOption,
  type JsonObject,
  type Message,
  ScalarType,
} from "@bufbuild/protobuf";
import { StructSchema, type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import * as files from "../../../gen/files.ts";
import {
  type FieldRules,
  FieldRulesSchema,
  rules,
} from "../../../gen/transcoding/v1/options_pb.ts";
import { invalidField } from "../../domain/failure.ts";
import { isUuid, type MemoryId, toMemoryId } from "../../domain/ids.ts";
import { EARLIEST_INSTANT, type Instant, LATEST_INSTANT, SECOND } from "../../domain/instant.ts";
import type { PageRequest } from "../../service/page-token.ts";

/** Readers throw `invalid_field` with the field as the caller wrote it, and the broken rule. */

/** A value as the domain has it. */
type Read<T> = T extends Timestamp ? Instant : T;
type Optional<T> = undefined extends T ? Read<NonNullable<T>> | null : Read<T>;

/**
 * The fields of a message that have these names, each read by the rules that its proto
 * states; null: it was left out, and has no default. `at` stands before the names.
 */
export function readFields<M extends Message, Name extends keyof M & string>(
  message: M,
  names: readonly Name[],
  at = "",
): { readonly [N in Name]: Optional<M[N]> } {
  const read = names.map((name) => [name, readField(fieldOf(message, name), message[name], at)]);
  return Object.fromEntries(read);
}

/** The same for fields that have a default, or must be given. */
export function readGiven<M extends Message, Name extends keyof M & string>(
  message: M,
  names: readonly Name[],
  at = "",
): { readonly [N in Name]: Read<NonNullable<M[N]>> } {
  const read = names.map((name) => {
    const field = fieldOf(message, name);
    return [name, required(at + field.name, readField(field, message[name], at))];
  });
  return Object.fromEntries(read);
}

/** Which page of a list is asked for. */
export function readPage(request: Message & Partial<PageFields>): PageRequest {
  return { ...readGiven(request, ["pageSize"]), ...readFields(request, ["pageToken"]) };
}

type PageFields = { readonly pageSize: number; readonly pageToken: string };

/** Every message, by its full name. */
const MESSAGES = createRegistry(...Object.values(files));

function fieldOf({ $typeName }: Message, name: string): DescField {
  const field = MESSAGES.getMessage($typeName)?.field[name];
  if (field === undefined) throw new Error(`${$typeName} has no field ${name}`);
  return field;
}

const rulesByField = new WeakMap<DescField, FieldRules>();

function rulesOf(field: DescField): FieldRules {
  const known = rulesByField.get(field) ?? getOption(field, rules);
  rulesByField.set(field, known);
  return known;
}

function readField(field: DescField, value: unknown, at: string): unknown {
  const name = at + field.name;
  const rule = rulesOf(field);
  if (value === undefined) {
    if (rule.required) throw invalidField(name, "is required");
    return rule.defaultJson === "" ? null : JSON.parse(rule.defaultJson);
  }
  if (field.fieldKind === "map") return readMap(name, rule, value as Record<string, string>);
  if (field.fieldKind !== "list") return readValue(name, field, rule, value);
  const items = value as readonly unknown[];
  checkSize(name, rule, items.length);
  return items.map((item, index) => readValue(`${name}[${index}]`, field, rule, item));
}

function checkSize(name: string, { maxItems = Infinity }: FieldRules, size: number): void {
  if (size > maxItems) throw invalidField(name, `must have at most ${maxItems} entries`);
}

/** Texts by name. */
function readMap(name: string, rule: FieldRules, map: Readonly<Record<string, string>>) {
  const entries = Object.entries(map);
  checkSize(name, rule, entries.length);
  for (const [key, text] of entries) {
    const entry = `${name}.${key}`;
    readLabel(entry, key, rule.maxKeyLength ?? Infinity);
    checkText(entry, text, rule);
  }
  return map;
}

function readValue(name: string, field: DescField, rule: FieldRules, value: unknown): unknown {
  const { minimum, maximum } = rule;
  switch (typeof value) {
    case "string":
      return rule.format === "uuid" ? readUuid(name, value) : checkText(name, value, rule);
    case "number": {
      if (minimum === undefined || maximum === undefined) return value;
      const isWhole = field.scalar !== ScalarType.DOUBLE;
      const fits = value >= minimum && value <= maximum;
      if (fits && (!isWhole || Number.isInteger(value))) return value;
      const [number, most] = isWhole
        ? ["whole number", maximum.toLocaleString("en")]
        : ["number", maximum];
      throw invalidField(name, `must be a ${number} from ${minimum} to ${most}`);
    }
    case "object":
      if (field.message?.typeName === TimestampSchema.typeName) {
        return readInstant(name, value as Timestamp);
      }
      if (field.message?.typeName === StructSchema.typeName) checkJson(name, value);
      return value;
    default:
      return value;
  }
}

const CONTROL_CHARACTER = /\p{Cc}/u;

/** Throws for a text that breaks a rule. */
function checkText(name: string, text: string, rule: FieldRules): string {
  const { words, minLength = 0, maxLength = Infinity, maxBytes = Infinity, pattern } = rule;
  if (words.length > 0 && !words.includes(text)) {
    throw invalidField(name, `must be one of "${words.join('", "')}"`);
  }
  if (rule.notBlank && text.trim() === "") throw invalidField(name, "must not be empty");
  const most = (limit: number) => limit.toLocaleString("en");
  if (Buffer.byteLength(text) > maxBytes) {
    throw invalidField(name, `must have at most ${most(maxBytes)} bytes of UTF-8`);
  }
  const isCounted = minLength > 0 || maxLength < Infinity;
  const length = isCounted ? text[Symbol.iterator]().reduce((count) => count + 1, 0) : 0;
  if (length < minLength || length > maxLength) {
    const from = minLength > 0 ? `${minLength} to` : "at most";
    throw invalidField(name, `must have ${from} ${most(maxLength)} characters`);
  }
  // Postgres cannot store the one as text, and UTF-8 cannot express the other.
  if (text.includes("\0") || !text.isWellFormed()) {
    throw invalidField(name, "must not contain NUL or a lone surrogate");
  }
  if (rule.noControlCharacters && CONTROL_CHARACTER.test(text)) {
    throw invalidField(name, "must not contain control characters");
  }
  if (pattern !== "" && !new RegExp(pattern, "u").test(text)) {
    throw invalidField(name, `must match \`${pattern.replace(/^\^|\$$/g, "")}\``);
  }
  return text;
}

const NO_RULES = create(FieldRulesSchema);

/** A short text: 1 to `maxCharacters` characters, none of them a control character. */
export function readLabel(field: string, value: string, maxCharacters: number): string {
  const rule = { minLength: 1, maxLength: maxCharacters, noControlCharacters: true };
  return checkText(field, value, { ...NO_RULES, ...rule });
}

/** A long text, exactly as given: not blank, at most `maxBytes` of UTF-8. */
export function readText(field: string, value: string, maxBytes: number): string {
  return checkText(field, value, { ...NO_RULES, notBlank: true, maxBytes });
}

/** The ID in lower case. */
export function readUuid(field: string, value: string): string {
  const id = value.toLowerCase();
  if (!isUuid(id)) throw invalidField(field, "must be a UUID");
  return id;
}

/** As readUuid, of a memory. */
export function readMemoryId(field: string, value: string): MemoryId {
  return toMemoryId(readUuid(field, value));
}

/** The value; one that was left out is refused. */
export function required<T>(field: string, value: T | null | undefined): T {
  if (value === undefined || value === null) throw invalidField(field, "is required");
  return value;
}

/** Throws for JSON of which a text cannot be stored. */
function checkJson(field: string, value: unknown): void {
  if (typeof value === "string") checkText(field, value, NO_RULES);
  else if (typeof value === "number" && !Number.isFinite(value)) {
    throw invalidField(field, "must hold numbers that JSON can express");
  } else if (typeof value === "object" && value !== null) {
    for (const [name, each] of Object.entries(value as JsonObject)) {
      checkText(field, name, NO_RULES);
      checkJson(`${field}.${name}`, each);
    }
  }
}

/** null when the field was left out. Nanoseconds beyond microseconds are dropped. */
export function readInstant(field: string, value: Timestamp | undefined): Instant | null {
  if (value === undefined) return null;
  const { seconds, nanos } = value;
  const instant = seconds * SECOND + BigInt(Math.trunc(nanos / 1_000));
  const isThere = instant >= EARLIEST_INSTANT && instant <= LATEST_INSTANT;
  if (isThere && nanos >= 0 && nanos < 1_000_000_000) return instant;
  throw invalidField(field, "must be a time from the year 1 to 9999");
}
