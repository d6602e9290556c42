import type { Message } from "@bufbuild/protobuf";
import {
  isReflectList,
  isReflectMessage,
  type ReflectMessage,
  reflect,
} from "@bufbuild/protobuf/reflect";
import type { Interceptor } from "@connectrpc/connect";
import { invalidField } from "../../domain/failure.ts";

/**
 * Refuses binary messages with fields that the service does not have (D7). A client
 * that is newer than the service, and scopes a call by a field of its own, must not
 * write to, or delete from, more than it means to.
 */
export const refuseUnknownFields: Interceptor = (next) => (request) => {
  const { input } = request.method;
  async function* checked(messages: AsyncIterable<Message>): AsyncGenerator<Message> {
    for await (const message of messages) {
      checkFields(reflect(input, message));
      yield message;
    }
  }
  if (request.stream) return next({ ...request, message: checked(request.message) });
  checkFields(reflect(input, request.message));
  return next(request);
};

/** Throws `invalid_field` for a field number that the message, or one inside it, does not have. */
function checkFields(message: ReflectMessage): void {
  const [unknown] = message.getUnknown() ?? [];
  if (unknown !== undefined) {
    throw invalidField(`${unknown.no}`, `is no field number of ${message.desc.typeName}`);
  }
  for (const field of message.fields) {
    if (field.message === undefined || !message.isSet(field)) continue;
    const value: unknown = message.get(field);
    for (const each of isReflectList(value) ? value : [value]) {
      if (isReflectMessage(each)) checkFields(each);
    }
  }
}
