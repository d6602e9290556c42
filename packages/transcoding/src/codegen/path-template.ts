import type { Segment } from "../route.ts";

/** A path template, parsed. */
export interface PathTemplate {
  readonly segments: readonly Segment[];
  readonly variables: readonly PathVariable[];
  readonly verb: string | null;
}

/** A variable and the segments it covers: `from` is included, `to` is not. */
export interface PathVariable {
  readonly fieldPath: string;
  readonly from: number;
  readonly to: number;
}

/** Says what is wrong with a template, and at which character, counted from 1. */
export class PathTemplateError extends Error {
  override readonly name = "PathTemplateError";
}

/**
 * Parses a path template by the grammar of google/api/http.proto:
 *
 *     Template  = "/" Segments [ Verb ] ;
 *     Segments  = Segment { "/" Segment } ;
 *     Segment   = "*" | "**" | LITERAL | Variable ;
 *     Variable  = "{" FieldPath [ "=" Segments ] "}" ;
 *     FieldPath = IDENT { "." IDENT } ;
 *     Verb      = ":" LITERAL ;
 *
 * and by its prose: a variable holds no variable, `**` is the last segment, and
 * reserved characters in a literal are percent-encoded. Literals come out
 * decoded. A field is bound once.
 *
 * Throws a PathTemplateError.
 */
export function parsePathTemplate(template: string): PathTemplate {
  const segments: Segment[] = [];
  const variables: PathVariable[] = [];
  let at = 0;

  function fail(expected: string): never {
    const found = at < template.length ? `found "${template[at]}"` : "the template ends";
    throw new PathTemplateError(`character ${at + 1}: expected ${expected}, ${found}`);
  }

  function take(token: string): boolean {
    if (!template.startsWith(token, at)) return false;
    at += token.length;
    return true;
  }

  function match(pattern: RegExp, expected: string): string {
    pattern.lastIndex = at;
    const text = pattern.exec(template)?.[0];
    if (text === undefined) fail(expected);
    at += text.length;
    return text;
  }

  function literal(expected: string): string {
    const start = at;
    const text = match(LITERAL, expected);
    try {
      return decodeURIComponent(text);
    } catch {
      const message = `character ${start + 1}: "${text}" is not UTF-8 when it is decoded`;
      throw new PathTemplateError(message);
    }
  }

  function parseSegments(inVariable: boolean): void {
    do {
      const last = segments.at(-1);
      if (last !== undefined && "wildcard" in last && last.wildcard === "**") {
        throw new PathTemplateError(`character ${at + 1}: nothing may follow "**"`);
      }
      if (take("**")) segments.push({ wildcard: "**" });
      else if (take("*")) segments.push({ wildcard: "*" });
      else if (take("{")) {
        if (inVariable) {
          throw new PathTemplateError(`character ${at}: a variable must not hold a variable`);
        }
        parseVariable();
      } else segments.push({ literal: literal('a segment: a literal, "*", "**" or "{"') });
    } while (take("/"));
  }

  function parseVariable(): void {
    const fieldPath = match(FIELD_PATH, "the name of a field");
    if (variables.some((variable) => variable.fieldPath === fieldPath)) {
      throw new PathTemplateError(`the variable "${fieldPath}" is there twice`);
    }
    const from = segments.length;
    if (take("=")) parseSegments(true);
    else segments.push({ wildcard: "*" });
    if (!take("}")) fail('"}"');
    variables.push({ fieldPath, from, to: segments.length });
  }

  if (!take("/")) fail('"/"');
  parseSegments(false);
  const verb = take(":") ? literal("a verb") : null;
  if (at < template.length) fail("the end");
  return { segments, variables, verb };
}

// The unreserved characters of RFC 3986, and others percent-encoded.
const LITERAL = /(?:[-_.~0-9A-Za-z]|%[0-9A-Fa-f]{2})+/y;
const FIELD_PATH = /[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*/y;
