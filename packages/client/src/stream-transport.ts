import { create, type DescMessage, type DescMethodStreaming } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  createContextValues,
  type StreamRequest,
  type StreamResponse,
  type Transport,
} from "@connectrpc/connect";
import { createAsyncIterable, runStreamingCall } from "@connectrpc/connect/protocol";

/** The answer to a call. The trailer is whole when the messages have ended. */
export type Answer<O extends DescMessage> = Pick<
  StreamResponse<DescMessage, O>,
  "header" | "message" | "trailer"
>;

/** Sends a call of any kind, within so many milliseconds; undefined: there is no deadline. */
export type OpenCall = <I extends DescMessage, O extends DescMessage>(
  request: StreamRequest<I, O>,
  timeoutMs: number | undefined,
) => Promise<Answer<O>>;

/** A transport that sends calls of all kinds alike: those of a unary call are streams of one. */
export function createStreamTransport(open: OpenCall): Transport {
  const stream: Transport["stream"] = (
    method,
    signal,
    timeoutMs,
    header,
    message,
    contextValues = createContextValues(),
  ) => {
    const call = { stream: true, service: method.parent, method } as const;
    // `open` knows the address.
    const sent = { requestMethod: "POST", url: "", contextValues, header: new Headers(header) };
    return runStreamingCall({
      signal,
      timeoutMs,
      req: { ...call, ...sent, message },
      next: async (request) => ({ ...call, ...(await open(request, timeoutMs)) }),
    });
  };

  const unary: Transport["unary"] = async (method, signal, timeoutMs, header, message, values) => {
    const { input, output, parent: service } = method;
    const streaming = method as unknown as DescMethodStreaming<typeof input, typeof output>;
    const asked = createAsyncIterable([create(input, message)]);
    const answer = await stream(streaming, signal, timeoutMs, header, asked, values);
    const [only, ...others] = await collect(answer.message);
    if (only === undefined || others.length > 0) {
      throw new ConnectError("a call is answered by one message", Code.Internal);
    }
    return { ...answer, stream: false, service, method, message: only };
  };
  return { unary, stream };
}

export async function collect<T>(messages: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of messages) all.push(each);
  return all;
}
