import type { ApiKey } from "@agent-memory/gen/agentmemory/admin/v1/api_key_service_pb";

/** What people call a key, or its prefix where nobody named it. */
export const nameOf = ({ name, prefix }: ApiKey) => name ?? prefix;
