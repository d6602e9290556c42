/** The least that a gRPC server in Node.js does: grpc-js, which answers an empty call with some bytes. */
import { promisify } from "node:util";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { ECHO_PATH } from "../load/echo-calls.ts";
import { serve } from "./serve.ts";

const ANSWER = Buffer.alloc(64);
const bytes = (value: Buffer) => value;

await serve(async () => {
  const server = new Server();
  server.addService(
    {
      call: {
        path: ECHO_PATH,
        requestStream: false,
        responseStream: false,
        requestSerialize: bytes,
        requestDeserialize: bytes,
        responseSerialize: bytes,
        responseDeserialize: bytes,
      },
    },
    { call: (_call: unknown, reply: (error: null, answer: Buffer) => void) => reply(null, ANSWER) },
  );
  const bind = promisify(server.bindAsync.bind(server));
  return { port: await bind("127.0.0.1:0", ServerCredentials.createInsecure()) };
});
