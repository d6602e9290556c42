import { Code } from "@connectrpc/connect";

/** A gRPC code as its specification writes it: `NOT_FOUND`. */
export function codeName(code: Code): string {
  return (Code[code] ?? "").replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}
