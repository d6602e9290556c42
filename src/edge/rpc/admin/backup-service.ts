import type { ServiceImpl } from "@connectrpc/connect";
import type { BackupService } from "../../../../gen/agentmemory/admin/v1/backup_service_pb.ts";
import type { Log } from "../../../log.ts";
import type { Backups } from "../../../service/admin/backups.ts";
import type { ServiceContext } from "../../../service/context.ts";
import { reportedError } from "../../error-mapping.ts";

/** What a stream answers with fails where no interceptor sees it: the log is for that. */
export function backupService(
  context: ServiceContext,
  backups: Backups,
  log: Log,
): ServiceImpl<typeof BackupService> {
  return {
    async *createBackup(_request, { signal, method }) {
      try {
        yield* backups.create(context, signal);
        yield { isLast: true };
      } catch (error) {
        throw reportedError(error, method.name, log);
      }
    },
  };
}
