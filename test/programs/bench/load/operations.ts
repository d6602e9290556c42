import { create, type DescMethodUnary, type Message } from "@bufbuild/protobuf";
import {
  BatchCreateMemoriesRequestSchema,
  CreateMemoriesRequestSchema,
  GetContextRequestSchema,
  ListMemoriesRequestSchema,
  MemoryService,
  QueryMemoriesRequestSchema,
  SearchMemoriesRequestSchema,
} from "../../../../gen/agentmemory/v1/memory_service_pb.ts";

export const OPERATIONS = ["write", "batch write", "search", "ask", "context", "list"] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Memories of a batch write. */
export const BATCH = 100;
/** Of a search and of a question. */
export const RESULTS = 10;
/** Memories of a list. */
export const LISTED = 100;

/** One call, as each protocol has it. */
export interface ServiceCall {
  readonly rest: { readonly method: string; readonly path: string; readonly body?: object };
  readonly rpc: { readonly method: DescMethodUnary; readonly message: Message };
}

const { method } = MemoryService;

/** `index`: which text it is about, so that no two calls of a run are the same. */
export function callOf(operation: Operation, tenantId: string, index: number): ServiceCall {
  const question = madeQuestion(index);
  switch (operation) {
    case "write": {
      const message = { content: madeContent(index), tenantId };
      return {
        rest: post("/agent/memories", { content: message.content, tenant_id: tenantId }),
        rpc: {
          method: method.createMemories,
          message: create(CreateMemoriesRequestSchema, message),
        },
      };
    }
    case "batch write": {
      const contents = Array.from({ length: BATCH }, (_, i) => madeContent(index * BATCH + i));
      const memories = contents.map((each) => ({ content: each, tenantId }));
      const body = { memories: contents.map((each) => ({ content: each, tenant_id: tenantId })) };
      return {
        rest: post("/agent/memories:batch", body),
        rpc: {
          method: method.batchCreateMemories,
          message: create(BatchCreateMemoriesRequestSchema, { memories }),
        },
      };
    }
    case "search":
      return {
        rest: post("/agent/search", { question, tenant_id: tenantId, limit: RESULTS }),
        rpc: {
          method: method.searchMemories,
          message: create(SearchMemoriesRequestSchema, { question, tenantId, limit: RESULTS }),
        },
      };
    case "ask":
      return {
        rest: post("/agent/query", { question, tenant_id: tenantId }),
        rpc: {
          method: method.queryMemories,
          message: create(QueryMemoriesRequestSchema, { question, tenantId }),
        },
      };
    case "context":
      return {
        rest: post("/agent/context", { question, tenant_id: tenantId }),
        rpc: {
          method: method.getContext,
          message: create(GetContextRequestSchema, { question, tenantId }),
        },
      };
    case "list": {
      const path = `/agent/memories?tenant_id=${encodeURIComponent(tenantId)}&limit=${LISTED}`;
      return {
        rest: { method: "GET", path },
        rpc: {
          method: method.listMemories,
          message: create(ListMemoriesRequestSchema, { tenantId, limit: LISTED }),
        },
      };
    }
  }
}

function post(path: string, body: object) {
  return { method: "POST", path, body };
}

const PLACES = ["Lisbon", "Oslo", "Zurich", "Ghent", "Riga", "Porto", "Turin", "Bergen"];
const THINGS = ["garden", "bakery", "library", "orchestra", "harbour", "museum", "clinic"];

function madeContent(index: number): string {
  const [place, thing] = [PLACES[index % PLACES.length], THINGS[index % THINGS.length]];
  return `Person ${index} works at the ${thing} in ${place} and looks after project ${index * 7}.`;
}

function madeQuestion(index: number): string {
  return `Which ${THINGS[index % THINGS.length]} does person ${index} work at?`;
}
