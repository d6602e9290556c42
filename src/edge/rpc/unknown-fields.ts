import type { DescMessage, Message } from "@bufbuild/protobuf";
import {
  isReflectList,
  isReflectMessage,
  type ReflectMessage,
  reflect,
} from "@bufbuild/protobuf/reflect";
import type { Interceptor } from "@connectrpc/connect";
import { atLine, Failure, invalidField } from "../../domain/failure.ts";

/**
 * Refuses binary messages with fields that the service does not have (D7). A client
 * that is newer than the service, and scopes a call by a field of its own, must not
 * write to, or delete from, more than it means to.
 */
export const refuseUnknownFields: Interceptor = (next) => (request) => {
  const { input, methodKind } = request.method;
  if (request.stream) {
    const isOne = methodKind === "server_streaming";
    return next({ ...request, message: checkEach(input, request.message, isOne) });
  }
  checkFields(reflect(input, request.message));
  return next(request);
};

/** Of several messages, what is wrong is said of the number of one. */
async function* checkEach(
  input: DescMessage,
  messages: AsyncIterable<Message>,
  isOne: boolean,
): AsyncGenerator<Message> {
  let number = 0;
  for await (const message of messages) {
    number++;
    try {
      checkFields(reflect(input, message));
    } catch (error) {
      throw error instanceof Failure && !isOne ? atLine(number, error) : error;
    }
    yield message;
  }
}

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
