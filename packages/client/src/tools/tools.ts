import { MemoryService } from "@agent-memory/gen/agentmemory/v1/memory_service_pb";
import type { DescMethodUnary, JsonObject } from "@bufbuild/protobuf";

/** The arguments of a tool, as a model wrote them. The service checks them. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/**
 * The parts of an answer in JSON that a model is shown, by their names: a path of names, parted by
 * dots, or a list of which each element has a shape of its own. A path leads through lists, as
 * through one of all their elements.
 */
export interface Shape {
  readonly [name: string]: string | { readonly list: string; readonly each: FlatShape | null };
}
type FlatShape = Readonly<Record<string, string>>;

/** A tool for models. Its name and words are the same wherever it is offered. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** For the model that chooses: what it does, and when to use it. */
  readonly description: string;
  readonly inputSchema: {
    readonly type: "object";
    readonly properties: Readonly<Record<string, JsonObject>>;
    readonly required: readonly string[];
    readonly additionalProperties: false;
  };
  /** Takes the arguments as its request in JSON; its answer is the tool's. */
  readonly rpc: DescMethodUnary;
  /** For the model, where the ends of lists had to be left out of an answer: what to do then. */
  readonly whenCut: string;
  /** The parts of the answer of the RPC that a model is shown. */
  readonly answer: Shape;
}

// JSON Schemas of arguments.
const text = (description: string) => ({ type: "string", description });
const time = (description: string) => ({ type: "string", format: "date-time", description });
const memoryId = (description: string) => ({ type: "string", format: "uuid", description });
const texts = (description: string) => ({ type: "array", items: { type: "string" }, description });
const number = (type: string, minimum: number, maximum: number, description: string) => {
  return { type, minimum, maximum, description };
};
const labels = (description: string) => {
  return { type: "object", additionalProperties: { type: "string" }, description };
};

const TENANT = text(
  "Whose memories these are: a customer or project. Leave it out for the default; never guess it.",
);
const SUPERSEDE = {
  type: "boolean",
  description: "true: older memories that this makes untrue are ended. Recommended.",
};
const QUESTION = text("A whole question in plain words, with the names that matter.");
const LIMIT = number("integer", 1, 100, "Most memories; 10 if left out.");
const MAX_TOKENS = number("integer", 50, 32_000, "Most tokens of the text; 1,000 if left out.");
const PAGE_TOKEN = text("For what follows a page: its `next_page_token`.");

/** The arguments of a write about its owner, and by which it is found. */
const LABELS = {
  tenant_id: TENANT,
  session_id: text("ID of this conversation."),
  source: text("Where it comes from, such as `email` or `crm`."),
  metadata: labels("Labels, to find it by."),
};
/** The arguments of a read that choose its memories. */
const FILTERS = {
  as_of: time("What held then, for a question about the past; with an offset or `Z`."),
  known_at: time("What had been told by then."),
  metadata: labels("Only memories with these labels."),
  session_id: text("Only memories of the conversation of this ID."),
  topic: text("Only memories of exactly this `topic`."),
  tenant_id: TENANT,
};
/** The same of a question, over several tenants and some sources. */
const FILTERS_OF_QUESTION = {
  ...FILTERS,
  tenant_ids: texts("Up to 10 tenants, in place of `tenant_id`."),
  sources: texts("Only memories from these sources."),
};

const FACT: FlatShape = {
  id: "id",
  fact: "decision",
  since: "valid_from",
  until: "valid_to",
  topic: "topic",
  source: "source",
  tenant_id: "tenant_id",
};
const ENDED = { id: "memory_id", by: "superseded_by", reason: "reason", applied: "applied" };

/** No tool deletes: what a model ends can be read and restored. */
export const TOOLS: readonly Tool[] = [
  {
    name: "remember",
    title: "Remember a fact",
    description:
      "Stores one fact word for word, to be found in later conversations. Use it when the user states something lasting about themselves, their people, preferences, work or plans, or asks you to remember something. Write one short sentence that can be understood alone, with names instead of pronouns (`Alice is allergic to peanuts`); one call for each fact. Not for small talk, guesses or secrets.",
    inputSchema: inputOf(["content"], {
      content: text("The fact, in one sentence."),
      topic: text("One or two words, such as `Health` or `Work`."),
      importance_score: number("integer", 1, 10, "1 trivial, 5 normal, 8 identity, 10 critical."),
      valid_from: time("Since when it is true, with an offset or `Z`; now if left out."),
      valid_to: time("When it stops being true, where that is known."),
      auto_supersede: SUPERSEDE,
      ...LABELS,
    }),
    rpc: MemoryService.method.createMemories,
    answer: {
      id: "memory_id",
      ended: { list: "auto_supersede.supersessions", each: ENDED },
      ended_none_because: "auto_supersede.skipped_reason",
    },
    whenCut: "All of it was stored.",
  },
  {
    name: "remember_conversation",
    title: "Remember a conversation",
    description:
      "Finds the lasting facts in a conversation and stores each as a memory of its own, with the message it comes from. Use it at the end of a conversation. Send the messages as they were said; small talk is left out by itself.",
    inputSchema: inputOf(["messages"], {
      messages: {
        type: "array",
        description: "Oldest first.",
        items: {
          type: "object",
          properties: {
            role: { type: "string", enum: ["user", "assistant", "system", "tool"] },
            content: { type: "string" },
            name: text("Whose words they are, where several people write."),
          },
          required: ["role", "content"],
        },
      },
      valid_from: time("When the conversation took place; now if left out."),
      auto_supersede: SUPERSEDE,
      ...LABELS,
    }),
    rpc: MemoryService.method.createMemories,
    answer: {
      facts: { list: "extracted", each: null },
      ids: { list: "memory_ids", each: null },
      ended: { list: "auto_supersede.supersessions", each: ENDED },
      taken_back: { list: "retractions", each: { ...ENDED, text: "text" } },
      rejected: { list: "rejected", each: { fact: "fact", reason: "reason" } },
    },
    whenCut: "All of it was stored.",
  },
  {
    name: "search",
    title: "Search memories",
    description:
      "Finds the memories that hold now, or held at `as_of`, and have to do with a question, best first, without an answer. Use it before you reply whenever something from earlier conversations could matter: who the user is, what they like, what was decided. `relevance` says how much: below 0.1 it has nothing to do with it.",
    inputSchema: inputOf(["question"], {
      question: QUESTION,
      limit: LIMIT,
      min_relevance: number(
        "number",
        0,
        1,
        "Leave out what is less relevant; 0.1 is a good start.",
      ),
      ...FILTERS_OF_QUESTION,
    }),
    rpc: MemoryService.method.searchMemories,
    answer: { memories: { list: "memories", each: { ...FACT, relevance: "relevance" } } },
    whenCut: "Narrow the question, or give `min_relevance`, `topic`, `session_id` or `sources`.",
  },
  {
    name: "list_memories",
    title: "List what is known",
    description:
      "Lists what holds now, or held at `as_of`, the newest first. Use it when the user asks what you know of them; for a question `search` is better.",
    inputSchema: inputOf([], {
      limit: number("integer", 1, 1_000, "Most memories; 100 if left out."),
      page_token: PAGE_TOKEN,
      ...FILTERS,
    }),
    rpc: MemoryService.method.listMemories,
    answer: { memories: { list: "memories", each: FACT }, next_page_token: "next_page_token" },
    whenCut: "To read on, ask for this page with a `limit` of no more than that.",
  },
  {
    name: "context",
    title: "What to know for a reply",
    description:
      "Gives what is known that matters for a question or a task, as text within `max_tokens`: who the user is (`stable`), and the memories that have to do with it, each with the day since when it holds (`relevant`). Use it once at the beginning of a task; to look one thing up `search` is better.",
    inputSchema: inputOf(["question"], {
      question: QUESTION,
      max_tokens: MAX_TOKENS,
      ...FILTERS_OF_QUESTION,
    }),
    rpc: MemoryService.method.getContext,
    answer: { stable: "stable.text", relevant: "relevant.text", left_out: "left_out" },
    whenCut: "Give fewer `max_tokens`.",
  },
  {
    name: "profile",
    title: "Who the user is",
    description:
      "Gives what is known of the user for good, as text: name, home, work, family, health, preferences. Use it at the beginning of a conversation, where it is about the user and no question is asked yet.",
    inputSchema: inputOf([], { max_tokens: MAX_TOKENS, tenant_id: TENANT }),
    rpc: MemoryService.method.getProfile,
    answer: { text: "text" },
    whenCut: "Give fewer `max_tokens`.",
  },
  {
    name: "ask",
    title: "Ask the memory",
    description:
      "Answers a question from the memories alone, with citations `[mem-1]` to the ones it rests on; `answer_kind` says whether they state it. Use it for a question about the past that needs several memories put together, or where you must show where an answer comes from; to look things up for yourself `search` is faster.",
    inputSchema: inputOf(["question"], {
      question: QUESTION,
      limit: LIMIT,
      ...FILTERS_OF_QUESTION,
    }),
    rpc: MemoryService.method.queryMemories,
    answer: {
      answer: "answer_with_citations",
      answer_kind: "answer_kind",
      citations: {
        list: "citations",
        each: { index: "index", id: "memory_id", fact: "decision", since: "valid_from" },
      },
    },
    whenCut: "Narrow the question, or give `topic`, `session_id` or `sources`.",
  },
  {
    name: "supersede",
    title: "End a memory",
    description:
      "Ends a memory that is no longer true, or never was; it stays readable in its history. Give the ID of the memory that replaces it (store that first with `remember`), or the time at which it ended, or both. Use it when the user corrects something and the older memory was not ended by itself.",
    inputSchema: inputOf(["memory_id"], {
      memory_id: memoryId("The `id` of the memory to end."),
      superseded_by: memoryId("The `id` of the memory that replaces it."),
      valid_to: time("When it stopped being true."),
    }),
    rpc: MemoryService.method.supersedeMemory,
    answer: { id: "memory_id", superseded_by: "superseded_by", until: "valid_to" },
    whenCut: "It was ended.",
  },
  {
    name: "timeline",
    title: "How a memory came to be",
    description:
      "Lists every version of a memory, from the first to the one that holds now, with the times at which each held. Use it when the user asks what was true before, since when something is so, or why you believe it.",
    inputSchema: inputOf(["memory_id"], {
      memory_id: memoryId("The `id` of a memory."),
      page_token: PAGE_TOKEN,
    }),
    rpc: MemoryService.method.getMemoryTimeline,
    answer: {
      versions: { list: "timeline", each: { ...FACT, superseded_by: "superseded_by" } },
      next_page_token: "next_page_token",
    },
    whenCut: "The API lists all of them: GET /memories/{memory_id}/timeline.",
  },
];

function inputOf(required: readonly string[], properties: Readonly<Record<string, JsonObject>>) {
  return { type: "object", properties, required, additionalProperties: false } as const;
}
