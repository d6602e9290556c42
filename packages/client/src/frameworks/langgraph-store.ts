/** `agent-memory/langgraph`: the long-term store of LangGraph. */
import { isDeepStrictEqual } from "node:util";
import type { Memory } from "@agent-memory/gen/agentmemory/v1/memory_pb";
import { type Timestamp, timestampDate, timestampNow } from "@bufbuild/protobuf/wkt";
import {
  BaseStore,
  type GetOperation,
  InMemoryStore,
  type Item,
  type ListNamespacesOperation,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from "@langchain/langgraph-checkpoint";
import type { AgentMemoryClient } from "../client.ts";
import { pagesOf } from "../pages.ts";
import { epochMs } from "../platform.ts";

export interface MemoryStoreOptions {
  /** The tenant of the memories; left out: the default tenant. */
  readonly tenantId?: string | undefined;
}

/** A memory has at most 16 values of metadata; four of them are the store's own. */
const MAX_NAMESPACE_LABELS = 12;
/** Items that a search without a question, or with a filter, looks through at most. */
const MAX_SCANNED = 10_000;
/** Another writer was faster. */
const ENDED_BY_OTHERS = ["already_superseded", "replacement_ended"];
const MAX_FOUND = 100;
const PAGE = 1_000;
const DEFAULT_LIMIT = 10;

/**
 * Items of LangGraph as memories: `put` over a key supersedes the older value, which stays
 * readable in its history; `delete` ends it. A value with one text is stored as that text, so
 * that it is found and answered as any fact; any other as JSON. An item has at most 32 KiB.
 */
export class MemoryStore extends BaseStore {
  readonly #memories: AgentMemoryClient["memories"];
  readonly #tenantId: string | undefined;

  constructor({ memories }: Pick<AgentMemoryClient, "memories">, options?: MemoryStoreOptions) {
    super();
    this.#memories = memories;
    this.#tenantId = options?.tenantId;
  }

  /** In their order: a read sees the writes before it. */
  async batch<Ops extends Operation[]>(operations: Ops): Promise<OperationResults<Ops>> {
    const results: unknown[] = [];
    for (const operation of operations) results.push(await this.#run(operation));
    return results as OperationResults<Ops>;
  }

  #run(operation: Operation): Promise<unknown> {
    if ("value" in operation) return this.#put(operation);
    if ("key" in operation) return this.#get(operation);
    if ("namespacePrefix" in operation) return this.#search(operation);
    return this.#listNamespaces(operation);
  }

  async #get({ namespace, key }: GetOperation): Promise<Item | null> {
    const [memory] = await this.#find(namespace, key);
    return memory === undefined ? null : itemOf(memory);
  }

  async #put({ namespace, key, value }: PutOperation): Promise<void> {
    checkNamespace(namespace);
    const found = await this.#find(namespace, key);
    if (value === null) return this.#end(found, { validTo: timestampNow() });
    const [older, ...others] = found;
    const isSame = older !== undefined && isDeepStrictEqual(itemOf(older).value, value);
    if (isSame && others.length === 0) return;
    const { content, field } = contentOf(value);
    await this.#memories.createMemories({
      content,
      tenantId: this.#tenantId,
      source: "langgraph",
      autoSupersede: false,
      metadata: {
        ...labelsOf(namespace),
        [KEY]: key,
        [DEPTH]: String(namespace.length),
        [FIELD]: field,
        [CREATED]: older?.metadata[CREATED] ?? new Date(epochMs()).toISOString(),
      },
    });
    // With those of writers at the same time, of which the newest stays.
    const [newest, ...ended] = await this.#find(namespace, key);
    await this.#end(ended, { supersededBy: newest?.id });
  }

  async #end(
    memories: readonly Memory[],
    how: { supersededBy?: string | undefined; validTo?: Timestamp },
  ) {
    for (const { id: memoryId } of memories) {
      await this.#memories.supersedeMemory({ memoryId, ...how }).catch((error) => {
        if (!ENDED_BY_OTHERS.includes(error.reason)) throw error;
      });
    }
  }

  async #search(operation: SearchOperation): Promise<SearchItem[]> {
    const { namespacePrefix, filter, limit = DEFAULT_LIMIT, offset = 0, query = "" } = operation;
    const metadata = labelsOf(namespacePrefix);
    const items: SearchItem[] = [];
    if (query.trim() === "") {
      for await (const memory of this.#all(metadata)) {
        if (FIELD in memory.metadata) items.push(itemOf(memory));
        if (filter === undefined && items.length >= offset + limit) break;
      }
    } else {
      const request = { question: query, tenantId: this.#tenantId, metadata, limit: MAX_FOUND };
      for (const { memory, relevance } of (await this.#memories.searchMemories(request)).memories) {
        if (memory !== undefined && FIELD in memory.metadata) {
          items.push({ ...itemOf(memory), score: relevance });
        }
      }
    }
    return (await passing(items, filter)).slice(offset, offset + limit);
  }

  async #listNamespaces(operation: ListNamespacesOperation): Promise<string[][]> {
    const own = new InMemoryStore();
    for await (const memory of this.#all({})) {
      if (!(FIELD in memory.metadata)) continue;
      const { namespace, key, value } = itemOf(memory);
      await own.put(namespace, key, value);
    }
    const [namespaces = []] = await own.batch([operation]);
    return namespaces;
  }

  /** The newest first; more than one only until their writers are done. */
  async #find(namespace: readonly string[], key: string): Promise<Memory[]> {
    const metadata = { ...labelsOf(namespace), [KEY]: key, [DEPTH]: String(namespace.length) };
    const request = { tenantId: this.#tenantId, metadata, limit: MAX_FOUND };
    return (await this.#memories.listMemories(request)).memories;
  }

  async *#all(metadata: Record<string, string>): AsyncGenerator<Memory> {
    const request = { tenantId: this.#tenantId, metadata, limit: PAGE };
    let count = 0;
    for await (const { memories } of pagesOf(this.#memories.listMemories, request)) {
      yield* memories;
      count += memories.length;
      if (count >= MAX_SCANNED) return;
    }
  }
}

const KEY = "store_key";
const DEPTH = "store_depth";
const FIELD = "store_field";
const CREATED = "store_created_at";

function labelsOf(namespace: readonly string[]): Record<string, string> {
  return Object.fromEntries(namespace.map((label, index) => [`store_${index}`, label]));
}

function checkNamespace(namespace: readonly string[]): void {
  if (namespace.length === 0 || namespace.length > MAX_NAMESPACE_LABELS) {
    throw new Error(`a namespace must have 1 to ${MAX_NAMESPACE_LABELS} labels`);
  }
}

/** `field`: the name of the only text; empty: the content is the whole value as JSON. */
function contentOf(value: Item["value"]): { readonly content: string; readonly field: string } {
  const [[field, content] = [], ...others] = Object.entries(value);
  const isText = others.length === 0 && typeof content === "string" && content.trim() === content;
  if (isText && content !== "" && field !== undefined && field !== "") return { content, field };
  return { content: JSON.stringify(value), field: "" };
}

function itemOf({ decision, metadata, createdAt }: Memory): Item {
  const { [KEY]: key = "", [FIELD]: field = "", [CREATED]: created = "" } = metadata;
  const labels = Array.from({ length: Number(metadata[DEPTH]) }, (_, index) => `store_${index}`);
  return {
    value: field === "" ? JSON.parse(decision) : { [field]: decision },
    key,
    namespace: labels.map((label) => metadata[label] ?? ""),
    createdAt: new Date(created),
    updatedAt: createdAt === undefined ? new Date(created) : timestampDate(createdAt),
  };
}

/** Those that a filter wants, as the framework's own store reads it. */
async function passing(items: SearchItem[], filter: SearchOperation["filter"]) {
  if (filter === undefined) return items;
  const own = new InMemoryStore();
  for (const [index, { value }] of items.entries()) await own.put(["all"], String(index), value);
  const wanted = await own.search(["all"], { filter, limit: items.length });
  return wanted.flatMap(({ key }) => items[Number(key)] ?? []);
}
