import {
  type DescMethodUnary,
  fromBinary,
  type Message,
  toBinary,
  toJsonString,
} from "@bufbuild/protobuf";
import { Client, credentials, Metadata } from "@grpc/grpc-js";
import { openHttpSender } from "./http-calls.ts";
import { callOf } from "./operations.ts";
import type { Calls } from "./play.ts";
import type { ServiceWork } from "./work.ts";

/** Calls as users send them: over REST, as JSON of Connect, or by grpc-js. */
export function openServiceCalls(work: ServiceWork): Calls {
  return work.protocol === "grpc" ? openGrpc(work) : openJson(work);
}

function openJson(work: ServiceWork): Calls {
  const sender = openHttpSender(work.url, { authorization: `Bearer ${work.key}` });
  return {
    call: (index) => {
      const { rest, rpc } = callOf(work.operation, work, index);
      if (work.protocol === "rest") {
        const body = rest.body === undefined ? null : JSON.stringify(rest.body);
        return sender.send(rest.method, rest.path, body);
      }
      return sender.send("POST", pathOf(rpc.method), toJsonString(rpc.method.input, rpc.message));
    },
    close: () => sender.close(),
  };
}

function openGrpc(work: ServiceWork): Calls {
  const client = new Client(new URL(work.url).host, credentials.createInsecure());
  const metadata = new Metadata();
  metadata.set("authorization", `Bearer ${work.key}`);
  return {
    call: (index) => {
      const { method, message } = callOf(work.operation, work, index).rpc;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      client.makeUnaryRequest(
        pathOf(method),
        (value: Message) => Buffer.from(toBinary(method.input, value)),
        (bytes: Buffer) => fromBinary(method.output, bytes),
        message,
        metadata,
        (error) => (error === null ? resolve() : reject(error)),
      );
      return promise;
    },
    close: () => client.close(),
  };
}

function pathOf(method: DescMethodUnary): string {
  return `/${method.parent.typeName}/${method.name}`;
}
