import type { Segment } from "../route.ts";

/** A path template, parsed. */
export interface PathTemplate {
  readonly segments: readonly Segment[];
  readonly variables: readonly PathVariable[];
  readonly verb: string | null;
}

/** A variable, and the segment that it stands for, counted from 0. */
export interface PathVariable {
  readonly name: string;
  readonly segment: number;
}

// The unreserved characters of RFC 3986, and others percent-encoded.
const LITERAL = "(?:[-_.~0-9A-Za-z]|%[0-9A-Fa-f]{2})+";
const SEGMENT = `(?:${LITERAL}|\\{[A-Za-z_][A-Za-z0-9_]*\\})`;
const TEMPLATE = new RegExp(`^((?:/${SEGMENT})+)(?::(${LITERAL}))?$`);

/**
 * Parses a path template by a part of the grammar of google/api/http.proto:
 *
 *     Template = "/" Segment { "/" Segment } [ ":" LITERAL ] ;
 *     Segment  = LITERAL | "{" IDENT "}" ;
 *
 * Literals come out decoded. A field is bound once. Throws an Error for anything else.
 */
export function parsePathTemplate(template: string): PathTemplate {
  const [, path, verb] = TEMPLATE.exec(template) ?? [];
  if (path === undefined) {
    throw new Error('expected segments that are literals or "{field}", then ":verb" or nothing');
  }
  const variables: PathVariable[] = [];
  const segments = path
    .slice(1)
    .split("/")
    .map((text, segment): Segment => {
      if (!text.startsWith("{")) return { literal: decoded(text) };
      const name = text.slice(1, -1);
      if (variables.some((variable) => variable.name === name)) {
        throw new Error(`the variable "${name}" is there twice`);
      }
      variables.push({ name, segment });
      return { wildcard: "*" };
    });
  return { segments, variables, verb: verb === undefined ? null : decoded(verb) };
}

function decoded(literal: string): string {
  try {
    return decodeURIComponent(literal);
  } catch {
    throw new Error(`"${literal}" is not UTF-8 when it is decoded`);
  }
}
