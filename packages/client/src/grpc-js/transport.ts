import { Readable, type Writable } from "node:stream";
import { StatusSchema } from "@agent-memory/gen/google/rpc/status_pb";
import { fromBinary, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  type ChannelCredentials,
  type ChannelOptions,
  Client,
  type ClientDuplexStream,
  credentials,
  Metadata,
  type ServiceError,
  type StatusObject,
} from "@grpc/grpc-js";
import type { ClientOptions } from "../client.ts";
import { epochMs } from "../platform.ts";
import { createStreamTransport } from "../stream-transport.ts";

export interface CreateClientOptions extends ClientOptions {
  /** Instead of plain text where `url` says `http`, and TLS with the machine's roots for `https`. */
  readonly credentials?: ChannelCredentials | undefined;
  /** Options of the channel, beside those that the client sets. */
  readonly channelOptions?: ChannelOptions | undefined;
}

/** Pages of a list hold 4 MiB of text, and what stands around it. */
const MAX_RECEIVE_BYTES = 16 * 1024 * 1024;

/** A transport over a channel of `@grpc/grpc-js`. */
export function createGrpcJsTransport(options: CreateClientOptions) {
  const { protocol, hostname, port } = new URL(options.url);
  const isTls = protocol === "https:";
  const client = new Client(
    `${hostname}:${port === "" ? (isTls ? 443 : 80) : port}`,
    options.credentials ?? (isTls ? credentials.createSsl() : credentials.createInsecure()),
    {
      "grpc.enable_retries": options.maxAttempts === 1 ? 0 : 1,
      "grpc.max_receive_message_length": MAX_RECEIVE_BYTES,
      ...options.channelOptions,
    },
  );

  const transport = createStreamTransport(
    async ({ method, header, signal, message }, timeoutMs) => {
      const { input, output } = method;
      // On the wire all kinds of calls are the same.
      const call = client.makeBidiStreamRequest(
        `/${method.parent.typeName}/${method.name}`,
        (sent: MessageShape<typeof input>) => Buffer.from(toBinary(input, sent)),
        (bytes: Buffer) => fromBinary(output, bytes),
        metadataOf(header),
        timeoutMs === undefined ? {} : { deadline: epochMs() + timeoutMs },
      );
      if (signal.aborted) call.cancel();
      else signal.addEventListener("abort", () => call.cancel(), { once: true });
      const trailer = new Headers();
      call.on("status", ({ metadata }: StatusObject) => {
        for (const [name, value] of headersOf(metadata)) trailer.append(name, value);
      });
      const answered = headerOf(call);
      send(call, message);
      return { header: await answered, trailer, message: messagesOf(call) };
    },
  );
  return { transport, close: () => client.close() };
}

/** The headers of the answer; rejects where an error comes in their place. */
function headerOf<I, O>(call: ClientDuplexStream<I, O>): Promise<Headers> {
  return new Promise((resolve, reject) => {
    call.once("metadata", (metadata: Metadata) => resolve(headersOf(metadata)));
    call.once("error", (error) => reject(toConnectError(error)));
  });
}

/** Writes as fast as the other side takes it; ends the call where the messages fail. */
function send<I, O>(call: ClientDuplexStream<I, O>, messages: AsyncIterable<I>): void {
  const source = Readable.from(messages).once("error", () => call.cancel());
  call.once("status", () => source.destroy());
  source.pipe(call as Writable);
}

async function* messagesOf<I, O>(call: ClientDuplexStream<I, O>): AsyncGenerator<O> {
  try {
    yield* call as AsyncIterable<O>;
  } catch (error) {
    throw toConnectError(error);
  } finally {
    call.cancel();
  }
}

const BINARY = /-bin$/;

/** Values of names that end with `-bin` are base64 in headers, and bytes in metadata. */
function metadataOf(headers: Headers): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of headers) {
    metadata.add(name, BINARY.test(name) ? Buffer.from(value, "base64") : value);
  }
  return metadata;
}

function headersOf(metadata: Metadata): Headers {
  const headers = new Headers();
  for (const name of Object.keys(metadata.getMap())) {
    for (const value of metadata.get(name)) {
      headers.append(name, Buffer.isBuffer(value) ? value.toString("base64") : value);
    }
  }
  return headers;
}

/** An error of `@grpc/grpc-js` with the details that the service sent. */
function toConnectError(error: unknown): ConnectError {
  if (!isServiceError(error)) return ConnectError.from(error ?? "no answer", Code.Internal);
  const headers = headersOf(error.metadata);
  const known = new ConnectError(error.details, error.code as number, headers, undefined, error);
  const [binary] = error.metadata.get("grpc-status-details-bin");
  if (Buffer.isBuffer(binary)) {
    known.details = fromBinary(StatusSchema, binary).details.map(({ typeUrl, value }) => ({
      type: typeUrl.slice(typeUrl.lastIndexOf("/") + 1),
      value,
    }));
  }
  return known;
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "metadata" in error && "details" in error && "code" in error;
}
