import { readLabel } from "../fields.ts";

export const MAX_COMPANY_ID_CHARACTERS = 256;

/** Throws `invalid_field`. */
export function readCompanyId(value: string): string {
  return readLabel("company_id", value, MAX_COMPANY_ID_CHARACTERS);
}
