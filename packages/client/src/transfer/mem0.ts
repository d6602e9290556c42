import {
  type ForeignRecord,
  type ForeignSystem,
  isRecord,
  metadataOf,
  textOf,
  timeOf,
} from "./foreign-records.ts";

/**
 * Memories of mem0: the answers of its `get_all`, in the forms of the platform
 * and of the library, and the backups of OpenMemory.
 */
export const MEM0: ForeignSystem = {
  name: "mem0",
  lists: ["results", "memories"],
  read(record, tenant) {
    const content = textOf(record.memory) ?? textOf(record.content) ?? textOf(record.text);
    if (content === undefined) return { leftOut: "it has no text in `memory` or `content`" };
    if (record.state === "deleted") return { leftOut: "it was deleted there" };
    const categories = categoriesOf(record);
    const { metadata, notes } = metadataOf({
      mem0_id: record.id,
      ...(isRecord(record.metadata) ? record.metadata : {}),
      agent_id: record.agent_id,
      app_id: record.app_id ?? record.app,
      updated_at: record.updated_at === record.created_at ? undefined : record.updated_at,
      categories: categories.length > 1 ? categories.join(", ") : undefined,
      state: record.state === "active" ? undefined : record.state,
    });
    const [topic] = categories;
    const tenantId = tenant ?? textOf(record.user_id);
    const sessionId = textOf(record.run_id);
    const validFrom = timeOf(record.created_at);
    const validTo = timeOf(record.expiration_date);
    return {
      memory: {
        content,
        source: "mem0",
        ...(topic !== undefined && { topic }),
        ...(tenantId !== undefined && { tenant_id: tenantId }),
        ...(sessionId !== undefined && { session_id: sessionId }),
        ...(validFrom !== undefined && { valid_from: validFrom }),
        ...(validTo !== undefined && { valid_to: validTo }),
        metadata,
        auto_supersede: false,
      },
      notes,
    };
  },
};

function categoriesOf({ categories }: ForeignRecord): string[] {
  if (!Array.isArray(categories)) return [];
  return categories.flatMap((category) => {
    return textOf(isRecord(category) ? category.name : category) ?? [];
  });
}
