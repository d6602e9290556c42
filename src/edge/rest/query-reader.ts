import type { AnyMessage } from "./json/local-field.ts";
import { fieldAt, refuse } from "./json/location.ts";
import type { JsonReaderCompiler } from "./json/message-reader.ts";
import { compileParameter } from "./parameters.ts";
import { percentDecode } from "./percent-decoding.ts";
import type { Route } from "./route.ts";

/** Sets the fields that a query string carries. Throws a RestError. */
export type ReadQuery = (message: AnyMessage, query: string) => void;

/**
 * Refuses, by name, a parameter that the route does not know, one given twice
 * that has a single value, and one that is not percent-encoded UTF-8.
 */
export function compileQueryReader(route: Route, compiler: JsonReaderCompiler): ReadQuery {
  const known = new Map(
    route.queryParameters.map((query) => {
      const parameter = compileParameter(route.rpc.input, query, compiler);
      return [parameter.name, { ...query, ...parameter }];
    }),
  );

  return (message, query) => {
    if (query === "") return;
    const given = new Map<string, string[]>();
    for (const pair of query.split("&")) {
      if (pair === "") continue;
      const separator = pair.indexOf("=");
      const rawName = separator === -1 ? pair : pair.slice(0, separator);
      const rawValue = separator === -1 ? "" : pair.slice(separator + 1);
      const name = decode(rawName) ?? refuse(fieldAt(null, rawName), MALFORMED);
      const parameter = known.get(name) ?? refuse(fieldAt(null, name), "is not a known parameter");
      const text = decode(rawValue) ?? refuse(parameter.at, MALFORMED);
      const texts = given.get(name);
      if (texts === undefined) given.set(name, [restorePlus(parameter.type, text)]);
      else if (parameter.repeated) texts.push(restorePlus(parameter.type, text));
      else refuse(parameter.at, "must be given once");
    }
    for (const [name, texts] of given) {
      const parameter = known.get(name);
      parameter?.set(message, parameter.repeated ? texts : (texts[0] ?? ""));
    }
  };
}

const MALFORMED = "must be percent-encoded UTF-8";

/** As HTML forms write it: a plus sign is a space. */
function decode(text: string): string | null {
  return percentDecode(text.replaceAll("+", " "));
}

/** A plus sign that was not encoded arrived as a space; a time has one only before its offset. */
function restorePlus(type: string, text: string): string {
  return type === "timestamp" ? text.replace(/ (?=\d\d:\d\d$)/, "+") : text;
}
