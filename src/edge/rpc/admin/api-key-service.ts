import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type {
  ApiKeySchema,
  ApiKeyService,
} from "../../../../gen/agentmemory/admin/v1/api_key_service_pb.ts";
import type { ApiKey } from "../../../domain/account.ts";
import { createApiKey, listApiKeys, revokeApiKey } from "../../../service/admin/api-keys.ts";
import type { ServiceContext } from "../../../service/context.ts";
import { readUuid, readWholeNumber } from "../fields.ts";
import { optionalTimestamp, timestamp } from "../memory-message.ts";
import { readCompanyId } from "./account-service.ts";

export const MAX_API_KEYS_PAGE_SIZE = 1_000;

const PAGE_SIZE = { min: 1, max: MAX_API_KEYS_PAGE_SIZE, fallback: MAX_API_KEYS_PAGE_SIZE };

export function apiKeyService(context: ServiceContext): ServiceImpl<typeof ApiKeyService> {
  return {
    async createApiKey(request) {
      const { apiKey, secret } = await createApiKey(context, readCompanyId(request.companyId));
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
    createdAt: timestamp(apiKey.createdAt),
    lastUsedAt: optionalTimestamp(apiKey.lastUsedAt),
    revokedAt: optionalTimestamp(apiKey.revokedAt),
  };
}
