import type { CompanyId } from "../../domain/ids.ts";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  CreateMemoriesResponseSchema,
  SupersessionSchema,
} from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import type { AutoSupersession } from "../../domain/auto-supersede.ts";
import type { CreatedMemory } from "../../service/create-content-memory.ts";
import type { ExtractedMemories } from "../../service/create-extracted-memories.ts";
import { timestamp } from "./memory-message.ts";

type Response = MessageInitShape<typeof CreateMemoriesResponseSchema>;

/** Whose memories were written. */
export interface WriteOwner {
  readonly companyId: CompanyId;
  /** null: the default tenant. */
  readonly tenantId: string | null;
}

/** The response of content mode (D5). */
export function contentResponse(owner: WriteOwner, created: CreatedMemory): Response {
  return {
    result: {
      case: "content",
      value: {
        status: "saved",
        memoryId: created.memoryId,
        ...ownerFields(owner),
        autoSupersede: autoSupersede(created),
      },
    },
  };
}

/** The response of messages mode (D5). */
export function messagesResponse(owner: WriteOwner, result: ExtractedMemories): Response {
  return {
    result: {
      case: "messages",
      value: {
        status: "extracted",
        ...ownerFields(owner),
        extractedCount: result.extracted.length,
        savedCount: result.saved.length,
        memoryIds: result.saved.map(({ memoryId }) => memoryId),
        extractedFacts: [...result.extracted],
        extraction: result.extraction,
        autoSupersede: result.saved.map((created) => ({
          memoryId: created.memoryId,
          autoSupersede: autoSupersede(created),
        })),
      },
    },
  };
}

function ownerFields({ companyId, tenantId }: WriteOwner) {
  return { companyId, tenantId: tenantId ?? undefined };
}

function autoSupersede({ autoSupersede: outcome }: CreatedMemory) {
  return {
    ran: outcome.ran,
    skippedReason: outcome.skippedReason ?? undefined,
    candidatesExamined: outcome.candidatesExamined,
    supersession: outcome.supersession === null ? undefined : supersession(outcome.supersession),
  };
}

function supersession(applied: AutoSupersession): MessageInitShape<typeof SupersessionSchema> {
  return { ...applied, validTo: timestamp(applied.validTo) };
}
