import type { AnyMessage } from "./json/local-field.ts";
import { refuse } from "./json/location.ts";
import type { JsonReaderCompiler } from "./json/message-reader.ts";
import { compileParameter } from "./parameters.ts";
import { percentDecode, percentDecodeExceptSlash } from "./percent-decoding.ts";
import type { PathParameter, Route } from "./route.ts";

/** Sets the fields that a path carries. Throws a RestError. */
export type ReadPath = (message: AnyMessage, segments: readonly string[]) => void;

/** `segments` of a path are those of the router: raw, without the verb. */
export function compilePathReader(route: Route, compiler: JsonReaderCompiler): ReadPath {
  const variables = route.pathParameters.map((variable) => ({
    ...variable,
    // A variable at the end of the template may cover more segments than it has, by `**`.
    end: variable.to === route.segments.length ? undefined : variable.to,
    decode: isSingleSegment(route, variable) ? percentDecode : percentDecodeExceptSlash,
    parameter: compileParameter(route.rpc.input, variable, compiler),
  }));
  return (message, segments) => {
    for (const { from, end, decode, parameter } of variables) {
      const text = decode(segments.slice(from, end).join("/"));
      if (text === null) refuse(parameter.at, "must be percent-encoded UTF-8");
      parameter.set(message, text);
    }
  };
}

function isSingleSegment(route: Route, { from, to }: PathParameter): boolean {
  const segment = route.segments[from];
  const isRest = segment !== undefined && "wildcard" in segment && segment.wildcard === "**";
  return to - from === 1 && !isRest;
}
