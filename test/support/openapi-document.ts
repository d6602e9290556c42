import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { OpenApiDocument } from "../../packages/transcoding/test/openapi-types.ts";

export type * from "../../packages/transcoding/test/openapi-types.ts";

/** Where the document is. */
export const DOCUMENT_PATH = join(import.meta.dirname, "../../gen/openapi.json");

export function readDocument(): OpenApiDocument {
  return JSON.parse(readFileSync(DOCUMENT_PATH, "utf8"));
}

/** Every operation, with its path and method. */
export function operationsOf({ paths }: OpenApiDocument) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}
