import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type {
  ApiKeySchema,
  ApiKeyService,
  CreateApiKeyRequest,
  ListApiKeysRequest,
} from "../../../../gen/agentmemory/admin/v1/api_key_service_pb.ts";
import type { ApiKey } from "../../../domain/account.ts";
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
import { optionalTimestamp, timestamp } from "../memory-message.ts";
import { readCompanyId } from "./company-id.ts";

export const MAX_API_KEYS_PAGE_SIZE = 1_000;
export const MAX_API_KEY_NAME_CHARACTERS = 64;

const PAGE_SIZE = { min: 1, max: MAX_API_KEYS_PAGE_SIZE, fallback: MAX_API_KEYS_PAGE_SIZE };

export function apiKeyService(context: ServiceContext): ServiceImpl<typeof ApiKeyService> {
  return {
    async createApiKey(request) {
      const companyId = readCompanyId(request.companyId);
      const { apiKey, secret } = await createApiKey(context, companyId, readApiKeyFields(request));
      return { apiKey: apiKeyMessage(apiKey), secret };
    },

    async listApiKeys(request) {
      const companyId = readCompanyId(request.companyId);
      const page = await listApiKeys(context, companyId, readApiKeyPage(request));
      const { entries, nextPageToken } = page;
      return { apiKeys: entries.map(apiKeyMessage), nextPageToken: nextPageToken ?? undefined };
    },

    async revokeApiKey(request) {
      const apiKey = await revokeApiKey(context, readUuid("id", request.id));
      return { apiKey: apiKeyMessage(apiKey) };
    },
  };
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

export function apiKeyMessage(apiKey: ApiKey): MessageInitShape<typeof ApiKeySchema> {
  return {
    id: apiKey.id,
    companyId: apiKey.companyId,
    prefix: apiKey.prefix,
    name: apiKey.name ?? undefined,
    createdAt: timestamp(apiKey.createdAt),
    expiresAt: optionalTimestamp(apiKey.expiresAt),
    lastUsedAt: optionalTimestamp(apiKey.lastUsedAt),
    revokedAt: optionalTimestamp(apiKey.revokedAt),
    rights: [...apiKey.rights],
    tenants: [...apiKey.tenants],
  };
}
