import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type {
  ApiKeySchema,
  ApiKeyService,
} from "../../../../gen/agentmemory/admin/v1/admin_service_pb.ts";
import type { ApiKey } from "../../../domain/account.ts";
import { createApiKey } from "../../../service/admin/create-api-key.ts";
import { listApiKeys } from "../../../service/admin/list-api-keys.ts";
import { revokeApiKey } from "../../../service/admin/revoke-api-key.ts";
import type { ServiceContext } from "../../../service/context.ts";
import { readUuid } from "../fields.ts";
import { optionalTimestamp, timestamp } from "../memory-message.ts";
import { readCompanyId } from "./company-id.ts";

export function apiKeyService(context: ServiceContext): ServiceImpl<typeof ApiKeyService> {
  return {
    async createApiKey(request) {
      const { apiKey, secret } = await createApiKey(context, readCompanyId(request.companyId));
      return { apiKey: apiKeyMessage(apiKey), secret };
    },

    async listApiKeys(request) {
      const apiKeys = await listApiKeys(context, readCompanyId(request.companyId));
      return { apiKeys: apiKeys.map(apiKeyMessage) };
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
