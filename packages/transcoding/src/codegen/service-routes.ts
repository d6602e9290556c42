import { event_stream_of } from "@agent-memory/gen/transcoding/v1/options_pb";
import {
  type DescExtension,
  type DescMethod,
  type DescService,
  getOption,
} from "@bufbuild/protobuf";
import { bindRoute, type RouteDescription } from "./bind-route.ts";
import { checkEvents, checkSameRequest } from "./event-streams.ts";
import { GenerationError, httpBindings } from "./http-bindings.ts";

/** A route of an RPC. */
export interface RpcRoute {
  readonly rpc: DescMethod;
  readonly route: RouteDescription;
  /** Its position among the routes of its RPC, from 0. */
  readonly index: number;
}

/**
 * The routes of a service, in the order of its RPCs: those of their rules, and the event
 * streams of the routes of other RPCs. Throws a GenerationError.
 */
export function routesOf(service: DescService, http: DescExtension): RpcRoute[] {
  const streamed = new Set<DescMethod>();
  return service.methods.flatMap((rpc) => {
    const unary = unaryOf(rpc, service);
    if (unary === null) {
      return httpBindings(rpc, http).map((binding, index) => {
        const format = rpc.methodKind === "server_streaming" ? "ndjson" : "json";
        return { rpc, route: bindRoute(rpc, binding, format), index };
      });
    }
    if (httpBindings(rpc, http).length > 0) {
      throw new GenerationError(rpc, "an event stream has no rule of its own");
    }
    if (streamed.has(unary)) {
      throw new GenerationError(rpc, `${unary.name} has another event stream`);
    }
    streamed.add(unary);
    checkSameRequest(rpc, unary);
    checkEvents(rpc);
    const bindings = httpBindings(unary, http);
    if (bindings.length === 0) throw new GenerationError(rpc, `${unary.name} has no rule`);
    return bindings.map((binding, index) => {
      const ofAll = { ...binding, responseBody: null };
      return { rpc, route: bindRoute(rpc, ofAll, "event_stream"), index };
    });
  });
}

/** The RPC whose event stream this one is; null: it is none. */
function unaryOf(rpc: DescMethod, { methods }: DescService): DescMethod | null {
  const name = getOption(rpc, event_stream_of);
  if (name === "") return null;
  if (rpc.methodKind !== "server_streaming") {
    throw new GenerationError(rpc, "only a server-streaming RPC is an event stream");
  }
  const unary = methods.find((each) => each.name === name);
  if (unary?.methodKind === "unary") return unary;
  throw new GenerationError(rpc, `event_stream_of: the service has no unary RPC "${name}"`);
}
