import type { ApiKey } from "@agent-memory/gen/agentmemory/admin/v1/api_key_service_pb";

/** The name of a key, or its prefix if it has none. */
export const nameOf = ({ name, prefix }: ApiKey) => name ?? prefix;
