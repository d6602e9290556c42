import type { HttpRule } from "@agent-memory/gen/google/api/http_pb";
import {
  type DescExtension,
  type DescField,
  type DescFile,
  type DescMessage,
  type DescMethod,
  getOption,
  hasOption,
  isMessage,
} from "@bufbuild/protobuf";

/** A declaration that cannot be served or documented. The message names the file and the declaration. */
export class GenerationError extends Error {
  override readonly name = "GenerationError";

  constructor(at: DescMethod | DescMessage | DescField, problem: string) {
    const { file, name } =
      at.kind === "message" ? at : { file: at.parent.file, name: `${at.parent.name}.${at.name}` };
    super(`${file.name}.proto: ${name}: ${problem}`);
  }
}

/** One HTTP method and path of an RPC, unparsed. */
export interface HttpBinding {
  readonly httpMethod: string;
  readonly template: string;
  readonly body: string | null;
  readonly responseBody: string | null;
}

/**
 * Finds the extension `google.api.http` among the files of the compilation.
 * Null: none of them imports google/api/annotations.proto.
 */
export function findHttpExtension(files: readonly DescFile[]): DescExtension | null {
  const extensions = files.flatMap((file) => file.extensions);
  return extensions.find((extension) => extension.typeName === "google.api.http") ?? null;
}

/** The bindings of an RPC: its rule, then the additional ones. Empty: it has no rule. */
export function httpBindings(rpc: DescMethod, http: DescExtension): HttpBinding[] {
  if (!hasOption(rpc, http)) return [];
  const rule = getOption(rpc, http);
  if (!isHttpRule(rule)) throw new GenerationError(rpc, "google.api.http is not an HttpRule");
  for (const additional of rule.additionalBindings) {
    if (additional.additionalBindings.length > 0) {
      throw new GenerationError(rpc, "an additional binding must not have additional bindings");
    }
  }
  return [rule, ...rule.additionalBindings].map((each) => binding(rpc, each));
}

function isHttpRule(value: unknown): value is HttpRule {
  return isMessage(value) && value.$typeName === "google.api.HttpRule";
}

function binding(rpc: DescMethod, rule: HttpRule): HttpBinding {
  if (rule.selector !== "") {
    throw new GenerationError(rpc, "`selector` has no place in an annotation");
  }
  return {
    ...methodAndTemplate(rpc, rule),
    body: rule.body === "" ? null : rule.body,
    responseBody: rule.responseBody === "" ? null : rule.responseBody,
  };
}

function methodAndTemplate(
  rpc: DescMethod,
  { pattern }: HttpRule,
): Pick<HttpBinding, "httpMethod" | "template"> {
  switch (pattern.case) {
    case undefined:
      throw new GenerationError(rpc, "the rule has no HTTP method");
    case "custom":
      throw new GenerationError(rpc, "a custom HTTP method is not served");
    default:
      return { httpMethod: pattern.case.toUpperCase(), template: pattern.value };
  }
}
