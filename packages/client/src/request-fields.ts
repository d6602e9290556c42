import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { scalarZeroValue } from "@bufbuild/protobuf/reflect";
import { Code } from "@connectrpc/connect";
import { AgentMemoryError } from "./errors.ts";

type Members = Pick<DescMessage, "members">;

/**
 * Throws, as the service does, where a request has what its message does not know or cannot hold.
 * To send it would drop that: without its tenant or a filter a call is about more than was meant.
 */
export function checkFields({ members }: Members, value: unknown = {}, place = ""): void {
  checkPlain(value, place || "request");
  for (const [name, given] of Object.entries(value)) {
    const here = place === "" ? name : `${place}.${name}`;
    // What messages have beside their fields.
    if (name === "$typeName" || name === "$unknown") continue;
    const member = members.find(({ localName }) => localName === name);
    if (member === undefined) throw invalidField(here, "is not a known field");
    if (given === undefined || given === null) continue;
    if (member.kind === "field") checkField(member, given, here);
    else {
      checkPlain(given, here);
      const { case: arm, value: chosen }: { case?: string; value?: unknown } = given;
      if (arm !== undefined) checkFields({ members: member.fields }, { [arm]: chosen }, place);
    }
  }
}

function checkField(field: DescField, value: unknown, place: string): void {
  if (field.fieldKind === "list") {
    if (!Array.isArray(value)) throw invalidField(place, "must be an array");
  } else if (field.fieldKind === "map") checkPlain(value, place);
  else {
    checkValue(field, value, place);
    return;
  }
  for (const [key, each] of Object.entries(value)) checkValue(field, each, `${place}[${key}]`);
}

function checkValue({ message, scalar }: DescField, value: unknown, place: string): void {
  if (message === undefined) {
    const type = scalar && typeof scalarZeroValue(scalar, false);
    // Of a bigint numbers are taken too.
    if (type === undefined || type === "bigint" || typeof value === type) return;
    throw invalidField(place, `must be a ${type}`);
  }
  const isTime = message.typeName === "google.protobuf.Timestamp";
  checkPlain(value, place, isTime ? "must be a Timestamp, as timestampFromDate makes it" : PLAIN);
  // Free objects have any names.
  if (message.typeName !== "google.protobuf.Struct") checkFields(message, value, place);
}

const PLAIN = "must be a plain object";

/** Of a Map, a Date or another object of a class nothing would be sent. */
function checkPlain(value: unknown, place: string, rule = PLAIN): asserts value is object {
  const prototype = typeof value === "object" && value !== null && Object.getPrototypeOf(value);
  const isPlain = prototype === null || (prototype && Object.getPrototypeOf(prototype) === null);
  if (!isPlain) throw invalidField(place, rule);
}

function invalidField(field: string, rule: string): AgentMemoryError {
  const told = { code: Code.InvalidArgument, reason: "invalid_field", field } as const;
  const untold = { retryAfterMs: null, requestId: null, partial: null };
  return new AgentMemoryError(`\`${field}\` ${rule}`, { ...told, ...untold });
}
