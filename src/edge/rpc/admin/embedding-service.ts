import type { ServiceImpl } from "@connectrpc/connect";
import type { EmbeddingService } from "../../../../gen/agentmemory/admin/v1/embedding_service_pb.ts";
import {
  cutOverEmbeddings,
  fillEmbeddings,
  getEmbeddings,
  removeOldEmbeddings,
} from "../../../service/admin/embeddings.ts";
import { refreshTerms } from "../../../service/admin/stored-terms.ts";
import type { EmbeddingContext } from "../../../service/context.ts";
import { readWholeNumber } from "../fields.ts";

/** Memories that one call of the next model may embed, or whose terms one call finds. */
export const MAX_FILL_PAGE_SIZE = 100;
export const MAX_REMOVE_PAGE_SIZE = 1_000;

const FILL_PAGE_SIZE = { min: 1, max: MAX_FILL_PAGE_SIZE, fallback: MAX_FILL_PAGE_SIZE };
const REMOVE_PAGE_SIZE = { min: 1, max: MAX_REMOVE_PAGE_SIZE, fallback: MAX_REMOVE_PAGE_SIZE };

export function embeddingService(context: EmbeddingContext): ServiceImpl<typeof EmbeddingService> {
  return {
    async getEmbeddings() {
      const { active, next, memories, missing } = await getEmbeddings(context);
      return { active, next: next ?? undefined, memories, missing };
    },

    async fillEmbeddings(request, { signal }) {
      const page = {
        pageSize: readWholeNumber("page_size", request.pageSize, FILL_PAGE_SIZE),
        pageToken: request.pageToken ?? null,
      };
      const { embedded, nextPageToken } = await fillEmbeddings(context, page, signal);
      return { embedded, nextPageToken: nextPageToken ?? undefined };
    },

    async cutOverEmbeddings() {
      return { active: await cutOverEmbeddings(context) };
    },

    async removeOldEmbeddings(request) {
      const page = {
        pageSize: readWholeNumber("page_size", request.pageSize, REMOVE_PAGE_SIZE),
        pageToken: request.pageToken ?? null,
      };
      const { removed, nextPageToken } = await removeOldEmbeddings(context, page);
      return { removed, nextPageToken: nextPageToken ?? undefined };
    },

    async refreshTerms(request, { signal }) {
      const page = {
        pageSize: readWholeNumber("page_size", request.pageSize, FILL_PAGE_SIZE),
        pageToken: request.pageToken ?? null,
      };
      const { refreshed, nextPageToken } = await refreshTerms(context, page, signal);
      return { refreshed, nextPageToken: nextPageToken ?? undefined };
    },
  };
}
