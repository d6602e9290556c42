import type {
  DescMethodClientStreaming,
  DescMethodServerStreaming,
  DescMethodUnary,
} from "@bufbuild/protobuf";
import type { SimpleType } from "./json/field.ts";

/**
 * One HTTP binding of an RPC, as `google.api.http` states it. The generated
 * `*_rest.ts` modules hold nothing but these.
 */
export interface Route {
  /** If it takes a stream, each line of the body is a request. */
  readonly rpc: DescMethodUnary | DescMethodClientStreaming | DescMethodServerStreaming;
  /** In capitals. */
  readonly httpMethod: string;
  /** The path template as written, for people: segments and verb say the same. */
  readonly template: string;
  readonly segments: readonly Segment[];
  /** The text behind the colon at the end of the path, decoded. */
  readonly verb: string | null;
  readonly pathParameters: readonly PathParameter[];
  readonly queryParameters: readonly QueryParameter[];
  /**
   * `*`: the body is the request. A name: the body is that field. Null: there must
   * be no body; that of a POST may be an empty object.
   */
  readonly body: string | null;
  /** The FieldMask of a PATCH request that is filled from the names in its body. */
  readonly updateMask: string | null;
  /** The field of the response that is the body, or each line of it. Null: all of it. */
  readonly responseBody: string | null;
  readonly format: ResponseFormat;
}

/**
 * How an RPC is answered. `json`: by its one message. `ndjson`: by a line of JSON for each
 * of its messages. `event_stream`: by an event for each of them, where the caller asks for
 * events; the same requests have a route of the format `json`.
 */
export type ResponseFormat = "json" | "ndjson" | "event_stream";

/** A literal, decoded; or any one segment. */
export type Segment = { readonly literal: string } | { readonly wildcard: "*" };

export interface PathParameter {
  readonly name: string;
  readonly type: SimpleType;
  /** Counted from 0. */
  readonly segment: number;
}

export interface QueryParameter {
  readonly name: string;
  /** A `text_map` is given as `name[key]=text`, once for each entry. */
  readonly type: SimpleType | "text_map";
  /** The parameter may be given several times, once for each element. */
  readonly repeated: boolean;
}

/** A JSON text on each line: a stream of messages. */
export const JSON_LINES_TYPE = "application/x-ndjson";

/** Methods whose requests have no content (RFC 9110, sections 9.3.1, 9.3.2 and 9.3.5). */
export const METHODS_WITHOUT_BODY: readonly string[] = ["GET", "HEAD", "DELETE"];

/** Equal for routes of the same requests, which one server has once, besides an event stream. */
export function routeIdentity(route: Pick<Route, "httpMethod" | "segments" | "verb">): string {
  return JSON.stringify([route.httpMethod, route.segments, route.verb]);
}
