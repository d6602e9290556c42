import type { ApiKey } from "@agent-memory/gen/agentmemory/admin/v1/api_key_service_pb";

/** The name of a key, or its prefix if it has none. */
export const nameOf = ({ name, prefix }: ApiKey) => name ?? prefix;

/** The words of a field, which has commas between them. */
export function wordsOf(text: string): string[] {
  return text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}
