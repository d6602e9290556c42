/** What this library itself finds wrong with a request: a closed union. */
export type RestProblem =
  | { readonly kind: "path_not_found" }
  /** `allow`: the methods that the path knows, for the header of that name. */
  | { readonly kind: "method_not_allowed"; readonly allow: readonly string[] }
  | { readonly kind: "body_too_large"; readonly maxBytes: number }
  /** Not JSON, not in UTF-8, or compressed. */
  | { readonly kind: "unsupported_media_type" }
  /** Empty, not JSON at all, or not an object. */
  | { readonly kind: "malformed_body" }
  /** `field` as the caller wrote it, e.g. `messages[2].content`; `rule` completes the sentence. */
  | { readonly kind: "invalid_field"; readonly field: string; readonly rule: string };

/** A request that was refused before its RPC was called. The message is for the caller. */
export class RestError extends Error {
  override readonly name = "RestError";
  readonly problem: RestProblem;

  constructor(problem: RestProblem) {
    super(sentence(problem));
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
      return `the body must not be longer than ${problem.maxBytes} bytes`;
    case "unsupported_media_type":
      return "the body must be application/json in UTF-8 and must not be compressed";
    case "malformed_body":
      return "the body must be a JSON object in UTF-8";
    case "invalid_field":
      return `\`${problem.field}\` ${problem.rule}`;
  }
}
