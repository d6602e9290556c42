import {
  type ForeignRecord,
  type ForeignSystem,
  isRecord,
  metadataOf,
  textOf,
  timeOf,
} from "./foreign-records.ts";

/** Memories of mem0: what `get_all` of its platform or library says, and OpenMemory's backups. */
export const MEM0: ForeignSystem = {
  name: "mem0",
  lists: ["results", "memories"],
  join: withNames,
  read(record, tenant) {
    const content = textOf(record.memory) ?? textOf(record.content) ?? textOf(record.text);
    if (content === undefined) return { leftOut: "it has no text in `memory` or `content`" };
    if (record.state === "deleted") return "deleted";
    const held = heldOf(record);
    if ("leftOut" in held) return held;
    const { validFrom, validTo } = held;
    const categories = categoriesOf(record);
    const { metadata, notes } = metadataOf({
      mem0_id: record.id,
      ...(isRecord(record.metadata) ? record.metadata : {}),
      agent_id: record.agent_id,
      app_id: record.app_id ?? record.app,
      created_at: timeOf(record.created_at) === validFrom ? undefined : record.created_at,
      categories: categories.length > 1 ? categories.join(", ") : undefined,
      state: record.state === "active" ? undefined : record.state,
    });
    return {
      memory: {
        content,
        topic: categories[0],
        tenant_id: tenant ?? textOf(record.user_id),
        session_id: textOf(record.run_id),
        valid_from: validFrom,
        valid_to: validTo,
        metadata,
      },
      notes: [...notes, ...held.notes],
    };
  },
};

type Held =
  | { readonly validFrom?: string; readonly validTo?: string; readonly notes: readonly string[] }
  | { readonly leftOut: string };

/**
 * When a record held. A new text there takes the place of the older one, so it holds since then.
 */
function heldOf(record: ForeignRecord): Held {
  const created = timeOf(record.created_at);
  const updated = timeOf(record.updated_at);
  const isUpdated = isAfter(updated, created);
  if (record.state === "archived" || record.state === "paused") {
    const end = timeOf(record.archived_at) ?? (isUpdated ? updated : undefined);
    if (end === undefined || !isAfter(end, created)) {
      return { leftOut: `it was ${record.state} there, and no time says since when` };
    }
    return { validFrom: created, validTo: end, notes: [] };
  }
  const validTo = timeOf(record.expiration_date);
  if (!isUpdated) return { validFrom: created, validTo, notes: [] };
  return { validFrom: updated, validTo, notes: ["it holds from its update, not from before"] };
}

function isAfter(later: string | undefined, earlier: string | undefined): boolean {
  return later !== undefined && !(Date.parse(later) <= Date.parse(earlier ?? ""));
}

/** A record of OpenMemory's backup, which names its user, categories and app by the IDs of rows. */
function withNames(record: ForeignRecord, whole: ForeignRecord): ForeignRecord {
  const rowsOf = (name: string) => [whole[name]].flat().filter(isRecord);
  const nameIn = (name: string, id: unknown) => rowsOf(name).find((row) => row.id === id)?.name;
  const { user } = whole;
  const ids = Array.isArray(record.category_ids) ? record.category_ids : [];
  const change = rowsOf("status_history").findLast(
    (row) => row.memory_id === record.id && row.new_state === record.state,
  );
  return {
    ...record,
    ...(isRecord(user) && record.user_id === user.id && { user_id: user.user_id }),
    ...(ids.length > 0 && { categories: ids.map((id) => nameIn("categories", id)) }),
    app_id: nameIn("apps", record.app_id) ?? record.app_id,
    archived_at: record.archived_at ?? change?.changed_at,
  };
}

function categoriesOf({ categories }: ForeignRecord): string[] {
  const all = Array.isArray(categories) ? categories : [];
  return all.flatMap((each) => textOf(isRecord(each) ? each.name : each) ?? []);
}

/** Facts of Zep and Graphiti: the edges of a graph, and the facts of sessions. */
export const ZEP: ForeignSystem = {
  name: "Zep",
  lists: ["edges", "facts", "items", "data", "results"],
  read(record, tenant) {
    const content = textOf(record.fact) ?? textOf(record.content);
    if (content === undefined) return { leftOut: "it has no text in `fact` or `content`" };
    const validFrom = timeOf(record.valid_at) ?? timeOf(record.created_at);
    const validTo = timeOf(record.invalid_at) ?? timeOf(record.expired_at);
    // The service knows the rest of what is wrong with times.
    if (validFrom !== undefined && validTo !== undefined && !isAfter(validTo, validFrom)) {
      return { leftOut: "it ends before it begins" };
    }
    const { metadata, notes } = metadataOf({
      zep_uuid: record.uuid,
      relation: record.name,
      ...(isRecord(record.attributes) ? record.attributes : {}),
      source_node: record.source_node_name ?? record.source_node_uuid,
      target_node: record.target_node_name ?? record.target_node_uuid,
      created_at: record.created_at,
    });
    const { user_id, group_id, graph_id, graph_uuid } = record;
    const tenant_id = tenant ?? [user_id, group_id, graph_id, graph_uuid].map(textOf).find(Boolean);
    const memory = { content, tenant_id, valid_from: validFrom, valid_to: validTo, metadata };
    return { memory, notes };
  },
};
