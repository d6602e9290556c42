import type { ServiceImpl } from "@connectrpc/connect";
import { BackupService } from "../../../../gen/agentmemory/admin/v1/backup_service_pb.ts";
import { EmbeddingService } from "../../../../gen/agentmemory/admin/v1/embedding_service_pb.ts";
import type { Backups } from "../../../service/admin/backups.ts";
import {
  cutOverEmbeddings,
  fillEmbeddings,
  getEmbeddings,
  removeOldEmbeddings,
} from "../../../service/admin/embeddings.ts";
import { refreshTerms } from "../../../service/admin/stored-terms.ts";
import type { EmbeddingContext, ServiceContext } from "../../../service/context.ts";
import { readPage } from "../fields.ts";
import { implement } from "../messages.ts";

export function embeddingService(context: EmbeddingContext): ServiceImpl<typeof EmbeddingService> {
  return implement(EmbeddingService, {
    getEmbeddings: () => getEmbeddings(context),
    fillEmbeddings: (request, { signal }) => fillEmbeddings(context, readPage(request), signal),
    cutOverEmbeddings: async () => ({ active: await cutOverEmbeddings(context) }),
    removeOldEmbeddings: (request) => removeOldEmbeddings(context, readPage(request)),
    refreshTerms: (request, { signal }) => refreshTerms(context, readPage(request), signal),
  });
}

export function backupService(
  context: ServiceContext,
  backups: Backups,
): ServiceImpl<typeof BackupService> {
  return implement(BackupService, {
    async *createBackup(_request, { signal }) {
      yield* backups.create(context, signal);
      yield { isLast: true };
    },
  });
}
