import type { Message } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import type { Interceptor, StreamRequest, UnaryRequest } from "@connectrpc/connect";
import { MemoryService } from "../../gen/agentmemory/v1/memory_service_pb.ts";
import { PlanService } from "../../gen/agentmemory/v1/plan_service_pb.ts";
import { SettingsService } from "../../gen/agentmemory/v1/settings_service_pb.ts";
import { atLine, Failure } from "../domain/failure.ts";
import { checkRight, checkTenant, type KeyRights, type Right } from "../domain/key-rights.ts";
import type { Caller } from "../service/context.ts";
import { checkTenantOfMemory } from "../service/memory-history.ts";
import { callerKey } from "./rpc/call.ts";

type Rights<Service extends { readonly method: object }> = Readonly<
  Record<keyof Service["method"], Right | null>
>;

const OF_MEMORIES: Rights<typeof MemoryService> = {
  createMemories: "write",
  batchCreateMemories: "write",
  listMemories: "read",
  deleteMemories: "delete",
  exportMemories: "read",
  importMemories: "import",
  queryMemories: "read",
  streamQueryMemories: "read",
  searchMemories: "read",
  getContext: "read",
  getProfile: "read",
  supersedeMemory: "write",
  restoreMemory: "write",
  getMemory: "read",
  getMemoryTimeline: "read",
  getMemoryAudit: "read",
};
const OF_SETTINGS: Rights<typeof SettingsService> = {
  getSettings: "read",
  updateSettings: "write",
};
const OF_PLAN: Rights<typeof PlanService> = { getPlanStatus: null };

/** The right that each RPC takes of a key (D48); null: every key may call it. */
export const RIGHT_OF_RPC: Readonly<Record<string, Readonly<Record<string, Right | null>>>> = {
  [MemoryService.typeName]: OF_MEMORIES,
  [SettingsService.typeName]: OF_SETTINGS,
  [PlanService.typeName]: OF_PLAN,
};

/**
 * Holds each call by a key to the key's rights, and to its tenants each message that can name
 * a tenant, or a memory. A session has every right.
 *
 * Rejects with `not_permitted`.
 */
export const holdToRights: Interceptor = (next) => async (request) => {
  const caller = request.contextValues.get(callerKey);
  if (caller === null || caller.rights === null) return next(request);
  const { rights } = caller;
  // Services without rows take no key at all.
  const right = RIGHT_OF_RPC[request.service.typeName]?.[request.method.localName];
  if (right) checkRight(rights, right);
  if (rights.tenants.length === 0) return next(request);
  if (request.stream) return next(withCheckedMessages(request, rights));
  checkTenants(reflect(request.method.input, request.message), rights);
  await checkMemory(request, caller);
  return next(request);
};

function withCheckedMessages(request: StreamRequest, rights: KeyRights): StreamRequest {
  const { input, methodKind } = request.method;
  async function* checked(messages: AsyncIterable<Message>) {
    let line = 0;
    for await (const message of messages) {
      line++;
      try {
        checkTenants(reflect(input, message), rights);
      } catch (error) {
        const isOfLine = error instanceof Failure && methodKind === "client_streaming";
        throw isOfLine ? atLine(line, error) : error;
      }
      yield message;
    }
  }
  return { ...request, message: checked(request.message) };
}

/** In a message that can name a tenant, no name is one that no pattern allows. */
function checkTenants(message: ReflectMessage, rights: KeyRights): void {
  const { tenantId, tenantIds } = message.desc.field;
  if (tenantIds?.fieldKind === "list" && message.isSet(tenantIds)) {
    for (const id of message.get(tenantIds)) checkTenant(rights, String(id), "tenant_ids");
  } else if (tenantId !== undefined) {
    const id = message.isSet(tenantId) ? String(message.get(tenantId)) : null;
    checkTenant(rights, id, "tenant_id");
  }
  for (const field of message.fields) {
    if (field.fieldKind === "message" && message.isSet(field)) {
      checkTenants(message.get(field), rights);
    } else if (field.fieldKind === "list" && field.listKind === "message") {
      for (const each of message.get(field)) checkTenants(each as ReflectMessage, rights);
    }
  }
}

async function checkMemory({ message }: UnaryRequest, caller: Caller): Promise<void> {
  const { memoryId } = message as Message & { readonly memoryId?: unknown };
  if (typeof memoryId === "string") await checkTenantOfMemory(caller, memoryId);
}
