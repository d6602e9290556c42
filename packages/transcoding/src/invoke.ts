import {
  Code,
  ConnectError,
  type createHandlerContext,
  type Interceptor,
  type MethodImplSpec,
} from "@connectrpc/connect";
import {
  createAsyncIterable,
  invokeUnaryImplementation,
  transformInvokeImplementation,
} from "@connectrpc/connect/protocol";
import type { ClientStreamEndpoint, StreamEndpoint, UnaryEndpoint } from "./endpoint.ts";
import { type AnyMessage, asMessage } from "./json/field.ts";

// These call the implementations of RPCs with interceptors around them. Connect has no public
// way to do so: read its release notes for its two functions here before every upgrade. Nothing
// else is private.

type Context = ReturnType<typeof createHandlerContext>;

/** As many requests and responses as the method has. */
export function invoke(
  implementation: MethodImplSpec,
  context: Context,
  inputs: AsyncIterable<unknown>,
  interceptors: Interceptor[],
): AsyncIterable<AnyMessage> {
  const respond = transformInvokeImplementation(implementation, context, interceptors);
  return respond(inputs as AsyncIterable<AnyMessage>) as AsyncIterable<AnyMessage>;
}

/** One request, one response. */
export async function invokeUnary(
  { implementation }: Pick<UnaryEndpoint, "implementation">,
  context: Context,
  input: AnyMessage,
  interceptors: Interceptor[],
): Promise<AnyMessage> {
  return asMessage(await invokeUnaryImplementation(implementation, context, input, interceptors));
}

/** The requests of a stream, one response. */
export async function invokeClientStream(
  { implementation }: ClientStreamEndpoint,
  context: Context,
  inputs: AsyncIterable<AnyMessage>,
  interceptors: Interceptor[],
): Promise<AnyMessage> {
  for await (const output of invoke(implementation, context, inputs, interceptors)) return output;
  throw new ConnectError("the call has no response", Code.Internal);
}

/** One request, the responses of a stream. */
export function invokeServerStream(
  { implementation }: StreamEndpoint,
  context: Context,
  input: AnyMessage,
  interceptors: Interceptor[],
): AsyncIterator<AnyMessage> {
  const inputs = createAsyncIterable([input]);
  return invoke(implementation, context, inputs, interceptors)[Symbol.asyncIterator]();
}
