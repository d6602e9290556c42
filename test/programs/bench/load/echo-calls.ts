import { Client, credentials } from "@grpc/grpc-js";
import type { Calls } from "./play.ts";
import type { GrpcEchoWork } from "./work.ts";

export const ECHO_PATH = "/floor.Echo/Call";
const EMPTY = Buffer.alloc(0);

export function openEchoCalls({ url }: GrpcEchoWork): Calls {
  const client = new Client(new URL(url).host, credentials.createInsecure());
  return {
    call: () => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      client.makeUnaryRequest(
        ECHO_PATH,
        (bytes: Buffer) => bytes,
        (bytes: Buffer) => bytes,
        EMPTY,
        (error) => (error === null ? resolve() : reject(error)),
      );
      return promise;
    },
    close: () => client.close(),
  };
}
