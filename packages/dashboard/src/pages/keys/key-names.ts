import type { ApiKey } from "@agent-memory/gen/agentmemory/admin/v1/api_key_service_pb";
import { api } from "../../api.ts";
import { useLoad } from "../../ui/load.tsx";

/** The name of a key, or its prefix if it has none. */
export const nameOf = ({ name, prefix }: ApiKey) => name ?? prefix;

/** The names of the account's keys by their IDs. */
export type KeyNames = ReadonlyMap<string, string>;

/** Empty until they are there. */
export function useKeyNames(): KeyNames {
  const keys = useLoad(listKeys, []);
  return new Map(keys.value?.map((key) => [key.id, nameOf(key)]));
}

/** All of them, newest first. */
export async function listKeys(signal: AbortSignal): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  let pageToken: string | undefined;
  do {
    const page = await api.keys.listApiKeys({ pageToken }, { signal });
    keys.push(...page.apiKeys);
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
  return keys.reverse();
}

export const wordsOf = (text: string) => text.split(",").flatMap((word) => word.trim() || []);
