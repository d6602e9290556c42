import type { ServiceImpl } from "@connectrpc/connect";
import {
  ApiKeyService,
  type CreateApiKeyRequest,
  type ListApiKeysRequest,
} from "../../../../gen/agentmemory/admin/v1/api_key_service_pb.ts";
import { invalidField } from "../../../domain/failure.ts";
import { readRights } from "../../../domain/key-rights.ts";
import { MAX_KEY_TENANTS, MAX_TENANT_ID_CHARACTERS } from "../../../domain/limits.ts";
import {
  type ApiKeyFields,
  createApiKey,
  listApiKeys,
  revokeApiKey,
} from "../../../service/admin/api-keys.ts";
import type { ServiceContext } from "../../../service/context.ts";
import type { PageRequest } from "../../../service/page-token.ts";
import { readInstant, readLabel, readOptionalLabel, readUuid, readWholeNumber } from "../fields.ts";
import { implement } from "../messages.ts";
import { readCompanyId } from "./account-service.ts";

export const MAX_API_KEYS_PAGE_SIZE = 1_000;
export const MAX_API_KEY_NAME_CHARACTERS = 64;

const PAGE_SIZE = { min: 1, max: MAX_API_KEYS_PAGE_SIZE, fallback: MAX_API_KEYS_PAGE_SIZE };

export function apiKeyService(context: ServiceContext): ServiceImpl<typeof ApiKeyService> {
  return implement(ApiKeyService, {
    createApiKey: (request) =>
      createApiKey(context, readCompanyId(request.companyId), readApiKeyFields(request)),

    async listApiKeys(request) {
      const companyId = readCompanyId(request.companyId);
      const page = await listApiKeys(context, companyId, readApiKeyPage(request));
      return { ...page, apiKeys: page.entries };
    },

    async revokeApiKey(request) {
      return { apiKey: await revokeApiKey(context, readUuid("id", request.id)) };
    },
  });
}

/** What whoever creates a key says of it. */
export function readApiKeyFields({
  name,
  expiresAt,
  rights,
  tenants,
}: Pick<CreateApiKeyRequest, keyof ApiKeyFields>): ApiKeyFields {
  if (tenants.length > MAX_KEY_TENANTS) {
    throw invalidField("tenants", `must have at most ${MAX_KEY_TENANTS} entries`);
  }
  return {
    name: readOptionalLabel("name", name, MAX_API_KEY_NAME_CHARACTERS),
    expiresAt: readInstant("expires_at", expiresAt),
    rights: readRights(rights),
    tenants: tenants.map((tenant, index) =>
      readLabel(`tenants[${index}]`, tenant, MAX_TENANT_ID_CHARACTERS),
    ),
  };
}

export function readApiKeyPage({
  pageSize,
  pageToken,
}: Pick<ListApiKeysRequest, "pageSize" | "pageToken">): PageRequest {
  return {
    pageSize: readWholeNumber("page_size", pageSize, PAGE_SIZE),
    pageToken: pageToken ?? null,
  };
}
