import type { HandlerContext } from "@connectrpc/connect";
import {
  ApiKeyService,
  type CreateApiKeyRequest,
} from "../../../../gen/agentmemory/admin/v1/api_key_service_pb.ts";
import { BackupService } from "../../../../gen/agentmemory/admin/v1/backup_service_pb.ts";
import { EmbeddingService } from "../../../../gen/agentmemory/admin/v1/embedding_service_pb.ts";
import {
  type EraseMemoriesRequest,
  ErasureService,
  type SetRetentionRuleRequest,
} from "../../../../gen/agentmemory/admin/v1/erasure_service_pb.ts";
import type { CreateApiKeyRequest as OwnKeyRequest } from "../../../../gen/agentmemory/dashboard/v1/own_api_key_service_pb.ts";
import { readRights } from "../../../domain/api-key.ts";
import { type ErasureScope, WHOLE_ACCOUNT } from "../../../domain/erasure.ts";
import { invalidField } from "../../../domain/failure.ts";
import type { CompanyId } from "../../../domain/ids.ts";
import {
  accountDb,
  createApiKey,
  listApiKeys,
  revokeApiKey,
} from "../../../service/admin/api-keys.ts";
import type { Backups } from "../../../service/admin/backups.ts";
import {
  cutOverEmbeddings,
  fillEmbeddings,
  getEmbeddings,
  removeOldEmbeddings,
} from "../../../service/admin/embeddings.ts";
import type { Caller, EmbeddingContext, ServiceContext } from "../../../service/context.ts";
import { eraseConfirmed, listRetentionRules, setRetentionRule } from "../../../service/erasure.ts";
import { readFields, readMemoryId, readPage, readUuid, required } from "../fields.ts";
import { implement } from "../handlers.ts";
import { readErasureScope } from "../memory-messages.ts";
import { readCompanyId } from "./account-service.ts";

export function apiKeyService(context: ServiceContext) {
  const ownerOf = ({ companyId }: { readonly companyId: string }) => readCompanyId(companyId);
  return implement(ApiKeyService, {
    ...keyHandlers(context, ownerOf),
    async revokeApiKey({ id }) {
      return { apiKey: await revokeApiKey(context, context.db, readUuid("id", id)) };
    },
  });
}

/** The methods that create and list the keys of the account that `ownerOf` says. */
export function keyHandlers<Request>(
  context: ServiceContext,
  ownerOf: (request: Request, call: HandlerContext) => CompanyId,
) {
  return {
    createApiKey(request: Request & (CreateApiKeyRequest | OwnKeyRequest), call: HandlerContext) {
      const key: CreateApiKeyRequest | OwnKeyRequest = request;
      const given = readFields(key, ["name", "expiresAt", "tenants"]);
      const fields = { ...given, rights: readRights(key.rights) };
      return createApiKey(context, ownerOf(request, call), fields);
    },
    async listApiKeys(request: Request & Parameters<typeof readPage>[0], call: HandlerContext) {
      const page = await listApiKeys(context, ownerOf(request, call), readPage(request));
      return { ...page, apiKeys: page.entries };
    },
  };
}

export function embeddingService(context: EmbeddingContext) {
  return implement(EmbeddingService, {
    getEmbeddings: () => getEmbeddings(context),
    fillEmbeddings: (request, { signal }) => fillEmbeddings(context, readPage(request), signal),
    cutOverEmbeddings: async () => ({ active: await cutOverEmbeddings(context) }),
    removeOldEmbeddings: (request) => removeOldEmbeddings(context, readPage(request)),
  });
}

export function backupService(context: ServiceContext, backups: Backups) {
  return implement(BackupService, {
    async *createBackup(_request, { signal }) {
      yield* backups.create(context, signal);
      yield { isLast: true };
    },
  });
}

/** The handlers of the operator's ErasureService. */
export function erasureService(context: EmbeddingContext) {
  return implement(ErasureService, {
    async eraseMemories(request) {
      const db = await accountDb(context, readCompanyId(request.companyId));
      return eraseConfirmed(context, db, "operator", readScope(request), request.confirmed);
    },
    ...retentionHandlers(context, ({ companyId }: { readonly companyId: string }) =>
      accountDb(context, readCompanyId(companyId)),
    ),
  });
}

/** The methods about rules of retention, of the account that `dbOf` says. */
export function retentionHandlers<Request>(
  context: EmbeddingContext,
  dbOf: (request: Request, call: HandlerContext) => Caller["db"] | Promise<Caller["db"]>,
) {
  return {
    async listRetentionRules(request: Request, call: HandlerContext) {
      return { rules: await listRetentionRules(await dbOf(request, call)) };
    },
    async setRetentionRule(
      request: Request & Pick<SetRetentionRuleRequest, "rule" | "confirmed">,
      call: HandlerContext,
    ) {
      const names = ["tenantId", "source", "endedAfterDays", "allAfterDays"] as const;
      const rule = readFields(required("rule", request.rule), names, "rule.");
      const db = await dbOf(request, call);
      return { dueCount: await setRetentionRule(context, db, rule, request.confirmed) };
    },
  };
}

/** A slip must not erase an account: it has a command of its own. */
function readScope({ memoryId, scope }: EraseMemoriesRequest): ErasureScope {
  if (memoryId === undefined) {
    const read = scope && readErasureScope(scope);
    if (read?.tenantId !== undefined) return read;
    throw invalidField("scope.tenant_id", "or `memory_id` must be given");
  }
  if (scope !== undefined) throw invalidField("scope", "must not be given with `memory_id`");
  return { ...WHOLE_ACCOUNT, memoryId: readMemoryId("memory_id", memoryId) };
}
