import type { ServiceImpl } from "@connectrpc/connect";
import type { ApiKeyService } from "../../../../gen/agentmemory/dashboard/v1/own_api_key_service_pb.ts";
import { createApiKey, listApiKeys } from "../../../service/admin/api-keys.ts";
import type { ServiceContext } from "../../../service/context.ts";
import { changeOwnSettings, findOwnSettings, revokeOwnKey } from "../../../service/own-api-keys.ts";
import { apiKeyMessage, readApiKeyFields, readApiKeyPage } from "../admin/api-key-service.ts";
import { callerOf } from "../call.ts";
import { readUuid } from "../fields.ts";
import { readSettingsChange, settingsMessage } from "../settings-service.ts";

/** The handlers of the dashboard's ApiKeyService: keys of the account that calls. */
export function createOwnApiKeyService(context: ServiceContext): ServiceImpl<typeof ApiKeyService> {
  return {
    async createApiKey(request, call) {
      const { companyId } = callerOf(call);
      const { apiKey, secret } = await createApiKey(context, companyId, readApiKeyFields(request));
      return { apiKey: apiKeyMessage(apiKey), secret };
    },
    async listApiKeys(request, call) {
      const { companyId } = callerOf(call);
      const page = await listApiKeys(context, companyId, readApiKeyPage(request));
      const { entries, nextPageToken } = page;
      return { apiKeys: entries.map(apiKeyMessage), nextPageToken: nextPageToken ?? undefined };
    },
    async revokeApiKey(request, call) {
      const apiKey = await revokeOwnKey(context, callerOf(call), readUuid("id", request.id));
      return { apiKey: apiKeyMessage(apiKey) };
    },
    async getApiKeySettings(request, call) {
      const settings = await findOwnSettings(callerOf(call), readUuid("id", request.id));
      return { settings: settingsMessage(settings) };
    },
    async updateApiKeySettings(request, call) {
      const id = readUuid("id", request.id);
      const settings = await changeOwnSettings(callerOf(call), id, readSettingsChange(request));
      return { settings: settingsMessage(settings) };
    },
  };
}
