declare const names: unique symbol;

/** The owner of data: the ID of a user at the identity provider, 1 to 256 characters. */
export type CompanyId = string & { readonly [names]: "an account" };

/** The ID of a memory: a UUID in lower case. New ones are UUIDv7, in the order of creation (D4). */
export type MemoryId = string & { readonly [names]: "a memory" };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a text is a UUID of any version, in lower case and with hyphens, as IDs are written. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Whether a text can be the ID of a memory. */
export function isMemoryId(text: string): text is MemoryId {
  return isUuid(text);
}

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** When an ID was made, in milliseconds since 1970; null: it is no UUIDv7 (D4). */
export function creationMsOf(id: MemoryId): number | null {
  return UUID_V7.test(id) ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : null;
}

/** A new memory's ID. Throws an Error for a text that is no UUID: a defect of what made it. */
export function toMemoryId(uuid: string): MemoryId {
  if (!isMemoryId(uuid)) throw new Error(`Not a UUID: ${uuid}`);
  return uuid;
}

/** The ID of an account as its creator gives it, who has checked its length and characters. */
export function toCompanyId(text: string): CompanyId {
  return text as CompanyId;
}
