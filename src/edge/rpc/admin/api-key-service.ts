import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type {
  ApiKeySchema,
  ApiKeyService,
} from "../../../../gen/agentmemory/admin/v1/api_key_service_pb.ts";
import type { ApiKey } from "../../../domain/account.ts";
import { createApiKey, listApiKeys, revokeApiKey } from "../../../service/admin/api-keys.ts";
import type { ServiceContext } from "../../../service/context.ts";
import { readInstant, readLabel, readUuid, readWholeNumber } from "../fields.ts";
import { optionalTimestamp, timestamp } from "../memory-message.ts";
import { readCompanyId } from "./account-service.ts";

export const MAX_API_KEYS_PAGE_SIZE = 1_000;
export const MAX_API_KEY_NAME_CHARACTERS = 64;

const PAGE_SIZE = { min: 1, max: MAX_API_KEYS_PAGE_SIZE, fallback: MAX_API_KEYS_PAGE_SIZE };

export function apiKeyService(context: ServiceContext): ServiceImpl<typeof ApiKeyService> {
  return {
    async createApiKey(request) {
      const { name } = request;
      const { apiKey, secret } = await createApiKey(context, readCompanyId(request.companyId), {
        name: name === undefined ? null : readLabel("name", name, MAX_API_KEY_NAME_CHARACTERS),
        expiresAt: readInstant("expires_at", request.expiresAt),
      });
      return { apiKey: apiKeyMessage(apiKey), secret };
    },

    async listApiKeys(request) {
      const companyId = readCompanyId(request.companyId);
      const { entries, nextPageToken } = await listApiKeys(context, companyId, {
        pageSize: readWholeNumber("page_size", request.pageSize, PAGE_SIZE),
        pageToken: request.pageToken ?? null,
      });
      return { apiKeys: entries.map(apiKeyMessage), nextPageToken: nextPageToken ?? undefined };
    },

    async revokeApiKey(request) {
      const apiKey = await revokeApiKey(context, readUuid("id", request.id));
      return { apiKey: apiKeyMessage(apiKey) };
    },
  };
}

function apiKeyMessage(apiKey: ApiKey): MessageInitShape<typeof ApiKeySchema> {
  return {
    id: apiKey.id,
    companyId: apiKey.companyId,
    prefix: apiKey.prefix,
    name: apiKey.name ?? undefined,
    createdAt: timestamp(apiKey.createdAt),
    expiresAt: optionalTimestamp(apiKey.expiresAt),
    lastUsedAt: optionalTimestamp(apiKey.lastUsedAt),
    revokedAt: optionalTimestamp(apiKey.revokedAt),
  };
}
