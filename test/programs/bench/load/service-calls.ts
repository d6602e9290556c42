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

/** Work that is opened says nothing that was said before: what is kept of a text helps nobody. */
const TEXTS_OF_A_WORK = 10_000_000;
let opened = 0;

/** Calls as users send them: over REST, as JSON of Connect, or by grpc-js. */
export function openServiceCalls(work: ServiceWork): Calls {
  const calls = work.protocol === "grpc" ? openGrpc(work) : openJson(work);
  const first = ++opened * TEXTS_OF_A_WORK;
  return { ...calls, call: (index, client) => calls.call(first + index, client) };
}

function openJson(work: ServiceWork): Calls {
  const sender = openHttpSender(work.url, { authorization: `Bearer ${work.key}` });
  return {
    call: (index) => {
      const { rest, rpc } = callOf(work.operation, work.tenantId, index);
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
      const { method, message } = callOf(work.operation, work.tenantId, index).rpc;
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
