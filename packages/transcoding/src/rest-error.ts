/** A problem of a request that this library finds. `line`: of a body of lines, counted from 1. */
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

/** The error of a body that would take too long to read. */
export function tooManyValues(maxValues: number): RestError {
  const rule = `must hold at most ${maxValues.toLocaleString("en")} values`;
  return new RestError({ kind: "invalid_field", field: "body", rule });
}
