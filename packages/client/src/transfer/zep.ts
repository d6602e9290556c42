import { type ForeignSystem, isRecord, metadataOf, textOf, timeOf } from "./foreign-records.ts";

/**
 * Facts of Zep and Graphiti: the edges of a graph, and the facts of sessions.
 */
export const ZEP: ForeignSystem = {
  name: "Zep",
  lists: ["edges", "facts", "items", "data", "results"],
  read(record, tenant) {
    const content = textOf(record.fact) ?? textOf(record.content);
    if (content === undefined) return { leftOut: "it has no text in `fact` or `content`" };
    const validFrom = timeOf(record.valid_at) ?? timeOf(record.created_at);
    const validTo = timeOf(record.invalid_at) ?? timeOf(record.expired_at);
    if (isEmpty(validFrom, validTo)) return { leftOut: "it ends before it begins" };
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

/** Whether a fact never held; the service knows the rest of what is wrong with times. */
function isEmpty(from: string | undefined, to: string | undefined): boolean {
  return from !== undefined && to !== undefined && Date.parse(to) <= Date.parse(from);
}
