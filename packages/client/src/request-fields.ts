import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { AgentMemoryError } from "./errors.ts";

/**
 * Throws, as the service does, where an object has what its message does not know. To send the
 * message would drop it: without a mistyped tenant a call is about another one.
 */
export function checkFields({ members }: Pick<DescMessage, "members">, value: unknown, place = "") {
  for (const [name, given] of Object.entries(Object(value))) {
    // What messages have beside their fields.
    if (name === "$typeName" || name === "$unknown") continue;
    const member = members.find(({ localName }) => localName === name);
    if (member === undefined) throw unknownField(place + name);
    if (member.kind === "field") checkField(member, given, place + name);
    else {
      const { case: arm, value: chosen } = Object(given);
      if (arm !== undefined) checkFields({ members: member.fields }, { [arm]: chosen }, place);
    }
  }
}

function checkField({ fieldKind, message }: DescField, value: unknown, place: string): void {
  // Free objects have any names.
  if (message === undefined || message.typeName === "google.protobuf.Struct") return;
  if (fieldKind === "message") checkFields(message, value, `${place}.`);
  else {
    for (const [key, each] of Object.entries(Object(value))) {
      checkFields(message, each, `${place}[${key}].`);
    }
  }
}

function unknownField(field: string): AgentMemoryError {
  const told = { code: Code.InvalidArgument, reason: "invalid_field", field } as const;
  const untold = { retryAfterMs: null, requestId: null, partial: null };
  return new AgentMemoryError(`\`${field}\` is not a known field`, { ...told, ...untold });
}
