import type { ServiceImpl } from "@connectrpc/connect";
import {
  ApiKeyService,
  type CreateApiKeyRequest,
} from "../../../../gen/agentmemory/admin/v1/api_key_service_pb.ts";
import type { CreateApiKeyRequest as OwnKeyRequest } from "../../../../gen/agentmemory/dashboard/v1/own_api_key_service_pb.ts";
import { readRights } from "../../../domain/key-rights.ts";
import {
  type ApiKeyFields,
  createApiKey,
  listApiKeys,
  revokeApiKey,
} from "../../../service/admin/api-keys.ts";
import type { ServiceContext } from "../../../service/context.ts";
import { readFields, readPage, readUuid } from "../fields.ts";
import { implement } from "../messages.ts";
import { readCompanyId } from "./account-service.ts";

export function apiKeyService(context: ServiceContext): ServiceImpl<typeof ApiKeyService> {
  return implement(ApiKeyService, {
    createApiKey: (request) =>
      createApiKey(context, readCompanyId(request.companyId), readApiKeyFields(request)),

    async listApiKeys(request) {
      const companyId = readCompanyId(request.companyId);
      const page = await listApiKeys(context, companyId, readPage(request));
      return { ...page, apiKeys: page.entries };
    },

    async revokeApiKey(request) {
      return { apiKey: await revokeApiKey(context, readUuid("id", request.id)) };
    },
  });
}

/** What whoever creates a key says of it. */
export function readApiKeyFields(request: CreateApiKeyRequest | OwnKeyRequest): ApiKeyFields {
  const given = readFields(request, ["name", "expiresAt", "tenants"]);
  return { ...given, rights: readRights(request.rights) };
}
