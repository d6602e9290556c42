/**
 * A problem of a request that this library finds: a closed union. `line` is the line at
 * fault in a body of lines, counted from 1.
 */
export type RestProblem = RestProblemKind & { readonly line?: number };

type RestProblemKind =
  | { readonly kind: "path_not_found" }
  /** `allow`: the methods that the path knows, for the header of that name. */
  | { readonly kind: "method_not_allowed"; readonly allow: readonly string[] }
  | { readonly kind: "body_too_large"; readonly maxBytes: number }
  /** Not of the expected type, not in UTF-8, or compressed. */
  | { readonly kind: "unsupported_media_type"; readonly expected: string }
  /** Empty, not JSON at all, or not an object. */
  | { readonly kind: "malformed_body" }
  /** `field` as the caller wrote it, e.g. `messages[2].content`; `rule` completes the sentence. */
  | { readonly kind: "invalid_field"; readonly field: string; readonly rule: string };

/** A request that was refused before its RPC was called. The message is for the caller. */
export class RestError extends Error {
  override readonly name = "RestError";
  readonly problem: RestProblem;

  constructor(problem: RestProblem) {
    const { line } = problem;
    super(line === undefined ? sentence(problem) : `line ${line}: ${sentence(problem)}`);
    this.problem = problem;
  }
}

function sentence(problem: RestProblem): string {
  switch (problem.kind) {
    case "path_not_found":
      return "there is nothing at this path";
    case "method_not_allowed":
      return `this path knows only ${problem.allow.join(", ")}`;
    case "body_too_large":
      return `${whole(problem)} must not be longer than ${problem.maxBytes} bytes`;
    case "unsupported_media_type":
      return `the body must be ${problem.expected} in UTF-8 and must not be compressed`;
    case "malformed_body":
      return `${whole(problem)} must be a JSON object in UTF-8`;
    case "invalid_field":
      return `\`${problem.field}\` ${problem.rule}`;
  }
}

function whole({ line }: RestProblem): string {
  return line === undefined ? "the body" : "it";
}

/** Where a value stands in what the caller sent. Null: it is the whole. */
export interface Location {
  readonly parent: Location | null;
  /** The name of a field, or a position in a list. */
  readonly step: string | number;
  /** How many objects and lists it stands in. */
  readonly depth: number;
}

/** Objects and lists that may stand in one another. */
export const MAX_JSON_DEPTH = 64;

/** Longer locations are cut in errors: the caller chooses the names of unknown fields. */
export const MAX_LOCATION_CHARACTERS = 256;

/** A field, or an element of a list, of what stands at `parent`. */
export function at(parent: Location | null, step: string | number): Location {
  return { parent, step, depth: (parent?.depth ?? 0) + 1 };
}

/** As a caller writes it: `messages[2].content`. */
export function formatLocation(location: Location | null): string {
  const steps: string[] = [];
  for (let each = location; each !== null; each = each.parent) {
    if (typeof each.step === "number") steps.unshift(`[${each.step}]`);
    else steps.unshift(each.parent === null ? each.step : `.${each.step}`);
  }
  const text = steps.join("").toWellFormed();
  return text.length <= MAX_LOCATION_CHARACTERS
    ? text
    : `${text.slice(0, MAX_LOCATION_CHARACTERS).toWellFormed()}…`;
}

/** Refuses a value. `rule` completes the sentence that begins with its location. */
export function refuse(location: Location | null, rule: string): never {
  throw new RestError({ kind: "invalid_field", field: formatLocation(location), rule });
}

/** The error of a body that would take too long to read. */
export function tooManyValues(maxValues: number): RestError {
  const rule = `must hold at most ${maxValues.toLocaleString("en")} values`;
  return new RestError({ kind: "invalid_field", field: "body", rule });
}

/** Adds the line to the error that `read` throws. */
export function atLine<T>(line: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof RestError ? new RestError({ ...error.problem, line }) : error;
  }
}
